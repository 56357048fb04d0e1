"""The score sheet as one picture to send: SVG, which the page's script can turn into a PNG."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from flask_babel import gettext
from markupsafe import Markup

from scorer.engine.telling.slate import Line, all_lines
from scorer.web.table.view import View

WIDTH: Final = 720
_EDGE: Final = 40
_ROW: Final = 26
_INK, _QUIET, _GROUND, _ACCENT = "#20302a", "#5a675f", "#fffdf7", "#9c2f17"


def picture(view: View) -> Markup:
    """The evening as a slate: names, Bummerl, each game's sums, and the chain's short hash."""
    drawn = [_head(view)]
    y: float = 190
    for number, lines in groupby(all_lines(view.evening), lambda line: line.game):
        block, y = _game(view, number, list(lines), y)
        drawn.append(block)
    drawn.append(_foot(view, y + 10))
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        'font-family="system-ui, sans-serif"><rect width="{w}" height="{h}" fill="{ground}"/>'
        "{drawn}</svg>"
    ).format(w=WIDTH, h=y + 50, ground=_GROUND, drawn=Markup("").join(drawn))


def _text(
    x: float, y: float, text: str, size: int = 18, fill: str = _INK, bold: bool = False
) -> Markup:
    return Markup(
        '<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="middle" font-weight="{}">{}'
        "</text>"
    ).format(x, y, size, fill, 700 if bold else 400, text)


def _rule(y: float) -> Markup:
    return Markup('<path d="M{} {}H{}" stroke="{}" stroke-width="2"/>').format(
        _EDGE, y, WIDTH - _EDGE, _QUIET
    )


def _middle(view: View, side: int) -> float:
    """The middle of a side's column."""
    return _EDGE + (WIDTH - 2 * _EDGE) * (side + 0.5) / len(view.columns)


def _head(view: View) -> Markup:
    title = f"{view.words['name']}, {gettext('to %(target)s', target=view.rules.target)}"
    if view.date:
        title += f" · {view.date}"
    drawn = _text(WIDTH / 2, 44, title, 18, _QUIET)
    for column in view.columns:
        x = _middle(view, column.side)
        drawn += _text(x, 88, _short(column.name, 24), 24, bold=True)
        drawn += _text(x, 112, _short(" · ".join(column.players), 34), 15, _QUIET)
        drawn += _text(x, 150, f"{column.bummerl} Bummerl", 22, _ACCENT, bold=True)
    return drawn + _rule(166)


def _game(view: View, number: int, lines: list[Line], y: float) -> tuple[Markup, float]:
    """One game's sums below each other, and where the next thing goes."""
    drawn = _text(WIDTH / 2, y + 8, gettext("Game %(n)s", n=number), 15, _QUIET)
    y += 12
    for line in lines:
        y += _ROW
        for side, delta in enumerate(line.deltas):
            if delta:
                drawn += _sum(_middle(view, side), y, line, side)
    return drawn + _rule(y + 14), y + 36


def _sum(x: float, y: float, line: Line, side: int) -> Markup:
    drawn = _text(x, y, str(line.points[side]), 20, bold=True)
    drawn += _text(x + 44, y, f"{line.deltas[side]:+d}", 14, _QUIET)
    if line.struck[side]:
        drawn += Markup('<path d="M{} {}h28" stroke="{}" stroke-width="2"/>').format(
            x - 14, y - 7, _ACCENT
        )
    return drawn


def _foot(view: View, y: float) -> Markup:
    return _text(WIDTH / 2, y, f"Bummerl {view.witness}".strip(), 14, _QUIET)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
