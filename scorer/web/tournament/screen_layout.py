"""The size of the lines on the hall's screen, and how many fit.

Lengths are in the --unit of static/css/big_screen.css: hundredths of the height of a screen of
16:9; on other screens, of the largest area of that shape. On a screen of 55 inches, which is 685 mm
high, capitals of the smallest size are 20 mm high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final

SIZES: Final = (6.7, 6.0, 5.4, 4.8, 4.2)
"""Sizes of letters."""
_HEIGHT: Final = 82.8
"""Height below the heading."""
_SINGLE_LINE_HEIGHT: Final = 1.64
"""Height of a line of one row, as a multiple of its letters."""
_LINE_HEIGHT: Final = 1.222
"""Height of each line if a row has several; enough with an announcement above them."""
_WIDTH: Final = 159.0
_GAP: Final = 3.6
_PADDING: Final = 1.8
_FIGURE_SIZE: Final = 0.86
"""Size of figures, as a multiple of a name's."""
_NOTE_SIZE: Final = 0.8
_HEADING_SIZE: Final = 2.0
_SPACE_WIDTH: Final = 0.38
_MIN_NAMES_SHARE: Final = 0.25
"""Least share of a column that its names get."""
_MAX_LINES: Final = 5
_SQUEEZED: Final = 0.85
"""Least share of `_HEIGHT` that is left below an announcement."""
_BOLD_WIDTH: Final = 1.06
"""Width of bold names, as a multiple of others."""
_BRACKET_GAP: Final = 5.0
_BRACKET_LINE_HEIGHT: Final = 1.1
_BRACKET_HEADING_HEIGHT: Final = 4.5
_TABLE_LINE_HEIGHT: Final = 5.4
"""Height of a table's number and score in a bracket, and of the space below and between pairs."""
_NAME_SIZE: Final = 4.0
"""Size of the tournament's name in the heading."""
_TITLE_SIZE: Final = 3.0
_CLOCK_WIDTH: Final = 14.0
"""Width that the clock takes from the heading."""
_HOURS_WIDTH: Final = 9.0
"""Width that hours add to the clock."""


