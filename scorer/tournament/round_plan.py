"""What every kind of draw makes: a plan of the round, and what it weighs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scorer.tournament.state import Tournament

LOT: Final = 1000
CLUB: Final = 10**6
REMATCH: Final = 10**9
BYE: Final = 10**12
"""What a pairing costs, from the lot that decides among equals to what gives last: a second bye."""

NOBODY: Final = 0
"""Whom a pair with a bye is put together with."""
Two = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Plan:
    """A round before its tables are numbered."""

    twos: list[Two]
    """The lots that meet."""
    byes: list[int]
    stage: str
    notes: tuple[str, ...] = ()
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0
    teams: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = ()
    """Where partners are drawn too: who plays on either side of each match."""


def meetings(tournament: Tournament) -> Counter[frozenset[int]]:
    """How often two pairs have met."""
    return Counter(
        frozenset(match.drawn.pairs)
        for played in tournament.rounds
        for match in played.matches.values()
    )


def had_byes(tournament: Tournament) -> Counter[int]:
    """How many byes each pair has had."""
    return Counter(pair for played in tournament.rounds for pair in tournament.free(played))


def bye_notes(free: Sequence[int], had: Mapping[int, int]) -> tuple[str, ...]:
    """What had to give among the byes.

    :param free: who has one now
    :param had: how many each has had before
    """
    return ("second-bye",) if any(had[pair] for pair in free) else ()


def club_of(tournament: Tournament, pair: int) -> str | int:
    """What pairs of one club have in common; who named no club has it with nobody."""
    return tournament.entrants[pair].pair.club.casefold() or pair
