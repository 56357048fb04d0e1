"""An evening: the recorded events, and the fold of those that count.

Recording an event is one fold step. A correction folds again from the event it changes; undo
and redo of the newest event are one step, as the states before it are kept.
"""

from __future__ import annotations

import copy
from bisect import bisect_left, bisect_right
from collections.abc import Mapping
from dataclasses import dataclass
from operator import itemgetter
from typing import Any, Final

from scorer.engine.scoring.events import (
    Absage,
    Event,
    Korrektur,
    NeuesSpiel,
    Sitzordnung,
    Vorschlag,
    Zusage,
    parse,
)
from scorer.engine.scoring.legality import Illegal
from scorer.engine.scoring.proposals import Proposals
from scorer.engine.scoring.record import Head, read
from scorer.engine.scoring.state import State
from scorer.engine.scoring.tally import apply


@dataclass(frozen=True, slots=True)
class Step:
    """An event that counts: where it was recorded, and the states on both sides of it."""

    source: int
    """The index of the recorded event it stands for: itself, or the one it replaced."""
    recorded: int
    """The index of the recorded event that brought it: itself, or the correction."""
    event: Event
    before: State
    after: State


class Evening:
    """The record of one table and its state.

    >>> from scorer.engine.scoring.record import read_head
    >>> evening = Evening(read_head({"watten": 1, "rules": "bayern"}))
    >>> evening.push({"do": "gewinnt", "side": 0}).points
    (2, 0)
    >>> evening.push(evening.undo().to_json()).points
    (0, 0)
    >>> evening.push(evening.redo().to_json()).points
    (2, 0)
    >>> len(evening.recorded)
    3
    """

    def __init__(self, head: Head) -> None:
        self.head = head
        self.recorded: list[Mapping[str, Any]] = []
        """The events as recorded, with who wrote them and when, corrections included."""
        self.steps: list[Step] = []
        self._events: list[Event] = []
        self._start = head.start()
        self._corrections: dict[int, list[int]] = {}
        """For each corrected index, the indices of its corrections in order."""
        self._standing: dict[int, int] = {}
        """For each corrected index, how many of its corrections stand."""
        self.proposals = Proposals()
        self._closed = -1
        """The last index of the rounds after whose cut something was recorded."""
        self._done: list[int] = []
        """What was done and not undone since, events and corrections alike, newest last."""
        self._undone: list[tuple[int, int]] = []
        """The corrections `redo` would take back and what each undid, newest last."""

    @property
    def state(self) -> State:
        """The state after all that counts."""
        return self.steps[-1].after if self.steps else self._start

    def copy(self) -> Evening:
        """The same evening, to be gone on with while this one stays as it is.

        It shares the steps, so it costs no folding.
        """
        other = copy.copy(self)
        other.recorded = self.recorded.copy()
        other.steps = self.steps.copy()
        other._events = self._events.copy()
        other._corrections = {of: [*about] for of, about in self._corrections.items()}
        other._standing = self._standing.copy()
        other.proposals = self.proposals.copy()
        other._done = self._done.copy()
        other._undone = self._undone.copy()
        return other

    def push(self, data: Mapping[str, Any]) -> State:
        """Record one more event and return the new state.

        :param data: the event as JSON, with whatever it carries beside its meaning
        :raises Unreadable: not an event
        :raises Illegal: the rules refuse it; nothing has changed. `event` names the index of
            the refused event, which for a correction may be a later one
        """
        event = parse(data)
        index = len(self._events)
        try:
            event = self._take(index, event)
        except Illegal as refusal:
            if refusal.event is None:
                refusal.event = index
            raise
        self.recorded.append(data)
        self._events.append(event)
        return self.state

    def _take(self, index: int, event: Event) -> Event:
        """Carry an event out; returns it as later corrections see it."""
        match event:
            case Korrektur():
                if self._after_the_cut(event):
                    raise Illegal("after-the-cut")
                self._correct(index, event)
                self._note_correction(index, event)
            case Vorschlag():
                self._correctable(index, event.correction)
                self.proposals.propose(index, event)
            case Zusage():
                # A proposal the other side said yes to is a correction like any other.
                correction = self.proposals.asked(event)
                self._correct(index, correction)
                self.proposals.accept(event)
                self._note(index)
                return correction
            case Absage():
                self.proposals.decline(event)
            case _:
                self._add(index, event)
        return event

    def needs_yes(self, event: Event) -> bool:
        """Whether an event comes after the cut, so only the other side's yes carries it.

        A change to a closed round does, and once a round is closed other names and seats do too:
        they would give every point to somebody else.
        """
        if not self.head.cut or self.closed < 0:
            return False
        if not isinstance(event, Korrektur):
            return _reseats(event)
        if not event.of <= event.last < len(self._events):
            return False
        roots = self._roots(event)
        if min(roots, default=self.closed + 1) <= self.closed:
            return True
        corrections = (self._events[at] for root in roots for at in self._corrections.get(root, ()))
        replaced = (item for made in corrections for item in getattr(made, "with_", ()))
        changed = (*event.with_, *(self._events[root] for root in roots), *replaced)
        return any(map(_reseats, changed))

    @property
    def closed(self) -> int:
        """The last index of the rounds that nothing is written to any more; -1 before.

        A round is closed by the first event of the next, whether it was recorded or put in by a
        correction; what was closed stays so.
        """
        played = (step for step in reversed(self.steps) if not step.event.aside)
        newest = next((s for s in played if not isinstance(s.event, _BETWEEN)), None)
        if newest is None:
            return self._closed
        before = (s for s in played if _round(s.before) != _round(newest.before))
        return max(self._closed, next((step.source for step in before), -1))

    def proposing(self, event: Event) -> Korrektur:
        """The correction that puts `event` behind all that counts, to be proposed.

        :raises Illegal: nothing counts yet
        """
        if self._last is None:
            raise Illegal("nothing-to-undo")
        source = self._last.source
        there = (step.event for step in self.steps if step.source == source)
        return Korrektur(source, (*there, event))

    def stands(self, index: int) -> bool:
        """Whether the event recorded at `index` is a correction that counts."""
        event = self._events[index]
        if not isinstance(event, Korrektur):
            return False
        about = reversed(self._corrections.get(event.of, ()))
        return next((at for at in about if not self._standing.get(at)), None) == index

    def undo(self) -> Korrektur:
        """The correction that takes back the last thing done, be it an event or a correction.

        :raises Illegal: nothing is left to take back
        """
        if not self._done:
            raise Illegal("nothing-to-undo")
        return Korrektur(self._done[-1])

    def redo(self) -> Korrektur:
        """The correction that takes back the newest undo.

        :raises Illegal: nothing was undone, or something was recorded since
        """
        if not self._undone:
            raise Illegal("nothing-to-redo")
        return Korrektur(self._undone[-1][0])

    @property
    def can_undo(self) -> bool:
        return self.undoes is not None

    @property
    def can_redo(self) -> bool:
        return self.redoes is not None

    @property
    def undoes(self) -> int | None:
        """The index of what `undo` would take back; None where there is nothing, or where it
        takes the other side's yes."""
        return self._done[-1] if self._done and not self.needs_yes(self.undo()) else None

    @property
    def redoes(self) -> int | None:
        """The index of what `redo` would bring back; None where there is nothing, or where it
        takes the other side's yes."""
        return self._undone[-1][1] if self._undone and not self.needs_yes(self.redo()) else None

    @property
    def _last(self) -> Step | None:
        """The last step that was played; what was said aside of the play is left alone."""
        return next((step for step in reversed(self.steps) if not step.event.aside), None)

    # One fold step

    def _add(self, index: int, event: Event) -> None:
        after = apply(self.state, event)
        if not event.aside:
            self._note(index)
            self._close(event)
        self.steps.append(Step(index, index, event, self.state, after))

    def _close(self, event: Event) -> None:
        """The first event of a round closes the rounds before it."""
        last = self._last
        if last is None or isinstance(event, _BETWEEN):
            return
        if _round(last.before) != _round(self.state):
            self._closed = max(self._closed, last.source)

    def _after_the_cut(self, event: Korrektur) -> bool:
        """Whether a record refuses a correction. What a table takes is narrower (`needs_yes`);
        a record keeps to what was refused when it was written."""
        if not self.head.cut or not event.of <= event.last < len(self._events):
            return False
        return min(self._roots(event), default=self._closed + 1) <= self._closed

    # Corrections

    def _correct(self, index: int, event: Korrektur) -> None:
        self._correctable(index, event)
        changes = self._changes(index, event)
        roots = self._roots(event)
        replacement = [
            (root, writer, item)
            for root in roots
            for writer, item in self._replacement(root, changes, index, event)
        ]
        self._refold(index, roots, replacement)
        covered = [event.of] if isinstance(self._events[event.of], Korrektur) else roots
        for of in covered:
            self._corrections.setdefault(of, []).append(index)
        self._standing.update(changes)

    def _correctable(self, index: int, event: Korrektur) -> None:
        of = event.of
        if not of <= event.last < index:
            raise Illegal("no-such-event", of=of if of >= index else event.last)
        corrected = self._events[of]
        if corrected.aside:
            raise Illegal("said-beside")
        if isinstance(corrected, Korrektur) and (event.with_ or event.through is not None):
            raise Illegal("corrects-correction", of=of)

    def _changes(self, index: int, event: Korrektur) -> dict[int, int]:
        """How many corrections would stand on each index once this one does.

        Taking a correction back frees what it corrected, which may itself be a correction.
        """
        changes: dict[int, int] = {}
        of, delta = event.of, 1
        while True:
            before = changes.get(of, self._standing.get(of, 0))
            changes[of] = before + delta
            corrected = self._events[of]
            if not isinstance(corrected, Korrektur) or (before == 0) == (changes[of] == 0):
                return changes
            of, delta = corrected.of, -1 if before == 0 else 1

    def _roots(self, event: Korrektur) -> list[int]:
        """The plain events that a correction, or a correction of one, is about."""
        while isinstance(corrected := self._events[event.of], Korrektur):
            event = corrected
        indices = range(event.of, event.last + 1)
        return [at for at in indices if _is_play(self._events[at])]

    def _replacement(
        self, root: int, changes: Mapping[int, int], index: int, event: Korrektur
    ) -> list[tuple[int, Event]]:
        """What counts at `root` once `event` stands: (index of its writer, event)."""
        plain = not isinstance(self._events[event.of], Korrektur)
        newest = [index] if plain and event.of <= root <= event.last else []
        for at in [*newest, *reversed(self._corrections.get(root, ()))]:
            if not changes.get(at, self._standing.get(at, 0)):
                writer = event if at == index else self._events[at]
                assert isinstance(writer, Korrektur)
                return [(at, item) for item in writer.with_] if writer.of == root else []
        return [(root, self._events[root])]

    def _refold(
        self, index: int, roots: list[int], replacement: list[tuple[int, int, Event]]
    ) -> None:
        """Fold again from the first of `roots` on.

        :raises Illegal: naming the correction itself or the later event it makes impossible
        """
        first = bisect_left(self.steps, roots[0], key=lambda step: step.source)
        last = bisect_right(self.steps, roots[-1], key=lambda step: step.source)
        state = self.steps[first - 1].after if first else self._start
        steps: list[Step] = []
        beside = (step for step in self.steps[first:last] if step.event.aside)
        replaced = [*replacement, *map(_as_recorded, beside)]
        replaced.sort(key=itemgetter(0))
        todo = [*replaced, *map(_as_recorded, self.steps[last:])]
        for source, writer, event in todo:
            try:
                after = apply(state, event)
            except Illegal as refusal:
                refusal.event = index if source <= roots[-1] else source
                raise
            steps.append(Step(source, writer, event, state, after))
            state = after
        self.steps[first:] = steps

    # What undo and redo are about

    def _note(self, index: int) -> None:
        """Something new was done: what was undone before is no longer to be brought back."""
        self._done.append(index)
        self._undone.clear()

    def _note_correction(self, index: int, event: Korrektur) -> None:
        if self._done and event == self.undo():
            self._undone.append((index, self._done.pop()))
        elif self._undone and event == self.redo():
            self._done.append(self._undone.pop()[1])
        else:
            self._note(index)


_BETWEEN: Final = (NeuesSpiel, Sitzordnung)
"""What happens between two rounds, and opens neither."""


def _reseats(event: Event) -> bool:
    """Whether an event gives the sides other names."""
    return isinstance(event, Sitzordnung) and event.sides is not None


def _is_play(event: Event) -> bool:
    return not event.aside and not isinstance(event, Korrektur)


def _round(state: State) -> tuple[int, int]:
    return state.game, state.round


def _as_recorded(step: Step) -> tuple[int, int, Event]:
    return step.source, step.recorded, step.event


def replay(data: Any) -> tuple[Evening, Illegal | None]:
    """Play a whole record: the evening as far as it is legal, and the refusal that ended it.

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
