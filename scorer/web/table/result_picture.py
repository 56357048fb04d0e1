"""The evening's result as SVG, to share: the slate as it stood. A script turns it into a PNG."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import wrap
from typing import Final

from flask import current_app, render_template
from flask_babel import get_locale
from markupsafe import Markup

from scorer.engine import Game, Strittig
from scorer.engine.equity.model import live
from scorer.engine.equity.score_graph import Unsolved
from scorer.engine.telling.lookback import look_back
from scorer.web.frame.translation import gettext
from scorer.web.table.lookback_page import unavailable_reason
from scorer.web.table.pair_strength import EVEN
from scorer.web.table.side_sentences import SENTENCES
from scorer.web.table.slate_rows import SlateCell
from scorer.web.table.table_view import SideColumn, TableView

FIGURES: Final = "Figures"
WIDTH: Final = 1080
SHAPES: Final = {"tall": (1350, 13), "square": (1080, 7)}
"""Most height in pixels and most rows by shape; the newest rows are shown. No picture is wider than
high."""
_EDGE: Final = 70
_ROWS_TOP: Final = 628
_FOOT: Final = 130
_MAX_ROW_HEIGHT: Final = 112
"""In pixels."""
_BASELINE: Final = 0.82
"""Height of a row's figures above its baseline, as a part of the row's height."""
_MAX_ROW_SIZE: Final = {2: 72, 3: 44}
"""The largest figures of a row by the number of columns, in pixels."""
_ROW_SIZE: Final = 0.78
"""Height of a row's figures, as a part of the row's height."""
_NOTE_START: Final = 0.8
"""Distance of a note from the middle of its column, as a multiple of the figures' size."""
_NOTE_LETTER_WIDTH: Final = 0.36
"""Width of a letter of a note, as a multiple of the figures' size."""
_LETTER_WIDTH: Final = 0.63
"""Width of a letter as a part of its height."""
_CLOSE_MARGIN: Final = 2
_COMEBACK_MARGIN: Final = 5
"""A winner who was this many points behind has come back."""


@dataclass(frozen=True, slots=True)
class PictureSide:
    """A side's column: `x` is its middle and `size` the font size of its name, in pixels."""

    x: float
    name_lines: tuple[str, ...]
    size: int
    player_lines: tuple[str, ...]
    figure: int
    """Points of the only game, or games won."""
    marks: tuple[int, ...]
    """Its Bummerl in order: 1 a dot, 2 a pair of scissors, 4 two pairs."""
    bummerl_text: str
    """Its Bummerl as text, "" if none."""


@dataclass(frozen=True, slots=True)
class PictureRow:
    """A round of the only game, or one of several games."""

    label: str
    cells: tuple[str, ...]
    """By side: "" if nothing was written."""
    notes: tuple[str, ...]
    marks: tuple[int, ...]
    """Bummerl by side."""
    winner: int | None
    turns: bool
    """Whether the game turned here."""
    crossed_out: tuple[bool, ...] = ()
    """By side: whether it had these points struck later."""


def picture(view: TableView, shape: str = "tall") -> str:
    max_height, max_rows = SHAPES[shape]
    rows = _newest_rows(view, max_rows)
    needed = _ROWS_TOP + _MAX_ROW_HEIGHT * (len(rows) + _BASELINE) + _FOOT
    height = int(min(max_height, max(WIDTH, needed)))
    result = _lines(_result_text(view), 44)
    sides = [_picture_side(view, column) for column in view.columns]
    row_height = min(
        _MAX_ROW_HEIGHT, (height - _FOOT - _ROWS_TOP) / (max(1, len(rows) - 1) + _BASELINE)
    )
    return render_template(
        "table/board/result_picture.svg",
        view=view,
        width=WIDTH,
        height=height,
        result=result,
        result_size=_font_size(result, WIDTH - 2 * _EDGE, 64 if len(result) == 1 else 40),
        leads=_leader(view),
        witty_line=_witty_line(view),
        sides=sides,
        name_size=min(side.size for side in sides),
        rows=rows,
        rows_top=_ROWS_TOP,
        first_row=_ROWS_TOP + _BASELINE * row_height,
        row_height=row_height,
        row_size=_row_size(rows, row_height, len(sides)),
        style=Markup(_font_style()),
        family=f"{FIGURES}, Georgia, serif",
    )


