"""The later rounds that a correction makes impossible, and those removed with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import reduce
from itertools import groupby

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.event_types.deal import NeuesSpiel, Sitzordnung
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
    later = [step for step in evening.played if step.source > correction.last]
    whole = _striking(correction, later)
    try:
        state = preview(evening, whole).after
    except Illegal:
        return None
    failing = list(_failing(state, later))
    with suppress(Illegal):
        least = _striking(correction, _in_whole_rounds(failing, later))
        preview(evening, least)
        whole = least
    impossible = {step.spot for step in failing}
    becomes: dict[str, list[PlayedRound]] = {"impossible": [], "lost": [], "kept": []}
    for played in rounds(evening):
        if played.play and played.first > correction.last:
            struck = any(step.source in whole.also for step in played.steps)
            gone = "impossible" if played.spot in impossible else "lost"
            becomes[gone if struck else "kept"].append(played)
    return Cascade(whole, *map(tuple, becomes.values()))


def _striking(correction: Korrektur, struck: Iterable[Step]) -> Korrektur:
    """The correction extended to strike out these steps, except changes of seating."""
    played = (step for step in struck if not isinstance(step.event, Sitzordnung))
    return replace(correction, also=tuple(sorted({step.source for step in played})))


def _in_whole_rounds(struck: Sequence[Step], later: Sequence[Step]) -> Sequence[Step]:
    """These steps and all others of the rounds that share a recorded event with them."""
    sources = {step.source for step in struck}
    touched = {_numbered(step) for step in later if step.source in sources}
    whole = [step for step in later if _numbered(step) in touched]
    return whole if len(whole) == len(struck) else _in_whole_rounds(whole, later)


def _failing(state: State, later: Iterable[Step]) -> Iterator[Step]:
    """The steps of the rounds that are impossible from `state` on.

    An impossible round is skipped; if the start of a game is impossible, so are all its rounds.
    """
    begun = True
    for (_, begins), group in groupby(later, _numbered):
        steps = list(group)
        after = _folded(state, steps) if begun else None
        begun = begun and not (begins and after is None)
        state = after or state
        yield from () if after else steps


def _numbered(step: Step) -> tuple[tuple[int, int], bool]:
    return step.before.place, isinstance(step.event, NeuesSpiel)


def _folded(state: State, steps: Iterable[Step]) -> State | None:
    try:
        return reduce(apply, (step.event for step in steps), state)
    except Illegal:
        return None
