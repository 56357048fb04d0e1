"""A penalty, which may end the round or the game."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.input.field_readers import integer, one_of
from scorer.engine.rules.grounds import reason, refusal
from scorer.engine.rules.loading import rules_of
from scorer.engine.rules.ruleset import OFFENCES, RuleSet
from scorer.engine.scoring.event_types.event import Event, SideIndex
from scorer.engine.scoring.game_end import Loss, finish_game, losses_by_side, side_at_target
from scorer.engine.scoring.preconditions import require_playing_side
from scorer.engine.scoring.raise_locks import raise_lock
from scorer.engine.scoring.round_lifecycle import award, begin_round, end_round, with_opening_reason
from scorer.engine.scoring.stakes import house_rules_of_near
from scorer.engine.scoring.state import State, with_reasons

RAISE_WHILE_LOCKED: Final = "krank-geboten"
"""The offence of raising while locked."""


@dataclass(frozen=True, slots=True)
class Strafe(Event):
    """The side committed an offence; `points` only where it is `sonstige`."""

    do = "strafe"
    side: SideIndex
    offence: Annotated[str, one_of(*OFFENCES)]
    points: Annotated[int | None, integer(1, 99)] = None

    def check(self, state: State) -> None:
        rules = state.rules
        require_playing_side(state, self.side)
        if self.offence == "sonstige":
            if self.points is None:
                raise Illegal("points-missing", side=self.side)
            return
        if rules.penalty(self.offence) is None:
            ground, switches = _no_penalty(rules, self.offence)
            values = {"offence": self.offence}
            raise refusal(rules, "no-such-offence", values, ground, switches=switches)
        if self.points is not None:
            grounds = _penalty_grounds(rules, self.offence)
            raise refusal(rules, "points-fixed", {"offence": self.offence}, *grounds)
        if self.offence == RAISE_WHILE_LOCKED and raise_lock(state, self.side) is None:
            points, ground = state.points[self.side], "not-locked"
            switches = house_rules_of_near(rules, points)
            if rules.is_near(points):
                ground, switches = "near-unlocked", switches | rules.house_switches & {"near_lock"}
            raise refusal(rules, "not-locked", {"side": self.side}, ground, switches=switches)

    def effect(self, state: State) -> State:
        rules = state.rules
        # Points of `sonstige` are the table's own.
        cost = self.points if self.offence == "sonstige" else rules.penalty(self.offence)
        if cost == "bummerl":
            return _lose_by_revoke(state, self.side)
        points = state.stake if cost == "stake" else int(cost or 0)
        grounds, related_reason = _penalty_grounds(rules, self.offence), None
        if cost == "stake":
            if points != state.opening_reason.values["value"]:
                grounds += ("penalty-raised",)
            state, related_reason = with_opening_reason(state), state.opening_reason
        for other in state.others(self.side):
            values: dict[str, int | str] = {"other": self.side, "offence": self.offence}
            state = award(
                state, other, points, "penalty", values, *grounds, related_reason=related_reason
            )
        if self.offence in rules.penalty_ends_round or side_at_target(state) is not None:
            return end_round(state)
        # Before the deal, the new points count for the value of this round (U3, U4).
        return begin_round(state) if state.round_is_new else state

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        for offence in OFFENCES:
            is_other = offence == "sonstige"
            if is_other or state.rules.penalty(offence) is not None:
                points = state.rules.base if is_other else None
                yield from (Strafe(side, offence, points) for side in state.side_indices)


def _no_penalty(rules: RuleSet, offence: str) -> tuple[str, frozenset[str] | None]:
    """Why an offence has no penalty, as a key in `GROUNDS`, and the house rules of `refusal`."""
    if offence == RAISE_WHILE_LOCKED:
        return "no-locked-penalty", None
    if offence == "abgehoben-geschaut":
        regional_variants = rules_of(rules.id).peek_penalty_variants
        if rules.variant not in (*regional_variants, *rules.peek_penalty_variants):
            return "peek-elsewhere", frozenset()
        if rules.peek is not None:
            return "peek-elsewhere", None
    return f"penalty-{offence}", None


def _penalty_grounds(rules: RuleSet, offence: str) -> tuple[str, ...]:
    """The grounds of a penalty, as keys in `GROUNDS`."""
    regional_variants = rules_of(rules.id).peek_penalty_variants
    is_added_by_table = offence == "abgehoben-geschaut" and rules.variant not in regional_variants
    return (f"penalty-{offence}", *(("peek-elsewhere",) if is_added_by_table else ()))


def _lose_by_revoke(state: State, side: int) -> State:
    """The revoking side loses the game at once, with its current points (O-33, U8)."""
    rules = state.rules
    winner = state.others(side)[0]
    if not rules.revoke_counts_schneider:
        return finish_game(state, winner, {side: Loss("verleugnet", rules.revoke_bummerl)})
    losses = {side: losses_by_side(state, winner).get(side, Loss("einfach"))}
    reason_of_revoke = reason(rules, "revoked", {"side": side})
    return finish_game(with_reasons(state, reason_of_revoke), winner, losses, reason_of_revoke)
