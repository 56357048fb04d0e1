"""Limits concurrent work to a few calls, and to one call of each client."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from scorer.store import Unavailable


class FairTurns:
    """At most `at_once` turns at a time, and one per client. Waiting clients take turns.

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
        """The waiting calls by client. A client goes to the end after each turn."""

    @contextmanager
    def turn(self, client: Hashable, patience: float) -> Iterator[None]:
        """One turn.

        :param patience: seconds to wait for it
        :raises Unavailable: "locked", timeout
        """
        call = object()
        with self._changed:
            self._waiting.setdefault(client, deque()).append(call)
            try:
                if not self._changed.wait_for(lambda: self._next() is call, patience):
                    raise Unavailable("locked")
                self._having.add(client)
            finally:
                self._leave(client, call)
        try:
            yield
        finally:
            with self._changed:
                self._having.remove(client)
                self._changed.notify_all()

    def _next(self) -> object:
        """The call whose turn it is, or None."""
        if len(self._having) < self._at_once:
            for client, calls in self._waiting.items():
                if client not in self._having:
                    return calls[0]
        return None

    def _leave(self, client: Hashable, call: object) -> None:
        calls = self._waiting.pop(client)
        calls.remove(call)
        if calls:
            self._waiting[client] = calls
        self._changed.notify_all()
