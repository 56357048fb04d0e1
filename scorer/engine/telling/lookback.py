"""Analysis of a played evening: chances to win over time, raises and decisions.

Cards are not recorded, so raises are judged by the chance from which staying or raising is right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, TypeVar

from scorer.engine.equity.model import Model
from scorer.engine.equity.raise_values import (
    DecisionValues,
    RaiseValues,
    decision_values,
    open_raise_values,
)
from scorer.engine.equity.solver import EquityTable, equity_table
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.scoring.evening import Evening
from scorer.engine.scoring.event_types.bids import Bleiben, Gehen
from scorer.engine.scoring.event_types.penalties import RAISE_WHILE_LOCKED, Strafe
from scorer.engine.scoring.event_types.round_end import Streichen
from scorer.engine.scoring.state import State
from scorer.engine.telling.rounds import rounds

MAX_TURNS: Final = 3
MIN_TURNING_CHANGE: Final = 0.1
"""The least change of the chance to win that counts as a turning point."""
MIN_LEADER_CHANCE: Final = 0.6
"""With at least this chance to win, a side leads."""
MIN_LOSS: Final = 0.01
"""The least loss of the chance to win that is called the price of a fold."""


@dataclass(frozen=True, slots=True)
class ScorePoint:
    """A score in the course of a game, with side 0's chance to win."""

    game: int
    round: int
    """The round that led here; 0 at the start of a game."""
    points: tuple[int, ...]
    win: float
    change: float
    """The change of the chance since the score before."""

    @property
    def confirms_the_leader(self) -> bool:
        """Whether the game ended here, won by the side that led before."""
        before = self.win - self.change
        return (self.win == 1 and before >= MIN_LEADER_CHANCE) or (
            self.win == 0 and before <= 1 - MIN_LEADER_CHANCE
        )


@dataclass(frozen=True, slots=True)
class Action:
    game: int
    round: int
    place: EventPlace
    points: tuple[int, ...]
    """Before the action."""
    side: int


@dataclass(frozen=True, slots=True)
class AnsweredRaise(Action):
    """An answered raise; `side` raised."""

    to: int
    answer: str
    """The name of the answering event."""
    won: bool | None
    """Whether the staying side won the round; None after a fold or without a winner."""
    values: RaiseValues


@dataclass(frozen=True, slots=True)
class DecisionTaken(Action):
    """A decision before the play."""

    answer: str
    """`bleiben`: played; `gehen`: gave the round away."""
    won: bool | None
    """Whether it won the round; None if it was not played."""
    values: DecisionValues


@dataclass(frozen=True, slots=True)
class VoluntaryMove(Action):
    """A strike of own points (O-52), or a raise while locked (O-51)."""

    do: str
    """`streichen`, or the offence."""
    win: tuple[float, float]
    """Side 0's chance to win the game, before and after."""
    bummerl: tuple[float, float] | None
    """Side 0's expected Bummerl given less taken, before and after; None if Bummerl do not vary."""


@dataclass(frozen=True, slots=True)
class Fold:
    """A round that a side folded or gave away."""

    is_before_play: bool
    """Whether it was given away before the play, not folded to a raise."""
    game: int
    round: int
    place: EventPlace
    side: int
    chance_before: float
    """The side's chance to win the game before that round."""
    chance_after: float

    @property
    def lost_chance(self) -> float:
        return self.chance_before - self.chance_after


@dataclass(frozen=True, slots=True)
class LookBack:
    """The analysis of an evening of two sides."""

    score_points: tuple[ScorePoint, ...]
    answered_raises: tuple[AnsweredRaise, ...]
    decisions: tuple[DecisionTaken, ...]
    moves: tuple[VoluntaryMove, ...]

    def through(self, game: int) -> LookBack:
        """The analysis of the games up to this one."""
        return LookBack(
            _through(game, self.score_points),
            _through(game, self.answered_raises),
            _through(game, self.decisions),
            _through(game, self.moves),
        )

    @property
    def games(self) -> list[list[ScorePoint]]:
        games: dict[int, list[ScorePoint]] = {}
        for point in self.score_points:
            games.setdefault(point.game, []).append(point)
        return list(games.values())

    @property
    def turning_points(self) -> list[ScorePoint]:
        """The turning points, at most MAX_TURNS, in order."""
        turning = [
            point
            for point in self.score_points
            if abs(point.change) >= MIN_TURNING_CHANGE and not point.confirms_the_leader
        ]
        biggest = sorted(turning, key=lambda point: -abs(point.change))[:MAX_TURNS]
        return [point for point in turning if point in biggest]

    @property
    def dearest_fold(self) -> Fold | None:
        """The fold after which a side's chance fell most; None if none cost a hundredth."""
        folds: list[tuple[AnsweredRaise | DecisionTaken, int]] = [
            *((answered, 1 - answered.side) for answered in self.answered_raises),
            *((decision, decision.side) for decision in self.decisions),
        ]
        score_points = {(point.game, point.round): point for point in self.score_points}
        costly_folds = [
            Fold(
                isinstance(action, DecisionTaken),
                action.game,
                action.round,
                action.place,
                side,
                abs(side - (point.win - point.change)),
                abs(side - point.win),
            )
            for action, side in folds
            if action.answer == "gehen"
            and (point := score_points.get((action.game, action.round))) is not None
        ]
        dearest = max(costly_folds, key=lambda fold: fold.lost_chance, default=None)
        return dearest if dearest is not None and dearest.lost_chance >= MIN_LOSS else None


