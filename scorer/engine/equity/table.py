"""The worth of every score of a rule set, solved from the end of the game backwards.

Every round raises a side's points, so a score depends only on higher ones. Striking alone leads
back (O-52): it is solved by sweeping again until no score changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from operator import attrgetter
from typing import Final, NamedTuple

from scorer.engine.equity import curves
from scorer.engine.equity.curves import NOISE, Curve
from scorer.engine.equity.model import Model
from scorer.engine.equity.tree import Asked, Bid, Gain, Play, Tree, Won, kind, tree
from scorer.engine.rules.ruleset import SWITCHES, RuleSet
from scorer.engine.scoring.kinds.points import Gewinnt, Streichen
from scorer.engine.scoring.legality import Illegal
from scorer.engine.scoring.state import State
from scorer.engine.scoring.tally import apply, start

HIGHEST: Final = 31
"""The highest target that is solved: the work grows with its cube."""
_MOST: Final = 3000
"""As many scores as are solved; only limited strikes over a long game have more."""
_SWEEPS: Final = 500

Latches = tuple[tuple[int, ...], ...]


class Unsolved(ValueError):
    """A rule set whose scores are too many to solve while somebody waits."""


class Score(NamedTuple):
    """What a game's further course depends on, before a round."""

    points: tuple[int, ...]
    retour: Latches = ((), ())
    """For each side the opponents that were near while it stood at 0 (U6)."""
    strikes: tuple[int, ...] = (0, 0)
    """How often each side has struck, counted only where the rules limit it."""


@dataclass(slots=True)
class _Node:
    """A score with what leads away from it."""

    score: Score
    tree: Tree
    strikes: tuple[Score | None, ...]
    """Where each side's streichen leads, where it is legal."""
    landings: dict[Gain, Score | float]
    """Where each gain of a round leads: another score, or the worth of a finished game."""


class Board:
    """The scores of a rule set and what leads from one to another, as the engine has it.

    It knows no chance: every model is solved on the same board.

    :param payoff: `win` counts a won game 1; `bummerl` counts what the others get, less one's own
    :raises Unsolved: a target above `HIGHEST`, or too many scores
    """

    def __init__(self, rules: RuleSet, payoff: str = "win") -> None:
        # Points above the target change neither who wins nor what the loser gets.
        rules = replace(rules, cap_at_target=False)
        self.rules = rules if payoff == "bummerl" else replace(rules, retour=0, schneider=0)
        if rules.target > HIGHEST:
            raise Unsolved
        self.payoff = payoff
        self._trees: dict[tuple[object, ...], tuple[Tree, frozenset[Gain]]] = {}
        self._openings: dict[tuple[int, ...], State] = {}
        self._ends: dict[tuple[int, int, Latches], float] = {}
        self._known: dict[Score, Score] = {}
        self.nodes: dict[Score, _Node] = {}
        self._grow([Score(points) for points in product(range(self.rules.target), repeat=2)])

    def score(self, points: tuple[int, ...], retour: Latches = ((), ())) -> Score:
        """The score at these points, with what was latched before and what is latched now."""
        return self._settled(Score(points, retour))

    def _settled(self, score: Score) -> Score:
        """The score with what its own points latch (U6)."""
        if score not in self._known:
            fresh = self._fresh(score.points).retour
            both = zip(score.retour, fresh, strict=True)
            retour = tuple(tuple(sorted({*old, *new})) for old, new in both)
            self._known[score] = score._replace(retour=retour)
        return self._known[score]

    def opening(self, score: Score) -> State:
        """The engine's state before a round at this score."""
        fresh = self._fresh(score.points)
        if (fresh.retour, fresh.strikes) == (score.retour, score.strikes):
            return fresh
        return replace(fresh, retour=score.retour, strikes=score.strikes)

    def include(self, score: Score) -> None:
        """Take in a score that no round from 0:0 leads to."""
        self._grow([score])

    def backwards(self) -> list[_Node]:
        """The nodes in an order in which rounds lead only to earlier ones."""

        def lateness(node: _Node) -> tuple[int, int, int]:
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
            if len(self.nodes) == _MOST:
                raise Unsolved
            node = self._node(score)
            self.nodes[score] = node
            scores += [end for end in node.landings.values() if isinstance(end, Score)]
            scores += [struck for struck in node.strikes if struck is not None]

    def _node(self, score: Score) -> _Node:
        opening = self.opening(score)
        key = kind(opening)
        if key not in self._trees:
            ways = tree(opening)
            self._trees[key] = ways, frozenset(_gains(ways, set()))
        ways, gains = self._trees[key]
        strikes = tuple(self._struck(opening, side) for side in opening.active)
        return _Node(score, ways, strikes, {gain: self._land(score, gain) for gain in gains})

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
        """What side 0 has of a game that ends so, as the engine ends it."""
        key = winner, score.points[1 - winner], score.retour
        if key not in self._ends:
            last = replace(self.opening(score), undecided=(), stake=self.rules.target)
            game = apply(last, Gewinnt(winner)).games[-1]
            marks = float(game.bummerl[1] - game.bummerl[0])
            self._ends[key] = marks if self.payoff == "bummerl" else float(game.winner == 0)
        return self._ends[key]


def _gains(way: Tree | Bid | None, seen: set[int]) -> Iterator[Gain]:
    if way is None or id(way) in seen:
        return
    seen.add(id(way))
    match way:
        case Asked():
            yield way.gives
            yield from _gains(way.plays, seen)
        case Bid():
            yield way.gone
            yield from _gains(way.stays, seen)
        case Play():
            for won in way.won:
                yield from (gain for _, gain in won)
            for bid in way.bids:
                yield from _gains(bid, seen)


