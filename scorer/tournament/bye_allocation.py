"""Byes: their number so far, the cost of another, and the lots of a knock-out that get one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from scorer.tournament.pairing_costs import BYE_COST
from scorer.tournament.settings import Since
from scorer.tournament.state import Tournament

NOBODY: Final = 0
"""The opponent of a pair with a bye, in a pairing."""


def byes_before(tournament: Tournament) -> Counter[int]:
    """The number of byes of each pair so far."""
    return Counter(pair for round_ in tournament.rounds for pair in tournament.bye_pairs(round_))


def free_rounds_before(tournament: Tournament) -> Counter[int]:
    """The number of byes and of walkovers won of each pair so far."""
    counts = byes_before(tournament)
    if tournament.settings.version >= Since.WALKOVERS_LIKE_BYES:
        for round_ in tournament.rounds:
            for match in round_.matches.values():
                if match.result is not None and match.result.walkover:
                    counts.update(match.sides[match.winner])
    return counts


def bye_costs(pairs: Sequence[int], free_rounds: Mapping[int, int]) -> dict[int, int]:
    """The cost of a bye by pair, so that one of those with the fewest free rounds gets the next.

    :param free_rounds: of each pair, see `free_rounds_before`
    """
    fewest = min(free_rounds[pair] for pair in pairs)
    return {pair: BYE_COST * (free_rounds[pair] - fewest) for pair in pairs}


def bye_notes(pairs_with_bye: Sequence[int], byes_so_far: Mapping[int, int]) -> tuple[str, ...]:
    """`second-bye` if a pair gets another bye.

    :param pairs_with_bye: in this round
    :param byes_so_far: byes of each pair in earlier rounds
    """
    return ("second-bye",) if any(byes_so_far[pair] for pair in pairs_with_bye) else ()


def knockout_byes(alive: Sequence[int], pair_of_lot: Mapping[int, int]) -> list[int]:
    """The lots with a bye, spread evenly over the pairs.

    A pair gets a second bye early if its other lots would otherwise meet each other.

    :param pair_of_lot: the pair of each lot
    """
    lots_to_play, lots_with_bye, bye_counts = list(alive), list[int](), Counter[int]()
    bracket_size = 1
    while bracket_size < len(alive):
        bracket_size *= 2
    for _ in range(bracket_size - len(alive)):
        [(crowded_pair, lot_count)] = Counter(pair_of_lot[lot] for lot in lots_to_play).most_common(
            1
        )
        is_crowded = lot_count > len(lots_to_play) // 2
        lot = min(
            lots_to_play,
            key=lambda lot: (
                is_crowded and pair_of_lot[lot] != crowded_pair,
                bye_counts[pair_of_lot[lot]],
            ),
        )
        lots_to_play.remove(lot)
        lots_with_bye.append(lot)
        bye_counts[pair_of_lot[lot]] += 1
    return lots_with_bye
