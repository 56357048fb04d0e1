"""What a tournament is made of: the pairs that entered, its rounds, and their matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from scorer.tournament.events import Drawn, Ergebnis
from scorer.tournament.settings import Pair

KNOCKOUT: Final = ("knockout", "final")
"""The stages in which who loses is out."""


@dataclass(frozen=True, slots=True)
class Entrant:
    """A pair that signed up, and what the desk has noted of it."""

    number: int
    pair: Pair
    withdrawn: bool = False
    paid: bool = False
    here: bool = False


@dataclass(frozen=True, slots=True)
class Match:
    """One table of a round."""

    drawn: Drawn
    said: Mapping[str, Ergebnis] = field(default_factory=dict)
    """The newest result of each who entered one."""
    history: tuple[int, ...] = ()
    """The indices of the events about it, old values included."""
    confirmed: bool = False
    locked: bool = False

    @property
    def result(self) -> Ergebnis | None:
        """The result that counts, or None."""
        if "director" in self.said:
            return self.said["director"]
        entered = list(self.said.values())
        return entered[0] if entered and (self.confirmed or self._agree) else None

    @property
    def _agree(self) -> bool:
        return len(self.said) == 2 and len({(r.games, r.retour) for r in self.said.values()}) == 1

    @property
    def status(self) -> str:
        """`open`, `entered` by one pair, `amber` where the pairs differ, or `done`."""
        if self.result is not None:
            return "done"
        return ("open", "entered", "amber")[len(self.said)]

    @property
    def order(self) -> int:
        """Where it stands on a list of what needs attention: the amber ones first."""
        return ("amber", "entered", "open", "done").index(self.status)

    @property
    def winner(self) -> int:
        """Which of its two pairs (0 or 1) won the match; -1 while open or level."""
        result = self.result
        if result is None:
            return -1
        if result.walkover:
            return "ab".index(result.walkover)
        won = sum(1 if a > b else -1 for a, b in result.games)
        margin = won or sum(a - b for a, b in result.games)
        return -1 if margin == 0 else int(margin < 0)


@dataclass(frozen=True, slots=True)
class Round:
    """A drawn round."""

    number: int
    stage: str
    matches: Mapping[int, Match]
    byes: tuple[int, ...]
    notes: tuple[str, ...]
    circles: tuple[tuple[int, ...], ...] = ()
    leg: int = 0

    @property
    def missing(self) -> list[Match]:
        """The tables whose result does not count yet."""
        return [match for match in self.matches.values() if match.status != "done"]

    @property
    def knockout(self) -> bool:
        return self.stage in KNOCKOUT
