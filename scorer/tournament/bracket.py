"""The bracket: the knock-out rounds beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorer.tournament.match import Match, Round
from scorer.tournament.state import Tournament

MAX_BRACKET_TABLES: Final = 8
"""Most tables of a round beside another; with more, rounds are below each other."""


@dataclass(frozen=True, slots=True)
class BracketColumn:
    round: Round
    matches: tuple[Match, ...]
    third: tuple[Match, ...] = ()
    """The match for the third place."""
    joined: bool = False
    """Whether each two matches lead to the match beside them in the next column."""


def bracket(tournament: Tournament) -> list[BracketColumn]:
    """The knock-out rounds, each sorted so that tables are next to those of the following round."""
    columns, lot_order = list[BracketColumn](), list[int]()
    for round_ in reversed([round_ for round_ in tournament.rounds if round_.knockout]):
        matches = [match for _, match in sorted(round_.matches.items())]
        if round_.stage == "knockout":
            # Rounds are drawn anew, so their order follows that of the next round.
            matches.sort(
                key=lambda match: min(_position(lot_order, lot) for lot in match.drawn.lots)
            )
        byes = sorted(round_.byes, key=lambda lot: _position(lot_order, lot))
        lots = [lot for match in matches for lot in match.drawn.lots]
        lot_order = list(dict.fromkeys([*lots, *byes, *lot_order]))
        main_matches = tuple(match for match in matches if not match.third)
        third_place = tuple(match for match in matches if match.third)
        leads_on = bool(columns) and _lead_to_following(main_matches, columns[-1].matches)
        columns.append(BracketColumn(round_, main_matches, third_place, leads_on))
    return columns[::-1]


def most_tables(columns: Sequence[BracketColumn]) -> int:
    """The tables of the largest round."""
    return max((len(column.matches) for column in columns), default=0)


def _lead_to_following(matches: Sequence[Match], following: Sequence[Match]) -> bool:
    """Whether each two matches lead to the one beside them."""
    feeders = [matches[index : index + 2] for index in range(0, len(matches), 2)]
    return len(matches) == 2 * len(following) and all(
        set(match.drawn.lots) <= {lot for feeder in pair_of_feeders for lot in feeder.drawn.lots}
        for match, pair_of_feeders in zip(following, feeders, strict=True)
    )


def _position(order: Sequence[int], lot: int) -> int:
    return order.index(lot) if lot in order else len(order)
