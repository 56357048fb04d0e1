"""Preconditions shared by several event classes; each raises `Illegal`."""

from __future__ import annotations

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.grounds import refusal
from scorer.engine.scoring.declining import decision_grounds
from scorer.engine.scoring.state import State


def require_side(state: State, side: int) -> None:
    if side >= len(state.points):
        raise Illegal("no-such-side", side=side, sides=len(state.points))


def require_running_game(state: State) -> None:
    if state.winner is not None:
        target_reached = state.points[state.winner] >= state.rules.target
        ground = "game-over" if target_reached else "game-lost"
        raise refusal(state.rules, "game-over", {"side": state.winner}, ground)


def require_playing_side(state: State, side: int) -> None:
    require_side(state, side)
    require_running_game(state)
    if side == state.sits_out:
        raise refusal(state.rules, "sits-out", {"side": side})


def require_no_open_question(state: State) -> None:
    if state.open_raise is not None:
        open_raise = state.open_raise
        raise refusal(state.rules, "raise-open", {"side": open_raise.side, "to": open_raise.to})
    require_no_open_decision(state)


def require_no_open_decision(state: State) -> None:
    if state.decision is not None:
        decision = state.decision
        grounds, switches = decision_grounds(state)
        raise refusal(
            state.rules,
            "decision-open",
            {
                "side": decision.side,
                "stay_value": decision.play_value,
                "go_value": decision.give_away_value,
            },
            "decision-open",
            *grounds,
            switches=switches | state.rules.house_switches & {"decline_value"},
            related_reason=state.opening_reason,
        )
