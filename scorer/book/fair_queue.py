"""Limits concurrent work to a few calls, and to one call of each client."""

from __future__ import annotations

import threading
from collections import OrderedDict, deque
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from scorer.store import Unavailable


class FairQueue:
    """At most `max_turns` turns at a time, and one per client. Waiting clients take turns.

    >>> turns = FairQueue(max_turns=2)
    >>> with turns.turn("Anna", patience=1), turns.turn("Bert", patience=1):
    ...     with turns.turn("Cilli", patience=0):
    ...         pass
    Traceback (most recent call last):
    scorer.store.Unavailable: locked
    """

    def __init__(self, max_turns: int) -> None:
        self._max_turns = max_turns
        self._changed = threading.Condition()
        self._active_clients = set[Hashable]()
        self._waiting_calls = OrderedDict[Hashable, deque[object]]()
        """The waiting calls by client. A client goes to the end after each turn."""

    @contextmanager
    def turn(self, client: Hashable, patience: float) -> Iterator[None]:
        """One turn.

        :param patience: seconds to wait for it
        :raises Unavailable: "locked", timeout
        """
        call = object()
        with self._changed:
            self._waiting_calls.setdefault(client, deque()).append(call)
            try:
                if not self._changed.wait_for(lambda: self._next_call() is call, patience):
                    raise Unavailable("locked")
                self._active_clients.add(client)
            finally:
                self._remove_call(client, call)
        try:
            yield
        finally:
            with self._changed:
                self._active_clients.remove(client)
                self._changed.notify_all()

    def _next_call(self) -> object:
        """The call whose turn it is, or None."""
        if len(self._active_clients) < self._max_turns:
            for client, calls in self._waiting_calls.items():
                if client not in self._active_clients:
                    return calls[0]
        return None

    def _remove_call(self, client: Hashable, call: object) -> None:
        calls = self._waiting_calls.pop(client)
        calls.remove(call)
        if calls:
            self._waiting_calls[client] = calls
        self._changed.notify_all()