Row = TypeVar("Row", ScorePoint, AnsweredRaise, DecisionTaken, VoluntaryMove)


def _through(game: int, rows: Iterable[Row]) -> tuple[Row, ...]:
    return tuple(row for row in rows if row.game <= game)


def look_back(evening: Evening, model: Model) -> LookBack:
    """Analyse an evening, including the running game.

    >>> from scorer.engine import replay
    >>> from scorer.engine.equity.model import live
    >>> evening, _ = replay({"watten": 1, "rules": "oberoesterreich", "events": [
    ...     {"do": "bieten", "side": 1}, {"do": "gehen", "side": 0}, {"do": "gewinnt", "side": 1}]})
    >>> found = look_back(evening, live(0.5))
    >>> [(point.points, round(point.win, 2)) for point in found.score_points]
    [((0, 0), 0.5), ((0, 2), 0.4), ((0, 4), 0.26)]
    >>> found.answered_raises[0].answer, round(found.answered_raises[0].values.stay_from.live, 3)
    ('gehen', 0.184)

    :raises Unsolved: rules with more scores than are solved
    """
    equities = equity_table(evening.head.rules, model)
    return LookBack(
        tuple(_score_points(equities, evening)),
        tuple(_answered_raises(evening, model)),
        tuple(_decisions_taken(evening, equities)),
        tuple(_voluntary_moves(evening, equities, model)),
    )


def _score_points(equities: EquityTable, evening: Evening) -> list[ScorePoint]:
    score_points: list[ScorePoint] = []
    for step in evening.played:
        before, after = step.before, step.after
        if not score_points or score_points[-1].game != after.game:
            start = before if before.game == after.game else after
            score_points.append(
                ScorePoint(after.game, 0, start.points, _win_chance(equities, start), 0.0)
            )
        if after.points != score_points[-1].points or after.winner is not None:
            win = _win_chance(equities, after)
            change = win - score_points[-1].win
            score_points.append(ScorePoint(after.game, before.round, after.points, win, change))
    return score_points


def _win_chance(equities: EquityTable, state: State) -> float:
    if state.winner is not None:
        return float(state.winner == 0)
    return equities.value_of(equities.graph.score(state.points))


def _answered_raises(evening: Evening, model: Model) -> list[AnsweredRaise]:
    answered = []
    for played_round in rounds(evening):
        winner = played_round.winner
        for step, answer in played_round.answered_raises:
            open_raise = step.after.open_raise
            values = open_raise_values(step.after, model)
            if open_raise is None or values is None:
                continue
            stayed = answer.do != "gehen" and winner is not None
            answered.append(
                AnsweredRaise(
                    played_round.game,
                    played_round.number,
                    step.place,
                    step.before.points,
                    open_raise.side,
                    open_raise.to,
                    answer.do,
                    winner == answer.side if stayed else None,
                    values,
                )
            )
    return answered


def _decisions_taken(evening: Evening, equities: EquityTable) -> Iterator[DecisionTaken]:
    for played_round in rounds(evening):
        for step in played_round.play:
            event, before = step.event, step.before
            if not isinstance(event, Bleiben | Gehen) or before.decision is None:
                continue
            side = before.decision.side
            values = decision_values(equities, equities.graph.score(before.points)).get(side)
            if values is None:
                continue
            won = (
                None
                if event.do == "gehen" or played_round.winner is None
                else played_round.winner == side
            )
            place = (played_round.game, played_round.number, step.place, before.points)
            yield DecisionTaken(*place, side, event.do, won, values)


def _voluntary_moves(
    evening: Evening, equities: EquityTable, model: Model
) -> Iterator[VoluntaryMove]:
    rules = evening.head.rules
    bummerl_equities = None
    # The look-up by points and Retourschneider chances does not cover limited strikes.
    if (rules.schneider or rules.retour) and rules.strike_limit is None:
        bummerl_equities = equity_table(rules, model, "bummerl")
    for step in evening.steps:
        event, before, after = step.event, step.before, step.after
        if isinstance(event, Streichen):
            do = event.do
        elif isinstance(event, Strafe) and event.offence == RAISE_WHILE_LOCKED:
            do = event.offence
        else:
            continue
        bummerl = (
            None
            if bummerl_equities is None
            else (
                _expected_bummerl(bummerl_equities, before),
                _expected_bummerl(bummerl_equities, after),
            )
        )
        place = (before.game, before.round, step.place, before.points)
        yield VoluntaryMove(
            *place,
            event.side,
            do,
            (_win_chance(equities, before), _win_chance(equities, after)),
            bummerl,
        )


def _expected_bummerl(bummerl_equities: EquityTable, state: State) -> float:
    if state.winner is not None:
        bummerl = state.games[-1].bummerl
        return float(bummerl[1] - bummerl[0])
    return bummerl_equities.value_of(
        bummerl_equities.graph.score(state.points, state.retour_chances)
    )
