"""Line charts as inline SVG, readable without colour: each line has its dashes, mark and name.

Pages show the same figures as a table beside the chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

WIDTH: Final = 480
HEIGHT: Final = 220
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 16, 12, 36
_LETTER_WIDTH: Final = 8
_COLOURS: Final = 3
"""The colours of the sides. Lines of one colour have different dashes and marks."""
_DASHES: Final = ("", "8 4", "2 4", "12 4 2 4", "4 2", "16 6", "1 3", "8 2 2 2")
_MARKS: Final = (
    "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
    "m-4-4h8v8h-8z",
    "m0-5 5 9h-10z",
    "m0-5 5 5-5 5-5-5z",
    "m0 5 5-9h-10z",
    "m-4-4 8 8m0-8-8 8",
    "m-5 0h10m-5-5v10",
    "m-5 0h10",
)


@dataclass(frozen=True, slots=True)
class Series:
    name: str
    stretches: Sequence[Sequence[float]]


def line_chart(series: Sequence[Series], labels: Sequence[str], title: str) -> Markup:
    """A chart of all lines over common labels, below their names.

    :param labels: of each point; at least one is not empty

    >>> line_chart([Series("Anna", [[0, 2]])], ["1", "2"], "Points").count("Anna")
    1
    """
    max_value = max((v for line in series for part in line.stretches for v in part), default=1) or 1
    # The uppermost line of the grid is not below any value.
    axis_top = -(-max_value // _grid_step(max_value)) * _grid_step(max_value)
    lines = [_line(index, line, len(labels), axis_top) for index, line in enumerate(series)]
    return Markup(
        '<div class="chart"><ul>{}</ul>'
        '<svg viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg></div>'
    ).format(
        *(_legend(series), WIDTH, HEIGHT, title),
        Markup("").join([_grid(axis_top), _places(labels), *lines]),
    )


def _x(index: int, count: int) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * index / max(count - 1, 1), 1)


def _y(value: float, axis_top: float) -> float:
    return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / axis_top, 1)


def _line(index: int, line: Series, count: int, axis_top: float) -> Markup:
    first_index, paths = 0, Markup("")
    for stretch in line.stretches:
        points = [
            (_x(first_index + offset, count), _y(value, axis_top))
            for offset, value in enumerate(stretch)
        ]
        first_index += len(stretch)
        paths += _path(" L".join(f"{x} {y}" for x, y in points), index)
        for x, y in points:
            paths += _mark(index, x, y)
    return Markup('<g class="series-{}">{}</g>').format(index % _COLOURS, paths)


def _path(points: str, index: int) -> Markup:
    return Markup('<path class="line" d="M{}" stroke-dasharray="{}"/>').format(
        points, _DASHES[index % len(_DASHES)]
    )


def _mark(index: int, x: float, y: float) -> Markup:
    return Markup('<path class="mark" d="M{} {}{}"/>').format(x, y, _MARKS[index % len(_MARKS)])


def _legend(series: Sequence[Series]) -> Markup:
    """The name of each line, behind a piece of it."""
    names = Markup("")
    for index, line in enumerate(series):
        piece = _path("0 6L40 6", index) + _mark(index, 20, 6)
        names += Markup(
            '<li><svg class="series-{}" viewBox="0 0 40 12" aria-hidden="true">{}</svg>'
            " <bdi>{}</bdi></li>"
        ).format(index % _COLOURS, piece, line.name)
    return names


def _grid_step(axis_top: float) -> int:
    return max(1, -(-int(axis_top) // 4))


def _grid(axis_top: float) -> Markup:
    step = _grid_step(axis_top)
    lines = Markup("")
    for value in range(0, round(axis_top) + 1, step):
        y = _y(value, axis_top)
        lines += Markup(
            '<path class="grid" d="M{} {}H{}"/><text class="axis" x="{}" y="{}">{}</text>'
        ).format(_LEFT, y, WIDTH - _RIGHT, _LEFT - 8, y + 4, value)
    return lines


def _places(labels: Sequence[str]) -> Markup:
    """As many of the labels as fit side by side, at equal distances.

    The first may be longer than the others; those that it would touch are left out.
    """
    labelled = [(_x(index, len(labels)), label) for index, label in enumerate(labels) if label]
    (first_x, first), *others = labelled
    width = _LETTER_WIDTH * (max(len(label) for _, label in others or labelled) + 1)
    every = max(1, -(-len(labelled) * width // (WIDTH - _LEFT - _RIGHT)))
    end_of_first = first_x + _LETTER_WIDTH * len(first) / 2
    shown = [(x, label) for x, label in labelled[every::every] if x - width / 2 > end_of_first]
    return Markup("").join(
        Markup('<text class="place" x="{}" y="{}">{}</text>').format(x, HEIGHT - 8, label)
        for x, label in [(first_x, first), *shown]
    )
