"""The recorded events that are in effect after corrections, undo, redo and proposals.

It needs no state and no rules; `evening` replays them.

>>> from scorer.engine.scoring.event_types.round_end import Gewinnt
>>> events = [Gewinnt(0), Gewinnt(1), Korrektur(0, (Gewinnt(1, stake=3),))]
>>> for effective in effective_events(events):
...     print(effective.original_index, effective.recorded_index, effective.event)
0 2 Gewinnt(side=1, tricks=None, stake=3)
1 1 Gewinnt(side=1, tricks=None, stake=None)
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from operator import attrgetter
from typing import NamedTuple

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.event_types.corrections import Absage, Korrektur, Vorschlag, Zusage
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.proposals import Proposals
from scorer.engine.scoring.undo_stack import UndoStack

_original_index = attrgetter("original_index")


class EventPlace(NamedTuple):
    """The position of an effective event in the record.

    >>> str(EventPlace(4)), str(EventPlace(4, 1)), EventPlace.read("4.1"), EventPlace.read("no")
    ('4', '4.1', EventPlace(original_index=4, part=1), None)
    """

    original_index: int
    """The index of the original event in the record."""
    part: int = 0
    """The position among the events that one correction put at `original_index`."""

    def __str__(self) -> str:
        return f"{self.original_index}.{self.part}" if self.part else str(self.original_index)

    @classmethod
    def read(cls, text: str) -> EventPlace | None:
        """Parse the text form, such as `4` or `4.1`; None if malformed."""
        match = re.fullmatch(r"([0-9]{1,9})(?:\.([0-9]{1,4}))?", text)
        return cls(int(match[1]), int(match[2] or 0)) if match else None


@dataclass(frozen=True, slots=True)
class EffectiveEvent:
    """An effective event, and two of its indices in the record.

    `original_index` is that of the event first recorded at this point of the evening.
    `recorded_index` is that of the entry that contains this event: the original, or the correction
    that replaced it. If entry 7 corrects entry 3, they are 3 and 7.
    """

    place: EventPlace
    recorded_index: int
    event: Event

    @property
    def original_index(self) -> int:
        return self.place.original_index


@dataclass(frozen=True, slots=True)
class EffectiveChange:
    """The effect of an event: `replacements` take the place of the effective events from `start` to
    `stop`."""

    start: int
    stop: int
    replacements: tuple[EffectiveEvent, ...] = ()
    correction_counts: Mapping[int, int] = field(default_factory=dict)
    """By index, the new number of corrections in effect; only of those that change."""


def effective_events(events: Iterable[Event]) -> list[EffectiveEvent]:
    """The effective events after all of `events` are recorded.

    :raises Illegal: a correction of an unknown event, or an answer to an unknown proposal
    """
    history = EffectiveEvents()
    for event in events:
        history.record(event, history.change_for(event))
    return history.in_effect


class EffectiveEvents:
    """All events of a record, and those in effect."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        """As recorded, but a `Zusage` is stored as the correction that it accepts."""
        self.in_effect: list[EffectiveEvent] = []
        """Statements included, ordered by `original_index`."""
        self.proposals = Proposals()
        self.undo_stack = UndoStack()
        self._corrections: dict[int, list[int]] = {}
        """For each corrected index, the indices of its corrections, in effect or not."""
        self._corrections_in_effect: dict[int, int] = {}
        """For each corrected index, how many of its corrections are in effect."""

    def copy(self) -> EffectiveEvents:
        other = EffectiveEvents()
        other.events, other.in_effect = self.events.copy(), self.in_effect.copy()
        other.proposals = self.proposals.copy()
        other._corrections = {index: [*later] for index, later in self._corrections.items()}
        other._corrections_in_effect = self._corrections_in_effect.copy()
        other.undo_stack = self.undo_stack.copy()
        return other

    def change_for(self, event: Event) -> EffectiveChange:
        """Validate `event` and compute its effect without changing anything.

        :raises Illegal: an invalid correction or answer
        """
        index, end = len(self.events), len(self.in_effect)
        match event:
            case Korrektur():
                return self._correction_change(index, event)
            case Vorschlag():
                self._require_correctable(index, event.correction)
            case Zusage():
                return self._correction_change(index, self.proposals.requested_correction(event))
            case Absage():
                pass
            case _:
                return EffectiveChange(end, end, (EffectiveEvent(EventPlace(index), index, event),))
        return EffectiveChange(end, end)

    def record(self, event: Event, change: EffectiveChange, first: int | None = None) -> None:
        """Record `event` with the `change` that `change_for` returned for it.

        :param first: the index of the first event of the same tap, because one undo takes back a
            whole tap; None if this event is undone alone
        :raises Illegal: a repeated proposal, or an answer to none; nothing has changed
        """
        index, stored_event = len(self.events), event
        match event:
            case Korrektur():
                self.undo_stack.add_correction(index, event)
            case Vorschlag():
                self.proposals.propose(index, event)
            case Zusage():
                stored_event = self.proposals.requested_correction(event)
                self.proposals.accept(event)
                self.undo_stack.add_accepted(index)
            case Absage():
                self.proposals.decline(event)
            case _ if not event.is_statement:
                self.undo_stack.add(index, first)
        if isinstance(stored_event, Korrektur):
            corrects_correction = isinstance(self.events[stored_event.of], Korrektur)
            corrected = (
                [stored_event.of] if corrects_correction else self.original_indices(stored_event)
            )
            for corrected_index in corrected:
                self._corrections.setdefault(corrected_index, []).append(index)
            self._corrections_in_effect.update(change.correction_counts)
        self.in_effect[change.start : change.stop] = change.replacements
        self.events.append(stored_event)

    # Queries

    def original_indices(self, event: Korrektur) -> list[int]:
        """The indices of the original events behind a correction or a chain of corrections."""
        while isinstance(corrected := self.events[event.of], Korrektur):
            event = corrected
        return [index for index in event.replaced_indices if _is_play(self.events[index])]

    def referred_indices(self, index: int) -> list[int]:
        """For a correction or proposal the indices of the events it replaces, else the event's own
        index."""
        event = self.events[index]
        if isinstance(event, Vorschlag):
            event = event.correction
        return self.original_indices(event) if isinstance(event, Korrektur) else [index]

    def versions(self, original: int) -> list[Event]:
        """The event at the index `original` and all its replacements, in effect or not."""
        corrections = (self.events[index] for index in self._corrections.get(original, ()))
        replacements = [
            replacement
            for event in corrections
            if isinstance(event, Korrektur)
            for replacement in event.with_
        ]
        return [self.events[original], *replacements]

    @property
    def corrections(self) -> list[Korrektur]:
        """All corrections but those that cancel another one."""
        corrections = [event for event in self.events if isinstance(event, Korrektur)]
        return [event for event in corrections if not isinstance(self.events[event.of], Korrektur)]

    def is_correction_in_effect(self, index: int) -> bool:
        """Whether the correction at an index is in effect; False for any other event."""
        event = self.events[index]
        if not isinstance(event, Korrektur):
            return False
        corrections_in_effect_newest_first = (
            other
            for other in reversed(self._corrections.get(event.of, ()))
            if not self._corrections_in_effect.get(other)
        )
        return next(corrections_in_effect_newest_first, None) == index

    # Corrections

    def _correction_change(self, index: int, event: Korrektur) -> EffectiveChange:
        self._require_correctable(index, event)
        changed_counts, originals = self._changed_counts(event), self.original_indices(event)
        start = bisect_left(self.in_effect, originals[0], key=_original_index)
        stop = bisect_right(self.in_effect, originals[-1], key=_original_index)
        corrected = set(originals)
        uncorrected_between = [
            other for other in self.in_effect[start:stop] if other.original_index not in corrected
        ]
        corrected_events = (
            corrected_event
            for original in originals
            for corrected_event in self._events_at(original, changed_counts, index, event)
        )
        replacements = tuple(sorted([*corrected_events, *uncorrected_between], key=_original_index))
        return EffectiveChange(start, stop, replacements, changed_counts)

    def _require_correctable(self, index: int, event: Korrektur) -> None:
        if (missing_index := event.missing_index(index)) is not None:
            raise Illegal("no-such-event", of=missing_index)
        corrected = self.events[event.of]
        if corrected.is_statement or any(self.events[other].is_statement for other in event.also):
            raise Illegal("said-beside")
        if isinstance(corrected, Korrektur) and event != Korrektur(event.of):
            raise Illegal("corrects-correction", of=event.of)
        for other in event.also:
            if isinstance(self.events[other], Korrektur):
                raise Illegal("corrects-correction", of=other)

    def _changed_counts(self, event: Korrektur) -> dict[int, int]:
        """The changes of `_corrections_in_effect` once `event` is recorded.

        A correction is in effect while no correction in effect corrects it. For example:

        event 1 corrects event 0    {0: 1}              event 1 is in effect
        event 2 corrects event 1    {1: 1, 0: 0}        event 0 is as recorded
        event 3 corrects event 2    {2: 1, 1: 0, 0: 1}  event 1 is in effect again
        """
        changed_counts: dict[int, int] = {}
        corrected_index, delta = event.of, 1
        while True:
            before = changed_counts.get(
                corrected_index, self._corrections_in_effect.get(corrected_index, 0)
            )
            changed_counts[corrected_index] = before + delta
            corrected = self.events[corrected_index]
            # Continue with the event that this correction corrects only if the correction was
            # switched on or off.
            if not isinstance(corrected, Korrektur) or (before == 0) == (
                changed_counts[corrected_index] == 0
            ):
                return changed_counts
            corrected_index, delta = corrected.of, -1 if before == 0 else 1

    def _events_at(
        self, original: int, changed_counts: Mapping[int, int], index: int, event: Korrektur
    ) -> list[EffectiveEvent]:
        """The events in effect at the place of an original one, once `event` is recorded.

        :param changed_counts: the changes that `event` makes to `_corrections_in_effect`
        :param index: of `event`
        """
        corrects_original = not isinstance(self.events[event.of], Korrektur)
        newest = [index] if corrects_original else []
        for source_index in [*newest, *reversed(self._corrections.get(original, ()))]:
            if not changed_counts.get(
                source_index, self._corrections_in_effect.get(source_index, 0)
            ):
                source = event if source_index == index else self.events[source_index]
                assert isinstance(source, Korrektur)
                # A correction of several events puts its replacements at the first of them.
                replacements = source.with_ if source.of == original else ()
                return [
                    EffectiveEvent(EventPlace(original, part), source_index, replacement)
                    for part, replacement in enumerate(replacements)
                ]
        return [EffectiveEvent(EventPlace(original), original, self.events[original])]


def _is_play(event: Event) -> bool:
    return not event.is_statement and not isinstance(event, Korrektur)
