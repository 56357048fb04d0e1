"""The score of a table as text for screen readers and speech output."""

from __future__ import annotations

from typing import Final

from flask import Flask

from scorer.engine import parse
from scorer.engine.translatable import N_
from scorer.store.roles import OPPONENT
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.language import labelled
from scorer.web.frame.translation import gettext
from scorer.web.table.entry_summary import news
from scorer.web.table.table_view import TableView

_ENTERED_BY: Final = N_("entered {side:by ~|by us|by ~|by them}")


def spoken_score(view: TableView) -> str:
    """Points, news and question. No full stop follows a figure, because German voices read "3." as
    "third"."""
    score_parts = []
    for column in view.columns:
        state = gettext("won") if column.won else view.words["near"] if column.near else ""
        score_parts += [f"{column.name} {column.points}", state]
    parts = [", ".join(filter(None, score_parts)), _author_text(view), news(view).rstrip(".")]
    if view.game_end:
        parts.append(view.game_end.kind.rstrip("!"))
        parts += [labelled(name, view.bummerl_text(marks)) for name, marks in view.game_end.bummerl]
    if view.open_question:
        parts.append(view.open_question.spoken)
    return "; ".join(filter(None, parts))


def _author_text(view: TableView) -> str:
    """The sentence that the other side entered the newest event itself; "" if it did not."""
    entry = view.evening.recorded[-1] if view.seq else {}
    role, phone = author_of(entry)
    if role != OPPONENT or phone in {"", *view.authors.writer_devices}:
        return ""
    if parse(entry).is_statement:
        return ""
    return view.say(_ENTERED_BY, entry["side"])


def init_app(app: Flask) -> None:
    app.add_template_global(spoken_score)
