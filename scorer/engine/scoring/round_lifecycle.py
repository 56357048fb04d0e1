"""The course of rounds: how they begin, score and end.

Functions that change the state return the next one, with its reasons added to `because`.
"""

from __future__ import annotations

from collections.abc import Mapping

from scorer.engine.aggregate import replace
from scorer.engine.rules.grounds import Reason, reason
from scorer.engine.rules.loading import rules_of
from scorer.engine.scoring.declining import sides_to_ask
from scorer.engine.scoring.game_end import finish_game, losses_by_side, side_at_target
from scorer.engine.scoring.seat_roles import next_dealer, side_sitting_out
from scorer.engine.scoring.stakes import four_leader, house_rules_of_near, opening_reason
from scorer.engine.scoring.state import State, with_reasons


def begin_round(state: State) -> State:
    """The state at the start of a round: its value, the sides to ask, Retourschneider chances."""
    state = replace(
        state,
        stake=state.rules.base,
        open_raise=None,
        raiser=None,
        deciding_sides=(),
        decision_made=False,
        round_is_new=True,
        schlag=None,
        trumpf=None,
        roles_swapped=False,
        schoenere=0,
        four_leader=four_leader(state),
    )
    opening = opening_reason(state)
    stake = int(opening.values["value"])
    return _record_retour_chances(
        replace(state, opening_reason=opening, stake=stake, deciding_sides=sides_to_ask(state))
    )


def _record_retour_chances(state: State) -> State:
    """Record for the rest of the game which sides stood at 0 against a near side (O-53, U6)."""
    if not state.rules.retour and "retour" not in state.rules.house_switches:
        return state
    near, chances = state.near, list(state.retour_chances)
    retour_switch = (
        frozenset() if rules_of(state.rules.id).retour else state.rules.house_switches & {"retour"}
    )
    for side, points in enumerate(state.points):
        against = {other for other in range(len(near)) if near[other] and other != side}
        if points == 0 and not against <= set(chances[side]):
            new_rivals = sorted(against.difference(chances[side])) if state.rules.retour else []
            for other in new_rivals:
                switches = house_rules_of_near(state.rules, state.points[other]) | retour_switch
                values = {"side": side, "other": other}
                state = with_reasons(
                    state, reason(state.rules, "retour-chance", values, switches=switches)
                )
            chances[side] = tuple(sorted(against.union(chances[side])))
    return replace(state, retour_chances=tuple(chances))


def award(
    state: State,
    side: int,
    delta: int,
    code: str,
    values: Mapping[str, int | str],
    *grounds: str,
    switches: frozenset[str] | None = None,
    related_reason: Reason | None = None,
) -> State:
    """Add `delta` points to `side`, capped at the target if the rules say so, with reasons.

    `grounds`, `switches` and `related_reason` are those of `reason` in `engine/rules/grounds.py`.
    """
    rules, before = state.rules, state.points[side]
    values_shown = {"side": side, "delta": delta, **values}
    reasons = [
        reason(
            rules, code, values_shown, *grounds, switches=switches, related_reason=related_reason
        )
    ]
    after = before + delta
    if rules.cap_at_target and after > rules.target:
        excess = after - rules.target
        reasons.append(
            reason(rules, "capped", {"side": side, "delta": -excess, "target": rules.target})
        )
        after = rules.target
    if rules.is_near(after) and not rules.is_near(before):
        switches = house_rules_of_near(rules, after)
        reasons.append(reason(rules, "near", {"side": side, "points": after}, switches=switches))
    points = tuple(after if s == side else p for s, p in enumerate(state.points))
    return replace(state, points=points, because=(*state.because, *reasons))


def with_opening_reason(state: State) -> State:
    """Add the reason for an opening value above the base, if any."""
    opening = state.opening_reason
    return state if opening.code == "base" else with_reasons(state, opening)


def end_round(state: State) -> State:
    """Finish the game if a side reached the target, else begin the next round."""
    winner = side_at_target(state)
    if winner is not None:
        game_won = reason(state.rules, "game-won", {"side": winner, "target": state.rules.target})
        state = with_reasons(state, game_won)
        return finish_game(state, winner, losses_by_side(state, winner))
    return begin_round(
        deal_to(rotate_sitting_out(replace(state, round=state.round + 1)), next_dealer_seat(state))
    )


def next_dealer_seat(state: State) -> int | None:
    if state.dealer is None:
        return None
    return next_dealer(state.rules, len(state.seats), state.dealer)


def rotate_sitting_out(state: State) -> State:
    """With three sides, the next one sits out (R1); else unchanged."""
    if state.sits_out is None:
        return state
    return replace(state, sits_out=(state.sits_out + 1) % len(state.points))


def deal_to(state: State, seat: int | None) -> State:
    """Set the dealer's seat and, with three sides, the side that sits out (R1b)."""
    state = replace(state, dealer=seat)
    if seat is None or state.sits_out is None or state.rules.sits_out_by == "turn":
        return state
    side = side_sitting_out(state.rules, len(state.points), state.seats[seat][0])
    return replace(state, sits_out=side)
