"""Corrections of whole rounds, and a preview of their effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile, zip_longest
from operator import attrgetter
from typing import Any, Final, NamedTuple

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.evening import Evening, Step
from scorer.engine.scoring.event_types.before_bidding import Ansage, Schlagtausch, Schoenere
from scorer.engine.scoring.event_types.corrections import Korrektur
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.events import EVENTS
from scorer.engine.scoring.state import Game, State
from scorer.engine.telling.rounds import BETWEEN_ROUNDS, PlayedRound, rounds
from scorer.engine.telling.slate import SlateLine, lines_of_evening

_ABOUT_EVENTS: Final = ("korrektur", "vorschlag", "zusage", "absage", "strittig", "geklaert")
_ABOUT_EVENING: Final = {do for do, kind in EVENTS.items() if kind.is_statement} - {*_ABOUT_EVENTS}
_ANNOUNCING: Final = (Ansage, Schoenere, Schlagtausch)


def replacing_correction(
    evening: Evening, played_round: PlayedRound, events: Sequence[Event]
) -> Korrektur:
    """The correction that replaces the play of a round by `events`, or strikes it out without any.

    It keeps seating. With events, it also keeps announcements, better cards and Schlagtausch.
    """
    kept_types = BETWEEN_ROUNDS + _ANNOUNCING if events else BETWEEN_ROUNDS
    kept_events = [event for event in _course(played_round) if isinstance(event, kept_types)]
    return _replace_course(evening, played_round, (*kept_events, *events))


def inserting_correction(
    evening: Evening, next_round: PlayedRound, events: Sequence[Event]
) -> Korrektur:
    """The correction that inserts a forgotten round before `next_round`."""
    first = next_round.play[0]
    before, after = _events_kept(evening, first, first)
    return Korrektur(first.original_index, (*before, *events, first.event, *after))


def announcing_correction(
    evening: Evening, played_round: PlayedRound, announced: Ansage
) -> Korrektur:
    """The correction that adds an announcement to a finished round."""
    *course, end = (event for event in _course(played_round) if not isinstance(event, Ansage))
    return _replace_course(evening, played_round, (*course, announced, end))


def _course(played_round: PlayedRound) -> list[Event]:
    """The events of a round, from its first to its last play."""
    first, last = (played_round.steps.index(played_round.play[index]) for index in (0, -1))
    return [step.event for step in played_round.steps[first : last + 1]]


def _replace_course(
    evening: Evening, played_round: PlayedRound, course: Sequence[Event]
) -> Korrektur:
    """The correction that replaces the events of a round by `course`."""
    first, last = played_round.play[0], played_round.play[-1]
    before, after = _events_kept(evening, first, last)
    through = None if last.original_index == first.original_index else last.original_index
    return Korrektur(first.original_index, (*before, *course, *after), through)


def _events_kept(evening: Evening, first: Step, last: Step) -> tuple[list[Event], list[Event]]:
    """The events with the same sources before `first` and after `last`, which a correction must
    keep.
    """
    before = (step for step in evening.played if step.original_index == first.original_index)
    after = (step for step in evening.played if step.original_index == last.original_index)
    return (
        [step.event for step in before if step.place < first.place],
        [step.event for step in after if step.place > last.place],
    )


def first_impossible(
    evening: Evening, correction: Korrektur, refusal: Illegal
) -> PlayedRound | None:
    """The first later round that `correction` makes impossible, or None."""
    failed_index = correction.last_index if refusal.event is None else refusal.event
    begun_rounds = (one for one in rounds(evening) if one.play)
    later_rounds = (one for one in begun_rounds if one.first_index > correction.last_index)
    return next((one for one in later_rounds if one.last_index >= failed_index), None)


@dataclass(frozen=True, slots=True)
class LineChange:
    """A slate line before and after a correction; None if missing there."""

    old: SlateLine | None
    new: SlateLine | None

    @property
    def is_same(self) -> bool:
        """Whether round, points and reasons are equal."""
        return (
            self.old is not None
            and self.new is not None
            and _line_content(self.old) == _line_content(self.new)
        )


_line_content: Final = attrgetter("game", "round", "points", "deltas", "because")


@dataclass(frozen=True, slots=True)
class Preview:
    after: State
    games: tuple[Game, ...]
    changes: tuple[LineChange, ...]


def preview(evening: Evening, correction: Korrektur) -> Preview:
    """The state and slate after `correction`; the evening is unchanged.

    :raises Illegal: it is impossible; `event` is the index of the recorded event that fails
    :raises Unreadable: its events are too many, or include statements
    """
    trial = evening.copy()
    trial.head = replace(evening.head, cut=False)
    trial.push(correction.to_json())
    line_changes = _aligned(lines_of_evening(evening), lines_of_evening(trial), correction)
    changes = tuple(change for change in line_changes if not change.is_same)
    return Preview(trial.state, trial.state.games, changes)


def _aligned(old: list[SlateLine], new: list[SlateLine], correction: Korrektur) -> list[LineChange]:
    """The lines of both slates in pairs, matched by recorded event."""
    corrected = range(correction.of, correction.last_index + 1)

    def original_index_of(line: SlateLine) -> int:
        return (
            corrected.start if line.step.original_index in corrected else line.step.original_index
        )

    groups: dict[int, tuple[list[SlateLine], list[SlateLine]]] = {}
    for index, lines in enumerate((old, new)):
        for line in lines:
            groups.setdefault(original_index_of(line), ([], []))[index].append(line)
    return [
        LineChange(old_line, new_line)
        for _, (before, after) in sorted(groups.items())
        for old_line, new_line in _paired(before, after)
    ]


def _paired(
    before: list[SlateLine], after: list[SlateLine]
) -> list[tuple[SlateLine | None, SlateLine | None]]:
    """Pairs of lines with one original index, matched from the end while their events are equal."""
    pairs = zip(reversed(before), reversed(after), strict=False)
    equal_count = sum(
        1 for _ in takewhile(lambda pair: pair[0].step.event == pair[1].step.event, pairs)
    )
    changed_counts = len(before) - equal_count, len(after) - equal_count
    return [
        *zip_longest(before[: changed_counts[0]], after[: changed_counts[1]]),
        *zip(before[changed_counts[0] :], after[changed_counts[1] :], strict=True),
    ]


class EntryAbout(NamedTuple):
    """An entry of some rounds, or about them."""

    recorded_index: int
    entry: Mapping[str, Any]
    is_in_effect: bool


def entries_about(evening: Evening, first: int, last: int) -> list[EntryAbout]:
    """The events from `first` to `last` with all events about them. Statements about the evening,
    such as a seat claim, are left out.
    """
    effective = {step.recorded_index for step in evening.steps}
    always_effective = _ABOUT_EVENTS[1:]
    corrections = (event for event in evening.corrections if first <= event.of <= last)
    replaced = {index for event in corrections for index in event.replaced_indices} - effective
    entries, about = [], {*range(first, last + 1), *replaced}
    for index, entry in enumerate(evening.recorded):
        if entry["do"] in _ABOUT_EVENING:
            continue
        if index in about or (entry["do"] in _ABOUT_EVENTS and entry["of"] in about):
            about.add(index)
            in_effect = (
                entry["do"] in always_effective
                or index in effective
                or evening.is_correction_in_effect(index)
            )
            entries.append(EntryAbout(index, entry, in_effect))
    return entries
