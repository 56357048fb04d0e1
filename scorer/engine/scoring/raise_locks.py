"""The sides that may not raise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.grounds import refusal
from scorer.engine.rules.loading import rules_of
from scorer.engine.scoring.stakes import (
    NEAR_END_SWITCHES,
    decisive_house_rules,
)
from scorer.engine.scoring.state import State

LOCKING_SWITCHES: Final = NEAR_END_SWITCHES | {"near_lock", "raise_after_four"}
"""The switches that the lock of a side depends on."""


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
    grounds: tuple[str, ...] = (lock.code,)
    if lock.code == "locked-four" and rules_of(rules.id).near_lock == rules.near_lock == "both":
        # The region's own rule would lock this side too, so the refusal cites both.
        grounds = (lock.code, "locked-both")
    if lock.code == "locked-near":
        if all_are_near(state):
            grounds += ("both-near",)
        elif state.open_raise is not None:
            grounds += ("against-near",)
    switches = decisive_house_rules(
        state, LOCKING_SWITCHES, lambda other: raise_lock(other, side) is None
    )
    return refusal(
        rules, lock.code, {"side": side, "other": lock.side}, *grounds, switches=switches
    )


def all_are_near(state: State) -> bool:
    return all(state.rules.is_near(state.points[side]) for side in state.playing_sides)


def may_not_stay(state: State, side: int) -> bool:
    """Whether `side` may not even stay on a raise (Y4)."""
    return state.rules.near_lock == "bets" and state.rules.is_near(state.points[side])
