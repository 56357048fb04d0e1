"""Thresholds of a raise: the chances from which raising or staying is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce

from scorer.engine.aggregate import Illegal
from scorer.engine.equity import curves
from scorer.engine.equity.curves import NOISE, Curve
from scorer.engine.equity.model import Model
from scorer.engine.equity.round_tree import BidNode, Gain, PlayNode
from scorer.engine.equity.score_graph import Score, Unsolved
from scorer.engine.equity.solver import EquityTable, RoundWorth, equity_table
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply


@dataclass(frozen=True, slots=True)
class Threshold:
    """The chance of winning the round from which an action is right.

    `dead`: without further raises; `live`: with optimal raises by both sides.
    """

    dead: float
    live: float


@dataclass(frozen=True, slots=True)
class RaiseValues:
    """The values of an open raise, for side 0 and unrounded."""

    side: int
    """The raising side; the other one answers."""
    to: int
    stay_from: Threshold | None
    """For the answering side, when to stay; None if it may not."""
    if_staying: float | None
    """The value under the model if it stays; None if it may not."""
    if_folding: float
    """The value if it folds."""
    raise_from: Threshold | None
    """For the raising side, when the raise is right; None if never."""


@dataclass(frozen=True, slots=True)
class DecisionValues:
    """The values of a decision before the play (B-28, E-29), for side 0 and unrounded."""

    play_from: Threshold
    """For the deciding side, when to play."""
    if_playing: float
    """The value under the model if it plays."""
    if_giving_away: float
    """The value if it gives the round away."""


def raise_sequence(opening: State, side: int, to: int) -> list[Event]:
    """The shortest sequence of events by which `side` raises to a stake.

    Sides alternate if the rules require it.

    >>> from scorer.engine.rules.loading import rules_of
    >>> from scorer.engine.scoring.transitions import start
    >>> raise_sequence(start(rules_of("bayern")), 0, 4)
    [Bieten(side=1, to=3), Bieten(side=0, to=4)]
    """
    rules = opening.rules
    backwards: list[Event] = [Bieten(side, to)]
    raiser = side
    for stake in range(to - rules.step, opening.stake, -rules.step):
        if rules.alternate:
            raiser = 1 - raiser
        else:
            backwards.append(Bleiben(1 - raiser))
        backwards.append(Bieten(raiser, stake))
    return [*map(Bleiben, opening.deciding_sides), *reversed(backwards)]


def state_with_raise(opening: State, side: int, to: int) -> State:
    """The state with this raise open.

    :raises Illegal: the raise is impossible at this score
    """
    return reduce(apply, raise_sequence(opening, side, to), opening)


def open_raise_values(state: State, model: Model) -> RaiseValues | None:
    """The values of a state's open raise, or None if it cannot be computed.

    None without an open raise, with three sides, with too many scores, or if points after a penalty
    make the raise impossible.
    """
    open_raise = state.open_raise
    if open_raise is None or len(state.points) != 2:
        return None
    try:
        table = equity_table(state.rules, model)
    except Unsolved:
        return None
    return _values_if_legal(table, table.graph.score(state.points), open_raise.side, open_raise.to)


@lru_cache(maxsize=8192)
def _values_if_legal(table: EquityTable, score: Score, side: int, to: int) -> RaiseValues | None:
    try:
        state_with_raise(table.graph.opening(score), side, to)
    except Illegal:
        return None
    return raise_values(table, score, side, to)


@lru_cache(maxsize=8192)
def raise_values(table: EquityTable, score: Score, side: int, to: int) -> RaiseValues:
    """The values of a legal raise.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.equity.solver import equity_table
    >>> from scorer.engine.rules.loading import rules_of
    >>> table = equity_table(rules_of("oberoesterreich"), live(0.5))
    >>> values = raise_values(table, table.graph.score((0, 0)), 1, 3)
    >>> round(values.stay_from.dead, 3), round(values.stay_from.live, 3)
    (0.211, 0.184)
    """
    worth = table.round_worth(score)
    play, bid = _last_bid(
        worth.play, raise_sequence(table.graph.opening(score), side, _equivalent_stake(table, to))
    )
    stay_from, if_staying = None, None
    if bid.after_stay is not None:
        stay_from = _play_threshold(worth, bid.fold_gain, bid.after_stay, 1 - side)
        if_staying = curves.value_at(worth.curve(bid.after_stay), table.model.p)
    if_folding = worth.value_after(bid.fold_gain)
    raise_from = _raise_threshold(worth, play, side)
    return RaiseValues(side, to, stay_from, if_staying, if_folding, raise_from)


def decision_values(table: EquityTable, score: Score) -> dict[int, DecisionValues]:
    """The values of the decisions before the play, by deciding side.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.equity.solver import equity_table
    >>> from scorer.engine.rules.loading import rules_of
    >>> table = equity_table(rules_of("bayern"), live(0.5))
    >>> values = decision_values(table, table.graph.score((13, 9)))[0]
    >>> round(values.play_from.live, 3), values.if_playing > values.if_giving_away
    (0.409, True)
    """
    worth = table.round_worth(score)
    stay = curves.value_at(worth.curve(worth.play), table.model.p)
    return {
        decision.side: DecisionValues(
            _play_threshold(worth, decision.decline_gain, worth.play, decision.side),
            stay,
            worth.value_after(decision.decline_gain),
        )
        for decision in worth.decisions
    }


def _equivalent_stake(table: EquityTable, to: int) -> int:
    """The lowest stake of equal value; all stakes above the target win the game."""
    rules = table.graph.rules
    beyond = (to - rules.target) // rules.step - 1
    return to - max(beyond, 0) * rules.step


def _last_bid(play: PlayNode, events: Sequence[Event]) -> tuple[PlayNode, BidNode]:
    """The last raise of a sequence, and the play node before it."""
    *earlier, last = (event for event in events if isinstance(event, Bieten))
    for event in earlier:
        bid = play.bids[event.side]
        assert bid is not None and bid.after_stay is not None
        play = bid.after_stay
    bid = play.bids[last.side]
    assert bid is not None
    return play, bid


def _play_threshold(worth: RoundWorth, gain: Gain, play: PlayNode, side: int) -> Threshold:
    """The threshold from which `side` should play rather than concede `gain`."""
    go, line = worth.value_after(gain), worth.straight_curve(play)

    def point(curve: Curve) -> float:
        return (
            curves.first_chance_at(curve, go)
            if side == 0
            else curves.first_chance_at(curves.for_other_side(curve), -go)
        )

    live = curves.mix(worth.best_curve(play), line, worth.efficiency or 1.0)
    return Threshold(point(line), point(live))


def _raise_threshold(worth: RoundWorth, play: PlayNode, side: int) -> Threshold | None:
    """The threshold from which `side` should raise rather than wait; None if never."""
    bid = play.bids[side]
    assert bid is not None
    fold_value, sign = worth.value_after(bid.fold_gain), 1 if side == 0 else -1
    line: Curve = (
        ((0.0, fold_value), (1.0, fold_value))
        if bid.after_stay is None
        else worth.straight_curve(bid.after_stay)
    )
    dead = _first_better_chance(
        curves.clip(line, fold_value, sign), worth.straight_curve(play), side
    )
    live = _first_better_chance(worth.raise_curve(play, side) or line, worth.best_curve(play), side)
    if dead is None or live is None:
        return None
    return Threshold(dead, live)


def _first_better_chance(raising: Curve, waiting: Curve, side: int) -> float | None:
    """The smallest chance of `side` at which raising is worth at least as much as waiting."""
    if side == 1:
        raising, waiting = curves.for_other_side(raising), curves.for_other_side(waiting)
    chances = sorted({x for x, _ in raising} | {x for x, _ in waiting})
    differences = [(x, curves.value_at(raising, x) - curves.value_at(waiting, x)) for x in chances]
    if max(y for _, y in differences) < -NOISE:
        return None
    return curves.first_chance_at(differences, 0.0)
