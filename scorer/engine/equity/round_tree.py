"""What can happen in a round, found by playing it with the engine.

How a round may go depends on who is near, on the four, on its first stake and on who is asked,
not on the points themselves: rounds of one kind are played through once (`tree`), and every
score of that kind shares what was found. All that is here was said by `legal` and `apply`.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

from scorer.engine.aggregate import Illegal
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.event_types.round_end import Gewinnt
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply, legal

Gain = tuple[int, int]
"""The points a round wrote to each side."""
Won = tuple[tuple[float, Gain], ...]
"""What taking the round writes, each with its chance (overtricks: F-38)."""


@dataclass(frozen=True, slots=True)
class BidNode:
    """A raise: what going on it writes, and the round if the other side stays."""

    gone: Gain
    stays: PlayNode | None
    """None where the other side may not stay (Y4)."""


@dataclass(frozen=True, slots=True)
class PlayNode:
    """A round being played at a stake, with no question open."""

    stake: int
    won: tuple[Won, Won]
    """What it writes if side 0, or side 1, takes it."""
    bids: tuple[BidNode | None, BidNode | None]
    """The raise of each side that may raise."""


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """A decision before the play: a side plays on or gives the round away (B-28, E-29)."""

    side: int
    gives: Gain
    plays: DecisionNode | PlayNode


Tree = DecisionNode | PlayNode


def tree_key(opening: State) -> tuple[object, ...]:
    """What makes two rounds go alike, whatever the points."""
    return opening.stake, opening.four, opening.undecided, opening.near


def round_tree(opening: State) -> Tree:
    """All ways a round may go from its opening, two sides only.

    >>> from scorer.engine.rules.loading import load
    >>> from scorer.engine.scoring.transitions import start
    >>> found = tree(start(load("bayern"), points=(13, 6)))
    >>> found.side, found.gives, found.plays.stake, found.plays.bids
    (0, (0, 2), 3, (None, None))
    """
    decision = opening.decision
    if decision is None:
        return _Round(opening).play(opening)
    side = decision.side
    gives = _gain(opening, apply(opening, Gehen(side)))
    return DecisionNode(side, gives, round_tree(apply(opening, Bleiben(side))))


def _gain(before: State, after: State) -> Gain:
    first, second = (new - old for old, new in zip(before.points, after.points, strict=True))
    return first, second


class _Round:
    """One round, played through to its highest stake."""

    def __init__(self, state: State) -> None:
        self._wins = [event for event in legal(state) if isinstance(event, Gewinnt)]
        self._won: dict[int, tuple[Won, Won]] = {}
        self._plays: dict[tuple[int, tuple[bool, ...]], PlayNode] = {}

    def play(self, state: State) -> PlayNode:
        raised = [_after(state, Bieten(side)) for side in state.active]
        # What may still happen depends on the stake and on who may raise it.
        key = state.stake, tuple(after is not None for after in raised)
        if key not in self._plays:
            first, second = (self._bid(state, after) for after in raised)
            self._plays[key] = PlayNode(state.stake, self._winnings(state), (first, second))
        return self._plays[key]

    def _bid(self, before: State, raised: State | None) -> BidNode | None:
        rules = before.rules
        # A stake at the target wins the game from any score: nobody needs a much higher one.
        if raised is None or before.stake >= rules.target + rules.step:
            return None
        assert raised.open_raise is not None
        other = 1 - raised.open_raise.side
        stays = _after(raised, Bleiben(other))
        gone = _gain(raised, apply(raised, Gehen(other)))
        return BidNode(gone, None if stays is None else self.play(stays))

    def _winnings(self, state: State) -> tuple[Won, Won]:
        if state.stake not in self._won:
            first, second = (self._side_wins(state, side) for side in state.active)
            self._won[state.stake] = first, second
        return self._won[state.stake]

    def _side_wins(self, state: State, side: int) -> Won:
        events = [event for event in self._wins if event.side == side]
        chances = trick_chances(state.rules, tuple(event.tricks or 3 for event in events))
        gains = (_gain(state, apply(state, event)) for event in events)
        return tuple(zip(chances, gains, strict=True))


def _after(state: State, event: Event) -> State | None:
    try:
        return apply(state, event)
    except Illegal:
        return None


def trick_chances(rules: RuleSet, tricks: tuple[int, ...]) -> tuple[float, ...]:
    """How likely the side that takes the round takes so many tricks, if every trick is even.

    >>> from scorer.engine.rules.loading import load
    >>> taken(load("frankreich"), (3, 4, 5))
    (0.625, 0.3125, 0.0625)
    """
    ways = [comb(rules.tricks_to_end, count) for count in tricks]
    return tuple(way / sum(ways) for way in ways)
