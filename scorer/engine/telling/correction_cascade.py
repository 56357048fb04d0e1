"""The later rounds that a correction makes impossible, and those removed with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.before_bidding import NeuesSpiel, Sitzordnung
from scorer.engine.scoring.event_types.bids import Bleiben
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply
from scorer.engine.telling.correction_preview import preview
from scorer.engine.telling.rounds import PlayedRound, rounds


@dataclass(frozen=True, slots=True)
class Cascade:
    """The effect of a correction on the rounds played after it."""

    correction: Korrektur
    """The correction, extended to strike out `impossible` and `removed_too`."""
    impossible: tuple[PlayedRound, ...]
    removed_too: tuple[PlayedRound, ...]
    """Rounds that could stay by themselves, but share a recorded event with an impossible round or
    depend on it."""
    without_decision: tuple[PlayedRound, ...]
    """Rounds that stay, but lose a side's decision to play on, because nobody asks it any more."""
    kept: tuple[PlayedRound, ...]


def cascade_of(evening: Evening, correction: Korrektur) -> Cascade | None:
    """The cascade of a correction; None if striking later rounds does not make it possible."""
    later = [step for step in evening.played if step.original_index > correction.last_index]
    extended = _also_striking_out(correction, later)
    try:
        state = preview(evening, extended).after
    except Illegal:
        return None
    impossible_steps = list(_impossible_steps(state, later))
    smallest = _also_striking_out(correction, _with_shared_events(impossible_steps, later))
    if _is_possible(evening, smallest):
        extended = smallest
    impossible_places = {step.place for step in impossible_steps}
    impossible, removed_too, without_decision, kept = (list[PlayedRound]() for _ in range(4))
    for played_round in rounds(evening):
        if played_round.play and played_round.first_index > correction.last_index:
            is_struck_out = [step.original_index in extended.also for step in played_round.play]
            if not all(is_struck_out):
                group = without_decision if any(is_struck_out) else kept
            elif any(step.place in impossible_places for step in played_round.play):
                group = impossible
            else:
                group = removed_too
            group.append(played_round)
    return Cascade(
        extended,
        impossible=tuple(impossible),
        removed_too=tuple(removed_too),
        without_decision=tuple(without_decision),
        kept=tuple(kept),
    )


def _is_possible(evening: Evening, correction: Korrektur) -> bool:
    try:
        preview(evening, correction)
    except Illegal:
        return False
    return True


def _also_striking_out(correction: Korrektur, steps: Iterable[Step]) -> Korrektur:
    """The correction extended to strike out these steps, except changes of seating."""
    struck_steps = (step for step in steps if not isinstance(step.event, Sitzordnung))
    return replace(correction, also=tuple(sorted({step.original_index for step in struck_steps})))


def _with_shared_events(steps: Sequence[Step], later: Sequence[Step]) -> Sequence[Step]:
    """These steps, and the whole rounds of others that share a recorded event with them."""
    places = {step.place for step in steps}
    indices = {step.original_index for step in steps}
    shared = {
        step.original_index
        for step in later
        if step.original_index in indices and step.place not in places
    }
    if not shared:
        return steps
    touched = {_round_key(step) for step in later if step.original_index in shared}
    more = [step for step in later if step.place in places or _round_key(step) in touched]
    return _with_shared_events(more, later)


def _impossible_steps(state: State, later: Iterable[Step]) -> Iterator[Step]:
    """The steps that are impossible from `state` on.

    If only a round's decisions to play on are impossible, because nobody is asked any more, the
    rest of the round stays. Any other impossible round goes as a whole. If the first round of a
    game is impossible, all rounds of that game are.
    """
    game_begun = True
    for (_, begins_game), group in groupby(later, _round_key):
        steps = list(group)
        without_decisions = [step for step in steps if not _plays_on(step)]
        attempts = (steps, without_decisions) if game_begun else ()
        possible, state = _first_possible(state, attempts)
        game_begun = game_begun and not (begins_game and not possible)
        possible_places = {step.place for step in possible}
        yield from (step for step in steps if step.place not in possible_places)


def _plays_on(step: Step) -> bool:
    """Whether a side decides before the play to play the round."""
    return isinstance(step.event, Bleiben) and step.before.decision is not None


def _round_key(step: Step) -> tuple[tuple[int, int], bool]:
    return step.before.round_id, isinstance(step.event, NeuesSpiel)


def _first_possible(state: State, attempts: Iterable[list[Step]]) -> tuple[list[Step], State]:
    """The first of some lists of steps that is possible, and the state after it; else no steps."""
    for steps in attempts:
        if after := _state_after(state, steps):
            return steps, after
    return [], state


def _state_after(state: State, steps: Iterable[Step]) -> State | None:
    try:
        return reduce(apply, (step.event for step in steps), state)
    except Illegal:
        return None
