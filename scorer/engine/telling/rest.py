"""What was played after a round that is put right: what then is impossible, what goes with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.kinds.corrections import Korrektur
from scorer.engine.scoring.kinds.deal import NeuesSpiel, Sitzordnung
from scorer.engine.scoring.legality import Illegal
from scorer.engine.scoring.state import State
from scorer.engine.scoring.tally import apply
from scorer.engine.telling.correcting import preview
from scorer.engine.telling.rounds import Round, rounds


@dataclass(frozen=True, slots=True)
class Rest:
    """What becomes of the rounds after a correction that does not leave all of them possible."""

    correction: Korrektur
    """The same correction, with what cannot stay struck out as well."""
    impossible: tuple[Round, ...]
    lost: tuple[Round, ...]
    """Would be possible still, but cannot stay: a correction takes the place of one stretch of the
    record, whole."""
    kept: tuple[Round, ...]


def rest_of(evening: Evening, correction: Korrektur) -> Rest | None:
    """What then becomes of what was played after `correction`; None where that is not what makes it
    impossible."""
    later = [step for step in evening.played if step.source > correction.last]
    all_struck = _with(correction, later)
    try:
        state = preview(evening, all_struck).after
    except Illegal:
        return None
    failing = {step.source for step in _failing(state, later)}
    struck = [step for step in later if step.source <= max(failing, default=-1)]
    whole = _with(correction, struck)
    try:
        preview(evening, whole)
    except Illegal:
        whole = all_struck
    after = [played for played in rounds(evening) if played.play and played.first > correction.last]
    return Rest(
        whole,
        tuple(played for played in after if played.first in failing),
        tuple(
            played for played in after if played.first <= whole.last and played.first not in failing
        ),
        tuple(played for played in after if played.first > whole.last),
    )


def _with(correction: Korrektur, struck: Sequence[Step]) -> Korrektur:
    """The same correction, with these struck out that follow it; who sits where stays."""
    seats = (step.event for step in struck if isinstance(step.event, Sitzordnung))
    last = max([correction.last, *(step.source for step in struck)])
    through = None if last == correction.of else last
    return replace(correction, with_=(*correction.with_, *seats), through=through)


def _failing(state: State, later: Iterable[Step]) -> Iterator[Step]:
    """The steps of the rounds that are impossible from `state` on, each left out for those after
    it; a game that could not begin has none that is possible."""
    begun = True
    for (_, begins), group in groupby(later, _numbered):
        steps = list(group)
        after = _folded(state, steps) if begun else None
        begun = begun and not (begins and after is None)
        state = after or state
        yield from () if after else steps


def _numbered(step: Step) -> tuple[tuple[int, int], bool]:
    """Which round a step is of, and whether it begins a game."""
    return step.before.place, isinstance(step.event, NeuesSpiel)


def _folded(state: State, steps: Iterable[Step]) -> State | None:
    try:
        for step in steps:
            state = apply(state, step.event)
    except Illegal:
        return None
    return state
