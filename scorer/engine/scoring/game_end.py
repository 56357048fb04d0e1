"""The end of a game: its winner, and the Bummerl of the losers."""

from __future__ import annotations

from typing import Final, NamedTuple

from scorer.engine.aggregate import replace
from scorer.engine.rules.grounds import Reason, reason
from scorer.engine.rules.loading import rules_of
from scorer.engine.scoring.state import Game, State, with_reasons

KINDS_OF_LOSS: Final = ("einfach", "schneider", "retourschneider", "verleugnet")
"""Kinds of a lost game, the mildest first."""


def side_at_target(state: State) -> int | None:
    for side, points in enumerate(state.points):
        if points >= state.rules.target:
            return side
    return None


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
        if rules.retour and side in state.retour_chances[winner]:
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
    revoke_reason: Reason | None = None,
) -> State:
    """End the game with these `losses` and reset the state of the round.

    :param revoke_reason: the reason `revoked` if a revoke ended the game
    """
    rules = state.rules
    bummerl = tuple(
        losses[side].bummerl if side in losses else 0 for side in range(len(state.points))
    )
    worst_kind = max((loss.kind for loss in losses.values()), key=KINDS_OF_LOSS.index)
    for side, loss in losses.items():
        # A game lost by a revoke cites no rule for three sides.
        one_of_three = (
            len(state.points) == 3 and loss.kind != "verleugnet" and revoke_reason is None
        )
        grounds = (
            *_loss_grounds(state, side, winner, loss.kind),
            *(("marks-three",) if one_of_three else ()),
        )
        values = {"side": side, "other": winner, "bummerl": loss.bummerl}
        state = with_reasons(
            state, reason(rules, loss.kind, values, *grounds, related_reason=revoke_reason)
        )
    return replace(
        state,
        winner=winner,
        games=(*state.games, Game(winner, state.points, bummerl, worst_kind)),
        bummerl=tuple(old + new for old, new in zip(state.bummerl, bummerl, strict=True)),
        stake=rules.base,
        open_raise=None,
        raiser=None,
        deciding_sides=(),
        four_leader=None,
        round_is_new=False,
    )


def _loss_grounds(state: State, side: int, winner: int, kind: str) -> tuple[str, ...]:
    """The grounds of a lost game, as keys in `GROUNDS`."""
    rules, points = state.rules, state.points[side]
    if kind != "einfach":
        return (kind,)
    regional = rules_of(rules.id)
    house_grounds = (
        ("no-retour",) if side in state.retour_chances[winner] and regional.retour else ()
    )
    if points == 0 and regional.schneider:
        return (*house_grounds, "no-schneider")
    return (*house_grounds, "loser-on-one" if points == 1 else "einfach")
