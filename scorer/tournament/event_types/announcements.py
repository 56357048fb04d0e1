"""Events for the hall: announcements, the clock, the prizes, and the series."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from scorer.engine import Unreadable
from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import integer, text
from scorer.engine.translatable import N_
from scorer.tournament.event_types.event import Event, Sealed
from scorer.tournament.settings_reader import series_rules
from scorer.tournament.state import JointSeries, Prizes, Tournament

Announcement = Annotated[str, text(300)]


@dataclass(frozen=True, slots=True)
class Durchsage(Event):
    """Sets the text announced on the hall's screen until the next draw; empty removes it."""

    do = "durchsage"
    text: Announcement

    def effect(self, state: Tournament) -> Tournament:
        return replace(state, announcement=self.text, announcement_round=len(state.rounds))


@dataclass(frozen=True, slots=True)
class Uhr(Event):
    """Sets when the round ends, in seconds since 1970 (UTC); 0 removes the clock."""

    do = "uhr"
    until: Annotated[int, integer(0, 2**33)]

    def effect(self, state: Tournament) -> Tournament:
        playing = bool(state.rounds and state.rounds[-1].unfinished)
        number = len(state.rounds) + (not playing)
        return replace(state, clock_until=self.until, clock_round=number)


@dataclass(frozen=True, slots=True)
class Preise(Event, Prizes):
    """Sets the prizes, one line per place, and the consolation prize, as free text."""

    do = "preise"

    def effect(self, state: Tournament) -> Tournament:
        return replace(state, prizes=self)


@dataclass(frozen=True, slots=True)
class Serie(Event, JointSeries):
    """Sets which other tournaments count together with this one, and how."""

    do = "serie"

    def check(self, state: Tournament) -> None:
        if self.rule not in series_rules():
            raise Unreadable("rule", N_("must be one of {known}"), known=", ".join(series_rules()))

    def effect(self, state: Tournament) -> Tournament:
        return replace(state, series=self)


@dataclass(frozen=True, slots=True)
class Loeschung(Event):
    """A person's name was erased: who played stays who played, under another name.

    `sealed` tells in which entries, and what they hold since.
    """

    do = "loeschung"
    sealed: Sealed
