"""Entries in a few words: for the undo button, for questions, and as news below the slate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Flask
from markupsafe import Markup, escape

from scorer.engine import (
    Absage,
    Bleiben,
    Geklaert,
    Illegal,
    Korrektur,
    Sitzordnung,
    State,
    Strafe,
    Vorschlag,
    Zusage,
    apply,
    parse,
)
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.telling.rounds import round_at
from scorer.web.frame.language import labelled, with_sign
from scorer.web.frame.translation import gettext
from scorer.web.table.event_texts import SIDE_SENTENCES, event_html, event_text
from scorer.web.table.slate_rows import RAISE_SIGN
from scorer.web.table.table_view import SENTENCE_HTML, TableView


def event_summary(view: TableView, index: int) -> Markup:
    """A recorded event in a few words: the side and its points, or what else it changed."""
    recorded = view.evening.recorded[index]
    if recorded["do"] in ("korrektur", "zusage"):
        return escape(gettext("correction"))
    step = next((s for s in reversed(view.evening.steps) if s.original_index == index), None)
    event = step.event if step else parse(recorded)
    if isinstance(event, Strafe):
        return event_html(view, event)
    before = step.before if step else view.state
    try:
        after = step.after if step else apply(before, event)
    except Illegal:
        return event_html(view, event)
    if isinstance(event, Bleiben) and before.deciding_sides:
        return view.sentence_html(event.side, view.say(SIDE_SENTENCES["spielt"], event.side))
    gains = Markup(", ").join(
        SENTENCE_HTML.format(who=view.name(side), what=with_sign(delta))
        for side, delta in points_written(before, after).items()
    )
    if isinstance(event, Sitzordnung) and event.sides:
        return escape(gettext("Names and seats"))
    return gains or event_html(view, event)


def tap_summary(view: TableView, first_index: int, last_index: int) -> Markup:
    """The events of one tap: the last one, and that the side first decided to play."""
    summary = event_summary(view, last_index)
    if first_index == last_index:
        return summary
    return Markup("{}, {}").format(view.words["play"], summary)


def undone_summary(view: TableView, undo_index: int, last_index: int) -> Markup:
    """The events of the tap that the undo at `undo_index` took back.

    :param last_index: of the tap's last event
    """
    undo = parse(view.evening.recorded[undo_index])
    return tap_summary(view, undo.of if isinstance(undo, Korrektur) else last_index, last_index)


def points_written(before: State, after: State) -> dict[int, int]:
    """Points written between two states of one game, by side."""
    if before.game != after.game:
        return {}
    gains = enumerate(zip(before.points, after.points, strict=True))
    return {side: new - old for side, (old, new) in gains if new != old}


def news(view: TableView) -> str:
    """The newest change as a sentence: a correction, something taken back, or a no to a proposal.
    After the evening's first raised round, what its shorthand means. Else ""."""
    recorded = _without_settlements(view.evening.recorded)
    if recorded and recorded[-1]["do"] == Absage.do:
        return _refusal(view, recorded[-1])
    if not recorded or recorded[-1]["do"] not in (Korrektur.do, Zusage.do):
        return _raises_legend(view)
    redo_index = view.evening.redo_index
    if redo_index is not None and view.evening.redo_correction().of == len(recorded) - 1:
        what = undone_summary(view, len(recorded) - 1, redo_index)
        return gettext("Taken back: %(what)s", what=what.striptags())
    of = recorded[-1]["of"]
    while isinstance(before := parse(recorded[of]), Korrektur | Vorschlag):
        of = before.correction.of if isinstance(before, Vorschlag) else before.of
    round_of_event = round_at(view.evening, EventPlace(of))
    if round_of_event is None:
        return gettext("A round was taken back.")
    game, number = round_of_event.game, round_of_event.number
    if _takes_back(recorded[-1]) and _takes_back(recorded[recorded[-1]["of"]]):
        return gettext("Game %(game)s, round %(round)s stands again.", game=game, round=number)
    corrected = gettext("Game %(game)s, round %(round)s was corrected.", game=game, round=number)
    is_accepted = recorded[-1]["do"] == Zusage.do
    return labelled(event_text(view, parse(recorded[-1])), corrected) if is_accepted else corrected


def _without_settlements(recorded: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    """The events up to a newest yes to a proposal, without the disputes that it settled."""
    count = len(recorded)
    while count and recorded[count - 1]["do"] == Geklaert.do:
        count -= 1
    return recorded[:count] if count and recorded[count - 1]["do"] == Zusage.do else recorded


def _refusal(view: TableView, entry: Mapping[str, Any]) -> str:
    """Which side refused a proposal; "" if the side that proposed withdrew it."""
    proposal = view.evening.proposals.get(entry["of"])
    is_refused = proposal is not None and proposal.answer == "no"
    return event_text(view, parse(entry)) if is_refused else ""


def _takes_back(entry: Mapping[str, Any]) -> bool:
    """Whether a recorded event takes another back."""
    return entry["do"] == Korrektur.do and not entry.get("with")


def _raises_legend(view: TableView) -> str:
    """Explain the newest row's shorthand if its round is the evening's first raised one that was
    played to its end."""
    lines = view.lines() if view.state.game == 1 else []
    if not lines or lines[-1].ended_by_fold or lines[-1].step.recorded_index != view.seq - 1:
        return ""
    *earlier, newest = (view.row(line) for line in lines if not line.ended_by_fold)
    if not newest.raises or any(row.raises for row in earlier):
        return ""
    return raises_explained(newest.raises)


def raises_explained(raises: str) -> str:
    """An explanation of a row's shorthand, such as 2›3."""
    first, *_, last = raises.split(RAISE_SIGN)
    return gettext(
        "%(raises)s: raised from %(first)s to %(last)s", raises=raises, first=first, last=last
    )


def init_app(app: Flask) -> None:
    app.add_template_global(raises_explained)
    app.add_template_global(news, "slate_news")
