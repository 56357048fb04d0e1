"""An evening looked back on: how likely each side was to win, and what each raise asked.

No cards are recorded: what a raise was worth is told as the chance from which staying, or raising,
would have been right.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from scorer.engine.equity.model import Model
from scorer.engine.equity.prices import Choice, RaisePrice, choices, open_price
from scorer.engine.equity.solver import EquityTable, equity_table
from scorer.engine.scoring.effective_events import Spot
from scorer.engine.scoring.evening import Evening
from scorer.engine.scoring.event_types.bids import Bleiben, Gehen
from scorer.engine.scoring.event_types.round_end import LOCKED, Strafe, Streichen
from scorer.engine.scoring.state import State
from scorer.engine.telling.rounds import rounds

MOST_TURNS: Final = 3
LEAST_TURN: Final = 0.1
"""A turning point moves the chance of the game at least so far."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The slate at one moment of a game, with side 0's chance to win it."""

    game: int
    round: int
    """The round that led here; 0 where the game begins."""
    points: tuple[int, ...]
    win: float
    change: float
    """By how much the chance moved to here."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A side that did something, and where in the evening."""

    game: int
    round: int
    spot: Spot
    """Where it was recorded."""
    points: tuple[int, ...]
    """The slate before."""
    side: int


@dataclass(frozen=True, slots=True)
class AnsweredRaise(Turn):
    """A raise that was answered, and what it asked; the side is the one that raised."""

    to: int
    answer: str
    """The answer's name in the record."""
    won: bool | None
    """Whether the side that stayed took the round; None where it went or nobody did."""
    price: RaisePrice


@dataclass(frozen=True, slots=True)
class DecisionTaken(Turn):
    """A side that was asked before the play whether it plays the round, and what it said."""

    answer: str
    """`bleiben`: it played; `gehen`: it gave the round away."""
    won: bool | None
    """Whether it took the round it played."""
    choice: Choice


@dataclass(frozen=True, slots=True)
class VoluntaryMove(Turn):
    """What a side did of its own will that changed the score: it had its points struck (O-52), or
    raised though it was locked (O-51)."""

    do: str
    """`streichen`, or the offence."""
    win: tuple[float, float]
    """Side 0's chance to win the game before and after."""
    bummerl: tuple[float, float] | None
    """The Bummerl side 0 may expect to give less what it gets, before and after; None where they
    do not count by how the game was won."""


@dataclass(frozen=True, slots=True)
class LookBack:
    """What an evening of two sides shows afterwards."""

    moments: tuple[Moment, ...]
    asked: tuple[AnsweredRaise, ...]
    decided: tuple[DecisionTaken, ...]
    moved: tuple[VoluntaryMove, ...]

    @property
    def games(self) -> list[list[Moment]]:
        """The moments game by game."""
        games: dict[int, list[Moment]] = {}
        for moment in self.moments:
            games.setdefault(moment.game, []).append(moment)
        return list(games.values())

    @property
    def turns(self) -> list[Moment]:
        """The moments that moved most, in the order they came."""
        most = sorted(self.moments, key=lambda moment: -abs(moment.change))[:MOST_TURNS]
        return [m for m in self.moments if m in most and abs(m.change) >= LEAST_TURN]


def look_back(evening: Evening, model: Model) -> LookBack:
    """The evening under a model, the running game included.

    >>> from scorer.engine import replay
    >>> from scorer.engine.equity.model import live
    >>> evening, _ = replay({"watten": 1, "rules": "oberoesterreich", "events": [
    ...     {"do": "bieten", "side": 1}, {"do": "gehen", "side": 0}, {"do": "gewinnt", "side": 1}]})
    >>> found = look_back(evening, live(0.5))
    >>> [(moment.points, round(moment.win, 2)) for moment in found.moments]
    [((0, 0), 0.5), ((0, 2), 0.4), ((0, 4), 0.26)]
    >>> found.asked[0].answer, round(found.asked[0].price.take.live, 3)
    ('gehen', 0.184)

    :raises Unsolved: rules with more scores than are solved
    """
    solved = equity_table(evening.head.rules, model)
    return LookBack(
        tuple(_moments(solved, evening)),
        tuple(_asked(evening, model)),
        tuple(_decided(evening, solved)),
        tuple(_moved(evening, solved, model)),
    )


def _moments(solved: EquityTable, evening: Evening) -> list[Moment]:
    moments: list[Moment] = []
    for step in evening.played:
        before, after = step.before, step.after
        if not moments or moments[-1].game != after.game:
            start = before if before.game == after.game else after
            moments.append(Moment(after.game, 0, start.points, _win(solved, start), 0.0))
        if after.points != moments[-1].points or after.winner is not None:
            win = _win(solved, after)
            change = win - moments[-1].win
            moments.append(Moment(after.game, before.round, after.points, win, change))
    return moments


def _win(solved: EquityTable, state: State) -> float:
    if state.winner is not None:
        return float(state.winner == 0)
    return solved.at(solved.board.score(state.points))


def _asked(evening: Evening, model: Model) -> list[AnsweredRaise]:
    answered = []
    for played in rounds(evening):
        winner = played.winner
        for step, answer in played.raises:
            opened = step.after.open_raise
            price = open_price(step.after, model)
            if opened is None or price is None:
                continue
            stayed = answer.do != "gehen" and winner is not None
            answered.append(
                AnsweredRaise(
                    played.game,
                    played.number,
                    step.spot,
                    step.before.points,
                    opened.side,
                    opened.to,
                    answer.do,
                    winner == answer.side if stayed else None,
                    price,
                )
            )
    return answered


def _decided(evening: Evening, solved: EquityTable) -> Iterator[DecisionTaken]:
    for played in rounds(evening):
        for step in played.play:
            event, before = step.event, step.before
            if not isinstance(event, Bleiben | Gehen) or before.decision is None:
                continue
            side = before.decision.side
            choice = choices(solved, solved.board.score(before.points)).get(side)
            if choice is None:
                continue
            won = None if event.do == "gehen" or played.winner is None else played.winner == side
            at = (played.game, played.number, step.spot, before.points)
            yield DecisionTaken(*at, side, event.do, won, choice)


def _moved(evening: Evening, solved: EquityTable, model: Model) -> Iterator[VoluntaryMove]:
    rules = evening.head.rules
    counted = None
    # How often a side has struck is no part of what is looked up here.
    if (rules.schneider or rules.retour) and rules.strike_limit is None:
        counted = equity_table(rules, model, "bummerl")
    for step in evening.steps:
        event, before, after = step.event, step.before, step.after
        if isinstance(event, Streichen):
            do = event.do
        elif isinstance(event, Strafe) and event.offence == LOCKED:
            do = event.offence
        else:
            continue
        marks = None if counted is None else (_marks(counted, before), _marks(counted, after))
        at = (before.game, before.round, step.spot, before.points)
        yield VoluntaryMove(*at, event.side, do, (_win(solved, before), _win(solved, after)), marks)


def _marks(counted: EquityTable, state: State) -> float:
    if state.winner is not None:
        got = state.games[-1].bummerl
        return float(got[1] - got[0])
    return counted.at(counted.board.score(state.points, state.retour))