def _row_size(rows: Sequence[PictureRow], row_height: float, columns: int) -> int:
    """The font size of the figures, with which each note beside them fits in its column."""
    longest = max((len(note) for row in rows for note in row.notes), default=0)
    room = (WIDTH - 2 * _EDGE) / columns / 2
    fitting = room / (_NOTE_START + _NOTE_LETTER_WIDTH * longest)
    return int(min(_MAX_ROW_SIZE[columns], _ROW_SIZE * row_height, fitting))


def _newest_rows(view: TableView, most: int) -> list[PictureRow]:
    """The newest rows. The first is marked "…" if there are earlier ones."""
    lists_games = len(view.state.games) > 1
    rows = _game_rows(view) if lists_games else _round_rows(view)
    if len(rows) <= most:
        return rows
    first, *others = rows[-most:]
    blank = ("",) * len(first.cells)
    # The points of a round are those so far; those of a game are its own.
    cells = blank if lists_games else first.cells
    unmarked = (0,) * len(blank)
    return [PictureRow("…", cells, blank, unmarked, winner=None, turns=False), *others]


@cache
def _font_style() -> str:
    """The style with the font of the slate's figures, since a picture loads nothing; "" offline,
    where the phone has no such file.
    """
    vendored = Path(current_app.static_folder or "") / "vendor"
    font = next(vendored.glob("vollkorn-figures-*.woff2"), None)
    if font is None:
        return ""
    data = base64.b64encode(font.read_bytes()).decode()
    source = f"url(data:font/woff2;base64,{data})"
    return f"@font-face{{font-family:{FIGURES};font-weight:700;src:{source}}}"


