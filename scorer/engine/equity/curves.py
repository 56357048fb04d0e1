"""The value of a round as a piecewise linear curve over side 0's chance to win it.

The chance moves continuously as the cards fall, and a side may raise at any moment. If only side 0
may raise, the value is the least concave curve above the value of raising. If only side 1 may, it
is the greatest convex curve below that value. If both may, it is the shortest curve between the
two, like a taut string. The package's docstring has the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

Point = tuple[float, float]
Curve = Sequence[Point]
"""The corners (chance, value) of a curve from chance 0 to chance 1."""

NOISE: Final = 1e-12
"""Smaller differences are rounding errors."""


def value_at(curve: Curve, chance: float) -> float:
    """The value of a curve at a chance.

    >>> value_at([(0, 0), (0.5, 1), (1, 1)], 0.25)
    0.5
    """
    left = curve[0]
    for right in curve:
        if chance <= right[0]:
            if right[0] == left[0]:
                return right[1]
            return left[1] + (right[1] - left[1]) * (chance - left[0]) / (right[0] - left[0])
        left = right
    return left[1]


def first_chance_at(curve: Curve, worth: float) -> float:
    """The smallest chance at which the curve reaches `worth`; 1 if it never does.

    >>> first_chance_at([(0, 0), (0.5, 1), (1, 1)], 0.5), first_chance_at([(0, 0), (1, 1)], 2)
    (0.25, 1.0)
    """
    left = curve[0]
    if left[1] >= worth - NOISE:
        return 0.0
    for right in curve:
        if right[1] >= worth - NOISE:
            share = (worth - left[1]) / (right[1] - left[1])
            return left[0] + min(share, 1.0) * (right[0] - left[0])
        left = right
    return 1.0


def for_other_side(curve: Curve) -> Curve:
    """The curve from the other side's view: chances and values mirrored.

    >>> for_other_side([(0, 0), (0.25, 1), (1, 2)])
    [(0, -2), (0.75, -1), (1, 0)]
    """
    return [(1 - x, -y) for x, y in reversed(curve)]


def mix(curve: Curve, other: Curve, weight: float) -> Curve:
    """The weighted mean of two curves; `weight` is the weight of the first."""
    places = sorted({x for x, _ in curve} | {x for x, _ in other})
    return [(x, weight * value_at(curve, x) + (1 - weight) * value_at(other, x)) for x in places]


def clip(curve: Curve, level: float, sign: int) -> list[Point]:
    """The minimum (`sign` 1) or maximum (`sign` -1) of a curve and a level.

    >>> clip([(0, 0), (1, 2)], 1, 1)
    [(0, 0), (0.5, 1), (1, 1)]
    """
    points: list[Point] = []
    last_excess, last_x = 0.0, 0.0
    for x, y in curve:
        excess = sign * (y - level)
        if points and last_excess * excess < 0:
            points.append((last_x + (x - last_x) * last_excess / (last_excess - excess), level))
        points.append((x, level if excess > 0 else y))
        last_excess, last_x = excess, x
    return points


def hull(corners: Curve, sign: int) -> Curve:
    """The least concave curve above these corners (`sign` 1), or the greatest convex below (-1).

    >>> hull([(0, 0), (0.25, 0.1), (0.5, 1), (1, 1)], 1)
    [(0, 0), (0.5, 1), (1, 1)]
    """
    hull_corners: list[Point] = []
    for x, y in corners:
        while len(hull_corners) > 1:
            (x0, y0), (x1, y1) = hull_corners[-2], hull_corners[-1]
            if sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < 0:
                break
            hull_corners.pop()
        hull_corners.append((x, y))
    return hull_corners


def shortest_between(lower: Curve, upper: Curve, start: float, end: float) -> Curve:
    """The shortest curve from `start` to `end` between two others.

    >>> shortest_between([(0, 0), (0.75, 1), (1, 1)], [(0, 0), (0.25, 0), (1, 1)], 0, 1)
    [(0, 0), (0.25, 0.0), (0.75, 1.0), (1, 1)]
    """
    places = sorted({x for x, _ in lower} | {x for x, _ in upper})
    low = [value_at(lower, x) for x in places]
    high = [value_at(upper, x) for x in places]
    start = min(max(start, low[0]), high[0])
    low[-1] = high[-1] = min(max(end, low[-1]), high[-1])
    corners, index = [(places[0], start)], 0
    while index < len(places) - 1:
        index, worth = _next_corner(places, low, high, index, corners[-1][1])
        corners.append((places[index], worth))
    return corners


def _next_corner(
    places: list[float], low: list[float], high: list[float], start: int, worth: float
) -> tuple[int, float]:
    """The index and value of the next corner of the taut string."""
    min_slope, max_slope, low_corner, high_corner = -inf, inf, start, start
    for index in range(start + 1, len(places)):
        width = places[index] - places[start]
        slope_to_low, slope_to_high = (low[index] - worth) / width, (high[index] - worth) / width
        if slope_to_low > max_slope:
            return high_corner, high[high_corner]
        if slope_to_high < min_slope:
            return low_corner, low[low_corner]
        if slope_to_low >= min_slope:
            min_slope, low_corner = slope_to_low, index
        if slope_to_high <= max_slope:
            max_slope, high_corner = slope_to_high, index
    return len(places) - 1, low[-1]
