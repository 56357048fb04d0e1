"""The later rounds that a correction makes impossible, and those removed with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.before_bidding import NeuesSpiel, Sitzordnung
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply
from scorer.engine.telling.correction_preview import preview
from scorer.engine.telling.rounds import PlayedRound, rounds


@dataclass(frozen=True, slots=True)
class Cascade:
    """The effect of a correction on the rounds played after it."""

    correction: Korrektur
    """The correction, extended to strike out `impossible` and `lost`."""
    impossible: tuple[PlayedRound, ...]
    lost: tuple[PlayedRound, ...]
    """Possible rounds that must go too, because they share a recorded event with an impossible
    round or depend on it.
    """
    kept: tuple[PlayedRound, ...]


def cascade_of(evening: Evening, correction: Korrektur) -> Cascade | None:
    """The cascade of a correction; None if striking later rounds does not make it possible."""
    later = [step for step in evening.played if step.original_index > correction.last]
    extended = _also_striking(correction, later)
    try:
        state = preview(evening, extended).after
    except Illegal:
        return None
    impossible_steps = list(_impossible_steps(state, later))
    with suppress(Illegal):
        smallest = _also_striking(correction, _in_whole_rounds(impossible_steps, later))
        preview(evening, smallest)
        extended = smallest
    impossible_spots = {step.spot for step in impossible_steps}
    groups: dict[str, list[PlayedRound]] = {"impossible": [], "lost": [], "kept": []}
    for played in rounds(evening):
        if played.play and played.first > correction.last:
            is_struck = any(step.original_index in extended.also for step in played.steps)
            group = "impossible" if played.spot in impossible_spots else "lost"
            groups[group if is_struck else "kept"].append(played)
    return Cascade(extended, *map(tuple, groups.values()))


def _also_striking(correction: Korrektur, steps: Iterable[Step]) -> Korrektur:
    """The correction extended to strike out these steps, except changes of seating."""
    struck_steps = (step for step in steps if not isinstance(step.event, Sitzordnung))
    return replace(correction, also=tuple(sorted({step.original_index for step in struck_steps})))


def _in_whole_rounds(steps: Sequence[Step], later: Sequence[Step]) -> Sequence[Step]:
    """These steps and all others of the rounds that share a recorded event with them."""
    indices = {step.original_index for step in steps}
    rounds_touched = {_round_key(step) for step in later if step.original_index in indices}
    all_steps = [step for step in later if _round_key(step) in rounds_touched]
    return all_steps if len(all_steps) == len(steps) else _in_whole_rounds(all_steps, later)


def _impossible_steps(state: State, later: Iterable[Step]) -> Iterator[Step]:
    """The steps of the rounds that are impossible from `state` on.

    An impossible round is skipped; if the start of a game is impossible, so are all its rounds.
    """
    game_begun = True
    for (_, begins_game), group in groupby(later, _round_key):
        steps = list(group)
        after = _state_after(state, steps) if game_begun else None
        game_begun = game_begun and not (begins_game and after is None)
        state = after or state
        yield from () if after else steps


def _round_key(step: Step) -> tuple[tuple[int, int], bool]:
    return step.before.round_id, isinstance(step.event, NeuesSpiel)


def _state_after(state: State, steps: Iterable[Step]) -> State | None:
    try:
        return reduce(apply, (step.event for step in steps), state)
    except Illegal:
        return None