class Table:
    """The worth to side 0 of every score of a board, under one model."""

    def __init__(self, board: Board, model: Model) -> None:
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

    def _regrets(self, node: _Node) -> bool:
        """Whether a strike into a score that was solved later would have paid after all."""
        return abs(self._strike(node, self.played[node.score]) - self.worth[node.score]) > NOISE

    def _strike(self, node: _Node, played: float) -> float:
        """The worth where either side may strike first; where both would, each is first as
        often as the other."""
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

    def _round(self, node: _Node) -> float:
        found = Round(self, node)
        curve, total = found.curve(found.play), 0.0
        for chance, share in self.model.hands:
            worth = curves.at(curve, chance)
            for decision in reversed(found.asked):
                given = found.gain(decision.gives)
                worth = max(worth, given) if decision.side == 0 else min(worth, given)
            total += share * worth
        return total

    def at(self, score: Score) -> float:
        """The worth of a score to side 0, also of one that no round from 0:0 leads to."""
        if score not in self.worth:
            self.board.include(score)
            self._solve()
        return self.worth[score]

    def round(self, score: Score) -> Round:
        """The round at a score, with its curves."""
        return Round(self, self.board.nodes[score])


class Round:
    """A round at one score: what it is worth, stake by stake, as its chance moves."""

    def __init__(self, table: Table, node: _Node) -> None:
        self._table, self._node = table, node
        self._curves: dict[int, Curve] = {}
        self.share = table.model.efficiency
        self.asked: list[Asked] = []
        """The decisions before the play, in the order they are asked."""
        found = node.tree
        while isinstance(found, Asked):
            self.asked.append(found)
            found = found.plays
        self.play: Play = found

    def gain(self, gain: Gain) -> float:
        """The worth after a round that wrote these points."""
        end = self._node.landings[gain]
        return self._table.worth[end] if isinstance(end, Score) else end

    def ends(self, play: Play) -> tuple[float, float]:
        """The worth of the round lost and won by side 0."""
        won, lost = play.won
        return self._mean(lost), self._mean(won)

    def _mean(self, won: Won) -> float:
        if len(won) == 1:
            return self.gain(won[0][1])
        return sum(share * self.gain(gain) for share, gain in won)

    def line(self, play: Play) -> Curve:
        """The worth if nobody raises any more."""
        lost, won = self.ends(play)
        return ((0.0, lost), (1.0, won))

    def curve(self, play: Play) -> Curve:
        """The worth by the model: between no raises at all and perfect ones."""
        if not self.share:
            return self.line(play)
        if self.share == 1:
            return self.best(play)
        return curves.mixed(self.best(play), self.line(play), self.share)

    def best(self, play: Play) -> Curve:
        """The worth if both sides use their raises perfectly."""
        if id(play) not in self._curves:
            self._curves[id(play)] = self._best(play)
        return self._curves[id(play)]

    def _best(self, play: Play) -> Curve:
        lost, won = self.ends(play)
        if self._dead(play):
            return ((0.0, lost), (1.0, won))
        ours, theirs = self.raised(play, 0), self.raised(play, 1)
        if ours is None and theirs is None:
            return ((0.0, lost), (1.0, won))
        if ours is not None and theirs is not None:
            return curves.taut(ours, theirs, lost, won)
        if ours is not None:
            corners = (0.0, max(lost, ours[0][1])), *ours[1:-1], (1.0, max(won, ours[-1][1]))
            return curves.hull(corners, 1)
        assert theirs is not None
        corners = (0.0, min(lost, theirs[0][1])), *theirs[1:-1], (1.0, min(won, theirs[-1][1]))
        return curves.hull(corners, -1)

    def _dead(self, play: Play) -> bool:
        """Whether either side wins the game with this round: no raise changes anything."""
        gains = (gain for won in play.won for _, gain in won)
        return all(isinstance(self._node.landings[gain], float) for gain in gains)

    def raised(self, play: Play, side: int) -> Curve | None:
        """What raising at once is worth; the other side answers as suits it. None: it may not."""
        bid = play.bids[side]
        if bid is None:
            return None
        gone = self.gain(bid.gone)
        if bid.stays is None:
            return ((0.0, gone), (1.0, gone))
        return curves.clipped(self.best(bid.stays), gone, 1 if side == 0 else -1)


def board(rules: RuleSet, payoff: str = "win") -> Board:
    """The board of a rule set, built once a process."""
    return _board(_Rules(rules), payoff)


def table(rules: RuleSet, model: Model, payoff: str = "win") -> Table:
    """The table of a rule set under a model, solved once a process.

    >>> from scorer.engine.equity.model import live
    >>> from scorer.engine.rules.loading import load
    >>> found = table(load("oberoesterreich"), live(0.5))
    >>> round(found.worth[found.board.score((1, 0))], 3)
    0.56
    """
    return _table(_Rules(rules), model, payoff)


_VALUES: Final = attrgetter("id", *SWITCHES)


class _Rules:
    """A rule set to look up by: equal where its values are."""

    def __init__(self, rules: RuleSet) -> None:
        self.rules = rules
        self._values = _VALUES(rules)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Rules) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)


@lru_cache(maxsize=32)
def _board(rules: _Rules, payoff: str) -> Board:
    return Board(rules.rules, payoff)


@lru_cache(maxsize=64)
def _table(rules: _Rules, model: Model, payoff: str) -> Table:
    return Table(_board(rules, payoff), model)
