"""The costs of pairings: pairs to be kept apart, a second bye, a rematch, pairs of one club."""

from __future__ import annotations

from collections import Counter
from typing import Final

from scorer.tournament.state import Tournament

MAX_RANDOM_COST: Final = 1000
CLUB_COST: Final = 10**6
REMATCH_COST: Final = 10**9
BYE_COST: Final = 10**12
KEPT_APART_COST: Final = 10**15
"""Costs of a pairing, from a random tie-break (below MAX_RANDOM_COST) to two pairs kept apart.
`redraw._circle_seats` has weights of its own.
"""


def meetings(tournament: Tournament) -> Counter[frozenset[int]]:
    return Counter(
        frozenset(match.drawn_table.pairs)
        for round_ in tournament.rounds
        for match in round_.matches.values()
    )


def club_of(tournament: Tournament, pair: int) -> str | int:
    """A value that pairs of one club share; unique for a pair without a club."""
    return tournament.entrants[pair].pair.club.casefold() or pair
