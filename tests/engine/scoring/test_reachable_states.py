"""An exhaustive walk over every score and bidding state of every rule set.

Only the stakes are bounded. The expected numbers change with any rule, so an unintended change of a
rule fails here.
"""

from collections import deque

import pytest

from scorer.engine import Bieten, apply, legal, rules_of, start
from scorer.engine.scoring.raise_locks import raise_lock
from tests.sampling import mostly_slow

KINDS = ("bieten", "bleiben", "gehen", "gewinnt", "gespannt", "streichen", "strafe")
# rule set: highest stake, states, transitions
PINNED = {
    "oberoesterreich": (5, 1452, 13452),
    "bayern": (5, 2740, 11840),
    "suedtirol": (5, 3995, 17800),
    "trentino": (5, 2688, 16728),
    "frankreich": (8, 1100, 7800),
}


def key(state):
    """The fields on which all later states depend."""
    return (
        state.points,
        state.stake,
        state.open_raise,
        state.raiser,
        state.deciding_sides,
        state.four_leader,
        state.round_is_new,
        state.winner,
        state.retour_chances,
    )


def moves(state, highest):
    for event in legal(state):
        if event.do in KINDS and not (isinstance(event, Bieten) and event.to > highest):
            yield event


def expected_value(rules, points):
    """The value at which a round opens, by the tables of the five documents."""
    near = [rules.target - 2 <= p < rules.target for p in points]
    for side in (0, 1):
        if near[side] and rules.id == "suedtirol" and points[side] - points[1 - side] >= 4:
            return 4
        if near[side] and rules.id == "trentino" and points[1 - side] < 10:
            return 4
    return 3 if any(near) and rules.id in ("bayern", "trentino") else 2


def check(state):
    rules, points = state.rules, state.points
    assert min(points) >= 0
    assert state.open_raise is None or state.decision is None
    if state.winner is not None:
        assert [event.do for event in legal(state)] == ["neues_spiel"]
        return
    assert max(points) < rules.target
    if rules.id != "frankreich":
        assert state.near == tuple(p >= rules.target - 2 for p in points)
    else:
        assert state.near == (False, False)
    if state.round_is_new:
        assert state.stake == expected_value(rules, points)
    asked = None if state.decision is None else state.decision.side
    if state.round_is_new and rules.id == "bayern":
        alone = state.near[0] != state.near[1]
        assert asked == (state.near.index(True) if alone else None)
    elif state.round_is_new and rules.id == "suedtirol":
        leader = 0 if points[0] > points[1] else 1
        four = state.near[leader] and abs(points[0] - points[1]) >= 4
        assert asked == (leader if four else None)
    elif rules.id not in ("bayern", "suedtirol"):
        assert asked is None
    for event in legal(state):
        if isinstance(event, Bieten):
            assert raise_lock(state, event.side) is None


@pytest.mark.parametrize("region", mostly_slow(PINNED))
def test_all_reachable_states_match_known_counts(region):
    highest, states, transitions = PINNED[region]
    first = start(rules_of(region))
    seen, queue, count = {key(first)}, deque([first]), 0
    while queue:
        state = queue.popleft()
        check(state)
        going_on = False
        for event in moves(state, highest):
            count += 1
            going_on = True
            after = apply(state, event)
            if key(after) not in seen:
                seen.add(key(after))
                queue.append(after)
        assert going_on or state.winner is not None
    assert (len(seen), count) == (states, transitions)
