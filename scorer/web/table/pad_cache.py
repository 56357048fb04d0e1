"""Cache of the pad's columns.

Columns depend on position, language, and whether each name is singular or plural; tables differ by
names only. So columns are rendered with placeholders, once per position, and names are inserted.
Without the cache a page takes 5.6 ms instead of 2.3.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from flask import Flask, current_app
from markupsafe import Markup, escape

from scorer.book.single_flight import SingleFlight
from scorer.engine import Side, position
from scorer.engine.telling.side_names import isolated
from scorer.web.frame.translation import sentences
from scorer.web.table import pad
from scorer.web.table.names_for_reader import NamesForReader
from scorer.web.table.table_view import TableView


class SideHtml(NamedTuple):
    answers: str
    strikes: str
    pad_column: str


HtmlBySide = dict[int, SideHtml]
"""By side."""

MAX_CHARACTERS: Final = 4_000_000
"""The cache holds at most this many: all positions of a few rule sets."""

# Private use characters, one per side: on a button, and in a sentence.
_NAMES: Final = "\ue000\ue001\ue002"
_IN_SENTENCES: Final = "\ue010\ue011\ue012"
_PLACEHOLDERS: Final = re.compile(f"[{_NAMES}{_IN_SENTENCES}]")


class _PlaceholderNames(NamesForReader):
    """Placeholders for the names of a table's sides, of the same grammatical numbers."""

    def __init__(self, view: TableView) -> None:
        super().__init__(view.state, view.says_we)
        self.names = tuple(_NAMES[: len(self._sides)])
        self.numbers = view.side_names.numbers
        sides = zip(self._sides, _IN_SENTENCES, strict=False)
        self.sides = tuple(Side(sign, side.players) for side, sign in sides)


def side_html(view: TableView) -> HtmlBySide:
    cache: SingleFlight[HtmlBySide] = current_app.extensions["side_html"]
    key = position(view.state), view.side_names.numbers, sentences()
    html_by_side = cache(key, lambda: _cached_html(view))
    names = _name_replacements(view)

    def with_names(html: str) -> Markup:
        return Markup(_PLACEHOLDERS.sub(lambda match: names[match[0]], html))

    return {side: SideHtml(*map(with_names, html)) for side, html in html_by_side.items()}


def _cached_html(view: TableView) -> HtmlBySide:
    placeholders = TableView(view.table, side_names=_PlaceholderNames(view))
    macros: Any = current_app.jinja_env.get_template("table/writer/_side_buttons.html").module
    return {
        column.side: SideHtml(
            str(macros.answers(column)),
            str(macros.strikes(column)),
            str(macros.pad_column(column)),
        )
        for column in pad.pad_columns(placeholders)
    }


def _name_replacements(view: TableView) -> dict[str, str]:
    names: dict[str, str] = {}
    for name, on_button, in_sentence in zip(view.names, _NAMES, _IN_SENTENCES, strict=False):
        names[on_button], names[in_sentence] = escape(name), escape(isolated(name))
    return names


def _size(html_by_side: HtmlBySide) -> int:
    return sum(len(html) for side in html_by_side.values() for html in side)


def init_app(app: Flask) -> None:
    app.extensions["side_html"] = SingleFlight[HtmlBySide](MAX_CHARACTERS, _size)
    app.add_template_global(side_html)
