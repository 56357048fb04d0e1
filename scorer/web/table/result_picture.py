"""The evening's result as SVG, to share; a script turns it into a PNG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import render_template

from scorer.web.frame.translation import gettext
from scorer.web.table.table_view import SENTENCES, SideColumn, TableView

WIDTH: Final = 1080
HEIGHT: Final = 1350
_EDGE: Final = 70
_MOST_GAMES: Final = 12
"""Limit of games listed; the newest are."""


def picture(view: TableView) -> str:
    games = list(enumerate(view.state.games, 1))
    return render_template(
        "table/board/result_picture.svg",
        view=view,
        width=WIDTH,
        height=HEIGHT,
        result=_short(_result(view), 44),
        sides=[_side(view, column) for column in view.columns],
        games=games[-_MOST_GAMES:] if len(games) > 1 else [],
    )


def _result(view: TableView) -> str:
    """Winner of the only game, or the side with the fewest Bummerl."""
    games = view.state.games
    if not games:
        return gettext("Not over yet")
    if len(games) == 1:
        return view.say(SENTENCES["won"], games[0].winner)
    fewest = min(view.state.bummerl)
    ahead = [c.name for c in view.columns if c.bummerl == fewest]
    if len(ahead) > 1:
        return gettext("Bummerl level after %(n)s games", n=len(games))
    return gettext("Fewest Bummerl: %(name)s", name=ahead[0])


@dataclass(frozen=True, slots=True)
class PictureSide:
    """A side's column: `x` is its middle and `size` the font size of its name, in pixels."""

    x: float
    name: str
    size: int
    players: str
    figure: int
    """Points of the only game, or games won."""
    marks: str
    """Its Bummerl as text, "" if none."""


def _side(view: TableView, column: SideColumn) -> PictureSide:
    width, two = (WIDTH - 2 * _EDGE) / len(view.columns), len(view.columns) == 2
    name = _short(column.name, 22 if two else 13)
    return PictureSide(
        x=_EDGE + width * (column.side + 0.5),
        name=name,
        # A letter is about 0.62 times as wide as high; a tenth of the width separates names.
        size=min(52, int(width * 0.9 / (0.62 * max(1, len(name))))),
        players="" if column.unnamed else _short(" · ".join(column.players), 30 if two else 18),
        figure=_figure(view, column.side),
        marks=view.counted(column.bummerl) if column.bummerl else "",
    )


def _figure(view: TableView, side: int) -> int:
    games = view.state.games
    if len(games) > 1:
        return sum(game.winner == side for game in games)
    return games[0].points[side] if games else view.state.points[side]


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
