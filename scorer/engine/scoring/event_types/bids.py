"""Raises and answers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated

from scorer.engine.aggregate import Illegal, replace
from scorer.engine.input.fields import whole
from scorer.engine.scoring.event_types.event import Event, SideIndex
from scorer.engine.scoring.preconditions import must_be_settled, must_play
from scorer.engine.scoring.round_lifecycle import award, because, because_opened, end_round
from scorer.engine.scoring.stakes import cannot_see, fold_value, lock, next_raise
from scorer.engine.scoring.state import Raise, Reason, State


@dataclass(frozen=True, slots=True)
class Bieten(Event):
    """The side raises by one step; `to`, if given, must be the stake it would then name."""

    do = "bieten"
    side: SideIndex
    to: Annotated[int | None, whole(1, 999)] = None

    def check(self, state: State) -> None:
        rules, side = state.rules, self.side
        must_play(state, side)
        if state.decision is not None:
            must_be_settled(state)
        if held := lock(state, side):
            raise Illegal(held.code, rules.cite(held.field), side=side, other=held.side)
        if rules.alternate and state.raiser == side:
            raise Illegal("twice-in-a-row", rules.cite("alternate"), side=side)
        if state.open_raise is not None and state.open_raise.side == side:
            raise Illegal("own-raise-open", rules.cite("raise_again"), side=side)
        to = next_raise(state)
        if rules.max_stake is not None and to > rules.max_stake:
            raise Illegal("max-stake", rules.cite("max_stake"), side=side, stake=rules.max_stake)
        if self.to is not None and self.to != to:
            raise Illegal("wrong-step", rules.cite("step"), side=side, to=self.to, stake=to)

    def effect(self, state: State) -> State:
        to = next_raise(state)
        reason = Reason("raised", state.rules.cite("step"), {"side": self.side, "to": to})
        return because(
            replace(
                state,
                stake=state.open_raise.to if state.open_raise else state.stake,
                open_raise=Raise(self.side, to),
                raiser=self.side,
                fresh=False,
            ),
            reason,
        )

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Bieten(side, next_raise(state)) for side in state.indices)


@dataclass(frozen=True, slots=True)
class Bleiben(Event):
    """The side stays on a raise, or plays on where a decision is asked of it."""

    do = "bleiben"
    side: SideIndex

    def check(self, state: State) -> None:
        _may_answer(state, self.side)
        if state.decision is None and cannot_see(state, self.side):
            raise Illegal("cannot-see", state.rules.cite("near_lock"), side=self.side)

    def effect(self, state: State) -> State:
        rules = state.rules
        if state.undecided:
            plays = {"side": self.side, "value": state.stake}
            state = replace(state, undecided=state.undecided[1:], decided=True, fresh=False)
            return because(state, Reason("plays", rules.cite("decline"), plays))
        assert state.open_raise is not None
        to = state.open_raise.to
        stayed = Reason("stayed", rules.cite("stay", "step"), {"side": self.side, "to": to})
        return because(replace(state, stake=to, open_raise=None), stayed)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Bleiben(side) for side in state.indices)


@dataclass(frozen=True, slots=True)
class Gehen(Event):
    """The side folds, or gives the round away where a decision is asked of it."""

    do = "gehen"
    side: SideIndex

    def check(self, state: State) -> None:
        _may_answer(state, self.side)

    def effect(self, state: State) -> State:
        return end_round(self.written(state))

    def written(self, state: State) -> State:
        rules = state.rules
        if state.undecided:
            cites = rules.cite("decline_value")
            for other in state.others(self.side):
                state = award(state, other, rules.decline_value, "declined", cites, other=self.side)
            return state
        assert state.open_raise is not None
        opened = state.open_raise
        value = fold_value(state, opened)
        code, cites = "fold-fixed", rules.cite("fold_value")
        if not rules.fold_value.startswith("fixed"):
            code, state = "fold-agreed", because_opened(state)
        return award(state, opened.side, value, code, cites, other=self.side, to=opened.to)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Gehen(side) for side in state.indices)


def _may_answer(state: State, side: int) -> None:
    must_play(state, side)
    if state.decision is not None:
        if state.decision.side != side:
            raise Illegal("wrong-side", state.rules.cite("decline"), side=side)
    elif state.open_raise is not None:
        if state.open_raise.side == side:
            raise Illegal("wrong-side", state.rules.cite("answer"), side=side)
    else:
        plain = state.rules.decline == "none" and state.opening.code == "base"
        fields = ("answer",) if plain else ("decline", "answer")
        raise Illegal("nothing-to-answer", state.rules.cite(*fields), side=side)
