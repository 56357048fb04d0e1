"""The value of every score of a rule set, solved backwards from the end of the game.

A round only raises points, so a score depends on higher ones. Strikes lower points (O-52); with
them, all scores are solved repeatedly until none changes.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from operator import attrgetter
from typing import Final

from scorer.engine.equity import curves
from scorer.engine.equity.curves import NOISE, Curve
from scorer.engine.equity.model import Model
from scorer.engine.equity.round_tree import DecisionNode, Gain, PlayNode, Won
from scorer.engine.equity.score_graph import Node, Score, ScoreGraph
from scorer.engine.rules.ruleset import SWITCHES, RuleSet

_SWEEPS: Final = 500


class EquityTable:
    """The value of every score for side 0, under one model."""

    def __init__(self, board: ScoreGraph, model: Model) -> None:
        self.board, self.model = board, model
        self.worth: dict[Score, float] = {}
        """Before a round, when points may still be struck."""
        self.played: dict[Score, float] = {}
        """If the round is played without striking."""
        self._solve()

    def _solve(self) -> None:
        nodes = self.board.backwards()
        for _ in range(_SWEEPS):
            moved = False
            for node in nodes:
                played = self._round(node)
                worth = self._strike(node, played)
                moved = moved or abs(worth - self.worth.get(node.score, worth)) > NOISE
                self.played[node.score], self.worth[node.score] = played, worth
            if not moved and not any(self._regrets(node) for node in nodes):
                return

    def _regrets(self, node: Node) -> bool:
        """Whether the final values would change the decision to strike at this node."""
        return abs(self._strike(node, self.played[node.score]) - self.worth[node.score]) > NOISE

    def _strike(self, node: Node, played: float) -> float:
        """The value if either side may strike first; the mean if striking pays for both."""
        ours, theirs = (
            None if struck is None else self.worth.get(struck) for struck in node.strikes
        )
        better = ours is not None and ours > played + NOISE
        worse = theirs is not None and theirs < played - NOISE
        if better and worse:
            assert ours is not None and theirs is not None
            return (ours + theirs) / 2
        if better:
            assert ours is not None
            return ours
        if worse:
            assert theirs is not None
            return theirs
        return played

    def _round(self, node: Node) -> float:
        here = RoundWorth(self, node)
        curve, total = here.curve(here.play), 0.0
        for chance, share in self.model.hands:
            worth = curves.value_at(curve, chance)
            for decision in reversed(here.asked):
                given = here.gain(decision.gives)
                worth = max(worth, given) if decision.side == 0 else min(worth, given)
            total += share * worth
        return total

    def at(self, score: Score) -> float:
        """The value of a score for side 0; solves scores not reachable from 0:0 on demand."""
        if score not in self.worth:
            self.board.include(score)
            self._solve()
        return self.worth[score]

    def round_worth(self, score: Score) -> RoundWorth:
        return RoundWorth(self, self.board.nodes[score])


class RoundWorth:
    """The value of a round at one score, by stake and chance."""

    def __init__(self, table: EquityTable, node: Node) -> None:
        self._table, self._node = table, node
        self._curves: dict[int, Curve] = {}
        self.share = table.model.efficiency
        self.asked: list[DecisionNode] = []
        """The decisions before the play, in the order they are asked."""
        tree = node.tree
        while isinstance(tree, DecisionNode):
            self.asked.append(tree)
            tree = tree.plays
        self.play: PlayNode = tree

    def gain(self, gain: Gain) -> float:
        """The value after a round with these points."""
        end = self._node.landings[gain]
        return self._table.worth[end] if isinstance(end, Score) else end

    def ends(self, play: PlayNode) -> tuple[float, float]:
        """The values of the round lost and won by side 0."""
        won, lost = play.won
        return self._mean(lost), self._mean(won)

    def _mean(self, won: Won) -> float:
        if len(won) == 1:
            return self.gain(won[0][1])
        return sum(share * self.gain(gain) for share, gain in won)

    def line(self, play: PlayNode) -> Curve:
        """The value without further raises."""
        lost, won = self.ends(play)
        return ((0.0, lost), (1.0, won))

    def curve(self, play: PlayNode) -> Curve:
        """The value under the model: between no raises and optimal ones."""
        if not self.share:
            return self.line(play)
        if self.share == 1:
            return self.best(play)
        return curves.mix(self.best(play), self.line(play), self.share)

    def best(self, play: PlayNode) -> Curve:
        """The value with optimal raises by both sides."""
        if id(play) not in self._curves:
            self._curves[id(play)] = self._best(play)
        return self._curves[id(play)]

    def _best(self, play: PlayNode) -> Curve:
        lost, won = self.ends(play)
        if self._dead(play):
            return ((0.0, lost), (1.0, won))
        ours, theirs = self.raised(play, 0), self.raised(play, 1)
        if ours is None and theirs is None:
            return ((0.0, lost), (1.0, won))
        if ours is not None and theirs is not None:
            return curves.shortest_between(ours, theirs, lost, won)
        if ours is not None:
            corners = (0.0, max(lost, ours[0][1])), *ours[1:-1], (1.0, max(won, ours[-1][1]))
            return curves.hull(corners, 1)
        assert theirs is not None
        corners = (0.0, min(lost, theirs[0][1])), *theirs[1:-1], (1.0, min(won, theirs[-1][1]))
        return curves.hull(corners, -1)

    def _dead(self, play: PlayNode) -> bool:
        """Whether the round decides the game for either side, so that raises have no effect."""
        gains = (gain for won in play.won for _, gain in won)
        return all(isinstance(self._node.landings[gain], float) for gain in gains)

    def raised(self, play: PlayNode, side: int) -> Curve | None:
        """The value of raising at once, optimally answered; None if `side` may not raise."""
        bid = play.bids[side]
        if bid is None:
            return None
        gone = self.gain(bid.gone)
        if bid.stays is None:
            return ((0.0, gone), (1.0, gone))
        return curves.clipped(self.best(bid.stays), gone, 1 if side == 0 else -1)


def score_graph(rules: RuleSet, payoff: str = "win") -> ScoreGraph:
    """The score graph of a rule set, cached."""
    return _board(_Rules(rules), payoff)


def equity_table(rules: RuleSet, model: Model, payoff: str = "win") -> EquityTable:
    """The solved table of a rule set under a model, cached.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.rules.loading import load
    >>> found = equity_table(load("oberoesterreich"), live(0.5))
    >>> round(found.worth[found.board.score((1, 0))], 3)
    0.56
    """
    return _table(_Rules(rules), model, payoff)


def rules_key(rules: RuleSet) -> Hashable:
    """Cache key: equal for rule sets with equal values."""
    return _Rules(rules)


_VALUES: Final = attrgetter("id", *SWITCHES)


class _Rules:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._values = _VALUES(rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)


@lru_cache(maxsize=32)
def _board(rules: _Rules, payoff: str) -> ScoreGraph:
    return ScoreGraph(rules.rules, payoff)


@lru_cache(maxsize=64)
def _table(rules: _Rules, model: Model, payoff: str) -> EquityTable:
    return EquityTable(_board(rules, payoff), model)
