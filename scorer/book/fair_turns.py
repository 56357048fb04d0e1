"""A few turns at a time for many askers, one for each, in the order in which they first asked."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from scorer.store import Unavailable


class FairTurns:
    """Turns, at most `at_once` together and one for an asker: who asks often waits for himself.

    >>> turns = FairTurns(at_once=2)
    >>> with turns.turn("Anna", patience=1), turns.turn("Bert", patience=1):
    ...     with turns.turn("Cilli", patience=0):
    ...         pass
    Traceback (most recent call last):
    scorer.store.Unavailable: locked
    """

    def __init__(self, at_once: int) -> None:
        self._at_once = at_once
        self._changed = threading.Condition()
        self._having = set[Hashable]()
        self._waiting = OrderedDict[Hashable, deque[object]]()
        """The calls that wait, by asker; who had a turn goes to the end."""

    @contextmanager
    def turn(self, asker: Hashable, patience: float) -> Iterator[None]:
        """One turn.

        :param patience: seconds to wait for it
        :raises Unavailable: "locked", timeout
        """
        call = object()
        with self._changed:
            self._waiting.setdefault(asker, deque()).append(call)
            try:
                if not self._changed.wait_for(lambda: self._next() is call, patience):
                    raise Unavailable("locked")
                self._having.add(asker)
            finally:
                self._leave(asker, call)
        try:
            yield
        finally:
            with self._changed:
                self._having.remove(asker)
                self._changed.notify_all()

    def _next(self) -> object:
        """The call whose turn it is, or None."""
        if len(self._having) < self._at_once:
            for asker, calls in self._waiting.items():
                if asker not in self._having:
                    return calls[0]
        return None

    def _leave(self, asker: Hashable, call: object) -> None:
        calls = self._waiting.pop(asker)
        calls.remove(call)
        if calls:
            self._waiting[asker] = calls
        self._changed.notify_all()
