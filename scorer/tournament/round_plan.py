"""The plan of a round that every format's draw returns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Pairing = tuple[int, int]


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A round without table numbers."""

    pairings: list[Pairing]
    byes: list[int]
    stage: str
    notes: tuple[str, ...] = ()
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0
    teams: Sequence[tuple[tuple[int, ...], tuple[int, ...]]] = ()
    """If partners are drawn: the players of both sides of each match."""
