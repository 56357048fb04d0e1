"""The sides that may give a round away unplayed."""

from __future__ import annotations

from typing import Final

from scorer.engine.scoring.stakes import NEAR_END_SWITCHES, decisive_house_rules
from scorer.engine.scoring.state import State

_DECISION_SWITCHES: Final = NEAR_END_SWITCHES | {"decline", "decline_when_both"}


def sides_to_ask(state: State) -> tuple[int, ...]:
    """The sides that may give the round away unplayed, in the order they are asked."""
    sides = _sides_that_could_decline(state)
    return sides if len(sides) == 1 or state.rules.decline_when_both else ()


def _sides_that_could_decline(state: State) -> tuple[int, ...]:
    if state.rules.decline == "none":
        return ()
    if state.rules.decline == "four":
        return () if state.four_leader is None else (state.four_leader,)
    return tuple(side for side in state.playing_sides if state.rules.is_near(state.points[side]))


def decision_grounds(state: State) -> tuple[tuple[str, ...], frozenset[str]]:
    """Why these sides are asked in this round: the grounds, and the house rules that matter."""
    decision = state.decision
    if decision is not None and decision.side not in sides_to_ask(state):
        # A penalty has changed the points since this side was asked.
        return (), decisive_house_rules(
            state,
            _DECISION_SWITCHES,
            lambda other: decision.side in _sides_that_could_decline(other),
        )
    switches = decisive_house_rules(state, _DECISION_SWITCHES, sides_to_ask)
    if len(_sides_that_could_decline(state)) > 1:
        return ("decides-when-both",), switches
    is_near_end = state.rules.decline == "none" and state.opening_reason.code != "base"
    nobody_may_decline = is_near_end and (
        "decline" in switches or "decline" not in state.rules.house_switches
    )
    return (("plays",) if nobody_may_decline else ()), switches
