"""The value of every score of a rule set, solved backwards from the end of the game.

A round only raises points, so a score depends on higher ones. Strikes lower points (O-52); with
them, all scores are solved repeatedly until none changes, or `Unsolved` is raised.
"""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from operator import attrgetter
from typing import Final

from scorer.engine.equity import curves
from scorer.engine.equity.curves import NOISE, Curve
from scorer.engine.equity.model import Model
from scorer.engine.equity.round_tree import DecisionNode, Gain, PlayNode, WinGains
from scorer.engine.equity.score_graph import Score, ScoreGraph, ScoreNode, Unsolved
from scorer.engine.rules.ruleset import SWITCHES, RuleSet

_MAX_SWEEPS: Final = 500
"""Most times that all scores are solved. Most rule sets need one, a few up to eight."""


class EquityTable:
    """The value of every score for side 0, under one model."""

    def __init__(self, graph: ScoreGraph, model: Model) -> None:
        self.graph, self.model = graph, model
        self.worth: dict[Score, float] = {}
        """Before a round, when points may still be struck."""
        self.without_strike: dict[Score, float] = {}
        """If the round is played without striking."""
        self._solve()

    def _solve(self) -> None:
        nodes = self.graph.backwards()
        for _ in range(_MAX_SWEEPS):
            changed = False
            for node in nodes:
                without_strike = self._round(node)
                worth = self._strike(node, without_strike)
                changed = changed or abs(worth - self.worth.get(node.score, worth)) > NOISE
                self.without_strike[node.score] = without_strike
                self.worth[node.score] = worth
            if not changed and not any(self._regrets(node) for node in nodes):
                return
        raise Unsolved

    def _regrets(self, node: ScoreNode) -> bool:
        """Whether the final values would change the decision to strike at this node."""
        worth = self._strike(node, self.without_strike[node.score])
        return abs(worth - self.worth[node.score]) > NOISE

    def _strike(self, node: ScoreNode, without_strike: float) -> float:
        """The value if either side may strike first; the mean if striking pays for both."""
        own_strike, other_strike = (
            None if strike_score is None else self.worth.get(strike_score)
            for strike_score in node.strikes
        )
        pays_for_us = own_strike is not None and own_strike > without_strike + NOISE
        pays_for_them = other_strike is not None and other_strike < without_strike - NOISE
        if pays_for_us and pays_for_them:
            assert own_strike is not None and other_strike is not None
            return (own_strike + other_strike) / 2
        if pays_for_us:
            assert own_strike is not None
            return own_strike
        if pays_for_them:
            assert other_strike is not None
            return other_strike
        return without_strike

    def _round(self, node: ScoreNode) -> float:
        round_worth = RoundWorth(self, node)
        curve, total = round_worth.curve(round_worth.play), 0.0
        for chance, share in self.model.hands:
            worth = curves.value_at(curve, chance)
            for decision in reversed(round_worth.decisions):
                declined = round_worth.value_after(decision.decline_gain)
                worth = max(worth, declined) if decision.side == 0 else min(worth, declined)
            total += share * worth
        return total

    def value_of(self, score: Score) -> float:
        """The value of a score for side 0; solves scores not reachable from 0:0 on demand."""
        if score not in self.worth:
            self.graph.include(score)
            self._solve()
        return self.worth[score]

    def round_worth(self, score: Score) -> RoundWorth:
        return RoundWorth(self, self.graph.nodes[score])


class RoundWorth:
    """The value of a round at one score, by stake and chance."""

    def __init__(self, table: EquityTable, node: ScoreNode) -> None:
        self._table, self._node = table, node
        self._curves: dict[int, Curve] = {}
        self.efficiency = table.model.efficiency
        self.decisions: list[DecisionNode] = []
        """The decisions before the play, in the order they are asked."""
        tree = node.tree
        while isinstance(tree, DecisionNode):
            self.decisions.append(tree)
            tree = tree.after_play
        self.play: PlayNode = tree

    def value_after(self, gain: Gain) -> float:
        """The value after a round with these points."""
        end = self._node.after_gain[gain]
        return self._table.worth[end] if isinstance(end, Score) else end

    def end_values(self, play: PlayNode) -> tuple[float, float]:
        """The values of the round lost and won by side 0."""
        gains_if_0_wins, gains_if_1_wins = play.win_gains
        return self._mean(gains_if_1_wins), self._mean(gains_if_0_wins)

    def _mean(self, win_gains: WinGains) -> float:
        if len(win_gains) == 1:
            return self.value_after(win_gains[0][1])
        return sum(chance * self.value_after(gain) for chance, gain in win_gains)

    def straight_curve(self, play: PlayNode) -> Curve:
        """The value without further raises."""
        lost, won = self.end_values(play)
        return ((0.0, lost), (1.0, won))

    def curve(self, play: PlayNode) -> Curve:
        """The value under the model: between no raises and optimal ones."""
        if not self.efficiency:
            return self.straight_curve(play)
        if self.efficiency == 1:
            return self.best_curve(play)
        return curves.mix(self.best_curve(play), self.straight_curve(play), self.efficiency)

    def best_curve(self, play: PlayNode) -> Curve:
        """The value with optimal raises by both sides."""
        if id(play) not in self._curves:
            self._curves[id(play)] = self._best(play)
        return self._curves[id(play)]

    def _best(self, play: PlayNode) -> Curve:
        lost, won = self.end_values(play)
        if self._is_over(play):
            return ((0.0, lost), (1.0, won))
        ours, theirs = self.raise_curve(play, 0), self.raise_curve(play, 1)
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

    def _is_over(self, play: PlayNode) -> bool:
        """Whether the round decides the game for either side, so that raises have no effect."""
        gains = (gain for win_gains in play.win_gains for _, gain in win_gains)
        return all(isinstance(self._node.after_gain[gain], float) for gain in gains)

    def raise_curve(self, play: PlayNode, side: int) -> Curve | None:
        """The value of raising at once, optimally answered; None if `side` may not raise."""
        bid = play.bids[side]
        if bid is None:
            return None
        value_after_fold = self.value_after(bid.fold_gain)
        if bid.after_stay is None:
            return ((0.0, value_after_fold), (1.0, value_after_fold))
        return curves.clip(
            self.best_curve(bid.after_stay), value_after_fold, 1 if side == 0 else -1
        )


def score_graph(rules: RuleSet, payoff: str = "win") -> ScoreGraph:
    """The score graph of a rule set, cached."""
    return _cached_graph(_RulesKey(rules), payoff)


def equity_table(rules: RuleSet, model: Model, payoff: str = "win") -> EquityTable:
    """The solved table of a rule set under a model, cached.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.rules.loading import rules_of
    >>> table = equity_table(rules_of("oberoesterreich"), live(0.5))
    >>> round(table.worth[table.graph.score((1, 0))], 3)
    0.56
    """
    return _cached_table(_RulesKey(rules), model, payoff)


def rules_key(rules: RuleSet) -> Hashable:
    """Cache key: equal for rule sets with equal values."""
    return _RulesKey(rules)


_VALUES: Final = attrgetter("id", *SWITCHES)


class _RulesKey:
    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._values = _VALUES(rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _RulesKey) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)


@lru_cache(maxsize=32)
def _cached_graph(rules: _RulesKey, payoff: str) -> ScoreGraph:
    return ScoreGraph(rules.rules, payoff)


@lru_cache(maxsize=64)
def _cached_table(rules: _RulesKey, model: Model, payoff: str) -> EquityTable:
    return EquityTable(_cached_graph(rules, payoff), model)
