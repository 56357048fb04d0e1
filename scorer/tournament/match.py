"""What a tournament is made of: the pairs that entered, its rounds, and their matches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from scorer.tournament.events import Anmeldung, Drawn, Einzeln, Ergebnis
from scorer.tournament.settings import Pair, Settings

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
    absent: bool = False
    """Not there when the director was asked; drawn again once it is here."""
    struck: bool = False
    """Taken off the list: it never played."""

    @property
    def plays(self) -> bool:
        """Whether it is drawn."""
        return not (self.withdrawn or self.absent or self.struck)

    @property
    def holds_place(self) -> bool:
        """Whether it takes one of the places."""
        return not (self.withdrawn or self.struck)


@dataclass(frozen=True, slots=True)
class Signed:
    """Who signed up and waits, for the director or for a partner."""

    number: int
    """The place of its event in the stream, from 1."""
    event: Anmeldung | Einzeln

    @property
    def name(self) -> str:
        """What the pair, or the player, is called."""
        return self._entry.name

    @property
    def club(self) -> str:
        return self._entry.club

    @property
    def _entry(self) -> Pair | Einzeln:
        return self.event.entry if isinstance(self.event, Anmeldung) else self.event


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
    def sides(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Who plays on either side: a pair, or two players who are partners for a round."""
        if self.drawn.teams:
            return self.drawn.teams[0], self.drawn.teams[1]
        return (self.drawn.pairs[0],), (self.drawn.pairs[1],)

    @property
    def seat(self) -> int:
        """The number of the table in the hall."""
        return self.drawn.seat or self.drawn.table

    @property
    def third(self) -> bool:
        """Whether it is played for the third place."""
        return "third" in self.drawn.notes

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
        """Which of its two pairs (0 or 1) won the match; -1 while open, level or not played."""
        result = self.result
        if result is None:
            return -1
        if result.walkover:
            return ("a", "b").index(result.walkover) if result.walkover != "none" else -1
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
    seed: str = ""
    games: int = 1
    """How many games two pairs play in it."""
    target: int = 15
    """The points that win a game of it."""
    waiting: tuple[int, ...] = ()
    """In a knock-out: the lots whose tables of earlier rounds were open when it was drawn."""

    @property
    def missing(self) -> list[Match]:
        """The tables whose result does not count yet."""
        return [match for match in self.matches.values() if match.status != "done"]

    @property
    def playing(self) -> set[int]:
        """Who plays a match of it: pairs, or players whose partners were drawn."""
        return {number for m in self.matches.values() for side in m.sides for number in side}

    @property
    def final(self) -> bool:
        """Whether it is one of the finals of the best."""
        return self.stage == "final"

    @property
    def knockout(self) -> bool:
        """Whether who loses is out."""
        return self.stage in KNOCKOUT


@dataclass(frozen=True, slots=True)
class Overturned:
    """A correction that took back the rounds which rest on its result."""

    round: int
    table: int
    before: tuple[Round, ...]
    """All rounds as they were before it."""
    after: tuple[Round, ...]
    settings: Settings
    """By which they were drawn."""

    @property
    def gone(self) -> tuple[Round, ...]:
        """The rounds that it took back."""
        return self.before[len(self.after) :]
