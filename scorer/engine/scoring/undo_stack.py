"""The events and corrections that undo and redo revoke next.

>>> stack = UndoStack()
>>> stack.add(0)
>>> stack.add(1)
>>> stack.undo().of
1
>>> stack.add_correction(2, stack.undo())
>>> stack.next_undone, stack.next_redone, stack.redo().of
((0,), (1,), 2)
"""

from __future__ import annotations

from itertools import takewhile
from typing import NamedTuple

from scorer.engine.aggregate import Illegal
from scorer.engine.scoring.event_types.corrections import Korrektur


class Done(NamedTuple):
    """An event or correction that can be undone."""

    recorded: int
    """Its index in the record."""
    first: int | None
    """The index of the first event that is undone together with this one, often its own; None for a
    correction."""


class Undone(NamedTuple):
    """An undo that can be redone."""

    recorded: int
    """Its index in the record."""
    done: tuple[Done, ...]
    """The entries that it revoked."""


class UndoStack:
    def __init__(self) -> None:
        self._done: list[Done] = []
        self._undone: list[Undone] = []

    def copy(self) -> UndoStack:
        other = UndoStack()
        other._done, other._undone = self._done.copy(), self._undone.copy()
        return other

    def add(self, index: int, first: int | None = None) -> None:
        """Add a recorded event.

        :param first: the index of the first event of the group that is undone together
        """
        self._push_done(Done(index, index if first is None else first))

    def add_accepted(self, index: int) -> None:
        """Add a recorded consent, which carries out the correction that was proposed."""
        self._push_done(Done(index, None))

    def add_correction(self, index: int, correction: Korrektur) -> None:
        """Add a recorded correction, which may be an undo or a redo."""
        if self._undone and correction == self.redo():
            self._done += self._undone.pop().done
        elif revoked := self._undone_by(correction):
            del self._done[-len(revoked) :]
            self._undone.append(Undone(index, revoked))
        else:
            self._push_done(Done(index, None))

    @property
    def next_undone(self) -> tuple[int, ...]:
        """The indices that `undo` would revoke together; empty if none."""
        return tuple(done.recorded for done in self._last_group())

    @property
    def next_redone(self) -> tuple[int, ...]:
        """The indices that `redo` would restore together; empty if none."""
        return tuple(done.recorded for done in self._undone[-1].done) if self._undone else ()

    def undo(self) -> Korrektur:
        """The correction that revokes the last group.

        :raises Illegal: nothing to undo
        """
        if not self._done:
            raise Illegal("nothing-to-undo")
        first, *others = self.next_undone
        return Korrektur(first, through=others[-1] if others else None)

    def redo(self) -> Korrektur:
        """The correction that revokes the newest undo.

        :raises Illegal: nothing to redo
        """
        if not self._undone:
            raise Illegal("nothing-to-redo")
        return Korrektur(self._undone[-1].recorded)

    def _push_done(self, done: Done) -> None:
        self._done.append(done)
        self._undone.clear()

    def _last_group(self) -> tuple[Done, ...]:
        if not self._done:
            return ()
        last = self._done[-1]
        first = last.first
        if first is None or first == last.recorded:
            return (last,)
        # A correction in between ends the group.
        group = takewhile(
            lambda done: done.recorded >= first and done.first is not None, reversed(self._done)
        )
        return tuple(reversed(list(group)))

    def _undone_by(self, correction: Korrektur) -> tuple[Done, ...]:
        """The entries that a correction undoes; empty if it is not an undo."""
        if not self._done:
            return ()
        if correction == Korrektur(self._done[-1].recorded):
            return (self._done[-1],)
        return self._last_group() if correction == self.undo() else ()
