"""Wakes watchers when a stream grows.

Events of this process are signalled at once; those of others are found by polling the database.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from scorer.store import NEWEST, StoreError
from scorer.store.sql_store import Store

POLL: Final = 0.05
"""Seconds between two polls."""


@dataclass(slots=True)
class _StreamWatch:
    length: int = -1
    """Number of events, -1 if unknown."""
    waiting_conditions: set[threading.Condition] = field(default_factory=set)
    """The conditions of its watchers; one watcher may wait for several streams."""


class Hub:
    """The watchers of one process.

    :param waits: False where blocking is impossible: live streams then end after the current state
    """

    def __init__(self, store: Store, waits: bool = True) -> None:
        self._store, self.waits = store, waits
        self._lock = threading.RLock()
        self._streams: dict[str, _StreamWatch] = {}
        self._poller: threading.Thread | None = None
        self.closed = False

    def changed(self, stream: str, length: int) -> None:
        """Signal that `stream` now has `length` events."""
        with self._lock:
            watched = self._streams.get(stream)
            if watched is not None and length > watched.length:
                watched.length = length
                for condition in watched.waiting_conditions:
                    condition.notify()

    def read_length(self, stream: str) -> int:
        """The number of events of `stream`; its watchers are woken if it is new.

        :raises StoreError: the database cannot be read
        """
        length = self._store.length(stream)
        self.changed(stream, length)
        return length

    def wait(self, lengths: Mapping[str, int], timeout: float) -> bool:
        """Wait until one of these streams has more events than `lengths` says.

        :returns: whether one has; False after `timeout` seconds or when the hub closes
        :raises StoreError: the database cannot be read
        """
        condition = threading.Condition(self._lock)
        with self._lock:
            watched = {stream: self._join(stream, condition) for stream in lengths}
            unknown = [stream for stream, watch in watched.items() if watch.length < 0]

        def has_grown() -> bool:
            return any(watch.length > lengths[stream] for stream, watch in watched.items())

        try:
            # Read after joining, so that no event is missed, and without the lock: a slow
            # database must not block `has_grown`.
            for stream in unknown:
                self.read_length(stream)
            with self._lock:
                condition.wait_for(lambda: self.closed or has_grown(), timeout)
                return has_grown() and not self.closed
        finally:
            with self._lock:
                for stream, watch in watched.items():
                    watch.waiting_conditions.remove(condition)
                    if not watch.waiting_conditions:
                        self._streams.pop(stream, None)

    def _wake_all(self) -> None:
        with self._lock:
            for watched in self._streams.values():
                for condition in watched.waiting_conditions:
                    condition.notify()

    def _join(self, stream: str, condition: threading.Condition) -> _StreamWatch:
        watched = self._streams.setdefault(stream, _StreamWatch())
        watched.waiting_conditions.add(condition)
        if self._poller is None:
            # Started by the first watcher, so after any fork.
            self._poller = threading.Thread(target=self._poll, name="live", daemon=True)
            self._poller.start()
        return watched

    def _poll(self) -> None:
        """Poll for events of other processes while there are watchers."""
        token: object = None
        position: int | None = None
        while self._has_watchers():
            # Watchers ignore a failing database; writers report it.
            with contextlib.suppress(StoreError):
                new_token = self._store.changes()
                if new_token != token:
                    if position is None:
                        position, _ = self._store.grown_streams(NEWEST)
                        # Events since the first watcher joined.
                        for stream in self._watched_streams():
                            self.read_length(stream)
                    else:
                        position, lengths = self._store.grown_streams(position)
                        for stream, length in lengths.items():
                            self.changed(stream, length)
                token = new_token
            time.sleep(POLL)
        if self.closed:
            # `closed` may be set by a signal handler, which cannot notify.
            self._wake_all()

    def _watched_streams(self) -> list[str]:
        with self._lock:
            return list(self._streams)

    def _has_watchers(self) -> bool:
        with self._lock:
            has_watchers = bool(self._streams) and not self.closed
            if not has_watchers:
                self._poller = None
            return has_watchers


def yield_to_others() -> None:
    """Let other greenlets of the worker run between two pieces of long work."""
    time.sleep(0.005)
