"""The solver agrees with published values of the doubling cube (Keeler and Spencer 1975)."""

from hypothesis import given
from hypothesis import strategies as st
from pytest import approx

from scorer.engine.equity import curves

_RUNGS = 40


def _held(stakes, side):
    """The value of a money game at the first stake, if `side` alone may raise, as a curve."""
    owner = side if len(stakes) % 2 else 1 - side
    last = stakes[-1]
    curve = [(0.0, -last), (1.0, last)]
    for stake in reversed(stakes[:-1]):
        owner = 1 - owner
        sign = 1 if owner == 0 else -1
        raised = curves.clip(curve, sign * stake, sign)
        corners = [(0.0, -stake), *raised[1:-1], (1.0, stake)]
        curve = curves.hull(corners, sign)
    return curve


def test_doubling_cube_take_points_match_literature():
    stakes = [2.0**rung for rung in range(_RUNGS)]
    assert curves.first_chance_at(_held(stakes[1:], 0), -1.0) == approx(0.2)
    assert curves.first_chance_at([(0.0, -2.0), (1.0, 2.0)], -1.0) == approx(0.25)


def test_point_ladder_live_take_is_below_dead_take():
    for stake in range(3, 20):
        line = [(0.0, -float(stake)), (1.0, float(stake))]
        assert curves.first_chance_at(line, 1.0 - stake) == approx(1 / (2 * stake))
        held = _held([float(n) for n in range(stake, stake + _RUNGS)], 0)
        assert curves.first_chance_at(held, 1.0 - stake) < 1 / (2 * stake)


_WORTHS = st.lists(st.floats(0, 1), min_size=4, max_size=4)


@given(_WORTHS, _WORTHS, st.floats(0, 1), st.floats(0, 1))
def test_shortest_curve_stays_between_its_bounds(one, other, start, end):
    places = [0.0, 0.25, 0.75, 1.0]
    lower = [(x, min(a, b)) for x, a, b in zip(places, one, other, strict=True)]
    upper = [(x, max(a, b)) for x, a, b in zip(places, one, other, strict=True)]
    string = curves.shortest_between(lower, upper, start, end)
    for step in range(101):
        low, value, high = (curves.value_at(one, step / 100) for one in (lower, string, upper))
        assert low - 1e-9 <= value <= high + 1e-9
    for (_, left), (x, corner), (_, right) in zip(string, string[1:], string[2:], strict=False):
        straight = curves.hull([(0.0, left), (0.5, corner), (1.0, right)], 1)
        # The string bends only where it touches the lower or the upper curve.
        touched = [approx(curves.value_at(lower, x)), approx(curves.value_at(upper, x))]
        assert corner in touched or len(straight) == 2