def policy() -> str:
    """The Content-Security-Policy of a picture: its one style, and the font in it."""
    digest = base64.b64encode(hashlib.sha256(_font_style().encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; font-src data:; frame-ancestors 'none'"
    )


def _leader(view: TableView) -> int | None:
    """The winner of the only game, or the side with the fewest Bummerl; None if none leads."""
    games = view.state.games
    if len(games) == 1:
        return games[0].winner
    fewest = [c.side for c in view.columns if c.bummerl == min(view.state.bummerl)]
    return fewest[0] if games and len(fewest) == 1 else None


def _result_text(view: TableView) -> str:
    games, leader = view.state.games, _leader(view)
    if not games:
        return gettext("Not over yet")
    if leader is None:
        return gettext("Bummerl level after %(n)s games", n=len(games))
    if len(games) == 1:
        return view.say(SENTENCES["won"], leader)
    return view.say(SENTENCES["fewer" if len(view.columns) == 2 else "fewest"], leader)


def _witty_line(view: TableView) -> str:
    """A line about how the newest game was won, "" if there is nothing to say."""
    games = view.state.games
    if not games:
        return ""
    if _leader(view) is None:
        return gettext("To be continued.")
    game = games[-1]
    if game.kind == "retourschneider":
        return gettext("Never count them out.")
    if game.kind == "schneider":
        return gettext("Not a point, but a beer.")
    others = [points for side, points in enumerate(game.points) if side != game.winner]
    if game.points[game.winner] - max(others) <= _CLOSE_MARGIN:
        return gettext("A close one counts, too.")
    deficit = _largest_deficit(view, game)
    if deficit >= _COMEBACK_MARGIN:
        return gettext("It is counted at the end.")
    # Only German readers know the signals (Deuten) of Watten.
    was_quiet = all(entry["do"] != Strittig.do for entry in view.evening.recorded)
    is_german = str(get_locale()) == "de"
    return gettext("No signals needed.") if not deficit and was_quiet and is_german else ""


def _largest_deficit(view: TableView, game: Game) -> int:
    """By how many points the winner of the newest game was behind at most; 0 if never."""
    points_by_line = [line.points for line in view.lines(len(view.state.games))]
    return max((max(points) - points[game.winner] for points in points_by_line), default=0)


def _picture_side(view: TableView, column: SideColumn) -> PictureSide:
    width, two_sides = (WIDTH - 2 * _EDGE) / len(view.columns), len(view.columns) == 2
    name_lines = _lines(column.name, 24 if two_sides else 13)
    room_for_players = 2 if len(name_lines) == 1 else 1
    return PictureSide(
        x=_middle(view, column.side),
        name_lines=name_lines,
        size=_font_size(name_lines, width * 0.9, 52 if len(name_lines) == 1 else 40),
        player_lines=_lines(_players(column), 30 if two_sides else 18, room_for_players),
        figure=_main_figure(view, column.side),
        marks=column.marks,
        bummerl_text=view.bummerl_text(column.bummerl) if column.bummerl else "",
    )


def _players(column: SideColumn) -> str:
    """The players of a side, "" if its name contains them."""
    return " · ".join(column.beside_name)


def _middle(view: TableView, side: int) -> float:
    return _EDGE + (WIDTH - 2 * _EDGE) / len(view.columns) * (side + 0.5)


def _main_figure(view: TableView, side: int) -> int:
    games = view.state.games
    if len(games) > 1:
        return sum(game.winner == side for game in games)
    return games[0].points[side] if games else view.state.points[side]


def _game_rows(view: TableView) -> list[PictureRow]:
    return [
        PictureRow(
            label=f"{number}.",
            cells=tuple(map(str, game.points)),
            notes=("",) * len(game.points),
            marks=game.bummerl,
            winner=game.winner,
            turns=False,
        )
        for number, game in enumerate(view.state.games, 1)
    ]


def _round_rows(view: TableView) -> list[PictureRow]:
    turning_round, paper = _turning_round(view), view.paper_points(1)
    note = gettext("paper")
    start = PictureRow(
        "", tuple(map(str, paper)), (note,) * len(paper), (0,) * len(paper), None, False
    )
    rounds = [(line, view.row(line).cells) for line in view.lines(1)]
    return [start] * bool(paper) + [
        PictureRow(
            label="" if line.code == "struck" else f"{line.round}.",
            cells=tuple(cell.text for cell in cells),
            notes=tuple(_note(view, cell) for cell in cells),
            marks=(0,) * len(cells),
            winner=next((side for side, delta in enumerate(line.deltas) if delta > 0), None),
            turns=(line.game, line.round) == turning_round,
            crossed_out=tuple(cell.crossed_out for cell in cells),
        )
        for line, cells in rounds
    ]


def _note(view: TableView, cell: SlateCell) -> str:
    """The points that a side got, and the small print of the slate if it fits beside them."""
    note, room = f"{cell.delta} {cell.note}".strip(), 15 if len(view.columns) == 2 else 8
    return note if len(note) <= room else cell.delta


def _turning_round(view: TableView) -> tuple[int, int] | None:
    """Game and round after which the winner's chance to win the only game rose most; None if the
    winner was never behind, or if nobody may look back.
    """
    if unavailable_reason(view) or view.state.winner is None:
        return None
    if not _largest_deficit(view, view.state.games[-1]):
        return None
    sign = 1 if view.state.winner == 0 else -1
    try:
        turns = look_back(view.evening, live(EVEN / 100)).turning_points
    except Unsolved:
        return None
    for_winner = [point for point in turns if sign * point.change > 0]
    sharpest_turn = max(for_winner, key=lambda point: abs(point.change), default=None)
    return (sharpest_turn.game, sharpest_turn.round) if sharpest_turn else None


def _font_size(lines: Sequence[str], width: float, max_size: int) -> int:
    """The font size at which these lines are at most so wide, in pixels."""
    longest = max(map(len, lines), default=1)
    return min(max_size, int(width / (_LETTER_WIDTH * max(1, longest))))


def _lines(text: str, max_letters: int, max_lines: int = 2) -> tuple[str, ...]:
    """The text on as few lines as possible; what does not fit is cut.

    >>> _lines("Maximilian Oberhuber & Resi", 22), _lines("Anna & Bert", 22), _lines("", 22)
    (('Maximilian Oberhuber &', 'Resi'), ('Anna & Bert',), ())
    """
    return tuple(wrap(text, max_letters, max_lines=max_lines, placeholder="…"))
