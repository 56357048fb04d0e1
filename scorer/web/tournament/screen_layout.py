"""How large the lines of the hall's screen are, and how many fit.

Lengths are in hundredths of the screen's height, the vh of static/css/big_screen.css. On a screen
of 55 inches, which is 685 mm high, capitals of the smallest size are 20 mm high.
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
_SPACED: Final = 1.64
"""Height of a line of one row, as a multiple of its letters."""
_CLOSE: Final = 1.222
"""Height of each line if a row has several; enough with an announcement above them."""
_WIDTH: Final = 159.0
_GAP: Final = 3.6
_PADDING: Final = 1.8
_VALUE: Final = 0.86
"""Size of figures, as a multiple of a name's."""
_NOTE: Final = 0.8
_HEADING: Final = 2.0
_SPACE: Final = 0.38
_LEAST: Final = 0.25
"""Share of a column that its names get, however wide the figures are."""
_MOST_LINES: Final = 5


@dataclass(frozen=True, slots=True)
class ScreenRow:
    first: str
    """Place, table or start number; "" in a list by name."""
    name: str
    values: tuple[str, ...] = ()
    why: str = ""
    """The reason for a tie, a bye, or a missing result; or the partner."""


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
    figures = [(em(head), max(map(em, column), default=0)) for head, *column in cells if head]
    *larger, smallest = range(len(SIZES))
    form = _of_size(smallest, figures, names, columns)
    screens = max(1, ceil(len(rows) / form.rows / columns))
    needed = ceil(len(rows) / screens / columns)
    forms = (_of_size(index, figures, names, columns) for index in larger)
    return replace(next((large for large in forms if large.rows >= needed), form), rows=needed)


def _of_size(
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
    room = (_WIDTH - _GAP * (columns - 1)) / columns - _PADDING
    taken = sum(max(head * _HEADING, widest * size * _VALUE) + _PADDING for head, widest in figures)
    for_names = max(room - taken, room * _LEAST)
    lines = max((_lines(words, for_names / size) for words in names), default=1)
    height = size * (_SPACED if lines == 1 else _CLOSE * lines)
    return ScreenLayout(index, lines, int(_HEIGHT / height))


def _widths(row: ScreenRow) -> list[float]:
    """The widths of the words of a name and its note, as multiples of the name's size."""
    return [*map(em, row.name.split()), *(em(word) * _NOTE for word in row.why.split())]


def _lines(words: Sequence[float], room: float) -> int:
    """Lines that these words need in `room`, at most `_MOST_LINES`."""
    lines, used = 1, 0.0
    for width in words:
        before = used + _SPACE if used else 0
        if before + width > room and used:
            lines, before = lines + 1, 0
        # A word that is longer than a line is broken.
        broken, used = divmod(before + width, room)
        lines += int(broken)
    return min(lines, _MOST_LINES)


def em(text: str) -> float:
    """The width of a text in a wide sans serif, as a multiple of its size.

    >>> [round(em(text), 1) for text in ("Willi", "Hansl & Ferdl", "")]
    [2.5, 7.5, 0]
    """
    return sum(_letter(sign) for sign in text)


def _letter(sign: str) -> float:
    if sign in "fijlrtI.,:;'’|()!- ":
        return _SPACE
    if sign in "MWmw@%&":
        return 1
    return 0.72 if sign.isupper() else 0.63
