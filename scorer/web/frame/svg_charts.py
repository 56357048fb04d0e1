"""Line charts as inline SVG, readable without colour: each line has its dashes, mark and name.

Pages show the same figures as a table beside the chart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

WIDTH: Final = 640
HEIGHT: Final = 240
_LEFT, _RIGHT, _TOP, _BOTTOM = 48, 180, 12, 36
_APART: Final = 22
"""Minimum distance of two names, for letters readable on a phone."""
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
    """A chart of all lines over common labels.

    >>> line_chart([Series("Anna", [[0, 2]])], ["1", "2"], "Points").count('"line"')
    1
    """
    highest = max((v for line in series for part in line.stretches for v in part), default=1) or 1
    shown = [_line(index, line, len(labels), highest) for index, line in enumerate(series)]
    names = _names(series, highest)
    drawn = Markup("").join([_grid(highest), _places(labels), *shown, names])
    return Markup(
        '<svg class="chart" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>'
    ).format(WIDTH, HEIGHT, title, drawn)


def _x(place: int, places: int) -> float:
    return round(_LEFT + (WIDTH - _LEFT - _RIGHT) * place / max(places - 1, 1), 1)


def _y(value: float, highest: float) -> float:
    return round(HEIGHT - _BOTTOM - (HEIGHT - _TOP - _BOTTOM) * value / highest, 1)


def _line(index: int, line: Series, places: int, highest: float) -> Markup:
    place, paths = 0, Markup("")
    for part in line.stretches:
        points = [(_x(place + n, places), _y(value, highest)) for n, value in enumerate(part)]
        place += len(part)
        way = " L".join(f"{x} {y}" for x, y in points)
        paths += Markup('<path class="line" d="M{}" stroke-dasharray="{}"/>').format(
            way, _DASHES[index % len(_DASHES)]
        )
        for x, y in points:
            paths += _mark(index, x, y)
    return Markup('<g class="series-{}">{}</g>').format(index % 2, paths)


def _mark(index: int, x: float, y: float) -> Markup:
    return Markup('<path class="mark" d="M{} {}{}"/>').format(x, y, _MARKS[index % len(_MARKS)])


def _names(series: Sequence[Series], highest: float) -> Markup:
    """Names at the ends of their lines, moved apart where they would overlap."""
    ends = sorted(
        (_y(line.stretches[-1][-1], highest), index, line.name)
        for index, line in enumerate(series)
        if line.stretches and line.stretches[-1]
    )
    x, last, drawn = WIDTH - _RIGHT + 16, float(_TOP - _APART), Markup("")
    lowest = HEIGHT - _APART * len(ends)
    for number, (y, index, name) in enumerate(ends):
        last = max(last + _APART, min(y, lowest + _APART * number))
        drawn += _mark(index, x, last) + Markup('<text x="{}" y="{}">{}</text>').format(
            x + 10, last + 4, name if len(name) < 14 else name[:12] + "…"
        )
    return drawn


def _grid(highest: float) -> Markup:
    step = max(1, -(-int(highest) // 4))
    lines = Markup("")
    for value in range(0, int(highest) + 1, step):
        y = _y(value, highest)
        lines += Markup(
            '<path class="grid" d="M{} {}H{}"/><text class="axis" x="{}" y="{}">{}</text>'
        ).format(_LEFT, y, WIDTH - _RIGHT, _LEFT - 8, y + 4, value)
    return lines


def _places(labels: Sequence[str]) -> Markup:
    every = max(1, -(-len(labels) // 12))
    return Markup("").join(
        Markup('<text class="place" x="{}" y="{}">{}</text>').format(
            _x(index, len(labels)), HEIGHT - 8, label
        )
        for index, label in enumerate(labels)
        if index % every == 0
    )
