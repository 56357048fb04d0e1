"""The size of the lines on the hall's screen, and how many fit.

Lengths are in the --unit of static/css/hall_screen.css: hundredths of the height of a screen of
16:9; on other screens, of the largest area of that shape. On a screen of 55 inches, which is 685 mm
high, capitals of the smallest size are 20 mm high.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from math import ceil
from typing import Any, Final

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
_MAX_LONG_SHARE: Final = 0.1
"""Largest share of rows that are higher than the others. If more names are long, all rows are
equally high."""
_MIN_HEIGHT_SHARE: Final = 0.85
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
    note: str = ""
    """Small text beside the name: a reason, a bye, the partner, the group, or a prize."""
    winner: int = -1
    """The side of a match that wins without play, in bold; -1 for none."""
    is_last_to_qualify: bool = False
    """Whether no row below it in its group qualifies for the finals."""
    height: int = 1
    """Its height in usual rows; a name that is much longer than the others needs several."""


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    size: int
    """Index of `SIZES`."""
    lines: int
    """Most lines of text in a usual row."""
    rows: int
    """Most usual rows of a column."""
    heights: tuple[int, ...] = ()
    """The height of each row in usual rows."""


Bounds = tuple[int, int]
"""The first of some consecutive rows, and the one after the last."""


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
    layouts = [_layout_of_size(index, figures, names, columns) for index in range(len(SIZES))]
    counts = [_screen_count(item, columns) for item in layouts]
    largest = next(item for item, n in zip(layouts, counts, strict=True) if n <= counts[-1])
    filled = [
        sum(largest.heights[a:b]) for screen in split_rows(largest, columns) for a, b in screen
    ]
    needed_rows = max(1, *filled)
    # Where rows are high enough, a name that is wider than expected gets another line.
    fitting_lines = int(
        _HEIGHT * _MIN_HEIGHT_SHARE / needed_rows / (SIZES[largest.size] * _LINE_HEIGHT)
    )
    lines = max(largest.lines, min(largest.lines + 1, fitting_lines))
    return replace(largest, rows=needed_rows, lines=lines)


def split_rows(fitting: ScreenLayout, columns: int) -> list[list[Bounds]]:
    """The rows of each column of each screen, spread evenly over as few screens as possible."""
    heights, capacity = fitting.heights, fitting.rows
    count = _screen_count(fitting, columns)
    parts = _even_parts(heights, count)
    if any(len(_filled_parts(heights[a:b], capacity)) > columns for a, b in parts):
        full = _filled_parts(heights, capacity)
        parts = [
            (full[n][0], full[min(n + columns, len(full)) - 1][1])
            for n in range(0, len(full), columns)
        ]
    return [
        [(start + a, start + b) for a, b in _column_bounds(heights[start:end], capacity, columns)]
        for start, end in parts
    ]


def _screen_count(fitting: ScreenLayout, columns: int) -> int:
    return max(1, ceil(len(_filled_parts(fitting.heights, fitting.rows)) / columns))


def _column_bounds(heights: Sequence[int], capacity: int, columns: int) -> list[Bounds]:
    total = sum(heights)
    count = ceil(total / ceil(total / columns)) if total else 1
    parts = _even_parts(heights, count)
    is_full = any(sum(heights[a:b]) > capacity for a, b in parts)
    return _filled_parts(heights, capacity) if is_full else parts


def _even_parts(heights: Sequence[int], count: int) -> list[Bounds]:
    """The rows in `count` parts of about equal height."""
    sums = [0, *accumulate(heights)]
    ends = [bisect_left(sums, n * sums[-1] / count) for n in range(count + 1)]
    return [*pairwise(ends)]


def _filled_parts(heights: Sequence[int], capacity: int) -> list[Bounds]:
    """The rows in parts that are each filled before the next."""
    starts, filled = [0], 0
    for index, height in enumerate(heights):
        if filled and filled + height > capacity:
            starts.append(index)
            filled = 0
        filled += height
    return [*pairwise([*starts, len(heights)])]


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
    return _BRACKET_HEADING_HEIGHT + tallest + below <= _HEIGHT * _MIN_HEIGHT_SHARE


def _names_height(names: Sequence[str], size: float, width: float) -> float:
    lines = (_lines(_name_widths(name, _BOLD_WIDTH), width / size) for name in names)
    return sum(size * _BRACKET_LINE_HEIGHT * count for count in lines)


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
    names: Sequence[Names],
    columns: int,
) -> ScreenLayout:
    """As many rows as fit with letters of one size.

    :param figures: widths of each column's heading and of its widest figure
    :param names: widths of each row's names
    """
    size = SIZES[index]
    column_width = (_WIDTH - _GAP * (columns - 1)) / columns - _PADDING
    figures_width = sum(
        max(head * _HEADING_SIZE, widest * size * _FIGURE_SIZE) + _PADDING
        for head, widest in figures
    )
    names_width = max(column_width - figures_width, column_width * _MIN_NAMES_SHARE)
    line_counts = [_lines(words, names_width / size) for words in names]
    max_lines = max(line_counts, default=1)
    layouts = [
        _layout_of_lines(index, lines, line_counts)
        for lines in range(max_lines, 0, -1)
        if sum(count > lines for count in line_counts) <= _MAX_LONG_SHARE * len(line_counts)
    ]
    return min(layouts, key=lambda item: _screen_count(item, columns))


def _layout_of_lines(index: int, lines: int, line_counts: Sequence[int]) -> ScreenLayout:
    """As many rows as fit if a usual row has `lines` lines."""
    height = SIZES[index] * (_SINGLE_LINE_HEIGHT if lines == 1 else _LINE_HEIGHT * lines)
    heights = tuple(
        1 if count <= lines else ceil(count * SIZES[index] * _LINE_HEIGHT / height)
        for count in line_counts
    )
    return ScreenLayout(index, lines, int(_HEIGHT / height), heights)


Names = list[list[list[float]]]
"""The widths of the words of each player of each pair, as multiples of the letters' size."""


