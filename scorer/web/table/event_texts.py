"""Recorded events as text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from markupsafe import Markup, escape

from scorer.engine import (
    Ansage,
    Bestaetigt,
    Bieten,
    Bleiben,
    Event,
    Gehen,
    Gewinnt,
    Korrektur,
    Schlagtausch,
    Schoenere,
    Sitzordnung,
    Strafe,
    Vorschlag,
)
from scorer.engine.telling.english_sentences import REASONS, REFUSALS
from scorer.engine.translatable import N_, Counted
from scorer.web.frame.language import labelled
from scorer.web.frame.translation import gettext
from scorer.web.table.side_sentences import SENTENCES
from scorer.web.table.table_view import TableView

REQUESTS: Final = {"schoenere": N_("Better cards"), "schlagtausch": N_("Role swap")}
SIDELESS_TEXTS: Final = {
    "neues_spiel": N_("Rematch"),
    "uebernahme": N_("the other side's link is on this phone now"),
    "loeschung": N_("a name was erased on request; the sums are as they were"),
    "preis": N_("Price"),
}
"""Events whose text names no side."""
SIDE_SENTENCES: Final[Mapping[str, str | Counted]] = {
    **{do: SENTENCES[do] for do in ("bieten", "bleiben", "gehen")},
    "spielt": N_("{side} {side.plays}"),
    "geboten": N_("{side} {side.bids}"),
    "gewinnt": N_("{side} {side:takes|take} the round"),
    "gewinnt-stake": N_("{side} {side:takes|take} the round at {stake}"),
    "gewinnt-tricks": Counted(
        "{side} {side:takes|take} {tricks} trick",
        "{side} {side:takes|take} {tricks} tricks",
        "tricks",
    ),
    "streichen": REASONS["struck"],
    "gespannt": N_("{side} {side:has|have} nothing left to bet"),
    "setzt_aus": REFUSALS["sits-out"],
    "einig": N_("{side} {side:agrees|agree}"),
    "strittig": N_("{side} {side:disputes|dispute} it"),
    "geklaert": N_("{side} {side:says|say} it is settled"),
    "zusage": N_("{side} {side:says|say} yes"),
    "absage": N_("{side} {side:says|say} no to the proposal"),
    "strafe": N_("{offence} {side:by ~|by us|by ~|by them}"),
    "schoenere-yes": REASONS["schoenere-yes"],
    "schoenere-no": REASONS["schoenere-no"],
    "schlagtausch-yes": REASONS["schlagtausch-yes"],
    "schlagtausch-no": REASONS["schlagtausch-no"],
    "bestaetigt": N_("{side} {side:confirms|confirm} {stand}"),
    "vorschlag": N_("{side} {side:proposes|propose}: {change}"),
    "uebernahme": SIDELESS_TEXTS["uebernahme"],
}
"""Sentences about an event, by its kind."""


def event_text(view: TableView, event: Event) -> str:
    match event:
        case Korrektur():
            return _correction(view, event)
        case Ansage() if view.hides_announcements:
            return gettext("announced")
        case Ansage():
            return view.card_words(event.trumpf, event.schlag)
        case Sitzordnung(sides=tuple() as sides):
            names = [" & ".join(filter(None, (side.name, *side.players))) for side in sides]
            return labelled(gettext("Names and seats"), " – ".join(names))
        case Sitzordnung():
            return gettext("Deal: %(name)s", name=view.seating.name_of(event.dealer or ""))
    side = getattr(event, "side", None)
    if side is None:
        return gettext(SIDELESS_TEXTS[event.do])
    code, values = _side_sentence(view, event)
    return view.say(SIDE_SENTENCES[code], side, **values)


def event_html(view: TableView, event: Event) -> Markup:
    """An event for the undo button; CSS may shorten the name."""
    text, side = event_text(view, event), getattr(event, "side", None)
    return escape(text) if side is None else view.sentence_html(side, text)


def corrected_course(view: TableView, event: Korrektur) -> str:
    """The course of a round according to a correction."""
    texts, is_raised = [], False
    for item in event.with_:
        is_raised = is_raised or isinstance(item, Bieten)
        if isinstance(item, Bleiben | Gehen) and not is_raised:
            # Without a raise before it, it answers the decision to play.
            is_played = isinstance(item, Bleiben)
            sentence = SIDE_SENTENCES["spielt"] if is_played else SENTENCES["gehen-decision"]
            texts.append(view.say(sentence, item.side))
        else:
            texts.append(event_text(view, item))
    return "; ".join(texts) or gettext("taken back")


def _correction(view: TableView, event: Korrektur) -> str:
    change = _change(view, event)
    return gettext("corrected to: %(events)s", events=change) if event.with_ else change


def _change(view: TableView, event: Korrektur) -> str:
    course = corrected_course(view, event)
    if event.also:
        return gettext("%(change)s; rounds that no longer fit are struck out", change=course)
    return course


def _side_sentence(view: TableView, event: Event) -> tuple[str, dict[str, int | str]]:
    """The code of the sentence in `SIDE_SENTENCES`, and its values without the side."""
    match event:
        case Bieten(to=int() as to):
            return "bieten", {"to": to}
        case Bieten():
            return "geboten", {}
        case Gewinnt(stake=int() as stake):
            return "gewinnt-stake", {"stake": stake}
        case Gewinnt(tricks=int() as tricks):
            return "gewinnt-tricks", {"tricks": tricks}
        case Strafe():
            return "strafe", {"offence": event.offence}
        case Schoenere() | Schlagtausch():
            return f"{event.do}-{'yes' if event.agreed else 'no'}", {}
        case Bestaetigt():
            return "bestaetigt", {"stand": event.stand}
        case Vorschlag():
            return "vorschlag", {"change": _change(view, event.correction)}
    return event.do, {}
