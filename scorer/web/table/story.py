"""What was recorded, in words: for whoever doubts a round."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from markupsafe import Markup, escape

from scorer.book.tables import Table
from scorer.engine import (
    Absage,
    Ansage,
    Bestaetigt,
    Bieten,
    Bleiben,
    Einig,
    Event,
    Gehen,
    Geklaert,
    Gespannt,
    Gewinnt,
    Korrektur,
    Loeschung,
    NeuesSpiel,
    Preis,
    Schlagtausch,
    Schoenere,
    SetztAus,
    Sitzordnung,
    Strafe,
    Streichen,
    Strittig,
    Uebernahme,
    Vorschlag,
    Zusage,
    parse,
)
from scorer.engine.telling.rounds import Outcome
from scorer.engine.telling.slate import Line
from scorer.web.frame.language import labelled, signed
from scorer.web.frame.translation import gettext
from scorer.web.table.view import View


class Story(View):
    """One table with the words for its events.

    :param over: whether all that is told belongs to rounds that are over, so that what was
        announced blind may be read
    """

    def __init__(self, table: Table, ours: bool = False, *, over: bool = False) -> None:
        super().__init__(table, ours)
        self._conceals = self.rules.blind and not over

    def entry_text(self, entry: Mapping[str, Any]) -> str:
        """A recorded event in words."""
        return self.event_text(parse(entry))

    def event_text(self, event: Event) -> str:
        """An event in words."""
        if isinstance(event, Korrektur):
            texts = [self.event_text(item) for item in event.with_]
            text = gettext("taken back")
            if texts:
                text = gettext("corrected to: %(events)s", events="; ".join(texts))
            if event.also:
                text = gettext("%(change)s; what could not be then is struck out", change=text)
            return text
        verb = self._verb(event)
        side = getattr(event, "side", None)
        return verb if side is None else labelled(self.name(side), verb)

    def event_done(self, event: Event) -> Markup:
        """An event in words as its undo has them: a long name gives way."""
        side = getattr(event, "side", None)
        return escape(self._verb(event)) if side is None else self.did(side, self._verb(event))

    def _verb(self, event: Event) -> str:
        match event:
            case Bieten(to=None):
                return self.words["bidden"]
            case Bieten():
                return f"{self.words['raised']} {event.to}"
            case Bleiben():
                return self.words["stayed"]
            case Gehen():
                return self.words["folded"]
            case Gewinnt(stake=None, tricks=None):
                return gettext("took the round")
            case Gewinnt(stake=None):
                return gettext("%(n)s tricks", n=event.tricks)
            case Gewinnt():
                return gettext("took the round at %(stake)s", stake=event.stake)
            case Strafe():
                return self.offence(event.offence)
            case Streichen():
                return gettext("have own points struck")
            case Gespannt():
                return gettext("nothing left to bet")
            case NeuesSpiel():
                return gettext("Rematch")
            case SetztAus():
                return gettext("sits out")
            case Ansage() if self._conceals:
                return gettext("announced")
            case Ansage():
                return self.card_words(event.trumpf, event.schlag)
            case Schoenere() | Schlagtausch():
                better = isinstance(event, Schoenere)
                title = gettext("Better cards") if better else gettext("Role swap")
                return labelled(title, self.answered(event))
            case Einig():
                return gettext("agreed")
            case Bestaetigt():
                return gettext("confirmed %(stand)s", stand=event.stand)
            case Strittig():
                return gettext("in dispute")
            case Geklaert():
                return gettext("settled")
            case Vorschlag():
                change = self.event_text(event.correction)
                return gettext("proposed: %(change)s", change=change)
            case Uebernahme():
                return gettext("the other side's link is on this phone now")
            case Loeschung():
                return gettext("a name was erased on request; the sums are as they were")
            case Zusage():
                return gettext("said yes")
            case Absage():
                return gettext("said no")
            case Sitzordnung(sides=None):
                return gettext("Deal: %(name)s", name=self.seats.called(event.dealer or ""))
            case Sitzordnung():
                sides = event.sides or ()
                names = [" & ".join(filter(None, (s.name, *s.players))) for s in sides]
                return labelled(gettext("Names and seats"), " – ".join(names))
            case Preis():
                return gettext("Price")
            case _:
                raise LookupError(f"no words for {event.do}")

    @staticmethod
    def ways(outcomes: Sequence[Outcome]) -> list[tuple[str, list[Outcome]]]:
        """The ways in which one side may have written: by taking the round, or because it was
        left to it."""
        won = [outcome for outcome in outcomes if outcome.how == "won"]
        left = [outcome for outcome in outcomes if outcome.how != "won"]
        titles = ((gettext("took the round"), won), (gettext("other side went"), left))
        return [(title, those) for title, those in titles if those]

    @staticmethod
    def was(outcome: Outcome, lines: Sequence[Line]) -> bool:
        """Whether a round that wrote these lines went so."""
        wrote = [line for line in lines if line.deltas[outcome.side]]
        if not wrote or wrote[-1].folded != (outcome.how != "won"):
            return False
        line = wrote[-1]
        raised = [rung.value for rung in line.ladder if rung.do == "bieten"]
        going = raised[-1] if raised else outcome.stake
        gained = line.deltas[outcome.side] == outcome.gain
        return gained and (outcome.how != "folded" or outcome.stake == going)

    def outcome_text(self, outcome: Outcome) -> str:
        """A way a round may have gone, on its button."""
        if outcome.how == "folded":
            return gettext("%(gain)s at %(stake)s", gain=signed(outcome.gain), stake=outcome.stake)
        if outcome.how == "declined":
            return f"{signed(outcome.gain)} ({self.words['gave']})"
        tricks = getattr(outcome.events[-1], "tricks", None)
        return signed(outcome.gain) + (f" ({tricks})" if tricks else "")

    @staticmethod
    def as_json(events: Sequence[Event]) -> str:
        return json.dumps([event.to_json() for event in events], separators=(",", ":"))
