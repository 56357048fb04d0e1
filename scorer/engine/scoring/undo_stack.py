"""The events and corrections that undo and redo cancel next.

>>> stack = UndoStack()
>>> stack.add(0)
>>> stack.add(1)
>>> stack.undo_correction().of
1
>>> stack.add_correction(2, stack.undo_correction())
>>> stack.next_undo_indices, stack.next_redo_indices, stack.redo_correction().of
((0,), (1,), 2)
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.event_types.corrections import Korrektur


class UndoableEntry(NamedTuple):
    """An event or correction that can be undone."""

    recorded_index: int
    """Its index in the record."""
    first_of_tap: int | None
    """The index of the tap's first event, because one undo takes back a whole tap; None for a
    correction and for a `zusage`."""


class RedoableUndo(NamedTuple):
    """An undo that can be redone."""

    recorded_index: int
    """Its index in the record."""
    entries: tuple[UndoableEntry, ...]
    """The entries that it cancelled."""


class UndoStack:
    def __init__(self) -> None:
        self._undoable: list[UndoableEntry] = []
        self._redoable: list[RedoableUndo] = []

    def copy(self) -> UndoStack:
        other = UndoStack()
        other._undoable, other._redoable = self._undoable.copy(), self._redoable.copy()
        return other

    def add(self, index: int, first: int | None = None) -> None:
        """Add a recorded event.

        :param first: the index of the first event of the same tap; None if this is the first
        """
        self._push(UndoableEntry(index, index if first is None else first))

    def add_accepted(self, index: int) -> None:
        """Add a `zusage`, which carries out the correction that was proposed."""
        self._push(UndoableEntry(index, None))

    def add_correction(self, index: int, correction: Korrektur) -> None:
        """Add a recorded correction, which may be an undo or a redo."""
        if self._redoable and correction == self.redo_correction():
            self._undoable += self._redoable.pop().entries
        elif cancelled := self._undone_by(correction):
            del self._undoable[-len(cancelled) :]
            self._redoable.append(RedoableUndo(index, cancelled))
        else:
            self._push(UndoableEntry(index, None))

    @property
    def next_undo_indices(self) -> tuple[int, ...]:
        """The indices that an undo cancels together; empty if none."""
        return tuple(entry.recorded_index for entry in self._last_group())

    @property
    def next_redo_indices(self) -> tuple[int, ...]:
        """The indices that `redo` would restore together; empty if none."""
        return (
            tuple(entry.recorded_index for entry in self._redoable[-1].entries)
            if self._redoable
            else ()
        )

    def undo_correction(self) -> Korrektur:
        """The correction that cancels the last group.

        :raises Illegal: nothing to undo
        """
        if not self._undoable:
            raise Illegal("nothing-to-undo")
        first, *others = self.next_undo_indices
        return Korrektur(first, through=others[-1] if others else None)

    def redo_correction(self) -> Korrektur:
        """The correction that cancels the newest undo.

        :raises Illegal: nothing to redo
        """
        if not self._redoable:
            raise Illegal("nothing-to-redo")
        return Korrektur(self._redoable[-1].recorded_index)

    def _push(self, entry: UndoableEntry) -> None:
        self._undoable.append(entry)
        self._redoable.clear()

    def _last_group(self) -> tuple[UndoableEntry, ...]:
        if not self._undoable:
            return ()
        last = self._undoable[-1]
        first = last.first_of_tap
        if first is None or first == last.recorded_index:
            return (last,)
        # A correction in between ends the group.
        group = takewhile(
            lambda entry: entry.recorded_index >= first and entry.first_of_tap is not None,
            reversed(self._undoable),
        )
        return tuple(reversed(list(group)))

    def _undone_by(self, correction: Korrektur) -> tuple[UndoableEntry, ...]:
        """The entries that a correction undoes; empty if it is not an undo."""
        if not self._undoable:
            return ()
        if correction == Korrektur(self._undoable[-1].recorded_index):
            return (self._undoable[-1],)
        return self._last_group() if correction == self.undo_correction() else ()
