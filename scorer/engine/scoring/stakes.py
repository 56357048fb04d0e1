"""The value of a round, which sides may raise, and the cost of folding."""

from __future__ import annotations

from dataclasses import dataclass

from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.state import Raise, Reason, State


def four_leader(state: State) -> int | None:
    """The near side to which the four applies, or None (E-28, I-45)."""
    rules, points = state.rules, state.points
    for side in state.active:
        if not rules.is_near(points[side]):
            continue
        best = max(points[other] for other in state.others(side))
        leads = rules.four_lead is not None and points[side] - best >= rules.four_lead
        below = rules.four_below is not None and best < rules.four_below
        if leads or below:
            return side
    return None


def base_value(rules: RuleSet) -> Reason:
    return Reason("base", rules.cite("base"), {"value": rules.base})


def opening_value(state: State) -> Reason:
    """The value of the round before any raise, as `value`, with its rule ids."""
    rules, leader = state.rules, state.four
    if leader is not None:
        field = "four_lead" if rules.four_lead is not None else "four_if_opponent_below"
        below = {"below": rules.four_below} if rules.four_lead is None and rules.four_below else {}
        cites = rules.cite("four_value", field)
        return Reason("four", cites, {"side": leader, "value": rules.four_value, **below})
    near = [side for side in state.active if rules.is_near(state.points[side])]
    if near and rules.near_value is not None:
        value = {"side": near[0], "value": rules.near_value}
        return Reason("near-value", rules.cite("near_value"), value)
    return base_value(rules)


def sides_to_ask(state: State) -> tuple[int, ...]:
    """The sides that may give the round away unplayed, in the order they are asked."""
    rules = state.rules
    if rules.decline == "four":
        return () if state.four is None else (state.four,)
    if rules.decline == "near":
        near = tuple(side for side in state.active if rules.is_near(state.points[side]))
        return near if len(near) == 1 or rules.decline_when_both else ()
    return ()


@dataclass(frozen=True, slots=True)
class Lock:
    """Why a side may not raise: error code and rule set field."""

    code: str
    field: str
    side: int
    """The side whose points cause the lock."""


def lock(state: State, side: int) -> Lock | None:
    """Why `side` may not raise in this round regardless of the bids, or None."""
    rules = state.rules
    if rules.near_lock != "none" and rules.is_near(state.points[side]):
        return Lock("locked-near", "near_lock", side)
    if state.four is not None and not rules.raise_after_four:
        return Lock("locked-four", "raise_after_four", state.four)
    if rules.near_lock == "both":
        for other in state.others(side):
            if rules.is_near(state.points[other]):
                return Lock("locked-both", "near_lock", other)
    return None


def cannot_see(state: State, side: int) -> bool:
    """Whether `side` may not even stay on a raise (Y4)."""
    return state.rules.near_lock == "bets" and state.rules.is_near(state.points[side])


def next_raise(state: State) -> int:
    agreed = state.open_raise.to if state.open_raise else state.stake
    return agreed + state.rules.step


def reachable(state: State, stake: int) -> bool:
    """Whether unrecorded raises could have led to `stake`."""
    return not unreachable(state, stake)


def unreachable(state: State, stake: int) -> tuple[str, ...]:
    """The rule set fields that rule out `stake` after unrecorded raises; empty if it is possible.

    >>> from scorer.engine import load, start
    >>> krank = start(load("oberoesterreich"), points=(7, 0))
    >>> [unreachable(krank, stake) for stake in (3, 4)]
    [(), ('alternate', 'near_lock')]
    """
    rules = state.rules
    raises, rest = divmod(stake - state.stake, rules.step)
    if rest or raises < 0:
        return ("step",)
    if raises == 0:
        return ()
    if rules.max_stake is not None and stake > rules.max_stake:
        return ("max_stake",)
    locks = [found for side in state.active if (found := lock(state, side))]
    held = tuple(dict.fromkeys(found.field for found in locks))
    raisers = [side for side in state.active if lock(state, side) is None]
    seen = [side for side in raisers if not any(cannot_see(state, o) for o in state.others(side))]
    if not seen:
        return held or ("near_lock",)
    if not rules.alternate:
        return ()
    first = [side for side in seen if side != state.raiser]
    possible = bool(first) and (raises == 1 or len(raisers) > 1)
    return () if possible else ("alternate", *held)


def stakes(state: State, most: int = 8) -> tuple[int, ...]:
    """Up to `most` stakes that a round recorded without its raises may have had."""
    steps = (state.stake + n * state.rules.step for n in range(most))
    return tuple(stake for stake in steps if reachable(state, stake))


def fold_value(state: State, open_raise: Raise | None) -> int:
    """The points the others get when a side folds (O-45, E-23, I-40, Y2; without a raise Y4)."""
    rules = state.rules
    if rules.fold_value.startswith("fixed:"):
        return int(rules.fold_value.partition(":")[2])
    return open_raise.to if open_raise and rules.fold_counts_refused else state.stake
