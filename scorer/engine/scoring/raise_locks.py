"""Which sides may not raise, and which stakes unrecorded raises may have led to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.grounds import refusal
from scorer.engine.rules.loading import load
from scorer.engine.scoring.stakes import (
    NEAR_END_SWITCHES,
    OPENING_SWITCHES,
    house_rules_in,
    opening_grounds,
)
from scorer.engine.scoring.state import State

LOCKING_SWITCHES: Final = NEAR_END_SWITCHES | {"near_lock", "raise_after_four"}
"""The switches that the lock of a side depends on."""
_RAISE_SWITCHES: Final = OPENING_SWITCHES | LOCKING_SWITCHES | {"step", "max_stake", "alternate"}
_LIMITING_SWITCH: Final = {
    "max-stake": "max_stake",
    "wrong-step": "step",
    "twice-in-a-row": "alternate",
    "locked-both": "near_lock",
    "cannot-see": "near_lock",
}
"""For each ground, the switch it depends on: it holds only for the table's value of it."""


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
    if state.four_leader is not None and not rules.raise_after_four:
        return RaiseLock("locked-four", state.four_leader)
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
    both_locks_apply = (
        lock.code == "locked-four" and load(rules.id).near_lock == rules.near_lock == "both"
    )
    grounds: tuple[str, ...] = (lock.code, "locked-both") if both_locks_apply else (lock.code,)
    if lock.code == "locked-near":
        if _all_are_near(state):
            grounds += ("both-near",)
        elif state.open_raise is not None:
            grounds += ("against-near",)
    switches = house_rules_in(
        state, LOCKING_SWITCHES, lambda other: raise_lock(other, side) is None
    )
    return refusal(
        rules, lock.code, {"side": side, "other": lock.side}, *grounds, switches=switches
    )


def _all_are_near(state: State) -> bool:
    return all(state.rules.is_near(state.points[side]) for side in state.active)


def may_not_stay(state: State, side: int) -> bool:
    """Whether `side` may not even stay on a raise (Y4)."""
    return state.rules.near_lock == "bets" and state.rules.is_near(state.points[side])


def is_reachable(state: State, stake: int) -> bool:
    """Whether unrecorded raises could have led to `stake`."""
    return not unreachable_grounds(state, stake)


def unreachable_grounds(state: State, stake: int) -> tuple[str, ...]:
    """The grounds that rule out `stake` after unrecorded raises; empty if it is possible.

    >>> from scorer.engine import load, start
    >>> krank = start(load("oberoesterreich"), points=(7, 0))
    >>> [unreachable_grounds(krank, stake) for stake in (3, 4)]
    [(), ('twice-in-a-row', 'locked-near', 'against-near')]
    """
    rules = state.rules
    raises, remainder = divmod(stake - state.stake, rules.step)
    if raises < 0:
        return ("wrong-step", *opening_grounds(state)[0])
    if remainder:
        return ("wrong-step",)
    if raises == 0:
        return ()
    locks = [lock for side in state.active if (lock := raise_lock(state, side))]
    lock_codes = tuple(dict.fromkeys(lock.code for lock in locks))
    raisers = [side for side in state.active if raise_lock(state, side) is None]
    answerable = [
        side
        for side in raisers
        if not any(may_not_stay(state, other) for other in state.others(side))
    ]
    if not answerable:
        both = ("both-near",) if "locked-near" in lock_codes and _all_are_near(state) else ()
        unanswerable = ("cannot-see",) if raisers else ()
        return (*lock_codes, *both, *unanswerable)
    if rules.max_stake is not None and stake > rules.max_stake:
        return ("max-stake",)
    if not rules.alternate:
        return ()
    first_raisers = [side for side in answerable if side != state.raiser]
    is_possible = bool(first_raisers) and (raises == 1 or len(raisers) > 1)
    against = ("against-near",) if "locked-near" in lock_codes else ()
    return () if is_possible else ("twice-in-a-row", *lock_codes, *against)


def stake_refusal(state: State, stake: int) -> Illegal | None:
    """The refusal of a stake that unrecorded raises cannot have led to, or None."""
    grounds = unreachable_grounds(state, stake)
    if not grounds:
        return None
    switches = house_rules_in(state, _RAISE_SWITCHES, lambda other: is_reachable(other, stake))
    base_grounds, opening_switches = opening_grounds(state)
    if set(base_grounds) <= set(grounds):
        switches |= opening_switches
    # The limit of the table is the ground even where the region's value rules the stake out, too.
    limiting = {_LIMITING_SWITCH[ground] for ground in grounds if ground in _LIMITING_SWITCH}
    switches |= state.rules.agreed & limiting
    return refusal(state.rules, "stake-unreachable", {"stake": stake}, *grounds, switches=switches)


def possible_stakes(state: State, max_count: int = 8) -> tuple[int, ...]:
    """Up to `max_count` stakes that a round recorded without its raises may have had."""
    steps = (state.stake + raises * state.rules.step for raises in range(max_count))
    return tuple(stake for stake in steps if is_reachable(state, stake))
