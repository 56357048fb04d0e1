"""Corrections of whole rounds: how each is written, and what would stand after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from operator import attrgetter
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.event_types.deal import Ansage, Schlagtausch, Schoenere
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.state import Game, State
from scorer.engine.telling.rounds import BETWEEN, PlayedRound, rounds
from scorer.engine.telling.slate import SlateLine, all_lines

_ABOUT: Final = ("korrektur", "vorschlag", "zusage", "absage", "strittig", "geklaert")
_SAID: Final = (Ansage, Schoenere, Schlagtausch)


def replacing(evening: Evening, wrong: PlayedRound, events: Sequence[Event]) -> Korrektur:
    """The correction by which a round went so; without events it is struck out.

    What was announced and asked for in it stays, and so does who sits where.
    """
    stays = BETWEEN + _SAID if events else BETWEEN
    staying = [event for event in _course(wrong) if isinstance(event, stays)]
    return _instead(evening, wrong, (*staying, *events))


def inserting(evening: Evening, behind: PlayedRound, events: Sequence[Event]) -> Korrektur:
    """The correction that puts a forgotten round before another one."""
    first = behind.play[0]
    before, after = _beside(evening, first, first)
    return Korrektur(first.source, (*before, *events, first.event, *after))


def announcing(evening: Evening, played: PlayedRound, announced: Ansage) -> Korrektur:
    """The correction that notes what was announced in a round that is over."""
    *course, end = (event for event in _course(played) if not isinstance(event, Ansage))
    return _instead(evening, played, (*course, announced, end))


def _course(played: PlayedRound) -> list[Event]:
    """What happened in a round, from its first to its last play."""
    first, last = (played.steps.index(played.play[at]) for at in (0, -1))
    return [step.event for step in played.steps[first : last + 1]]


def _instead(evening: Evening, played: PlayedRound, course: Sequence[Event]) -> Korrektur:
    """The correction by which a round has another course."""
    first, last = played.play[0], played.play[-1]
    before, behind = _beside(evening, first, last)
    through = None if last.source == first.source else last.source
    return Korrektur(first.source, (*before, *course, *behind), through)


def _beside(evening: Evening, first: Step, last: Step) -> tuple[list[Event], list[Event]]:
    """What stands for the same recorded events before `first` and behind `last`, and stays when
    these are replaced."""
    before = (step for step in evening.played if step.source == first.source)
    behind = (step for step in evening.played if step.source == last.source)
    return (
        [step.event for step in before if step.spot < first.spot],
        [step.event for step in behind if step.spot > last.spot],
    )


def in_the_way(evening: Evening, correction: Korrektur, refusal: Illegal) -> PlayedRound | None:
    """The first round after what `correction` replaces that it makes impossible."""
    failed = correction.last if refusal.event is None else refusal.event
    later = (played for played in rounds(evening) if played.play and played.first > correction.last)
    return next((played for played in later if played.last >= failed), None)


@dataclass(frozen=True, slots=True)
class LineChange:
    """One line of the slate as it stands and as it would stand; None where it is not there."""

    old: SlateLine | None
    new: SlateLine | None

    @property
    def same(self) -> bool:
        """Whether both say the same of the same round, sums and reasons included."""
        return self.old is not None and self.new is not None and _said(self.old) == _said(self.new)


_said: Final = attrgetter("game", "round", "points", "deltas", "because")


@dataclass(frozen=True, slots=True)
class Preview:
    """What a correction would do to all that follows."""

    after: State
    games: tuple[Game, ...]
    changes: tuple[LineChange, ...]
    """The lines that differ, old beside new."""


def preview(evening: Evening, correction: Korrektur) -> Preview:
    """What would stand after `correction`; nothing is changed.

    :raises Illegal: it is impossible; `event` names the recorded event it fails at
    :raises Unreadable: it puts in too many events, or what stands beside the play
    """
    trial = evening.copy()
    trial.head = replace(evening.head, cut=False)
    trial.push(correction.to_json())
    beside = _aligned(all_lines(evening), all_lines(trial), correction)
    changes = tuple(change for change in beside if not change.same)
    return Preview(trial.state, trial.state.games, changes)


def _aligned(old: list[SlateLine], new: list[SlateLine], correction: Korrektur) -> list[LineChange]:
    """Both lists side by side, each whole and in its order: what was not touched stands beside
    itself."""
    touched = range(correction.of, correction.last + 1)

    def place(line: SlateLine) -> int:
        return touched.start if line.step.source in touched else line.step.source

    groups: dict[int, tuple[list[SlateLine], list[SlateLine]]] = {}
    for at, lines in enumerate((old, new)):
        for line in lines:
            groups.setdefault(place(line), ([], []))[at].append(line)
    return [
        LineChange(was, then)
        for _, (before, after) in sorted(groups.items())
        for was, then in _paired(before, after)
    ]


def _paired(
    before: list[SlateLine], after: list[SlateLine]
) -> list[tuple[SlateLine | None, SlateLine | None]]:
    """The lines of one place as they stand, beside those that would: what stays at its end is what
    was there behind a round that goes or comes."""
    both = zip(reversed(before), reversed(after), strict=False)
    stay = sum(1 for _ in takewhile(lambda two: two[0].step.event == two[1].step.event, both))
    ends = len(before) - stay, len(after) - stay
    return [
        *zip_longest(before[: ends[0]], after[: ends[1]]),
        *zip(before[ends[0] :], after[ends[1] :], strict=True),
    ]


def written(evening: Evening, first: int, last: int) -> list[tuple[int, Any, bool]]:
    """All that was recorded about the events from `first` to `last`, and what their corrections
    took the place of: index, entry, whether it counts now."""
    counting = {step.recorded for step in evening.steps}
    beside = _ABOUT[1:]
    made = (event for event in evening.corrections if first <= event.of <= last)
    replaced = {at for event in made for at in event.about} - counting
    entries, about = [], {*range(first, last + 1), *replaced}
    for index, entry in enumerate(evening.recorded):
        if index in about or (entry["do"] in _ABOUT and entry["of"] in about):
            about.add(index)
            stands = entry["do"] in beside or index in counting or evening.stands(index)
            entries.append((index, entry, stands))
    return entries
