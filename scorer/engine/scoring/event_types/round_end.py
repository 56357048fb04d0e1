"""How a round ends: won, penalised or given up; and points struck between rounds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine.aggregate import Illegal, replace
from scorer.engine.input.fields import one_of, whole
from scorer.engine.rules.ruleset import OFFENCES, PENALTY_FIELDS
from scorer.engine.scoring.event_types.event import Event, SideIndex
from scorer.engine.scoring.preconditions import must_be_settled, must_exist, must_play, must_run
from scorer.engine.scoring.round_lifecycle import (
    award,
    because,
    because_opened,
    begin_round,
    end_round,
    finish_game,
    marks_of,
    won_by,
)
from scorer.engine.scoring.stakes import fold_value, lock, unreachable
from scorer.engine.scoring.state import Reason, State

LOCKED: Final = "krank-geboten"
"""The offence of raising while locked."""


@dataclass(frozen=True, slots=True)
class Gewinnt(Event):
    """The side took the round; `stake` is for a round whose raises nobody noted, and `tricks` is
    read only where overtricks count."""

    do = "gewinnt"
    side: SideIndex
    tricks: Annotated[int | None, whole(3, 5)] = None
    stake: Annotated[int | None, whole(1, 999)] = None

    def check(self, state: State) -> None:
        must_play(state, self.side)
        must_be_settled(state)
        if self.stake is not None and (fields := unreachable(state, self.stake)):
            cites = state.rules.cite(*fields)
            raise Illegal("stake-unreachable", cites, stake=self.stake, field=fields[0])

    def effect(self, state: State) -> State:
        return end_round(self.written(state))

    def written(self, state: State) -> State:
        rules = state.rules
        stake = self.stake if self.stake is not None else state.stake
        raised = stake > int(state.opening.values["value"])
        code = "round-raised" if raised else "round-won"
        cites = rules.cite("step") if raised else state.opening.rules
        opening = state.opening.code
        beside = {} if raised or opening == "base" else {"opening": opening}
        state = award(because_opened(state), self.side, stake, code, cites, stake=stake, **beside)
        over = (self.tricks or 3) - 3
        if over and rules.overtrick:
            cites = rules.cite("overtrick")
            state = award(
                state, self.side, over * rules.overtrick, "overtricks", cites, tricks=over
            )
        return state

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Gewinnt(side, taken) for side in state.indices for taken in state.rules.tricks)


@dataclass(frozen=True, slots=True)
class Streichen(Event):
    """The side has its own points struck."""

    do = "streichen"
    side: SideIndex

    def check(self, state: State) -> None:
        rules, side = state.rules, self.side
        must_exist(state, side)
        must_run(state)
        if not rules.strike:
            raise Illegal("no-strike", rules.cite("strike"))
        if not state.fresh:
            raise Illegal("strike-late", rules.cite("strike"), side=side)
        near = state.near
        if not any(near[other] for other in range(len(near)) if other != side):
            raise Illegal("strike-none-near", rules.cite("strike"), side=side)
        if state.points[side] == 0:
            raise Illegal("strike-at-zero", rules.cite("strike"), side=side)
        if rules.strike_requires_not_krank and near[side]:
            raise Illegal("strike-near-self", rules.cite("strike_requires_not_krank"), side=side)
        if rules.strike_limit is not None and state.strikes[side] >= rules.strike_limit:
            raise Illegal(
                "strike-limit", rules.cite("strike_limit"), side=side, limit=rules.strike_limit
            )

    def effect(self, state: State) -> State:
        side, lost = self.side, state.points[self.side]
        reason = Reason("struck", state.rules.cite("strike"), {"side": side, "delta": -lost})
        points = tuple(0 if s == side else p for s, p in enumerate(state.points))
        strikes = tuple(n + (s == side) for s, n in enumerate(state.strikes))
        return begin_round(because(replace(state, points=points, strikes=strikes), reason))

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Streichen(side) for side in state.indices if state.rules.strike)


@dataclass(frozen=True, slots=True)
class Gespannt(Event):
    """The side has nothing left to bet: it gives up the round, and there is a new deal (Y4)."""

    do = "gespannt"
    side: SideIndex

    def check(self, state: State) -> None:
        rules, side = state.rules, self.side
        must_play(state, side)
        if not rules.gespannt:
            raise Illegal("no-gespannt", rules.cite("gespannt"))
        if state.decision is not None:
            must_be_settled(state)
        if state.open_raise is not None and state.open_raise.side == side:
            raise Illegal("own-raise-open", rules.cite("raise_again"), side=side)

    def effect(self, state: State) -> State:
        value = fold_value(state, state.open_raise)
        for other in state.others(self.side):
            cites = state.rules.cite("gespannt")
            state = award(state, other, value, "gespannt", cites, other=self.side)
        return end_round(state)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        return (Gespannt(side) for side in state.indices if state.rules.gespannt)


@dataclass(frozen=True, slots=True)
class Strafe(Event):
    """The side committed an offence; `points` only where it is `sonstige`."""

    do = "strafe"
    side: SideIndex
    offence: Annotated[str, one_of(*OFFENCES)]
    points: Annotated[int | None, whole(1, 99)] = None

    def check(self, state: State) -> None:
        rules = state.rules
        must_play(state, self.side)
        if self.offence == "sonstige":
            if self.points is None:
                raise Illegal("points-missing", side=self.side)
            return
        field = PENALTY_FIELDS[self.offence]
        if rules.penalty(self.offence) is None:
            named = field == "peek" and rules.peek is not None
            cites = rules.cite("peek_penalty_variants" if named else field)
            raise Illegal("no-such-offence", cites, offence=self.offence)
        if self.points is not None:
            raise Illegal("points-fixed", rules.cite(field), offence=self.offence)
        if self.offence == LOCKED and lock(state, self.side) is None:
            raise Illegal("not-locked", rules.cite("locked_raise"), side=self.side)

    def effect(self, state: State) -> State:
        rules = state.rules
        cites: tuple[str, ...] = ()
        cost: int | str | None = self.points
        # Points of `sonstige` are the table's own, so there is no rule to cite.
        if self.offence != "sonstige":
            cites, cost = rules.cite(PENALTY_FIELDS[self.offence]), rules.penalty(self.offence)
        if cost == "bummerl":
            return _revoked(state, self.side)
        points = state.stake if cost == "stake" else int(cost or 0)
        state = because_opened(state) if cost == "stake" else state
        for other in state.others(self.side):
            state = award(
                state, other, points, "penalty", cites, other=self.side, offence=self.offence
            )
        if self.offence in rules.penalty_ends_round or won_by(state) is not None:
            return end_round(state)
        # Before the deal, the new points count for the value of this round (U3, U4).
        return begin_round(state) if state.fresh else state

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        for offence in OFFENCES:
            other = offence == "sonstige"
            if other or state.rules.penalty(offence) is not None:
                points = state.rules.base if other else None
                yield from (Strafe(side, offence, points) for side in state.indices)


def _revoked(state: State, side: int) -> State:
    """The revoking side loses the game at once, with its current points (O-33, U8)."""
    rules = state.rules
    winner = state.others(side)[0]
    marks = {side: ("verleugnet", rules.revoke_bummerl)}
    if rules.revoke_counts_schneider:
        marks = {side: marks_of(state, winner).get(side, ("einfach", 1))}
    if marks[side][0] != "verleugnet":
        state = because(state, Reason("revoked", rules.cite("revoke"), {"side": side}))
    return finish_game(state, winner, marks)
