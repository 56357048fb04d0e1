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
from scorer.engine.scoring.event_types.bids import Bieten, Bleiben, Gehen
from scorer.engine.scoring.state import State

ROUNDS: Final = 2_000
"""Size of the cache of rounds' lines, enough for some 200 running games."""


@dataclass(frozen=True, slots=True)
class LadderStep:
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
    base: int
    """The value of the round before any raise."""
    ladder: tuple[LadderStep, ...]
    because: tuple[Reason, ...]
    code: str
    """The code of the first reason that changed points."""
    first: int
    """The index of the first recorded event of its round."""
    step: Step
    struck: tuple[bool, ...]
    """Per side, whether a later strike crossed out this total."""

    @property
    def dealer(self) -> str | None:
        before = self.step.before
        return None if before.dealer is None else before.seats[before.dealer][1]

    @property
    def folded(self) -> bool:
        """Whether the round ended by a fold or was given away."""
        return self.code in ("fold-agreed", "fold-fixed", "declined", "gespannt")


def ladder(steps: Sequence[Step]) -> tuple[LadderStep, ...]:
    """The raises, answers and decisions among the steps of one round."""
    rungs = []
    for step in steps:
        event, before = step.event, step.before
        if isinstance(event, Bieten):
            rungs.append(LadderStep("bieten", event.side, _open(step.after)))
        elif isinstance(event, Bleiben | Gehen):
            value = before.open_raise.to if before.open_raise else before.stake
            decided = "" if before.open_raise else "-decision"
            rungs.append(LadderStep(event.do + decided, event.side, value))
    return tuple(rungs)


def _open(state: State) -> int:
    return state.open_raise.to if state.open_raise else state.stake


@lru_cache(ROUNDS)
def _lines(steps: tuple[Step, ...]) -> tuple[SlateLine, ...]:
    """The lines of one round, cached because most rounds do not change between events."""
    return tuple(_writings(steps))


def _writings(steps: Sequence[Step]) -> Iterator[SlateLine]:
    opening, rungs = steps[0].before, ladder(steps)
    for step in steps:
        before, after = step.before, step.after
        if before.game != after.game:
            continue
        wrote = before.points != after.points or before.winner != after.winner
        code = next((reason.code for reason in after.because if "delta" in reason.values), "")
        if wrote or code:
            yield SlateLine(
                before.game,
                before.round,
                after.points,
                tuple(new - old for old, new in zip(before.points, after.points, strict=True)),
                opening.stake,
                rungs if step is steps[-1] else (),
                after.because,
                code or "verleugnet",
                steps[0].source,
                step,
                (False,) * len(after.points),
            )


def slate_lines(evening: Evening, game: int | None = None) -> list[SlateLine]:
    """The lines of one game in order; by default the current game."""
    wanted = evening.state.game if game is None else game
    return _written(_game_steps(evening, wanted))


def all_lines(evening: Evening) -> list[SlateLine]:
    games = groupby(evening.played, attrgetter("before.game"))
    return [line for _, group in games for line in _written(list(group))]


def _written(steps: Sequence[Step]) -> list[SlateLine]:
    rounds = groupby(steps, attrgetter("before.round"))
    return _strike_out([line for _, group in rounds for line in _lines(tuple(group))])


def _game_steps(evening: Evening, game: int) -> list[Step]:
    steps = []
    for step in evening.played_backwards:
        if step.before.game < game:
            break
        if step.before.game == game:
            steps.append(step)
    return steps[::-1]


def _strike_out(written: list[SlateLine]) -> list[SlateLine]:
    """Mark the totals that a later strike of the same side crossed out."""
    crossed: set[int] = set()
    marked = []
    for line in reversed(written):
        struck = tuple(side in crossed for side in range(len(line.points)))
        marked.append(replace(line, struck=struck) if crossed else line)
        if line.code == "struck":
            crossed |= {side for side, delta in enumerate(line.deltas) if delta < 0}
    return marked[::-1]


def running(evening: Evening) -> list[Step]:
    """The steps of the running round, oldest first."""
    now = evening.state.place
    steps = takewhile(lambda step: step.before.place == now, evening.played_backwards)
    return list(steps)[::-1]


def worth(evening: Evening) -> tuple[Reason, ...]:
    """The reasons of the running round's value: its opening value, then each raise."""
    steps = running(evening)
    opening = steps[0].before if steps else evening.state
    raised = (r for s in steps for r in s.after.because if r.code in ("raised", "stayed", "plays"))
    return (opening.opening, *raised)
