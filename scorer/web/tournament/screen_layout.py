"""How large the lines of the hall's screen are, and how many fit.

Lengths are in hundredths of the screen's height, the vh of static/css/hall.css. On a screen of
55 inches, which is 685 mm high, capitals of the smallest size are 20 mm high.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil
from typing import Final, Protocol

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


class Line(Protocol):
    """What is shown of a pair, a player or a table."""

    @property
    def first(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def values(self) -> tuple[str, ...]: ...
    @property
    def why(self) -> str: ...


@dataclass(frozen=True, slots=True)
class ScreenLayout:
    size: int
    """Index of `SIZES`."""
    lines: int
    """Most lines of text in a row."""
    rows: int
    """Most rows of a column."""


def layout(heads: Sequence[str], rows: Sequence[Line], columns: int) -> ScreenLayout:
    """The largest letters that need no more screens than the smallest, with rows spread evenly.

    :param heads: headings of the rows' `first` and values, "" for none
    """
    sizes = range(len(SIZES))
    *larger, smallest = (_of_size(index, heads, rows, columns) for index in sizes)
    screens = max(1, ceil(len(rows) / smallest.rows / columns))
    needed = ceil(len(rows) / screens / columns)
    form = next((form for form in larger if form.rows >= needed), smallest)
    return replace(form, rows=needed)


def _of_size(index: int, heads: Sequence[str], rows: Sequence[Line], columns: int) -> ScreenLayout:
    size = SIZES[index]
    room = (_WIDTH - _GAP * (columns - 1)) / columns - _PADDING
    figures = 0.0
    for head, *column in zip(heads, *((row.first, *row.values) for row in rows), strict=True):
        if head:
            width = max([em(head) * _HEADING, *(em(cell) * size * _VALUE for cell in column)])
            figures += width + _PADDING
    for_names = max(room - figures, room * _LEAST)
    lines = max((_lines(row, for_names / size) for row in rows), default=1)
    height = size * (_SPACED if lines == 1 else _CLOSE * lines)
    return ScreenLayout(index, lines, int(_HEIGHT / height))


def _lines(row: Line, room: float) -> int:
    """Lines that a name and its note need.

    :param room: width in letters' heights
    """
    lines, used = 1, 0.0
    words = [em(word) for word in row.name.split()]
    for width in [*words, *(em(word) * _NOTE for word in row.why.split())]:
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
