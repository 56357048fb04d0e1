"""A pool of open connections: each lent to one borrower at a time, never shared by processes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final, Generic, TypeVar

from scorer.store.lock_timeout import hold_lock

MAX_POSTGRES_CONNECTIONS: Final = 10
"""Most connections to a PostgreSQL server that a process lends at once."""
MAX_IDLE_CONNECTIONS: Final = 8
"""Idle connections kept open; more are closed, to free their descriptors."""

C = TypeVar("C")


class Pool(Generic[C]):
    """The connections of this process.

    :param connect: opens a connection; its argument is whether it is the only one
    :param reset: prepares one for its next use; returns False if it must be closed instead
    :param close_connection: closes one in any state
    :param max_lent: limit of connections lent at once, None for no limit
    :param patience: seconds to wait for one at the limit
    """

    def __init__(
        self,
        connect: Callable[[bool], C],
        reset: Callable[[C], bool],
        close_connection: Callable[[C], None],
        max_lent: int | None = None,
        patience: float = 0.0,
    ) -> None:
        self._connect, self._reset, self._close_connection = connect, reset, close_connection
        self._max_lent, self._patience = max_lent, patience
        self._lock = threading.Lock()
        self._inherited: list[C] = []
        self._start_empty()

    def _start_empty(self) -> None:
        self._idle: list[C] = []
        self._change_connection: C | None = None
        self.open_count = 0
        # Without a limit there is no semaphore: with gevent it costs as much as a statement.
        max_lent = self._max_lent
        self._lending_slots = None if max_lent is None else threading.BoundedSemaphore(max_lent)
        self._pid = os.getpid()

    def _forget_inherited(self) -> None:
        if self._pid == os.getpid():
            return
        # A forked process must not touch its parent's connections, not even to close them.
        self._inherited = [
            *self._idle,
            *([self._change_connection] if self._change_connection is not None else []),
        ]
        self._start_empty()

    @contextmanager
    def borrow(self) -> Iterator[C]:
        """A connection for exclusive use.

        :raises Unavailable: "locked", timeout at the limit
        """
        with self._lock:
            self._forget_inherited()
            slots = self._lending_slots
        with nullcontext() if slots is None else hold_lock(slots, self._patience):
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._open()
            try:
                yield connection
            finally:
                self._give_back(connection)

    def change_connection(self) -> C:
        """The connection for reading change counters, which is never lent.

        Counters can only be compared on the same connection.
        """
        with self._lock:
            self._forget_inherited()
            existing = self._change_connection
        if existing is not None:
            return existing
        opened = self._open()
        with self._lock:
            if self._change_connection is None:
                self._change_connection = opened
                return opened
            existing = self._change_connection
        self._discard(opened)
        return existing

    def close_watcher(self) -> None:
        """Close the watcher; the next `watcher()` opens a new one. For the watcher's own thread,
        or at close."""
        with self._lock:
            self._forget_inherited()
            watcher, self._change_connection = self._change_connection, None
        if watcher is not None:
            self._discard(watcher)

    def close_idle(self) -> None:
        with self._lock:
            self._forget_inherited()
            idle, self._idle = self._idle, []
        for connection in idle:
            self._discard(connection)

    def close(self) -> None:
        self.close_idle()
        self.close_watcher()

    def _open(self) -> C:
        with self._lock:
            is_first = not self.open_count
            self.open_count += 1
        try:
            return self._connect(is_first)
        except BaseException:
            with self._lock:
                self.open_count -= 1
            raise

    def _give_back(self, connection: C) -> None:
        if self._reset(connection):
            with self._lock:
                if len(self._idle) < MAX_IDLE_CONNECTIONS:
                    self._idle.append(connection)
                    return
        self._discard(connection)

    def _discard(self, connection: C) -> None:
        self._close_connection(connection)
        with self._lock:
            self.open_count -= 1
