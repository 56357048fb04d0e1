"""The plan of a round that every format's draw returns, and the costs of pairings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorer.tournament.state import Tournament

LOT: Final = 1000
CLUB: Final = 10**6
REMATCH: Final = 10**9
BYE: Final = 10**12
"""Costs of a pairing, from the random tie-break (below LOT) to a second bye."""

Two = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round without table numbers."""

    twos: list[Two]
    byes: list[int]
    stage: str
    notes: tuple[str, ...] = ()
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0
    teams: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = ()
    """If partners are drawn: the players of both sides of each match."""


def meetings(tournament: Tournament) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(match.drawn.pairs)
        for played in tournament.rounds
        for match in played.matches.values()
    )


def club_of(tournament: Tournament, pair: int) -> str | int:
    """A value that pairs of one club share; unique for a pair without a club."""
    return tournament.entrants[pair].pair.club.casefold() or pair
