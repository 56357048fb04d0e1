"""The value of a round, which sides may raise, and the cost of folding."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from scorer.engine.aggregate import Illegal, replace
from scorer.engine.rules.grounds import Reason, reason, refusal
from scorer.engine.rules.loading import load, with_regional_value
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.state import Raise, State


def four_leader(state: State) -> int | None:
    """The near side to which the four applies, or None (E-28, I-45)."""
    for side in state.active:
        if state.rules.is_near(state.points[side]) and any(_ahead(state, side)):
            return side
    return None


def _ahead(state: State, side: int) -> tuple[bool, bool]:
    """Whether `side` leads by enough for the four, and whether the others have few enough."""
    rules, points = state.rules, state.points
    best = max(points[other] for other in state.others(side))
    leads = rules.four_lead is not None and points[side] - best >= rules.four_lead
    return leads, rules.four_below is not None and best < rules.four_below


def base_value(rules: RuleSet) -> Reason:
    return reason(rules, "base", {"value": rules.base})


def opening_value(state: State) -> Reason:
    """The value of the round before any raise, as `value`, with its support."""
    code, grounds, values = _opening(state)
    parts = house_rules_in(state, OPENING, _opening)
    return reason(state.rules, code, values, *grounds, parts=parts)


def opening_grounds(state: State) -> tuple[tuple[str, ...], frozenset[str]]:
    """The grounds of the value of the round before raises, and the house rules that play a part."""
    opening = state.opening
    ground = "four-below" if "below" in opening.values else opening.code
    return (ground,), frozenset(own.switch for own in opening.house)


def _opening(state: State) -> tuple[str, tuple[str, ...], dict[str, int | str]]:
    """Code, grounds and values of the reason for the value of the round."""
    rules, leader = state.rules, state.four
    if leader is not None:
        value: dict[str, int | str] = {"side": leader, "value": rules.four_value}
        leads, below = _ahead(state, leader)
        if below and not (leads and "four_if_opponent_below" in rules.agreed):
            assert rules.four_below is not None
            return "four", ("four-below",), {**value, "below": rules.four_below}
        return "four", ("four",), value
    near = [side for side in state.active if rules.is_near(state.points[side])]
    if near and rules.near_value is not None:
        return "near-value", ("near-value",), {"side": near[0], "value": rules.near_value}
    return "base", ("base",), {"value": rules.base}


def house_rules_in(
    state: State, switches: frozenset[str], ask: Callable[[State], object]
) -> frozenset[str]:
    """The house rules among `switches` that play a part in an answer about a state.

    A house rule plays a part if the region's value of its switch leads to another answer.
    """
    turned = state.rules.agreed & switches
    if not turned:
        return turned
    answer = ask(state)
    return frozenset(switch for switch in turned if ask(_usual(state, switch)) != answer)


def _usual(state: State, switch: str) -> State:
    """The state as it would be with the region's value of a switch."""
    state = replace(state, rules=with_regional_value(state.rules, switch))
    # A penalty may have changed the points since the round began.
    if switch in _NEAR_END:
        state = replace(state, four=four_leader(state))
    if state.raiser is not None or switch not in OPENING:
        return state
    return replace(state, stake=int(_opening(state)[2]["value"]))


_NEAR_END: Final = frozenset({"near", "target", "four_lead", "four_if_opponent_below"})
OPENING: Final = _NEAR_END | {"base", "near_value", "four_value"}
"""The switches that the value of a round before raises depends on."""
_ASKING: Final = _NEAR_END | {"decline", "decline_when_both"}
LOCKING: Final = _NEAR_END | {"near_lock", "raise_after_four"}
FOLDING: Final = OPENING | {"fold_value", "fold_counts_refused", "step"}
_REACHING: Final = OPENING | LOCKING | {"step", "max_stake", "alternate"}
_LIMITS: Final = {
    "max-stake": "max_stake",
    "wrong-step": "step",
    "twice-in-a-row": "alternate",
    "locked-both": "near_lock",
    "cannot-see": "near_lock",
}
"""For each ground, the switch it depends on: it holds only for the table's value of it."""


def house_rules_of_near(rules: RuleSet, points: int) -> frozenset[str]:
    """The house rules by which a side with these points is near, or is not."""
    turned, near = rules.agreed & {"near", "target"}, rules.is_near(points)
    return frozenset(
        name for name in turned if with_regional_value(rules, name).is_near(points) != near
    )


def sides_to_ask(state: State) -> tuple[int, ...]:
    """The sides that may give the round away unplayed, in the order they are asked."""
    sides = _sides_concerned(state)
    return sides if len(sides) == 1 or state.rules.decline_when_both else ()


def _sides_concerned(state: State) -> tuple[int, ...]:
    if state.rules.decline == "none":
        return ()
    if state.rules.decline == "four":
        return () if state.four is None else (state.four,)
    return tuple(side for side in state.active if state.rules.is_near(state.points[side]))


def decision_grounds(state: State) -> tuple[tuple[str, ...], frozenset[str]]:
    """The grounds of who is asked in this round, and the house rules that play a part."""
    decision = state.decision
    if decision is not None and decision.side not in sides_to_ask(state):
        # A penalty has changed the points since this side was asked.
        return (), house_rules_in(
            state, _ASKING, lambda other: decision.side in _sides_concerned(other)
        )
    parts = house_rules_in(state, _ASKING, sides_to_ask)
    if len(_sides_concerned(state)) > 1:
        return ("decides-when-both",), parts
    near_end = state.rules.decline == "none" and state.opening.code != "base"
    never = near_end and ("decline" in parts or "decline" not in state.rules.agreed)
    return (("plays",) if never else ()), parts


