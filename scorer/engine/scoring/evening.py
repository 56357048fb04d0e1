"""An evening: the record of a table and the replay of its effective events.

Appending an event replays that event. A correction replays all events from the one it changes.
Undoing the newest event replays nothing, because the earlier states are kept. Redoing it replays
one event.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.effective_events import EffectiveChange, EffectiveEvent, EffectiveEvents
from scorer.engine.scoring.event_types.before_bidding import NeuesSpiel, Sitzordnung
from scorer.engine.scoring.event_types.bids import Bleiben
from scorer.engine.scoring.event_types.corrections import Korrektur, Zusage
from scorer.engine.scoring.event_types.event import Event
from scorer.engine.scoring.event_types.round_end import Gewinnt
from scorer.engine.scoring.event_types.statements import Geklaert, Strittig
from scorer.engine.scoring.events import parse
from scorer.engine.scoring.proposals import Proposals
from scorer.engine.scoring.record import Head, read
from scorer.engine.scoring.state import State
from scorer.engine.scoring.transitions import apply


@dataclass(frozen=True, slots=True, eq=False)
class Step(EffectiveEvent):
    """An effective event with the states before and after it; see `EffectiveEvent` for its indices.

    Compared and hashed by identity, so values derived from a step can be cached.
    """

    before: State
    after: State

    __eq__ = object.__eq__
    __hash__ = object.__hash__


class Evening:
    """The record of one table and its state.

    >>> from scorer.engine.scoring.record import read_head
    >>> evening = Evening(read_head({"watten": 1, "rules": "bayern"}))
    >>> evening.push({"do": "gewinnt", "side": 0}).points
    (2, 0)
    >>> evening.push(evening.undo_correction().to_json()).points
    (0, 0)
    >>> evening.push(evening.redo_correction().to_json()).points
    (2, 0)
    >>> len(evening.recorded)
    3
    """

    def __init__(self, head: Head) -> None:
        self.head = head
        self.recorded: list[Mapping[str, Any]] = []
        self.steps: list[Step] = []
        self._start = head.start()
        self._effective = EffectiveEvents()
        self._closed_at_recording = -1
        """-1 if no round is closed."""
        self._agreed_indices: frozenset[int] = frozenset()
        """An index of each round that the sides have agreed on: its dispute is settled, or a
        proposal for it is accepted."""
        self.replay_cost = 0
        """The number of replay steps so far, repeated ones included."""

    @property
    def state(self) -> State:
        return self.steps[-1].after if self.steps else self._start

    @property
    def played(self) -> Iterator[Step]:
        """The steps without statements (`Event.is_statement`)."""
        return (step for step in self.steps if not step.event.is_statement)

    @property
    def played_backwards(self) -> Iterator[Step]:
        return (step for step in reversed(self.steps) if not step.event.is_statement)

    @property
    def proposals(self) -> Proposals:
        return self._effective.proposals

    def copy(self) -> Evening:
        """An independent copy; the steps are shared, so it needs no replay."""
        other = copy(self)
        other.recorded, other.steps = self.recorded.copy(), self.steps.copy()
        other._effective = self._effective.copy()
        return other

    def after(self, events: Iterable[Mapping[str, Any]]) -> Evening:
        """A copy with more events; this evening is unchanged.

        :raises Illegal: the rules refuse one
        """
        other = self.copy()
        for data in events:
            other.push(data)
        return other

    def with_stored_event(self, data: Mapping[str, Any]) -> Evening:
        """A copy whose newest event is replaced by its stored form, which includes the hash."""
        other = copy(self)
        other.recorded = [*self.recorded[:-1], data]
        return other

    def push(self, data: Mapping[str, Any]) -> State:
        """Record an event and return the new state.

        :param data: the event as JSON, with its metadata
        :raises Unreadable: not an event
        :raises Illegal: the rules refuse it; nothing has changed. `event` is the index of the
            refused event; a correction may make an event after the corrected one impossible
        """
        event = parse(data)
        try:
            if isinstance(event, Korrektur) and self._record_format_refuses(event):
                raise Illegal("after-the-cut")
            change = self._effective.change_for(event)
            steps = self._steps_with(change)
            self._effective.record(event, change, self._first_of_group(event))
        except Illegal as refusal:
            if refusal.event is None:
                refusal.event = len(self.recorded)
            raise
        self._note_closed_round(event)
        self._note_agreed_round(event)
        self.steps[change.start :] = steps
        self.replay_cost += len(steps)
        self.recorded.append(data)
        return self.state

    def _steps_with(self, change: EffectiveChange) -> list[Step]:
        """The steps from `change.start` on, replayed with the change.

        :raises Illegal: `event` is the index of the later event that becomes impossible, or None
        """
        state = self.steps[change.start - 1].after if change.start else self._start
        steps: list[Step] = []
        for effective in change.replacements:
            state = _append_step(steps, state, effective)
        for later in self.steps[change.stop :]:
            try:
                state = _append_step(steps, state, later)
            except Illegal as refusal:
                refusal.event = later.original_index
                raise
        return steps

    def is_correction_in_effect(self, index: int) -> bool:
        """Whether the correction at an index is in effect; False for any other event."""
        return self._effective.is_correction_in_effect(index)

    def referred_indices(self, index: int) -> Sequence[int]:
        """For a correction or proposal the indices of the events it replaces, else the event's own
        index."""
        return self._effective.referred_indices(index)

    @property
    def corrections(self) -> list[Korrektur]:
        """The recorded corrections of events, accepted proposals included; not those that cancel
        another correction."""
        return self._effective.corrections

    # Undo and redo

    def undo_correction(self) -> Korrektur:
        """The correction that cancels the last event, group of events or correction.

        :raises Illegal: nothing to undo
        """
        return self._effective.undo_stack.undo_correction()

    def redo_correction(self) -> Korrektur:
        """The correction that cancels the newest undo.

        :raises Illegal: nothing to redo, or an event of play was recorded since
        """
        return self._effective.undo_stack.redo_correction()

    @property
    def undo_index(self) -> int | None:
        """The index that `undo_correction` would cancel; None if there is none or if it needs
        consent."""
        last = self._effective.undo_stack.next_undo_indices
        return None if not last or self.needs_consent(self.undo_correction()) else last[-1]

    @property
    def redo_index(self) -> int | None:
        """The index that `redo` would restore; None if there is none or if it needs consent."""
        last = self._effective.undo_stack.next_redo_indices
        return None if not last or self.needs_consent(self.redo_correction()) else last[-1]

    def _first_of_group(self, event: Event) -> int | None:
        """The index of the first event of the tap that ends with `event`, or None if it is alone.

        One tap may record a `bleiben` on the decision before the play and the `gewinnt` after it.
        """
        first_index = None
        for step in self.played_backwards if isinstance(event, Gewinnt) else ():
            if not isinstance(step.event, Bleiben) or step.before.decision is None:
                break
            first_index = step.original_index
        return first_index

    # Consent to changes of closed rounds, if the record's head has `cut`

    def needs_consent(self, event: Event) -> bool:
        """Whether the other side must consent to an event.

        True for changes to a closed round, or to one that the sides have agreed on after a dispute
        or a proposal; and, once a round is closed, for changes of names and seats, which would
        reassign all points.
        """
        if not self.head.cut:
            return False
        fixed_index = max(self.last_closed_index, self._last_agreed_index())
        if fixed_index < 0:
            return False
        if not isinstance(event, Korrektur):
            return _changes_seating(event)
        if event.missing_index(len(self.recorded)) is not None:
            return False
        originals = self._effective.original_indices(event)
        if min(originals, default=fixed_index + 1) <= fixed_index:
            return True
        versions = (
            version for original in originals for version in self._effective.versions(original)
        )
        return any(map(_changes_seating, (*event.with_, *versions)))

    @property
    def last_closed_index(self) -> int:
        """The index of the last event in a closed round; -1 if none.

        A round is closed by the first event of the next one, also if a correction inserted that
        event. It stays closed even if that event is struck out later.
        """
        played = self.played_backwards
        newest = next(
            (step for step in played if not isinstance(step.event, _OPENS_NO_ROUND)), None
        )
        if newest is None:
            return self._closed_at_recording
        earlier_steps = (step for step in played if step.before.round_id != newest.before.round_id)
        return max(
            self._closed_at_recording, next((step.original_index for step in earlier_steps), -1)
        )

    def insertion_of(self, event: Event) -> Korrektur:
        """The correction that inserts `event` after the last effective event, for a proposal.

        :raises Illegal: there is no effective event yet
        """
        if self._last_step is None:
            raise Illegal("nothing-to-undo")
        index = self._last_step.original_index
        events_at_index = (step.event for step in self.steps if step.original_index == index)
        return Korrektur(index, (*events_at_index, event))

    @property
    def _last_step(self) -> Step | None:
        return next(self.played_backwards, None)

    def _note_closed_round(self, event: Event) -> None:
        last = self._last_step
        if (
            last is None
            or event.is_statement
            or isinstance(event, Korrektur | NeuesSpiel | Sitzordnung)
        ):
            return
        if last.before.round_id != self.state.round_id:
            self._closed_at_recording = max(self._closed_at_recording, last.original_index)

    def _note_agreed_round(self, event: Event) -> None:
        match event:
            case Geklaert():
                self._agreed_indices |= {event.of}
            case Strittig():
                self._agreed_indices -= {event.of}
            case Zusage():
                accepted = self.proposals.get(event.of)
                if accepted is not None:
                    self._agreed_indices |= {accepted.correction.of}

    def _last_agreed_index(self) -> int:
        """The index of the last event in a round that the sides have agreed on; -1 if none."""
        newest = max(self._agreed_indices, default=-1)
        if newest <= self.last_closed_index:
            return newest
        since_newest = [
            *takewhile(lambda step: step.original_index >= newest, self.played_backwards)
        ]
        round_ids = {s.before.round_id for s in since_newest if s.original_index == newest}
        rest_of_round = (s.original_index for s in since_newest if s.before.round_id in round_ids)
        return next(rest_of_round, newest)

    def _record_format_refuses(self, event: Korrektur) -> bool:
        """Whether a correction changes a closed round, by the rule of the first release.

        `needs_consent` is stricter; this stays as it is so that old records still replay.
        """
        if not self.head.cut or event.missing_index(len(self.recorded)) is not None:
            return False
        originals = self._effective.original_indices(event)
        return min(originals, default=self._closed_at_recording + 1) <= self._closed_at_recording


_OPENS_NO_ROUND: Final = (NeuesSpiel, Sitzordnung)
"""Events between two rounds, which open neither."""


def _append_step(steps: list[Step], before: State, effective: EffectiveEvent) -> State:
    """Append the step of an event to `steps`; return the state after it."""
    after = apply(before, effective.event)
    steps.append(Step(effective.place, effective.recorded_index, effective.event, before, after))
    return after


def _changes_seating(event: Event) -> bool:
    return isinstance(event, Sitzordnung) and event.sides is not None


def replay(data: Any) -> tuple[Evening, Illegal | None]:
    """Replay a record; return the evening up to the first refused event, and the refusal or None.

    >>> evening, refusal = replay({"watten": 1, "rules": "bayern", "events": [
    ...     {"do": "bieten", "side": 0}, {"do": "bieten", "side": 0}]})
    >>> refusal.event, refusal.code, refusal.rule, evening.state.open_raise
    (1, 'twice-in-a-row', 'B-25', Raise(side=0, to=3))

    :raises Unreadable: not a record
    """
    head, events = read(data)
    evening = Evening(head)
    for event in events:
        try:
            evening.push(event)
        except Illegal as refusal:
            return evening, refusal
    return evening, None
