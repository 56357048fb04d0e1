"""What is said about the record itself: `Standing` takes these, the tally knows none of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from scorer.engine.scoring.kinds.event import Event


@dataclass(frozen=True, slots=True)
class Korrektur(Event):
    """Replaces the event at index `of` by the events of `with_`; none strikes it out.

    With `through` it replaces all events from `of` to there together: a whole round. Those of
    `also` are struck out with it: what it makes impossible.
    """

    do = "korrektur"
    of: int
    with_: tuple[Event, ...] = ()
    through: int | None = None
    also: tuple[int, ...] = ()

    @property
    def last(self) -> int:
        """The index of the last event it replaces."""
        return self.of if self.through is None else self.through

    @property
    def about(self) -> list[int]:
        """All that it replaces or strikes out."""
        return sorted({*range(self.of, self.last + 1), *self.also})

    def missing(self, count: int) -> int | None:
        """An index it is about that is none of the first `count`; None where all are."""
        if not self.of <= self.last < count:
            return self.of if self.of >= count else self.last
        return next((at for at in self.also if at >= count), None)

    def to_json(self) -> dict[str, Any]:
        replacement = [event.to_json() for event in self.with_]
        through = {} if self.through is None else {"through": self.through}
        return {
            "do": self.do,
            "of": self.of,
            **through,
            "with": replacement[0] if len(replacement) == 1 else replacement or None,
            **({"also": list(self.also)} if self.also else {}),
        }


@dataclass(frozen=True, slots=True)
class Vorschlag(Event):
    """The side proposes a correction, which stands once another side says yes to it."""

    do = "vorschlag"
    side: int
    of: int
    with_: tuple[Event, ...] = ()
    through: int | None = None
    also: tuple[int, ...] = ()
    aside = True

    @property
    def correction(self) -> Korrektur:
        """What is proposed."""
        return Korrektur(self.of, self.with_, self.through, self.also)

    def to_json(self) -> dict[str, Any]:
        return {**self.correction.to_json(), "do": self.do, "side": self.side}


@dataclass(frozen=True, slots=True)
class Zusage(Event):
    """The side says yes to the proposal recorded at index `of`."""

    do = "zusage"
    side: int
    of: int
    aside = True


@dataclass(frozen=True, slots=True)
class Absage(Event):
    """The side says no to the proposal recorded at index `of`, or takes back its own."""

    do = "absage"
    side: int
    of: int
    aside = True
