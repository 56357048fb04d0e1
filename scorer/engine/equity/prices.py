"""The price of a raise: when staying is right, what going costs, when raising is right."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from scorer.engine.equity import curves
from scorer.engine.equity.curves import NOISE, Curve
from scorer.engine.equity.table import Round, Score, Table
from scorer.engine.equity.tree import Bid, Play
from scorer.engine.scoring.events import Bieten, Bleiben, Event
from scorer.engine.scoring.state import State
from scorer.engine.scoring.tally import apply


@dataclass(frozen=True, slots=True)
class Point:
    """The chance to win the round from which something is right.

    `dead`: if nobody may raise again; `live`: if both still may and do so well.
    """

    dead: float
    live: float


@dataclass(frozen=True, slots=True)
class Price:
    """What an open raise asks. Worths are side 0's, before rounding."""

    side: int
    """Who raised; the other side answers."""
    to: int
    take: Point | None
    """From which chance of the answering side staying is right; None where it may not stay."""
    stay: float | None
    """The worth if it stays, the round being as open as the model has it."""
    go: float
    """The worth if it goes."""
    bid: Point | None
    """From which chance of the raiser this raise was right; None where it never is."""


def ladder(opening: State, side: int, to: int) -> list[Event]:
    """The shortest way for `side` to raise to a stake, raised in turn where the rules want it.

    >>> from scorer.engine.rules.ruleset import load
    >>> from scorer.engine.scoring.tally import start
    >>> ladder(start(load("bayern")), 0, 4)
    [Bieten(side=1, to=3), Bieten(side=0, to=4)]
    """
    rules = opening.rules
    found: list[Event] = [Bieten(side, to)]
    raiser = side
    for stake in range(to - rules.step, opening.stake, -rules.step):
        if rules.alternate:
            raiser = 1 - raiser
        else:
            found.append(Bleiben(1 - raiser))
        found.append(Bieten(raiser, stake))
    return [*map(Bleiben, opening.undecided), *reversed(found)]


def raised(opening: State, side: int, to: int) -> State:
    """The state with this raise open, as the engine has it.

    :raises Illegal: the rules know no such raise at this score
    """
    state = opening
    for event in ladder(opening, side, to):
        state = apply(state, event)
    return state


def price(table: Table, score: Score, side: int, to: int) -> Price:
    """What a legal raise asks.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.equity.table import table
    >>> from scorer.engine.rules.ruleset import load
    >>> found = table(load("oberoesterreich"), live(0.5))
    >>> asked = price(found, found.board.score((0, 0)), 1, 3)
    >>> round(asked.take.dead, 3), round(asked.take.live, 3)
    (0.211, 0.184)
    """
    round_ = table.round(score)
    play, bid = _found(round_.play, ladder(table.board.opening(score), side, _least(table, to)))
    take, stay = None, None
    if bid.stays is not None:
        take = _take(round_, bid, side)
        stay = curves.at(round_.curve(bid.stays), table.model.p)
    return Price(side, to, take, stay, round_.gain(bid.gone), _bid(round_, play, side))


def _least(table: Table, to: int) -> int:
    """The lowest stake that is worth the same: all above the target win the game."""
    rules = table.board.rules
    beyond = (to - rules.target) // rules.step - 1
    return to - max(beyond, 0) * rules.step


def _found(play: Play, events: Sequence[Event]) -> tuple[Play, Bid]:
    """The last raise of a ladder, and the play it is made in."""
    *raises, last = (event for event in events if isinstance(event, Bieten))
    for event in raises:
        bid = play.bids[event.side]
        assert bid is not None and bid.stays is not None
        play = bid.stays
    bid = play.bids[last.side]
    assert bid is not None
    return play, bid


def _take(found: Round, bid: Bid, raiser: int) -> Point:
    """From which chance staying is at least as good as going, for the side that answers."""
    assert bid.stays is not None
    go = found.gain(bid.gone)

    def point(curve: Curve) -> float:
        return curves.first(curve, go) if raiser == 1 else curves.first(curves.turned(curve), -go)

    share = found.share
    live = curves.mixed(found.best(bid.stays), found.line(bid.stays), share or 1.0)
    return Point(point(found.line(bid.stays)), point(live))


def _bid(found: Round, play: Play, side: int) -> Point | None:
    """From which chance raising is at least as good as waiting, for the raiser."""
    bid = play.bids[side]
    assert bid is not None
    gone, sign = found.gain(bid.gone), 1 if side == 0 else -1
    line: Curve = ((0.0, gone), (1.0, gone)) if bid.stays is None else found.line(bid.stays)
    dead = _from(curves.clipped(line, gone, sign), found.line(play), side)
    live = _from(found.raised(play, side) or line, found.best(play), side)
    if dead is None or live is None:
        return None
    return Point(dead, live)


def _from(raising: Curve, waiting: Curve, side: int) -> float | None:
    """The smallest chance of `side` at which raising is worth no less than waiting."""
    if side == 1:
        raising, waiting = curves.turned(raising), curves.turned(waiting)
    places = sorted({x for x, _ in raising} | {x for x, _ in waiting})
    better = [(x, curves.at(raising, x) - curves.at(waiting, x)) for x in places]
    if max(y for _, y in better) < -NOISE:
        return None
    return curves.first(better, 0.0)
