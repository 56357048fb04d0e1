"""Byes: who has had them, what another costs, and which lots of a knock-out get one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final

from scorer.tournament.pairing_costs import BYE
from scorer.tournament.state import Tournament

NOBODY: Final = 0
"""The opponent of a pair with a bye, in a pairing."""


def byes_before(tournament: Tournament) -> Counter[int]:
    """The number of byes of each pair so far."""
    return Counter(pair for played in tournament.rounds for pair in tournament.free(played))


def bye_costs(pairs: Sequence[int], before: Mapping[int, int]) -> dict[int, int]:
    """The cost of a bye by pair, so that those with the fewest byes before get the next.

    :param before: byes of each pair before
    """
    fewest = min(before[pair] for pair in pairs)
    return {pair: BYE * (before[pair] - fewest) for pair in pairs}


def bye_notes(free: Sequence[int], before: Mapping[int, int]) -> tuple[str, ...]:
    """`second-bye` if a pair gets another bye.

    :param free: pairs with a bye in this round
    :param before: byes of each pair before
    """
    return ("second-bye",) if any(before[pair] for pair in free) else ()


def knockout_byes(alive: Sequence[int], owner: Mapping[int, int]) -> list[int]:
    """The lots with a bye, spread evenly over the pairs.

    A pair gets a second bye early if it would have to play itself otherwise.

    :param owner: the pair of each lot
    """
    rest, free, had = list(alive), list[int](), Counter[int]()
    whole = 1
    while whole < len(alive):
        whole *= 2
    for _ in range(whole - len(alive)):
        [(most, held)] = Counter(owner[lot] for lot in rest).most_common(1)
        crowded = held > len(rest) // 2
        lot = min(rest, key=lambda lot: (crowded and owner[lot] != most, had[owner[lot]]))
        rest.remove(lot)
        free.append(lot)
        had[owner[lot]] += 1
    return free
