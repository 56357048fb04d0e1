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

HIGHEST: Final = 31
"""The highest target that is solved; the cost grows with its cube."""
MOST_SCORES: Final = 3000
"""The limit of scores. Only long games with limited strikes have more."""

Latches = tuple[tuple[int, ...], ...]


class Unsolved(ValueError):
    """A rule set with too many scores to solve during a request."""


class Score(NamedTuple):
    """The part of the state before a round that decides the further course of the game."""

    points: tuple[int, ...]
    retour: Latches = ((), ())
    """Per side, the opponents that were near while it stood at 0 (U6)."""
    strikes: tuple[int, ...] = (0, 0)
    """Strikes per side, counted only if the rules limit them."""


@dataclass(slots=True)
class Node:
    """A score and the scores it leads to."""

    score: Score
    tree: Tree
    strikes: tuple[Score | None, ...]
    """The score after each side's strike, or None if illegal."""
    landings: dict[Gain, Score | float]
    """The score after each gain of a round, or the value of the finished game."""


class ScoreGraph:
    """All scores below the target of a rule set, independent of the probability model.

    :param payoff: `win` counts a won game as 1; `bummerl` counts Bummerl given less Bummerl taken
    :raises Unsolved: a target above `HIGHEST`, or too many scores
    """

    def __init__(self, rules: RuleSet, payoff: str = "win") -> None:
        # Points above the target affect neither the winner nor the loser's Bummerl.
        rules = replace(rules, cap_at_target=False)
        self.rules = rules if payoff == "bummerl" else replace(rules, retour=0, schneider=0)
        if rules.target > HIGHEST:
            raise Unsolved
        self.payoff = payoff
        self._trees: dict[tuple[object, ...], tuple[Tree, frozenset[Gain]]] = {}
        self._openings: dict[tuple[int, ...], State] = {}
        self._ends: dict[tuple[int, int, Latches], float] = {}
        self._known: dict[Score, Score] = {}
        self.nodes: dict[Score, Node] = {}
        self._grow([Score(points) for points in product(range(self.rules.target), repeat=2)])

    def score(self, points: tuple[int, ...], retour: Latches = ((), ())) -> Score:
        """The score at these points.

        :param retour: earlier Retourschneider chances; those that arise at these points are added
        """
        return self._settled(Score(points, retour))

    def _settled(self, score: Score) -> Score:
        if score not in self._known:
            fresh = self._fresh(score.points).retour
            both = zip(score.retour, fresh, strict=True)
            retour = tuple(tuple(sorted({*old, *new})) for old, new in both)
            self._known[score] = score._replace(retour=retour)
        return self._known[score]

    def opening(self, score: Score) -> State:
        """The state before a round at this score."""
        fresh = self._fresh(score.points)
        if (fresh.retour, fresh.strikes) == (score.retour, score.strikes):
            return fresh
        return replace(fresh, retour=score.retour, strikes=score.strikes)

    def include(self, score: Score) -> None:
        """Add a score that the graph lacks, such as one with earlier Retourschneider chances."""
        self._grow([score])

    def backwards(self) -> list[Node]:
        """The nodes from the end of the game back.

        A round leads only to nodes listed before its own.
        """

        def lateness(node: Node) -> tuple[int, int, int]:
            score = node.score
            latched = sum(map(len, score.retour))
            return latched, sum(score.strikes), sum(score.points)

        return sorted(self.nodes.values(), key=lateness, reverse=True)

    def _fresh(self, points: tuple[int, ...]) -> State:
        if points not in self._openings:
            self._openings[points] = start(self.rules, points=points)
        return self._openings[points]

    def _grow(self, scores: list[Score]) -> None:
        while scores:
            score = self._settled(scores.pop())
            if score in self.nodes:
                continue
            if len(self.nodes) == MOST_SCORES:
                raise Unsolved
            node = self._node(score)
            self.nodes[score] = node
            scores += [end for end in node.landings.values() if isinstance(end, Score)]
            scores += [struck for struck in node.strikes if struck is not None]

    def _node(self, score: Score) -> Node:
        opening = self.opening(score)
        key = tree_key(opening)
        if key not in self._trees:
            tree = round_tree(opening)
            self._trees[key] = tree, frozenset(_gains(tree, set()))
        tree, gains = self._trees[key]
        strikes = tuple(self._struck(opening, side) for side in opening.active)
        return Node(score, tree, strikes, {gain: self._land(score, gain) for gain in gains})

    def _struck(self, opening: State, side: int) -> Score | None:
        try:
            after = apply(opening, Streichen(side))
        except Illegal:
            return None
        limited = self.rules.strike_limit is not None
        return Score(after.points, after.retour, after.strikes if limited else (0, 0))

    def _land(self, score: Score, gain: Gain) -> Score | float:
        points = score.points[0] + gain[0], score.points[1] + gain[1]
        if max(points) >= self.rules.target:
            return self._end(points.index(max(points)), score)
        return self._settled(Score(points, score.retour, score.strikes))

    def _end(self, winner: int, score: Score) -> float:
        """The value of a finished game for side 0."""
        key = winner, score.points[1 - winner], score.retour
        if key not in self._ends:
            last = replace(self.opening(score), undecided=(), stake=self.rules.target)
            game = apply(last, Gewinnt(winner)).games[-1]
            marks = float(game.bummerl[1] - game.bummerl[0])
            self._ends[key] = marks if self.payoff == "bummerl" else float(game.winner == 0)
        return self._ends[key]


def _gains(way: Tree | BidNode | None, seen: set[int]) -> Iterator[Gain]:
    if way is None or id(way) in seen:
        return
    seen.add(id(way))
    match way:
        case DecisionNode():
            yield way.gives
            yield from _gains(way.plays, seen)
        case BidNode():
            yield way.gone
            yield from _gains(way.stays, seen)
        case PlayNode():
            for won in way.won:
                yield from (gain for _, gain in won)
            for bid in way.bids:
                yield from _gains(bid, seen)
