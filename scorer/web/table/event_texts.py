"""Recorded events as text."""

from __future__ import annotations

from typing import Any, Final

from markupsafe import Markup, escape

from scorer.engine import Event, Korrektur, Schlagtausch, Schoenere
from scorer.engine.translatable import N_
from scorer.web.frame.language import labelled
from scorer.web.frame.translation import gettext
from scorer.web.table.table_view import TableView

REQUESTS: Final = {"schoenere": N_("Better cards"), "schlagtausch": N_("Role swap")}
PLAIN: Final = {
    "streichen": N_("have own points struck"),
    "gespannt": N_("nothing left to bet"),
    "neues_spiel": N_("Rematch"),
    "setzt_aus": N_("sits out"),
    "einig": N_("agreed"),
    "strittig": N_("in dispute"),
    "geklaert": N_("settled"),
    "uebernahme": N_("the other side's link is on this phone now"),
    "loeschung": N_("a name was erased on request; the sums are as they were"),
    "zusage": N_("said yes"),
    "absage": N_("said no"),
    "preis": N_("Price"),
}
"""Events whose text has no values."""


def event_text(view: TableView, event: Event) -> str:
    if isinstance(event, Korrektur):
        texts = [event_text(view, item) for item in event.with_]
        text = gettext("taken back")
        if texts:
            text = gettext("corrected to: %(events)s", events="; ".join(texts))
        if event.also:
            text = gettext("%(change)s; rounds that no longer fit are struck out", change=text)
        return text
    verb, side = _verb(view, event), getattr(event, "side", None)
    return verb if side is None else labelled(view.name(side), verb)


def event_done(view: TableView, event: Event) -> Markup:
    """An event for the undo button; CSS may shorten the name."""
    verb, side = _verb(view, event), getattr(event, "side", None)
    return escape(verb) if side is None else view.did(side, verb)


def answered(event: Schoenere | Schlagtausch) -> str:
    return gettext("asked, agreed") if event.agreed else gettext("asked, refused")


def _verb(view: TableView, event: Any) -> str:
    words = view.words
    match event.do:
        case "bieten":
            return f"{words['raised']} {event.to}" if event.to else words["bidden"]
        case "bleiben":
            return words["stayed"]
        case "gehen":
            return words["folded"]
        case "gewinnt" if event.stake is not None:
            return gettext("took the round at %(stake)s", stake=event.stake)
        case "gewinnt" if event.tricks is not None:
            return gettext("%(n)s tricks", n=event.tricks)
        case "gewinnt":
            return gettext("took the round")
        case "strafe":
            return view.offence(event.offence)
        case "ansage" if view.conceals:
            return gettext("announced")
        case "ansage":
            return view.card_words(event.trumpf, event.schlag)
        case "schoenere" | "schlagtausch" as do:
            return labelled(gettext(REQUESTS[do]), answered(event))
        case "bestaetigt":
            return gettext("confirmed %(stand)s", stand=event.stand)
        case "vorschlag":
            return gettext("proposed: %(change)s", change=event_text(view, event.correction))
        case "sitzordnung" if event.sides is None:
            return gettext("Deal: %(name)s", name=view.seats.called(event.dealer or ""))
        case "sitzordnung":
            names = [" & ".join(filter(None, (s.name, *s.players))) for s in event.sides]
            return labelled(gettext("Names and seats"), " – ".join(names))
    return gettext(PLAIN[event.do])
