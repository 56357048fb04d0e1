"""The evening's result as SVG, to share; a script turns it into a PNG."""

from __future__ import annotations

from typing import Final

from markupsafe import Markup

from scorer.web.frame.translation import gettext
from scorer.web.table.table_view import SENTENCES, SideColumn, TableView

WIDTH: Final = 1080
HEIGHT: Final = 1350
_EDGE: Final = 70
_MOST_GAMES: Final = 12
_STONE, _WOOD, _CHALK, _QUIET, _RED = "#25332f", "#a07a4c", "#f4f0e4", "#b7c3bb", "#ffa48c"
_SIDES: Final = ("#f6cd85", "#a9d5ee", "#d2dd97")


def picture(view: TableView) -> Markup:
    drawn = _head(view)
    for column in view.columns:
        drawn += _side(view, column)
    witness = f"Bummerl {view.signatures.witness}".strip()
    drawn += _games(view) + _text(WIDTH / 2, HEIGHT - 56, witness, 26, _QUIET)
    return Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" width="{w}" height="{h}" viewBox="0 0 {w} {h}" '
        'font-family="system-ui, sans-serif"><rect width="{w}" height="{h}" fill="{wood}"/>'
        '<rect x="24" y="24" width="{iw}" height="{ih}" rx="20" fill="{stone}"/>{drawn}</svg>'
    ).format(
        w=WIDTH, h=HEIGHT, iw=WIDTH - 48, ih=HEIGHT - 48, wood=_WOOD, stone=_STONE, drawn=drawn
    )


def _text(
    x: float, y: float, text: str, size: int, fill: str = _CHALK, bold: bool = False
) -> Markup:
    return Markup(
        '<text x="{}" y="{}" font-size="{}" fill="{}" text-anchor="middle" font-weight="{}">{}'
        "</text>"
    ).format(x, y, size, fill, 700 if bold else 400, text)


def _middle(view: TableView, side: int) -> float:
    return _EDGE + (WIDTH - 2 * _EDGE) * (side + 0.5) / len(view.columns)


def _head(view: TableView) -> Markup:
    title = f"{view.words['name']}, {gettext('to %(target)s', target=view.rules.target)}"
    drawn = _text(WIDTH / 2, 100, title, 40, _QUIET)
    drawn += _text(WIDTH / 2, 146, view.signatures.date, 32, _QUIET)
    return drawn + _text(WIDTH / 2, 216, _short(_result(view), 44), 46, bold=True)


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


def _side(view: TableView, column: SideColumn) -> Markup:
    x, colour = _middle(view, column.side), _SIDES[column.side]
    room = 22 if len(view.columns) == 2 else 13
    name = _short(column.name, room)
    # A letter is about 0.62 times as wide as high; a tenth of the width separates names.
    size = min(52, int((WIDTH - 2 * _EDGE) / len(view.columns) * 0.9 / (0.62 * max(1, len(name)))))
    drawn = _text(x, 320, name, size, colour, bold=True)
    players = "" if column.unnamed else " · ".join(column.players)
    drawn += _text(x, 366, _short(players, 30 if len(view.columns) == 2 else 18), 30, _QUIET)
    drawn += _text(x, 570, str(_figure(view, column.side)), 220, _CHALK, bold=True)
    if len(view.state.games) > 1:
        drawn += _text(x, 620, gettext("games won"), 32, _QUIET)
    marks = view.counted(column.bummerl) if column.bummerl else ""
    return drawn + _text(x, 676, marks, 40, _RED, bold=True)


def _figure(view: TableView, side: int) -> int:
    """A side's large figure: points of the only game, or games won."""
    games = view.state.games
    if len(games) > 1:
        return sum(game.winner == side for game in games)
    return games[0].points[side] if games else view.state.points[side]


def _games(view: TableView) -> Markup:
    if len(view.state.games) < 2:
        return Markup()
    games = list(enumerate(view.state.games, 1))[-_MOST_GAMES:]
    drawn, y = Markup(), 760.0
    row = min(64.0, 470.0 / len(games))
    for number, game in games:
        drawn += _text(WIDTH / 2, y, f"{number}.", 26, _QUIET)
        for side, value in enumerate(game.points):
            won = side == game.winner
            fill = _SIDES[side] if won else _QUIET
            drawn += _text(_middle(view, side), y, str(value), 40, fill, bold=won)
        y += row
    return drawn


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"