@dataclass(frozen=True, slots=True)
class RaiseLock:
    """The reason why a side may not raise. Its `code` is also a key of `GROUNDS`."""

    code: str
    side: int
    """The side whose points cause the lock."""


def raise_lock(state: State, side: int) -> RaiseLock | None:
    """Why `side` may not raise in this round regardless of the bids, or None."""
    rules = state.rules
    if rules.near_lock != "none" and rules.is_near(state.points[side]):
        return RaiseLock("locked-near", side)
    if state.four is not None and not rules.raise_after_four:
        return RaiseLock("locked-four", state.four)
    if rules.near_lock == "both":
        for other in state.others(side):
            if rules.is_near(state.points[other]):
                return RaiseLock("locked-both", other)
    return None


def lock_refusal(state: State, side: int) -> Illegal | None:
    """The refusal of a raise by a locked side, or None."""
    rules, lock = state.rules, raise_lock(state, side)
    if lock is None:
        return None
    # A four may be locked by the end of the game as well.
    both = lock.code == "locked-four" and load(rules.id).near_lock == rules.near_lock == "both"
    grounds: tuple[str, ...] = (lock.code, "locked-both") if both else (lock.code,)
    if lock.code == "locked-near":
        if _all_near(state):
            grounds += ("both-near",)
        elif state.open_raise is not None:
            grounds += ("against-near",)
    parts = house_rules_in(state, LOCKING, lambda other: raise_lock(other, side) is None)
    return refusal(rules, lock.code, {"side": side, "other": lock.side}, *grounds, parts=parts)


def _all_near(state: State) -> bool:
    return all(state.rules.is_near(state.points[side]) for side in state.active)


def may_not_stay(state: State, side: int) -> bool:
    """Whether `side` may not even stay on a raise (Y4)."""
    return state.rules.near_lock == "bets" and state.rules.is_near(state.points[side])


def next_raise(state: State) -> int:
    agreed = state.open_raise.to if state.open_raise else state.stake
    return agreed + state.rules.step


def reachable(state: State, stake: int) -> bool:
    """Whether unrecorded raises could have led to `stake`."""
    return not unreachable(state, stake)


def unreachable(state: State, stake: int) -> tuple[str, ...]:
    """The grounds that rule out `stake` after unrecorded raises; empty if it is possible.

    >>> from scorer.engine import load, start
    >>> krank = start(load("oberoesterreich"), points=(7, 0))
    >>> [unreachable(krank, stake) for stake in (3, 4)]
    [(), ('twice-in-a-row', 'locked-near', 'against-near')]
    """
    rules = state.rules
    raises, rest = divmod(stake - state.stake, rules.step)
    if raises < 0:
        return ("wrong-step", *opening_grounds(state)[0])
    if rest:
        return ("wrong-step",)
    if raises == 0:
        return ()
    locks = [lock for side in state.active if (lock := raise_lock(state, side))]
    lock_codes = tuple(dict.fromkeys(lock.code for lock in locks))
    raisers = [side for side in state.active if raise_lock(state, side) is None]
    answerable = [
        side for side in raisers if not any(may_not_stay(state, o) for o in state.others(side))
    ]
    if not answerable:
        both = ("both-near",) if "locked-near" in lock_codes and _all_near(state) else ()
        unanswerable = ("cannot-see",) if raisers else ()
        return (*lock_codes, *both, *unanswerable)
    if rules.max_stake is not None and stake > rules.max_stake:
        return ("max-stake",)
    if not rules.alternate:
        return ()
    first = [side for side in answerable if side != state.raiser]
    possible = bool(first) and (raises == 1 or len(raisers) > 1)
    against = ("against-near",) if "locked-near" in lock_codes else ()
    return () if possible else ("twice-in-a-row", *lock_codes, *against)


def out_of_reach(state: State, stake: int) -> Illegal | None:
    """The refusal of a stake that unrecorded raises cannot have led to, or None."""
    grounds = unreachable(state, stake)
    if not grounds:
        return None
    parts = house_rules_in(state, _REACHING, lambda other: reachable(other, stake))
    below, opened = opening_grounds(state)
    if set(below) <= set(grounds):
        parts |= opened
    # The limit of the table is the ground even where the region's value rules the stake out, too.
    limits = {_LIMITS[ground] for ground in grounds if ground in _LIMITS}
    parts |= state.rules.agreed & limits
    return refusal(state.rules, "stake-unreachable", {"stake": stake}, *grounds, parts=parts)


def stakes(state: State, most: int = 8) -> tuple[int, ...]:
    """Up to `most` stakes that a round recorded without its raises may have had."""
    steps = (state.stake + n * state.rules.step for n in range(most))
    return tuple(stake for stake in steps if reachable(state, stake))


def fold_code(rules: RuleSet) -> str:
    """The code of the reason of a fold, which is a key in `GROUNDS`, too."""
    if rules.fold_value.startswith("fixed:"):
        return "fold-fixed"
    return "fold-refused" if rules.fold_counts_refused else "fold-agreed"


def fold_value(state: State, open_raise: Raise | None) -> int:
    """The points the others get when a side folds (O-45, E-23, I-40, Y2; without a raise Y4)."""
    rules = state.rules
    if rules.fold_value.startswith("fixed:"):
        return int(rules.fold_value.partition(":")[2])
    return open_raise.to if open_raise and rules.fold_counts_refused else state.stake
