"""What a round is worth as its chance moves: piecewise linear curves over the chances 0 to 1.

The chance that side 0 wins a round moves continuously as the cards fall, and a side may raise at
any moment. The worth of the right to raise is then a shortest curve: the least concave one above
what raising gives (side 0), the greatest convex one below it (side 1), or the string pulled taut
between the two where both may raise. docs/equity.md has the equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final

Point = tuple[float, float]
Curve = Sequence[Point]
"""The corners of a curve, from chance 0 to chance 1, straight between them."""

NOISE: Final = 1e-12
"""Differences below this come from rounding."""


def value_at(curve: Curve, chance: float) -> float:
    """The worth at a chance.

    >>> at([(0, 0), (0.5, 1), (1, 1)], 0.25)
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


def first_reaching(curve: Curve, worth: float) -> float:
    """The smallest chance at which the curve reaches a worth; 1 where it never does.

    >>> first([(0, 0), (0.5, 1), (1, 1)], 0.5), first([(0, 0), (1, 1)], 2)
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
    """The same as the other side sees it: its own chances, its own worth.

    >>> turned([(0, 0), (0.25, 1), (1, 2)])
    [(0, -2), (0.75, -1), (1, 0)]
    """
    return [(1 - x, -y) for x, y in reversed(curve)]


def mix(curve: Curve, other: Curve, share: float) -> Curve:
    """`share` of one curve and the rest of the other."""
    places = sorted({x for x, _ in curve} | {x for x, _ in other})
    return [(x, share * value_at(curve, x) + (1 - share) * value_at(other, x)) for x in places]


def clipped(curve: Curve, level: float, sign: int) -> list[Point]:
    """The curve and a level, whichever is worse for the raiser: `sign` 1 the lower, -1 the upper.

    >>> clipped([(0, 0), (1, 2)], 1, 1)
    [(0, 0), (0.5, 1), (1, 1)]
    """
    points: list[Point] = []
    before, place = 0.0, 0.0
    for x, y in curve:
        over = sign * (y - level)
        if points and before * over < 0:
            points.append((place + (x - place) * before / (before - over), level))
        points.append((x, level if over > 0 else y))
        before, place = over, x
    return points


def hull(corners: Curve, sign: int) -> Curve:
    """The least concave curve above these corners (`sign` 1), the greatest convex below (-1).

    >>> hull([(0, 0), (0.25, 0.1), (0.5, 1), (1, 1)], 1)
    [(0, 0), (0.5, 1), (1, 1)]
    """
    kept: list[Point] = []
    for x, y in corners:
        while len(kept) > 1:
            (x0, y0), (x1, y1) = kept[-2], kept[-1]
            if sign * ((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) < 0:
                break
            kept.pop()
        kept.append((x, y))
    return kept


def taut(lower: Curve, upper: Curve, start: float, end: float) -> Curve:
    """The shortest curve from `start` to `end` between two others, pulled taut.

    >>> taut([(0, 0), (0.75, 1), (1, 1)], [(0, 0), (0.25, 0), (1, 1)], 0, 1)
    [(0, 0), (0.25, 0.0), (0.75, 1.0), (1, 1)]
    """
    places = sorted({x for x, _ in lower} | {x for x, _ in upper})
    low = [value_at(lower, x) for x in places]
    high = [value_at(upper, x) for x in places]
    start = min(max(start, low[0]), high[0])
    low[-1] = high[-1] = min(max(end, low[-1]), high[-1])
    corners, here = [(places[0], start)], 0
    while here < len(places) - 1:
        here, worth = _pulled(places, low, high, here, corners[-1][1])
        corners.append((places[here], worth))
    return corners


def _pulled(
    places: list[float], low: list[float], high: list[float], here: int, worth: float
) -> tuple[int, float]:
    """The next corner of the string: how far it stays straight."""
    least, most, lifted, pressed = -inf, inf, here, here
    for place in range(here + 1, len(places)):
        width = places[place] - places[here]
        up, down = (low[place] - worth) / width, (high[place] - worth) / width
        if up > most:
            return pressed, high[pressed]
        if down < least:
            return lifted, low[lifted]
        if up >= least:
            least, lifted = up, place
        if down <= most:
            most, pressed = down, place
    return len(places) - 1, low[-1]