@dataclass(frozen=True, slots=True)
class ScreenRow:
    first: str
    """Place, table or start number; "" in a list by name."""
    name: str
    values: tuple[str, ...] = ()
    why: str = ""
    """The reason for a tie, a bye, or a missing result; or the partner."""
    winner: int = -1
    """The side of a match that wins without play, in bold; -1 for none."""
    cut: bool = False
    """Whether this is the last row of its group that qualifies for the finals."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    size: int
    """Index of `SIZES`."""
    lines: int
    """Most lines of text in a row."""
    rows: int
    """Most rows of a column."""


def layout(heads: Sequence[str], rows: Sequence[ScreenRow], columns: int) -> ScreenLayout:
    """The largest letters that need no more screens than the smallest, with rows spread evenly.

    :param heads: headings of the rows' `first` and values, "" for none
    """
    names = [_widths(row) for row in rows]
    cells = zip(heads, *((row.first, *row.values) for row in rows), strict=True)
    figures = [
        (text_width(head), max(map(text_width, column), default=0))
        for head, *column in cells
        if head
    ]
    *larger, smallest = range(len(SIZES))
    smallest_layout = _layout_of_size(smallest, figures, names, columns)
    screens = max(1, ceil(len(rows) / smallest_layout.rows / columns))
    needed_rows = ceil(len(rows) / screens / columns)
    larger_layouts = (_layout_of_size(index, figures, names, columns) for index in larger)
    largest = next((item for item in larger_layouts if item.rows >= needed_rows), smallest_layout)
    # Where rows are high enough, a name that is wider than expected gets another line.
    row_height = _HEIGHT * _SQUEEZED / max(1, needed_rows)
    fitting_lines = int(row_height / (SIZES[largest.size] * _LINE_HEIGHT))
    lines = max(largest.lines, min(largest.lines + 1, fitting_lines))
    return replace(largest, rows=needed_rows, lines=lines)


def bracket_size(columns: Sequence[Sequence[Sequence[str]]], third: Sequence[str]) -> int | None:
    """The index of the largest letters with which rounds fit beside each other, or None.

    :param columns: the names at each table of each round
    :param third: the names that play for the third place, below the rounds; empty without
    """
    return next((index for index in range(len(SIZES)) if _fits(SIZES[index], columns, third)), None)


def _fits(size: float, columns: Sequence[Sequence[Sequence[str]]], third: Sequence[str]) -> bool:
    count = len(columns)
    width = (_WIDTH - _BRACKET_GAP * (count - 1)) / count - _PADDING
    tallest = max(
        len(matches) * (_names_height(match, size, width) + _TABLE_LINE_HEIGHT)
        for matches in columns
        for match in matches
    )
    below = (
        _names_height(third, size, _WIDTH - _PADDING) + _TABLE_LINE_HEIGHT + _BRACKET_HEADING_HEIGHT
        if third
        else 0
    )
    return _BRACKET_HEADING_HEIGHT + tallest + below <= _HEIGHT * _SQUEEZED


def _names_height(names: Sequence[str], size: float, width: float) -> float:
    words = ([text_width(word) * _BOLD_WIDTH for word in name.split()] for name in names)
    return sum(size * _BRACKET_LINE_HEIGHT * _lines(widths, width / size) for widths in words)


def is_long_heading(name: str, title: str, note: str, seconds_left: int | None) -> bool:
    """Whether the tournament's name has no room beside the title, so that it needs small letters.

    :param seconds_left: what the clock shows, None without a clock
    """
    width = _WIDTH - sum(text_width(text) * _TITLE_SIZE + _GAP for text in (title, note) if text)
    if seconds_left is not None:
        width -= _CLOCK_WIDTH + _HOURS_WIDTH * (seconds_left >= 3600)
    return text_width(name) * _BOLD_WIDTH * _NAME_SIZE > width


def _layout_of_size(
    index: int,
    figures: Sequence[tuple[float, float]],
    names: Sequence[Sequence[float]],
    columns: int,
) -> ScreenLayout:
    """As many rows as fit with letters of one size.

    :param figures: widths of each column's heading and of its widest figure
    :param names: widths of each row's words
    """
    size = SIZES[index]
    column_width = (_WIDTH - _GAP * (columns - 1)) / columns - _PADDING
    figures_width = sum(
        max(head * _HEADING_SIZE, widest * size * _FIGURE_SIZE) + _PADDING
        for head, widest in figures
    )
    names_width = max(column_width - figures_width, column_width * _MIN_NAMES_SHARE)
    lines = max((_lines(words, names_width / size) for words in names), default=1)
    height = size * (_SINGLE_LINE_HEIGHT if lines == 1 else _LINE_HEIGHT * lines)
    return ScreenLayout(index, lines, int(_HEIGHT / height))


def _widths(row: ScreenRow) -> list[float]:
    """The widths of a name's words and of its note, which is not broken, as multiples of the name's
    size."""
    note = [text_width(row.why) * _NOTE_SIZE] if row.why else []
    return [*map(text_width, row.name.split()), *note]


def _lines(words: Sequence[float], line_width: float) -> int:
    """Lines that these words need in `line_width`, at most `_MAX_LINES`."""
    lines, filled = 1, 0.0
    for width in words:
        start = filled + _SPACE_WIDTH if filled else 0
        if start + width > line_width and filled:
            lines, start = lines + 1, 0
        # A word that is longer than a line is broken.
        breaks, filled = divmod(start + width, line_width)
        lines += int(breaks)
    return min(lines, _MAX_LINES)


def text_width(text: str) -> float:
    """The width of a text in a wide sans serif, as a multiple of its size.

    >>> [round(text_width(text), 1) for text in ("Willi", "Hansl & Ferdl", "")]
    [2.5, 7.5, 0]
    """
    return sum(_letter_width(character) for character in text)


def _letter_width(character: str) -> float:
    if character in "fijlrtI.,:;'’|()!- ":
        return _SPACE_WIDTH
    if character in "MWmw@%&":
        return 1
    return 0.72 if character.isupper() else 0.63
