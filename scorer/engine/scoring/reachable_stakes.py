"""The stakes that unrecorded raises may have led to."""

from __future__ import annotations

from typing import Final

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.grounds import refusal
from scorer.engine.scoring.raise_locks import (
    LOCKING_SWITCHES,
    all_are_near,
    may_not_stay,
    raise_lock,
)
from scorer.engine.scoring.stakes import OPENING_SWITCHES, decisive_house_rules, opening_grounds
from scorer.engine.scoring.state import State

_RAISE_SWITCHES: Final = OPENING_SWITCHES | LOCKING_SWITCHES | {"step", "max_stake", "alternate"}
_LIMITING_SWITCH: Final = {
    "max-stake": "max_stake",
    "wrong-step": "step",
    "twice-in-a-row": "alternate",
    "locked-both": "near_lock",
    "cannot-see": "near_lock",
}
"""The switch that decides whether a ground applies."""


def is_reachable(state: State, stake: int) -> bool:
    """Whether unrecorded raises could have led to `stake`."""
    return not unreachable_grounds(state, stake)


def unreachable_grounds(state: State, stake: int) -> tuple[str, ...]:
    """The grounds that rule out `stake` after unrecorded raises; empty if it is possible.

    >>> from scorer.engine import rules_of, start
    >>> krank = start(rules_of("oberoesterreich"), points=(7, 0))
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
    locks = [lock for side in state.playing_sides if (lock := raise_lock(state, side))]
    lock_codes = tuple(dict.fromkeys(lock.code for lock in locks))
    raisers = [side for side in state.playing_sides if raise_lock(state, side) is None]
    answerable_raisers = [
        side
        for side in raisers
        if not any(may_not_stay(state, other) for other in state.others(side))
    ]
    if not answerable_raisers:
        both = ("both-near",) if "locked-near" in lock_codes and all_are_near(state) else ()
        unanswerable = ("cannot-see",) if raisers else ()
        return (*lock_codes, *both, *unanswerable)
    if rules.max_stake is not None and stake > rules.max_stake:
        return ("max-stake",)
    if not rules.alternate:
        return ()
    first_raisers = [side for side in answerable_raisers if side != state.raiser]
    is_possible = bool(first_raisers) and (raises == 1 or len(raisers) > 1)
    against = ("against-near",) if "locked-near" in lock_codes else ()
    return () if is_possible else ("twice-in-a-row", *lock_codes, *against)


def stake_refusal(state: State, stake: int) -> Illegal | None:
    """The refusal of a stake that unrecorded raises cannot have led to, or None."""
    grounds = unreachable_grounds(state, stake)
    if not grounds:
        return None
    switches = decisive_house_rules(
        state, _RAISE_SWITCHES, lambda other: is_reachable(other, stake)
    )
    base_grounds, opening_switches = opening_grounds(state)
    if set(base_grounds) <= set(grounds):
        switches |= opening_switches
    # The limit of the table is the ground even where the region's value rules the stake out, too.
    limiting = {_LIMITING_SWITCH[ground] for ground in grounds if ground in _LIMITING_SWITCH}
    switches |= state.rules.house_switches & limiting
    return refusal(state.rules, "stake-unreachable", {"stake": stake}, *grounds, switches=switches)


def possible_stakes(state: State, max_count: int = 8) -> tuple[int, ...]:
    """Up to `max_count` stakes that a round recorded without its raises may have had."""
    steps = (state.stake + raises * state.rules.step for raises in range(max_count))
    return tuple(stake for stake in steps if is_reachable(state, stake))
