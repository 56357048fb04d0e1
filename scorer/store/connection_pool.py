"""A pool of open connections: each lent to one borrower at a time, never shared by processes."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Final, Generic, TypeVar

from scorer.store.lock_timeout import acquired

KEPT_OPEN: Final = 8
"""Idle connections kept open; more are closed, to free their descriptors."""

C = TypeVar("C")


class Pool(Generic[C]):
    """The connections of this process.

    :param connect: opens a connection; the argument says that no other is open
    :param reset: resets one for reuse; False if it cannot be reused
    :param shut: closes one in any state
    :param most: limit of connections lent at once, None for no limit
    :param patience: seconds to wait for one at the limit
    """

    def __init__(
        self,
        connect: Callable[[bool], C],
        reset: Callable[[C], bool],
        shut: Callable[[C], None],
        most: int | None = None,
        patience: float = 0.0,
    ) -> None:
        self._connect, self._reset, self._shut_one = connect, reset, shut
        self._most, self._patience = most, patience
        self._lock = threading.Lock()
        self._inherited: list[C] = []
        self._start_empty()

    def _start_empty(self) -> None:
        self._idle: list[C] = []
        self._watcher: C | None = None
        self.open_now = 0
        # Without a limit there is no semaphore: with gevent it costs as much as a statement.
        most = self._most
        self._free = None if most is None else threading.BoundedSemaphore(most)
        self._pid = os.getpid()

    def _leave_parents(self) -> None:
        if self._pid == os.getpid():
            return
        # A forked process must not touch its parent's connections, not even to close them.
        self._inherited = [*self._idle, *([self._watcher] if self._watcher is not None else [])]
        self._start_empty()

    @contextmanager
    def borrow(self) -> Iterator[C]:
        """A connection for exclusive use.

        :raises Unavailable: "locked", timeout at the limit
        """
        with self._lock:
            self._leave_parents()
            free = self._free
        with nullcontext() if free is None else acquired(free, self._patience):
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                connection = self._open()
            try:
                yield connection
            finally:
                self._give_back(connection)

    def watcher(self) -> C:
        """The connection for reading change counters, which is never lent.

        Counters can only be compared on the same connection.
        """
        with self._lock:
            self._leave_parents()
            existing = self._watcher
        if existing is not None:
            return existing
        opened = self._open()
        with self._lock:
            if self._watcher is None:
                self._watcher = opened
                return opened
            existing = self._watcher
        self._shut(opened)
        return existing

    def unwatch(self) -> None:
        """Closes the watcher; the next `watcher()` opens a new one. For the watcher's own thread,
        or at close."""
        with self._lock:
            self._leave_parents()
            watcher, self._watcher = self._watcher, None
        if watcher is not None:
            self._shut(watcher)

    def close_idle(self) -> None:
        with self._lock:
            self._leave_parents()
            idle, self._idle = self._idle, []
        for connection in idle:
            self._shut(connection)

    def close(self) -> None:
        self.close_idle()
        self.unwatch()

    def _open(self) -> C:
        with self._lock:
            alone = not self.open_now
            self.open_now += 1
        try:
            return self._connect(alone)
        except BaseException:
            with self._lock:
                self.open_now -= 1
            raise

    def _give_back(self, connection: C) -> None:
        if self._reset(connection):
            with self._lock:
                if len(self._idle) < KEPT_OPEN:
                    self._idle.append(connection)
                    return
        self._shut(connection)

    def _shut(self, connection: C) -> None:
        self._shut_one(connection)
        with self._lock:
            self.open_now -= 1
