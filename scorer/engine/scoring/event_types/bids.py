"""Raises and answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from scorer.engine.aggregate import replace
from scorer.engine.input.field_readers import integer
from scorer.engine.rules.grounds import reason, refusal
from scorer.engine.scoring.declining import decision_grounds
from scorer.engine.scoring.event_types.event import Event, SideIndex
from scorer.engine.scoring.fold_points import fold_code, points_for_fold
from scorer.engine.scoring.preconditions import require_no_open_decision, require_playing_side
from scorer.engine.scoring.raise_locks import LOCKING_SWITCHES, lock_refusal, may_not_stay
from scorer.engine.scoring.round_lifecycle import award, end_round, with_opening_reason
from scorer.engine.scoring.stakes import decisive_house_rules, next_stake
from scorer.engine.scoring.state import Raise, State, with_reasons


@dataclass(frozen=True, slots=True)
class Bieten(Event):
    """The side raises by one step; `to`, if given, must equal the new stake."""

    do = "bieten"
    side: SideIndex
    to: Annotated[int | None, integer(1, 999)] = None

    def check(self, state: State) -> None:
        rules, side = state.rules, self.side
        require_playing_side(state, side)
        require_no_open_decision(state)
        if locked := lock_refusal(state, side):
            raise locked
        if rules.alternate and state.raiser == side:
            raise refusal(rules, "twice-in-a-row", {"side": side})
        if state.open_raise is not None and state.open_raise.side == side:
            raise refusal(rules, "own-raise-open", {"side": side})
        to = next_stake(state)
        if rules.max_stake is not None and to > rules.max_stake:
            raise refusal(rules, "max-stake", {"side": side, "stake": rules.max_stake})
        if self.to is not None and self.to != to:
            opening = state.opening_reason
            raise refusal(
                rules,
                "wrong-step",
                {"side": side, "to": self.to, "stake": to},
                related_reason=opening,
            )

    def effect(self, state: State) -> State:
        to = next_stake(state)
        raised = reason(
            state.rules,
            "raised",
            {"side": self.side, "to": to},
            related_reason=state.opening_reason,
        )
        return with_reasons(
            replace(
                state,
                stake=state.open_raise.to if state.open_raise else state.stake,
                open_raise=Raise(self.side, to),
                raiser=self.side,
                round_is_new=False,
            ),
            raised,
        )

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Bieten(side, next_stake(state)) for side in state.side_indices)


@dataclass(frozen=True, slots=True)
class Bleiben(Event):
    """The side stays on a raise, or decides to play on."""

    do = "bleiben"
    side: SideIndex

    def check(self, state: State) -> None:
        _require_may_answer(state, self.side)
        if state.decision is None and may_not_stay(state, self.side):
            switches = decisive_house_rules(
                state, LOCKING_SWITCHES, lambda other: may_not_stay(other, self.side)
            )
            raise refusal(state.rules, "cannot-see", {"side": self.side}, switches=switches)

    def effect(self, state: State) -> State:
        rules = state.rules
        if state.decision is not None:
            grounds, switches = decision_grounds(state)
            plays = reason(
                rules,
                "plays",
                {"side": self.side, "value": state.stake},
                "plays",
                *grounds,
                switches=switches,
                related_reason=state.opening_reason,
            )
            state = replace(
                state,
                deciding_sides=state.deciding_sides[1:],
                decision_made=True,
                round_is_new=False,
            )
            return with_reasons(state, plays)
        assert state.open_raise is not None
        to = state.open_raise.to
        stayed = reason(
            rules, "stayed", {"side": self.side, "to": to}, related_reason=state.opening_reason
        )
        return with_reasons(replace(state, stake=to, open_raise=None), stayed)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Bleiben(side) for side in state.side_indices)


@dataclass(frozen=True, slots=True)
class Gehen(Event):
    """The side folds on a raise, or decides to give the round away."""

    do = "gehen"
    side: SideIndex

    def check(self, state: State) -> None:
        _require_may_answer(state, self.side)

    def effect(self, state: State) -> State:
        return end_round(self.with_round_points(state))

    def with_round_points(self, state: State) -> State:
        rules = state.rules
        if state.decision is not None:
            grounds, switches = decision_grounds(state)
            switches |= rules.house_switches & {"decline_value"}
            for other in state.others(self.side):
                state = award(
                    state,
                    other,
                    rules.decline_value,
                    "declined",
                    {"other": self.side},
                    "declined",
                    *grounds,
                    switches=switches,
                )
            return state
        assert state.open_raise is not None
        open_raise = state.open_raise
        value = points_for_fold(state, open_raise)
        code = fold_code(rules)
        if code != "fold-fixed":
            state = with_opening_reason(state)
        return award(
            state,
            open_raise.side,
            value,
            code,
            {"other": self.side, "to": open_raise.to},
            related_reason=state.opening_reason,
        )

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Gehen(side) for side in state.side_indices)


def _require_may_answer(state: State, side: int) -> None:
    require_playing_side(state, side)
    if state.decision is not None:
        if state.decision.side != side:
            grounds, switches = decision_grounds(state)
            raise refusal(
                state.rules, "wrong-side", {"side": side}, "plays", *grounds, switches=switches
            )
    elif state.open_raise is not None:
        if state.open_raise.side == side:
            raise refusal(state.rules, "wrong-side", {"side": side})
    else:
        has_begun = state.decision_made or state.raiser is not None
        grounds, switches = ((), frozenset()) if has_begun else decision_grounds(state)
        raise refusal(
            state.rules,
            "nothing-to-answer",
            {"side": side},
            *grounds,
            "nothing-to-answer",
            switches=switches,
        )
