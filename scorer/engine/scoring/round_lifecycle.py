"""The course of rounds and games: how they begin, score and end.

Functions that change the state return the next one, with its reasons added to `because`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from scorer.engine.aggregate import replace
from scorer.engine.rules.grounds import Reason, reason
from scorer.engine.rules.loading import load
from scorer.engine.scoring.declining import sides_to_ask
from scorer.engine.scoring.seat_roles import next_dealer, sits_out
from scorer.engine.scoring.stakes import four_leader, house_rules_of_near, opening_reason
from scorer.engine.scoring.state import Game, State

KINDS_OF_LOSS: Final = ("einfach", "schneider", "retourschneider", "verleugnet")
"""Kinds of a lost game, the mildest first."""


def begin_round(state: State) -> State:
    """The state at the start of a round: its value, the sides to ask, Retourschneider chances."""
    state = replace(
        state,
        stake=state.rules.base,
        open_raise=None,
        raiser=None,
        undecided=(),
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
        replace(state, opening=opening, stake=stake, undecided=sides_to_ask(state))
    )


def _record_retour_chances(state: State) -> State:
    """Record for the rest of the game which sides stood at 0 against a near side (O-53, U6)."""
    if not state.rules.retour and "retour" not in state.rules.house_switches:
        return state
    near, retour = state.near, list(state.retour)
    retour_switch = (
        frozenset() if load(state.rules.id).retour else state.rules.house_switches & {"retour"}
    )
    for side, points in enumerate(state.points):
        against = {other for other in range(len(near)) if near[other] and other != side}
        if points == 0 and not against <= set(retour[side]):
            for other in sorted(against.difference(retour[side])) if state.rules.retour else ():
                switches = house_rules_of_near(state.rules, state.points[other]) | retour_switch
                values = {"side": side, "other": other}
                state = with_reasons(
                    state, reason(state.rules, "retour-chance", values, switches=switches)
                )
            retour[side] = tuple(sorted(against.union(retour[side])))
    return replace(state, retour=tuple(retour))


def with_reasons(state: State, *reasons: Reason) -> State:
    return replace(state, because=state.because + reasons)


def award(
    state: State,
    side: int,
    delta: int,
    code: str,
    values: Mapping[str, int | str],
    *grounds: str,
    switches: frozenset[str] | None = None,
    house_rules_of: Reason | None = None,
) -> State:
    """Add `delta` points to `side`, capped at the target if the rules say so, with reasons.

    `grounds`, `switches` and `house_rules_of` are those of `reason` in `engine/rules/grounds.py`.
    """
    rules, before = state.rules, state.points[side]
    values_shown = {"side": side, "delta": delta, **values}
    reasons = [
        reason(
            rules, code, values_shown, *grounds, switches=switches, house_rules_of=house_rules_of
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
    return state if state.opening.code == "base" else with_reasons(state, state.opening)


def side_at_target(state: State) -> int | None:
    for side, points in enumerate(state.points):
        if points >= state.rules.target:
            return side
    return None


def end_round(state: State) -> State:
    """Finish the game if a side reached the target, else begin the next round."""
    winner = side_at_target(state)
    if winner is not None:
        game_won = reason(state.rules, "game-won", {"side": winner, "target": state.rules.target})
        state = with_reasons(state, game_won)
        return finish_game(state, winner, losses_by_side(state, winner))
    return begin_round(
        deal_to(rotate_sitting_out(replace(state, round=state.round + 1)), next_seat(state))
    )


def next_seat(state: State) -> int | None:
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
    side = sits_out(state.rules, len(state.points), state.seats[seat][0])
    return replace(state, sits_out=side)


# The end of a game


class Loss(NamedTuple):
    """One side's loss of a game."""

    kind: str
    """One of `KINDS_OF_LOSS`."""
    bummerl: int = 1


def losses_by_side(state: State, winner: int) -> dict[int, Loss]:
    """The loss of each losing side that gets Bummerl (O-53 to O-55, U18, R1)."""
    rules, points = state.rules, state.points
    losers = [side for side in range(len(points)) if side != winner]
    if rules.marks_three == "last":
        last = min(points[side] for side in losers)
        losers = [side for side in losers if points[side] == last]
    losses = {}
    for side in losers:
        if rules.retour and side in state.retour[winner]:
            losses[side] = Loss("retourschneider", rules.retour)
        elif rules.schneider and points[side] == 0:
            losses[side] = Loss("schneider", rules.schneider)
        else:
            losses[side] = Loss("einfach")
    return losses


def finish_game(
    state: State,
    winner: int,
    losses: dict[int, Loss],
    house_rules_of: Reason | None = None,
) -> State:
    """End the game with these `losses` and reset the state of the round.

    :param house_rules_of: the reason "revoked" if a revoke ended the game
    """
    rules = state.rules
    bummerl = tuple(
        losses[side].bummerl if side in losses else 0 for side in range(len(state.points))
    )
    worst_kind = max((loss.kind for loss in losses.values()), key=KINDS_OF_LOSS.index)
    for side, loss in losses.items():
        # The loss of a revoke does not depend on the rule for three sides.
        one_of_three = (
            len(state.points) == 3 and loss.kind != "verleugnet" and house_rules_of is None
        )
        grounds = (
            *_loss_grounds(state, side, winner, loss.kind),
            *(("marks-three",) if one_of_three else ()),
        )
        values = {"side": side, "other": winner, "bummerl": loss.bummerl}
        state = with_reasons(
            state, reason(rules, loss.kind, values, *grounds, house_rules_of=house_rules_of)
        )
    return replace(
        state,
        winner=winner,
        games=(*state.games, Game(winner, state.points, bummerl, worst_kind)),
        bummerl=tuple(old + new for old, new in zip(state.bummerl, bummerl, strict=True)),
        stake=rules.base,
        open_raise=None,
        raiser=None,
        undecided=(),
        four_leader=None,
        round_is_new=False,
    )


def _loss_grounds(state: State, side: int, winner: int, kind: str) -> tuple[str, ...]:
    """The grounds of a lost game, as keys in `GROUNDS`."""
    rules, points = state.rules, state.points[side]
    if kind != "einfach":
        return (kind,)
    regional = load(rules.id)
    house_grounds = ("no-retour",) if side in state.retour[winner] and regional.retour else ()
    if points == 0 and regional.schneider:
        return (*house_grounds, "no-schneider")
    return (*house_grounds, "loser-on-one" if points == 1 else "einfach")
