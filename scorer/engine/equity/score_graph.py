"""The graph of a rule set's scores, linked by the rounds that lead between them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Final, NamedTuple

from scorer.engine.aggregate import Illegal
from scorer.engine.equity.round_tree import (
    BidNode,
    DecisionNode,
    Gain,
    PlayNode,
    Tree,
    round_tree,
    tree_key,
)
from scorer.engine.rules.ruleset import RuleSet
from scorer.engine.scoring.event_types.round_end import Gewinnt, Streichen
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply, start

MAX_TARGET: Final = 31
"""The highest target that is solved; the cost grows with its cube."""
MAX_SCORES: Final = 3000
"""The limit of scores. Only long games with limited strikes have more."""

RetourChances = tuple[tuple[int, ...], ...]


class Unsolved(ValueError):
    """A rule set whose scores cannot be solved during a request."""


class Score(NamedTuple):
    """The part of the state before a round that decides the further course of the game."""

    points: tuple[int, ...]
    retour_chances: RetourChances = ((), ())
    """Per side, the opponents that were near while it stood at 0 (U6)."""
    strikes: tuple[int, ...] = (0, 0)
    """Strikes per side, counted only if the rules limit them."""


@dataclass(slots=True)
class ScoreNode:
    """A score and the scores it leads to."""

    score: Score
    tree: Tree
    strikes: tuple[Score | None, ...]
    """The score after each side's strike, or None if illegal."""
    after_gain: dict[Gain, Score | float]
    """The score after each gain of a round, or the value of the finished game."""


class ScoreGraph:
    """All scores below the target of a rule set, independent of the probability model.

    :param payoff: `win` counts a won game as 1; `bummerl` counts Bummerl given less Bummerl taken
    :raises Unsolved: a target above `MAX_TARGET`, or too many scores
    """

    def __init__(self, rules: RuleSet, payoff: str = "win") -> None:
        # Points above the target affect neither the winner nor the loser's Bummerl.
        rules = replace(rules, cap_at_target=False)
        self.rules = rules if payoff == "bummerl" else replace(rules, retour=0, schneider=0)
        if rules.target > MAX_TARGET:
            raise Unsolved
        self.payoff = payoff
        self._trees: dict[tuple[object, ...], tuple[Tree, frozenset[Gain]]] = {}
        self._openings: dict[tuple[int, ...], State] = {}
        self._end_values: dict[tuple[int, int, RetourChances], float] = {}
        self._scores: dict[Score, Score] = {}
        self.nodes: dict[Score, ScoreNode] = {}
        self._add_reachable(
            [Score(points) for points in product(range(self.rules.target), repeat=2)]
        )

    def score(self, points: tuple[int, ...], chances: RetourChances = ((), ())) -> Score:
        """The score at these points.

        :param chances: earlier Retourschneider chances; those that arise at these points are added
        """
        return self._with_new_chances(Score(points, chances))

    def _with_new_chances(self, score: Score) -> Score:
        if score not in self._scores:
            new_chances = self._opening_at(score.points).retour_chances
            pairs = zip(score.retour_chances, new_chances, strict=True)
            chances = tuple(tuple(sorted({*old, *new})) for old, new in pairs)
            self._scores[score] = score._replace(retour_chances=chances)
        return self._scores[score]

    def opening(self, score: Score) -> State:
        """The state before a round at this score."""
        opening = self._opening_at(score.points)
        if (opening.retour_chances, opening.strikes) == (score.retour_chances, score.strikes):
            return opening
        return replace(opening, retour_chances=score.retour_chances, strikes=score.strikes)

    def include(self, score: Score) -> None:
        """Add a score that the graph lacks, such as one with earlier Retourschneider chances."""
        self._add_reachable([score])

    def backwards(self) -> list[ScoreNode]:
        """The nodes from the end of the game back.

        A round leads only to nodes listed before its own.
        """

        def lateness(node: ScoreNode) -> tuple[int, int, int]:
            score = node.score
            chances = sum(map(len, score.retour_chances))
            return chances, sum(score.strikes), sum(score.points)

        return sorted(self.nodes.values(), key=lateness, reverse=True)

    def _opening_at(self, points: tuple[int, ...]) -> State:
        if points not in self._openings:
            self._openings[points] = start(self.rules, points=points)
        return self._openings[points]

    def _add_reachable(self, scores: list[Score]) -> None:
        while scores:
            score = self._with_new_chances(scores.pop())
            if score in self.nodes:
                continue
            if len(self.nodes) == MAX_SCORES:
                raise Unsolved
            node = self._node(score)
            self.nodes[score] = node
            scores += [end for end in node.after_gain.values() if isinstance(end, Score)]
            scores += [strike_score for strike_score in node.strikes if strike_score is not None]

    def _node(self, score: Score) -> ScoreNode:
        opening = self.opening(score)
        key = tree_key(opening)
        if key not in self._trees:
            tree = round_tree(opening)
            self._trees[key] = tree, frozenset(_gains(tree, set()))
        tree, gains = self._trees[key]
        strikes = tuple(self._after_strike(opening, side) for side in opening.playing_sides)
        return ScoreNode(
            score, tree, strikes, {gain: self._after_gain(score, gain) for gain in gains}
        )

    def _after_strike(self, opening: State, side: int) -> Score | None:
        try:
            after = apply(opening, Streichen(side))
        except Illegal:
            return None
        counts_strikes = self.rules.strike_limit is not None
        return Score(
            after.points, after.retour_chances, after.strikes if counts_strikes else (0, 0)
        )

    def _after_gain(self, score: Score, gain: Gain) -> Score | float:
        points = score.points[0] + gain[0], score.points[1] + gain[1]
        if max(points) >= self.rules.target:
            return self._end_value(points.index(max(points)), score)
        return self._with_new_chances(Score(points, score.retour_chances, score.strikes))

    def _end_value(self, winner: int, score: Score) -> float:
        """The value of a finished game for side 0."""
        key = winner, score.points[1 - winner], score.retour_chances
        if key not in self._end_values:
            state = replace(self.opening(score), deciding_sides=(), stake=self.rules.target)
            game = apply(state, Gewinnt(winner)).games[-1]
            bummerl = float(game.bummerl[1] - game.bummerl[0])
            self._end_values[key] = bummerl if self.payoff == "bummerl" else float(game.winner == 0)
        return self._end_values[key]


def _gains(tree: Tree | BidNode | None, visited: set[int]) -> Iterator[Gain]:
    if tree is None or id(tree) in visited:
        return
    visited.add(id(tree))
    match tree:
        case DecisionNode():
            yield tree.decline_gain
            yield from _gains(tree.after_play, visited)
        case BidNode():
            yield tree.fold_gain
            yield from _gains(tree.after_stay, visited)
        case PlayNode():
            for win_gains in tree.win_gains:
                yield from (gain for _, gain in win_gains)
            for bid in tree.bids:
                yield from _gains(bid, visited)
