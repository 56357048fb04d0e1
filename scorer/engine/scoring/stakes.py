"""The value of a round before and after raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from scorer.engine.aggregate import replace
from scorer.engine.rules.grounds import Reason, reason
from scorer.engine.rules.loading import with_regional_value
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.state import State


def four_leader(state: State) -> int | None:
    """The side near the target for which the round counts `rules.four_value`, because it leads by
    enough or the others are low enough; None if there is none (E-28, I-45)."""
    for side in state.playing_sides:
        if state.rules.is_near(state.points[side]) and any(_four_conditions(state, side)):
            return side
    return None


class _FourConditions(NamedTuple):
    """The two reasons for which a round counts four; one is enough."""

    leads_by_enough: bool
    others_are_low: bool


def _four_conditions(state: State, side: int) -> _FourConditions:
    rules, points = state.rules, state.points
    best_other = max(points[other] for other in state.others(side))
    leads_by_enough = rules.four_lead is not None and points[side] - best_other >= rules.four_lead
    others_are_low = rules.four_below is not None and best_other < rules.four_below
    return _FourConditions(leads_by_enough, others_are_low)


def base_reason(rules: RuleSet) -> Reason:
    return reason(rules, "base", {"value": rules.base})


NEAR_END_SWITCHES: Final = frozenset({"near", "target", "four_lead", "four_if_opponent_below"})
"""The switches that decide who is near, and whose round counts four."""
OPENING_SWITCHES: Final = NEAR_END_SWITCHES | {"base", "near_value", "four_value"}
"""The switches that the value of a round before raises depends on."""


class _OpeningParts(NamedTuple):
    """Why the round counts what it does before any raise."""

    code: str
    grounds: tuple[str, ...]
    values: dict[str, int | str]


def opening_reason(state: State) -> Reason:
    """Why the round counts what it does before any raise; `values["value"]` is that number."""
    opening = _opening_parts(state)
    switches = decisive_house_rules(state, OPENING_SWITCHES, _opening_parts)
    return reason(state.rules, opening.code, opening.values, *opening.grounds, switches=switches)


def opening_grounds(state: State) -> tuple[tuple[str, ...], frozenset[str]]:
    """The grounds of the opening value, and the house rules that play a part in it."""
    opening = state.opening_reason
    ground = "four-below" if "below" in opening.values else opening.code
    return (ground,), frozenset(house_rule.switch for house_rule in opening.house_rules)


def _opening_parts(state: State) -> _OpeningParts:
    rules, leader = state.rules, state.four_leader
    if leader is not None:
        value: dict[str, int | str] = {"side": leader, "value": rules.four_value}
        four = _four_conditions(state, leader)
        # If the lead alone is enough, the house rule changed nothing, so it is not named.
        if four.others_are_low and not (
            four.leads_by_enough and "four_if_opponent_below" in rules.house_switches
        ):
            assert rules.four_below is not None
            return _OpeningParts("four", ("four-below",), {**value, "below": rules.four_below})
        return _OpeningParts("four", ("four",), value)
    near = [side for side in state.playing_sides if rules.is_near(state.points[side])]
    if near and rules.near_value is not None:
        values: dict[str, int | str] = {"side": near[0], "value": rules.near_value}
        return _OpeningParts("near-value", ("near-value",), values)
    return _OpeningParts("base", ("base",), {"value": rules.base})


def decisive_house_rules(
    state: State, switches: frozenset[str], result_of: Callable[[State], object]
) -> frozenset[str]:
    """Those of `switches` that the players changed, and whose regional value would change
    `result_of(state)`.
    """
    agreed_switches = state.rules.house_switches & switches
    if not agreed_switches:
        return agreed_switches
    actual = result_of(state)
    return frozenset(
        switch
        for switch in agreed_switches
        if result_of(_state_with_regional_value(state, switch)) != actual
    )


def _state_with_regional_value(state: State, switch: str) -> State:
    """The state as it would be with the region's value of a switch."""
    state = replace(state, rules=with_regional_value(state.rules, switch))
    # `four_leader` is fixed when the round begins, and a penalty may have changed the points since.
    # So it is computed anew only for a switch that decides it.
    if switch in NEAR_END_SWITCHES:
        state = replace(state, four_leader=four_leader(state))
    if state.raiser is not None or switch not in OPENING_SWITCHES:
        return state
    return replace(state, stake=int(_opening_parts(state).values["value"]))


def house_rules_of_near(rules: RuleSet, points: int) -> frozenset[str]:
    """The house rules that decide whether a side with these points is near."""
    agreed_switches, is_near = rules.house_switches & {"near", "target"}, rules.is_near(points)
    return frozenset(
        switch
        for switch in agreed_switches
        if with_regional_value(rules, switch).is_near(points) != is_near
    )


def next_stake(state: State) -> int:
    current_stake = state.open_raise.to if state.open_raise else state.stake
    return current_stake + state.rules.step
