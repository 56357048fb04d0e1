"""The slate: the scored lines, and the raises behind each line."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby, takewhile
from operator import attrgetter
from typing import Final

from scorer.engine.rules.grounds import Reason
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.before_bidding import NeuesSpiel
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.event_types.round_end import Gespannt
from scorer.engine.scoring.state import State

CACHED_ROUNDS: Final = 2_000
"""Size of the cache of rounds' lines, enough for some 200 running games."""


@dataclass(frozen=True, slots=True)
class Rung:
    """A raise, an answer or a decision of a round: event, side and stake."""

    do: str
    side: int
    value: int


@dataclass(frozen=True, slots=True)
class SlateLine:
    game: int
    round: int
    points: tuple[int, ...]
    """The totals after this line, per side."""
    deltas: tuple[int, ...]
    """The points of this line, per side."""
    opening_value: int
    """The value of the round before any raise."""
    ladder: tuple[Rung, ...]
    because: tuple[Reason, ...]
    code: str
    """The code of the first reason that changed points, or `verleugnet` if none did."""
    first_index: int
    """The index of the first recorded event of its round."""
    step: Step
    crossed_out: tuple[bool, ...]
    """Per side, whether a later strike crossed out this total."""

    @property
    def dealer(self) -> str | None:
        before = self.step.before
        return None if before.dealer is None else before.seats[before.dealer][1]

    @property
    def ended_by_fold(self) -> bool:
        """Whether the round ended by a fold or was given away."""
        return isinstance(self.step.event, Gehen | Gespannt)


def ladder(steps: Sequence[Step]) -> tuple[Rung, ...]:
    """The raises, answers and decisions among the steps of one round."""
    rungs = []
    for step in steps:
        event, before = step.event, step.before
        if isinstance(event, Bieten):
            rungs.append(Rung("bieten", event.side, _stake_named(step.after)))
        elif isinstance(event, Bleiben | Gehen):
            value = before.open_raise.to if before.open_raise else before.stake
            suffix = "" if before.open_raise else "-decision"
            rungs.append(Rung(event.do + suffix, event.side, value))
    return tuple(rungs)


def _stake_named(state: State) -> int:
    return state.open_raise.to if state.open_raise else state.stake


@lru_cache(CACHED_ROUNDS)
def _round_lines(steps: tuple[Step, ...]) -> tuple[SlateLine, ...]:
    """The lines of one round, cached because most rounds do not change between events."""
    return tuple(_scored_lines(steps))


def _scored_lines(steps: Sequence[Step]) -> Iterator[SlateLine]:
    opening, rungs = steps[0].before, ladder(steps)
    for step in steps:
        before, after = step.before, step.after
        changed = before.points != after.points or before.winner != after.winner
        code = next((reason.code for reason in after.because if "delta" in reason.values), "")
        if changed or code:
            yield SlateLine(
                before.game,
                before.round,
                after.points,
                tuple(new - old for old, new in zip(before.points, after.points, strict=True)),
                opening.stake,
                rungs if step is steps[-1] else (),
                after.because,
                code or "verleugnet",
                steps[0].original_index,
                step,
                (False,) * len(after.points),
            )


def slate_lines(evening: Evening, game: int | None = None) -> list[SlateLine]:
    """The lines of one game in order; by default the current game."""
    number = evening.state.game if game is None else game
    return _lines_of(_game_steps(evening, number))


def lines_of_evening(evening: Evening) -> list[SlateLine]:
    games = groupby(evening.played, attrgetter("before.game"))
    return [line for _, group in games for line in _lines_of(list(group))]


def _lines_of(steps: Sequence[Step]) -> list[SlateLine]:
    of_rounds = (step for step in steps if not isinstance(step.event, NeuesSpiel))
    rounds = groupby(of_rounds, attrgetter("before.round"))
    return _mark_struck([line for _, group in rounds for line in _round_lines(tuple(group))])


def _game_steps(evening: Evening, game: int) -> list[Step]:
    steps = []
    for step in evening.played_backwards:
        if step.before.game < game:
            break
        if step.before.game == game:
            steps.append(step)
    return steps[::-1]


def _mark_struck(lines: list[SlateLine]) -> list[SlateLine]:
    """Mark the totals that a later strike of the same side crossed out."""
    struck_sides: set[int] = set()
    marked_lines = []
    for line in reversed(lines):
        crossed_out = tuple(side in struck_sides for side in range(len(line.points)))
        marked_lines.append(replace(line, crossed_out=crossed_out) if struck_sides else line)
        if line.code == "struck":
            struck_sides |= {side for side, delta in enumerate(line.deltas) if delta < 0}
    return marked_lines[::-1]


def running_steps(evening: Evening) -> list[Step]:
    """The steps of the running round, oldest first."""
    round_id = evening.state.round_id
    steps = takewhile(lambda step: step.before.round_id == round_id, evening.played_backwards)
    return list(steps)[::-1]


def value_reasons(evening: Evening) -> tuple[Reason, ...]:
    """The reasons of the running round's value: its opening value, then each raise."""
    steps = running_steps(evening)
    opening = steps[0].before if steps else evening.state
    raise_reasons = (
        reason
        for step in steps
        for reason in step.after.because
        if reason.code in ("raised", "stayed", "plays")
    )
    return (opening.opening_reason, *raise_reasons)
