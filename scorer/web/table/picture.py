"""The evening's result as one picture to send: SVG, which the page's script can turn into a PNG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from markupsafe import Markup

from scorer.engine.scoring.state import Game
from scorer.web.frame.sentences import gettext
from scorer.web.table.view import Column, View

WIDTH: Final = 1080
HEIGHT: Final = 1350
_EDGE: Final = 70
_MOST_GAMES: Final = 12
"""How many games stand on the card; of a longer evening the last ones do."""
_STONE, _WOOD, _CHALK, _QUIET, _RED = "#25332f", "#a07a4c", "#f4f0e4", "#b7c3bb", "#ffa48c"
_SIDES: Final = ("#f6cd85", "#a9d5ee", "#d2dd97")


def picture(view: View) -> Markup:
    """The evening's result as a card to send: who, the Bummerl, how each game ended."""
    drawn = _head(view)
    for column in view.columns:
        drawn += _side(view, column)
    drawn += _games(view) + _foot(view)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        'font-family="system-ui, sans-serif"><rect width="{w}" height="{h}" fill="{wood}"/>'
        '<rect x="24" y="24" width="{iw}" height="{ih}" rx="20" fill="{stone}"/>{drawn}</svg>'
    ).format(
        w=WIDTH,
        h=HEIGHT,
        iw=WIDTH - 48,
        ih=HEIGHT - 48,
        wood=_WOOD,
        stone=_STONE,
        drawn=drawn,
    )


def _text(
    x: float, y: float, text: str, size: int, fill: str = _CHALK, bold: bool = False
) -> Markup:
    return Markup(
        '<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="middle" font-weight="{}">{}'
        "</text>"
    ).format(x, y, size, fill, 700 if bold else 400, text)


def _middle(view: View, side: int) -> float:
    """The middle of a side's column."""
    return _EDGE + (WIDTH - 2 * _EDGE) * (side + 0.5) / len(view.columns)


def _head(view: View) -> Markup:
    title = f"{view.words['name']}, {gettext('to %(target)s', target=view.rules.target)}"
    drawn = _text(WIDTH / 2, 110, title, 40, _QUIET)
    return drawn + _text(WIDTH / 2, 160, view.signatures.date, 32, _QUIET)


def _side(view: View, column: Column) -> Markup:
    x, colour = _middle(view, column.side), _SIDES[column.side]
    room = 17 if len(view.columns) == 2 else 11
    drawn = _text(x, 270, _short(column.name, room), 52, colour, bold=True)
    players = "" if column.unnamed else " · ".join(column.players)
    drawn += _text(x, 320, _short(players, room * 2 - 4), 30, _QUIET)
    drawn += _text(x, 530, str(column.bummerl), 220, _CHALK, bold=True)
    return drawn + _text(x, 585, "Bummerl", 36, _RED, bold=True)


def _games(view: View) -> Markup:
    """How the last games ended, one below the other."""
    ended = list(enumerate(view.state.games, 1))[-_MOST_GAMES:]
    games: Sequence[tuple[int, Game | None]] = ended or [(view.state.game, None)]
    drawn, y = Markup(), 690.0
    row = min(64.0, 540.0 / len(games))
    for number, game in games:
        points = game.points if game else view.state.points
        drawn += _text(WIDTH / 2, y, f"{number}.", 26, _QUIET)
        for side, value in enumerate(points):
            won = game is not None and side == game.winner
            fill = _SIDES[side] if won else _QUIET
            drawn += _text(_middle(view, side), y, str(value), 40, fill, bold=won)
        y += row
    return drawn


def _foot(view: View) -> Markup:
    return _text(WIDTH / 2, HEIGHT - 56, f"Bummerl {view.signatures.witness}".strip(), 26, _QUIET)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
