"""The pairs and players on the list of a tournament, as immutable values.

`registration_deadline.py` says until when a pair may enter; the draws take in late pairs.
"""

from __future__ import annotations

from dataclasses import dataclass

from scorer.tournament.pairs import Pair


@dataclass(frozen=True, slots=True)
class Entrant:
    """A pair on the list, with the desk's notes about it."""

    number: int
    pair: Pair
    withdrawn: bool = False
    annulled: bool = False
    """It has withdrawn, and its games do not count."""
    paid: bool = False
    here: bool = False
    absent: bool = False
    """Marked absent by the director; drawn again once it is here."""
    removed: bool = False
    """Taken off the list without having played."""
    extra: int = 0
    """Points that the director has added, or taken if negative."""
    extra_reason: str = ""

    @property
    def plays(self) -> bool:
        return not (self.withdrawn or self.absent or self.removed)

    @property
    def holds_place(self) -> bool:
        """Whether it counts towards the limit of places."""
        return not (self.withdrawn or self.removed)


@dataclass(frozen=True, slots=True)
class SignUp:
    """An entry on the waiting list, or a player waiting for a partner."""

    number: int
    """Position of its event in the stream, from 1."""
    name: str
    club: str
    pair: Pair | None = None
    """The pair, or None for a single player."""
