"""The rounds of an evening: their steps, and their possible outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from itertools import groupby, pairwise
from operator import attrgetter
from typing import Final

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.effective_events import EventPlace
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.before_bidding import NeuesSpiel, SetztAus, Sitzordnung
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.event_types.round_end import Gewinnt, Streichen
from scorer.engine.scoring.reachable_stakes import possible_stakes
from scorer.engine.scoring.stakes import next_stake
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply

BETWEEN_ROUNDS: Final = (Streichen, SetztAus, Sitzordnung)
"""Events between two rounds, which may be recorded within one."""

Answer = Bieten | Bleiben | Gehen
"""Events that answer a raise; a further raise accepts it."""


@dataclass(frozen=True, slots=True)
class PlayedRound:
    game: int
    number: int
    steps: tuple[Step, ...]

    @property
    def play(self) -> tuple[Step, ...]:
        """Its steps without those between rounds."""
        return tuple(step for step in self.steps if not isinstance(step.event, BETWEEN_ROUNDS))

    @property
    def place(self) -> EventPlace:
        """Its identifier, which survives corrections."""
        return self.steps[0].place

    @property
    def first_index(self) -> int:
        return self.steps[0].original_index

    @property
    def last_index(self) -> int:
        return self.steps[-1].original_index

    @property
    def opening_state(self) -> State:
        """The state before its first play."""
        return self.play[0].before if self.play else self.steps[-1].after

    @property
    def is_over(self) -> bool:
        after = self.steps[-1].after
        return after.round_id != (self.game, self.number) or after.winner is not None

    @property
    def winner(self) -> int | None:
        """The side that won it by cards, or because the other folded or gave it away; None if
        there are two such others, if it ended otherwise, or if it is running."""
        if not self.play:
            return None
        event, before = self.play[-1].event, self.play[-1].before
        if isinstance(event, Gewinnt):
            return event.side
        if not isinstance(event, Gehen):
            return None
        if before.open_raise is not None:
            return before.open_raise.side
        others = before.others(event.side)
        return others[0] if len(others) == 1 else None

    @property
    def answered_raises(self) -> Iterator[tuple[Step, Answer]]:
        """The answered raises, each with its answer."""
        bids = [step for step in self.play if isinstance(step.event, Answer)]
        for step, answer_step in pairwise(bids):
            if isinstance(step.event, Bieten):
                assert isinstance(answer_step.event, Answer)
                yield step, answer_step.event


def rounds(evening: Evening) -> list[PlayedRound]:
    """The rounds in effect, the running one last."""
    played = (step for step in evening.played if not isinstance(step.event, NeuesSpiel))
    by_round = groupby(played, attrgetter("before.round_id"))
    return [PlayedRound(game, number, tuple(steps)) for (game, number), steps in by_round]


def round_at(evening: Evening, place: EventPlace) -> PlayedRound | None:
    """The round of an event; for an event replaced by a correction, the round it belonged to."""
    evening_rounds = rounds(evening)
    corrected = (
        event.of for event in evening.corrections if place.original_index in event.replaced_indices
    )
    places = (place, *map(EventPlace, (place.original_index, *corrected)))
    candidates = (
        round_
        for candidate in places
        for round_ in evening_rounds
        if round_.place <= candidate <= round_.steps[-1].place
    )
    return next(candidates, None)


@dataclass(frozen=True, slots=True)
class Outcome:
    """A possible course of a round."""

    how: str
    """`won`, `folded` or `declined`."""
    side: int
    stake: int
    """The stake played for, or the raise to which the other side folded."""
    gain: int
    events: tuple[Event, ...]


def outcomes(opening: State) -> list[Outcome]:
    """The possible outcomes of a round from its opening.

    >>> from scorer.engine import rules_of, start
    >>> [(o.how, o.side, o.stake, o.gain) for o in outcomes(start(rules_of("bayern")))][:3]
    [('won', 0, 2, 2), ('won', 0, 3, 3), ('won', 0, 4, 4)]
    """
    possible = []
    for side in opening.playing_sides:
        for how, stake, events in _courses(opening, side):
            try:
                after = reduce(apply, events, opening)
            except Illegal:
                continue
            gain = after.points[side] - opening.points[side]
            possible.append(Outcome(how, side, stake, gain, tuple(events)))
    return possible


def _courses(opening: State, side: int) -> Iterator[tuple[str, int, list[Event]]]:
    plays: list[Event] = [Bleiben(decider) for decider in opening.deciding_sides]
    for stake in possible_stakes(opening):
        recorded_stake = None if stake == opening.stake else stake
        for tricks in opening.rules.tricks:
            yield "won", stake, [*plays, Gewinnt(side, tricks, recorded_stake)]
    for stake in possible_stakes(opening)[1:]:
        yield "folded", stake, [*plays, *fold_events(side, stake, opening)]
    for decider in opening.deciding_sides:
        if decider != side:
            yield "declined", opening.stake, [Gehen(decider)]


def fold_events(side: int, to: int, opening: State) -> list[Event]:
    """The events of a round in which the other side folds to the raise of `side` to `to`.

    Earlier raises alternate between the sides.

    >>> from scorer.engine import rules_of, start
    >>> fold_events(0, 4, start(rules_of("bayern")))
    [Bieten(side=1, to=3), Bieten(side=0, to=4), Gehen(side=1)]
    """
    other = opening.others(side)[0]
    stakes = list(range(next_stake(opening), to + 1, opening.rules.step))
    raisers = [side if (len(stakes) - index) % 2 else other for index in range(len(stakes))]
    raises = [Bieten(raiser, stake) for raiser, stake in zip(raisers, stakes, strict=True)]
    return [*raises, Gehen(other)]
