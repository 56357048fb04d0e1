"""Events that end a round (won, given up), and points struck between rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import integer
from scorer.engine.rules.grounds import reason, refusal
from scorer.engine.rules.loading import rules_of
from scorer.engine.scoring.event_types.event import Event, SideIndex
from scorer.engine.scoring.fold_points import FOLDING_SWITCHES, points_for_fold
from scorer.engine.scoring.preconditions import (
    require_no_open_question,
    require_playing_side,
    require_running_game,
    require_side,
)
from scorer.engine.scoring.reachable_stakes import stake_refusal
from scorer.engine.scoring.round_lifecycle import award, begin_round, end_round, with_opening_reason
from scorer.engine.scoring.stakes import decisive_house_rules, house_rules_of_near, opening_grounds
from scorer.engine.scoring.state import State, with_reasons

_MIN_TRICKS: Final = 3
"""Number of tricks that win a round, in all regions."""
_ALL_TRICKS: Final = 5
"""Number of tricks of a round: one for each card of a hand."""


@dataclass(frozen=True, slots=True)
class Gewinnt(Event):
    """The side won the round. `stake` replaces raises that nobody recorded; `tricks` matters only
    if overtricks count.
    """

    do = "gewinnt"
    side: SideIndex
    tricks: Annotated[int | None, integer(_MIN_TRICKS, _ALL_TRICKS)] = None
    stake: Annotated[int | None, integer(1, 999)] = None

    def check(self, state: State) -> None:
        require_playing_side(state, self.side)
        require_no_open_question(state)
        if self.stake is not None and (refusal_of_stake := stake_refusal(state, self.stake)):
            raise refusal_of_stake

    def effect(self, state: State) -> State:
        return end_round(self.with_round_points(state))

    def with_round_points(self, state: State) -> State:
        rules = state.rules
        stake = self.stake if self.stake is not None else state.stake
        was_raised = stake > int(state.opening_reason.values["value"])
        opening = state.opening_reason
        state = with_opening_reason(state)
        if was_raised:
            state = award(
                state, self.side, stake, "round-raised", {"stake": stake}, related_reason=opening
            )
        else:
            grounds, switches = opening_grounds(state)
            values: dict[str, int | str] = {"stake": stake}
            if opening.code != "base":
                values["opening"] = opening.code
            state = award(state, self.side, stake, "round-won", values, *grounds, switches=switches)
        tricks = self.tricks or _MIN_TRICKS
        overtricks = tricks - _MIN_TRICKS
        if overtricks and rules.overtrick:
            extra_ground = ("more-tricks",) if tricks > rules_of(rules.id).tricks_to_end else ()
            points = overtricks * rules.overtrick
            state = award(
                state,
                self.side,
                points,
                "overtricks",
                {"tricks": overtricks},
                "overtricks",
                *extra_ground,
            )
        return state

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (
            Gewinnt(side, tricks) for side in state.side_indices for tricks in state.rules.tricks
        )


@dataclass(frozen=True, slots=True)
class Streichen(Event):
    """The side has its own points struck."""

    do = "streichen"
    side: SideIndex

    def check(self, state: State) -> None:
        rules, side = state.rules, self.side
        require_side(state, side)
        require_running_game(state)
        if not rules.strike:
            raise refusal(rules, "no-strike")
        if not state.round_is_new:
            raise refusal(rules, "strike-late", {"side": side})
        near = state.near
        if not any(near[other] for other in range(len(near)) if other != side):
            switches = rules.house_switches & {"strike"}
            for other in (other for other in state.side_indices if other != side):
                switches |= house_rules_of_near(rules, state.points[other])
            raise refusal(rules, "strike-none-near", {"side": side}, switches=switches)
        if state.points[side] == 0:
            raise refusal(rules, "strike-at-zero", {"side": side})
        if rules.strike_requires_not_krank and near[side]:
            raise refusal(rules, "strike-near-self", {"side": side})
        if rules.strike_limit is not None and state.strikes[side] >= rules.strike_limit:
            raise refusal(rules, "strike-limit", {"side": side, "limit": rules.strike_limit})

    def effect(self, state: State) -> State:
        side, points_struck = self.side, state.points[self.side]
        struck_reason = reason(state.rules, "struck", {"side": side, "delta": -points_struck})
        points = tuple(0 if s == side else p for s, p in enumerate(state.points))
        strikes = tuple(count + (s == side) for s, count in enumerate(state.strikes))
        return begin_round(
            with_reasons(replace(state, points=points, strikes=strikes), struck_reason)
        )

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Streichen(side) for side in state.side_indices if state.rules.strike)


@dataclass(frozen=True, slots=True)
class Gespannt(Event):
    """The side has nothing left to bet: it gives up the round, and there is a new deal (Y4).

    In Bavaria the same word means a side near the target (`RuleSet.near`).
    """

    do = "gespannt"
    side: SideIndex

    def check(self, state: State) -> None:
        rules, side = state.rules, self.side
        require_playing_side(state, side)
        if not rules.gespannt:
            raise refusal(rules, "no-gespannt")
        if state.decision is not None:
            require_no_open_question(state)
        if state.open_raise is not None and state.open_raise.side == side:
            raise refusal(rules, "own-raise-open", {"side": side})

    def effect(self, state: State) -> State:
        rules, open_raise = state.rules, state.open_raise
        value = points_for_fold(state, open_raise)
        switches = rules.house_switches & {"gespannt"}
        switches |= decisive_house_rules(
            state, FOLDING_SWITCHES, lambda other: points_for_fold(other, open_raise)
        )
        if value != state.opening_reason.values["value"]:
            switches |= rules.house_switches & {"step"}
        for other in state.others(self.side):
            state = award(state, other, value, "gespannt", {"other": self.side}, switches=switches)
        return end_round(state)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Gespannt(side) for side in state.side_indices if state.rules.gespannt)
