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
class RaisePrice:
    """The values of an open raise, for side 0 and unrounded."""

    side: int
    """The raising side; the other one answers."""
    to: int
    take: Threshold | None
    """For the answering side, when to stay; None if it may not."""
    stay: float | None
    """The value under the model if it stays; None if it may not."""
    go: float
    """The value if it folds."""
    bid: Threshold | None
    """For the raising side, when the raise is right; None if never."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The values of a decision before the play (B-28, E-29), for side 0 and unrounded."""

    play: Threshold
    """For the deciding side, when to play."""
    stay: float
    """The value under the model if it plays."""
    go: float
    """The value if it gives the round away."""


def raise_sequence(opening: State, side: int, to: int) -> list[Event]:
    """The shortest sequence of events by which `side` raises to a stake.

    Sides alternate if the rules require it.

    >>> from scorer.engine.rules.loading import load
    >>> from scorer.engine.scoring.transitions import start
    >>> raise_sequence(start(load("bayern")), 0, 4)
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
    return [*map(Bleiben, opening.undecided), *reversed(backwards)]


def state_with_raise(opening: State, side: int, to: int) -> State:
    """The state with this raise open.

    :raises Illegal: the raise is impossible at this score
    """
    return reduce(apply, raise_sequence(opening, side, to), opening)


def open_price(opened: State, model: Model) -> RaisePrice | None:
    """The price of a state's open raise, or None if it cannot be computed.

    None without an open raise, with three sides, with too many scores, or if points after a penalty
    make the raise impossible.
    """
    asked = opened.open_raise
    if asked is None or len(opened.points) != 2:
        return None
    try:
        solved = equity_table(opened.rules, model)
    except Unsolved:
        return None
    return _legal_price(solved, solved.board.score(opened.points), asked.side, asked.to)


@lru_cache(maxsize=8192)
def _legal_price(solved: EquityTable, score: Score, side: int, to: int) -> RaisePrice | None:
    try:
        state_with_raise(solved.board.opening(score), side, to)
    except Illegal:
        return None
    return raise_price(solved, score, side, to)


@lru_cache(maxsize=8192)
def raise_price(solved: EquityTable, score: Score, side: int, to: int) -> RaisePrice:
    """The price of a legal raise.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.equity.solver import equity_table
    >>> from scorer.engine.rules.loading import load
    >>> solved = equity_table(load("oberoesterreich"), live(0.5))
    >>> asked = raise_price(solved, solved.board.score((0, 0)), 1, 3)
    >>> round(asked.take.dead, 3), round(asked.take.live, 3)
    (0.211, 0.184)
    """
    here = solved.round_worth(score)
    play, bid = _last(
        here.play, raise_sequence(solved.board.opening(score), side, _least(solved, to))
    )
    take, stay = None, None
    if bid.stays is not None:
        take = _right(here, bid.gone, bid.stays, 1 - side)
        stay = curves.value_at(here.curve(bid.stays), solved.model.p)
    return RaisePrice(side, to, take, stay, here.gain(bid.gone), _bid(here, play, side))


def choices(solved: EquityTable, score: Score) -> dict[int, Choice]:
    """The decision before the play of each side that has one, by side.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.equity.solver import equity_table
    >>> from scorer.engine.rules.loading import load
    >>> solved = equity_table(load("bayern"), live(0.5))
    >>> asked = choices(solved, solved.board.score((13, 9)))[0]
    >>> round(asked.play.live, 3), asked.stay > asked.go
    (0.409, True)
    """
    here = solved.round_worth(score)
    stay = curves.value_at(here.curve(here.play), solved.model.p)
    return {
        asked.side: Choice(
            _right(here, asked.gives, here.play, asked.side), stay, here.gain(asked.gives)
        )
        for asked in here.asked
    }


def _least(solved: EquityTable, to: int) -> int:
    """The lowest stake of equal value; all stakes above the target win the game."""
    rules = solved.board.rules
    beyond = (to - rules.target) // rules.step - 1
    return to - max(beyond, 0) * rules.step


def _last(play: PlayNode, events: Sequence[Event]) -> tuple[PlayNode, BidNode]:
    """The last raise of a sequence, and the play node before it."""
    *raises, last = (event for event in events if isinstance(event, Bieten))
    for event in raises:
        bid = play.bids[event.side]
        assert bid is not None and bid.stays is not None
        play = bid.stays
    bid = play.bids[last.side]
    assert bid is not None
    return play, bid


def _right(here: RoundWorth, given: Gain, play: PlayNode, side: int) -> Threshold:
    """The threshold from which `side` should play rather than concede `given`."""
    go, line = here.gain(given), here.line(play)

    def point(curve: Curve) -> float:
        return (
            curves.first_reaching(curve, go)
            if side == 0
            else curves.first_reaching(curves.for_other_side(curve), -go)
        )

    live = curves.mix(here.best(play), line, here.share or 1.0)
    return Threshold(point(line), point(live))


def _bid(here: RoundWorth, play: PlayNode, side: int) -> Threshold | None:
    """The threshold from which `side` should raise rather than wait; None if never."""
    bid = play.bids[side]
    assert bid is not None
    gone, sign = here.gain(bid.gone), 1 if side == 0 else -1
    line: Curve = ((0.0, gone), (1.0, gone)) if bid.stays is None else here.line(bid.stays)
    dead = _from(curves.clipped(line, gone, sign), here.line(play), side)
    live = _from(here.raised(play, side) or line, here.best(play), side)
    if dead is None or live is None:
        return None
    return Threshold(dead, live)


def _from(raising: Curve, waiting: Curve, side: int) -> float | None:
    """The smallest chance of `side` at which raising is worth at least as much as waiting."""
    if side == 1:
        raising, waiting = curves.for_other_side(raising), curves.for_other_side(waiting)
    places = sorted({x for x, _ in raising} | {x for x, _ in waiting})
    better = [(x, curves.value_at(raising, x) - curves.value_at(waiting, x)) for x in places]
    if max(y for _, y in better) < -NOISE:
        return None
    return curves.first_reaching(better, 0.0)
