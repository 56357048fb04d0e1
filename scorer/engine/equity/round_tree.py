"""The game tree of a round, built with `legal` and `apply`.

Scores with the same `tree_key` share a tree. The key contains which sides are near, the side with
the four, the first stake and the decisions before the play, but not the points themselves.
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
"""Points that a round adds to each side."""
WinGains = tuple[tuple[float, Gain], ...]
"""The possible gains of the winning side with their chances (overtricks: F-38)."""


@dataclass(frozen=True, slots=True)
class BidNode:
    """An open raise: the gain of a fold, and the play after staying."""

    fold_gain: Gain
    after_stay: PlayNode | None
    """None if the other side may not stay (Y4)."""


@dataclass(frozen=True, slots=True)
class PlayNode:
    """A round in play at a stake, without an open raise."""

    stake: int
    win_gains: tuple[WinGains, WinGains]
    """By winning side."""
    bids: tuple[BidNode | None, BidNode | None]
    """The raise of each side, or None if it may not raise."""


@dataclass(frozen=True, slots=True)
class DecisionNode:
    """A decision before the play: play or give the round away (B-28, E-29)."""

    side: int
    decline_gain: Gain
    after_play: DecisionNode | PlayNode


Tree = DecisionNode | PlayNode


def tree_key(opening: State) -> tuple[object, ...]:
    """Cache key: openings with equal keys have equal trees."""
    return opening.stake, opening.four_leader, opening.deciding_sides, opening.near


def round_tree(opening: State) -> Tree:
    """The game tree of a round between two sides.

    >>> from scorer.engine.rules.loading import rules_of
    >>> from scorer.engine.scoring.transitions import start
    >>> tree = round_tree(start(rules_of("bayern"), points=(13, 6)))
    >>> tree.side, tree.decline_gain, tree.after_play.stake, tree.after_play.bids
    (0, (0, 2), 3, (None, None))
    """
    decision = opening.decision
    if decision is None:
        return _TreeBuilder(opening).play_node(opening)
    side = decision.side
    decline_gain = _gain(opening, apply(opening, Gehen(side)))
    return DecisionNode(side, decline_gain, round_tree(apply(opening, Bleiben(side))))


def _gain(before: State, after: State) -> Gain:
    first, second = (new - old for old, new in zip(before.points, after.points, strict=True))
    return first, second


class _TreeBuilder:
    def __init__(self, state: State) -> None:
        self._win_events = [event for event in legal(state) if isinstance(event, Gewinnt)]
        self._win_gains: dict[int, tuple[WinGains, WinGains]] = {}
        self._play_nodes: dict[tuple[int, tuple[bool, ...]], PlayNode] = {}

    def play_node(self, state: State) -> PlayNode:
        after_raises = [_apply_if_legal(state, Bieten(side)) for side in state.playing_sides]
        # The tree below depends only on the stake and on the sides that may raise.
        key = state.stake, tuple(after is not None for after in after_raises)
        if key not in self._play_nodes:
            first, second = (self._bid_node(state, after) for after in after_raises)
            self._play_nodes[key] = PlayNode(
                state.stake, self._win_gains_at(state), (first, second)
            )
        return self._play_nodes[key]

    def _bid_node(self, before: State, after_raise: State | None) -> BidNode | None:
        rules = before.rules
        # A stake at the target wins the game from any score, so higher ones are left out.
        if after_raise is None or before.stake >= rules.target + rules.step:
            return None
        assert after_raise.open_raise is not None
        other = 1 - after_raise.open_raise.side
        after_stay = _apply_if_legal(after_raise, Bleiben(other))
        fold_gain = _gain(after_raise, apply(after_raise, Gehen(other)))
        return BidNode(fold_gain, None if after_stay is None else self.play_node(after_stay))

    def _win_gains_at(self, state: State) -> tuple[WinGains, WinGains]:
        if state.stake not in self._win_gains:
            first, second = (self._win_gains_of(state, side) for side in state.playing_sides)
            self._win_gains[state.stake] = first, second
        return self._win_gains[state.stake]

    def _win_gains_of(self, state: State, side: int) -> WinGains:
        events = [event for event in self._win_events if event.side == side]
        chances = trick_chances(state.rules, tuple(event.tricks or 3 for event in events))
        gains = (_gain(state, apply(state, event)) for event in events)
        return tuple(zip(chances, gains, strict=True))


def _apply_if_legal(state: State, event: Event) -> State | None:
    try:
        return apply(state, event)
    except Illegal:
        return None


def trick_chances(rules: RuleSet, tricks: tuple[int, ...]) -> tuple[float, ...]:
    """The chance of each trick count for the winning side, if both sides are equally likely to win
    each trick.

    >>> from scorer.engine.rules.loading import rules_of
    >>> trick_chances(rules_of("frankreich"), (3, 4, 5))
    (0.625, 0.3125, 0.0625)
    """
    ways = [comb(rules.tricks_to_end, count) for count in tricks]
    return tuple(count / sum(ways) for count in ways)