def _widths(row: ScreenRow) -> Names:
    """The widths of a row's name and of its note, which is not broken."""
    note = [[[text_width(row.note) * _NOTE_SIZE]]] if row.note else []
    return _name_widths(row.name) + note


def _name_widths(name: str, factor: float = 1) -> Names:
    """The widths of a name as `labels.unbroken` breaks it: between pairs, then between players."""
    return [
        [
            [text_width(word) * factor for word in player.split()]
            for player in re.split("(?<= &) ", pair)
        ]
        for pair in re.split("(?<= –) ", name)
    ]


def _lines(names: Names, line_width: float) -> int:
    """Lines that these names need in `line_width`, at most `_MAX_LINES`.

    A pair, a player and a word each begin a new line if the rest of this one is too short.

    >>> [_lines([[[3, 3], [3]], [[3], [3]]], width) for width in (30, 12, 7, 2)]
    [1, 2, 3, 5]
    """
    lines, filled = 1, 0.0

    def place(parts: list[Any], is_word: bool = False) -> None:
        nonlocal lines, filled
        width = _total_width(parts)
        start = filled + _SPACE_WIDTH if filled else 0
        if start + width > line_width and filled:
            lines, start, filled = lines + 1, 0, 0
        if width <= line_width:
            filled = start + width
        elif is_word:
            # A word that is longer than a line is broken.
            breaks, filled = divmod(width, line_width)
            lines += int(breaks)
        else:
            for part in parts:
                is_single = isinstance(part, int | float)
                place([part] if is_single else part, is_single)
            # What follows a broken name begins a new line.
            filled = line_width

    for pair in names:
        place(pair)
    return min(lines, _MAX_LINES)


def _total_width(parts: list[Any]) -> float:
    widths = [_total_width(part) if isinstance(part, list) else part for part in parts]
    return sum(widths) + _SPACE_WIDTH * (len(widths) - 1)


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
