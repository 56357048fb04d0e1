"""Tells everyone who watches a stream that it moved.

Watchers wait here for a stream to grow past what they have seen. Appends of this process are
told at once; those of others are noticed by asking the database whether it changed at all.
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
"""Seconds between two questions to the database."""


@dataclass(slots=True)
class _Watched:
    length: int = -1
    """How many events it has; -1 while nobody knows."""
    news: set[threading.Condition] = field(default_factory=set)
    """Those who wait for it; who waits for several streams is among each one's."""


class Hub:
    """The watchers of one process.

    :param waits: False where nothing may block: a stream then tells what stands and ends
    """

    def __init__(self, store: Store, waits: bool = True) -> None:
        self._store, self.waits = store, waits
        self._lock = threading.RLock()
        self._streams: dict[str, _Watched] = {}
        self._poller: threading.Thread | None = None
        self.closed = False

    def moved(self, stream: str, length: int) -> None:
        """Say that `stream` now has `length` events."""
        with self._lock:
            watched = self._streams.get(stream)
            if watched is not None and length > watched.length:
                watched.length = length
                for news in watched.news:
                    news.notify()

    def look(self, stream: str) -> int:
        """How many events `stream` has; those who wait for it hear of it too.

        :raises StoreError: it cannot be asked
        """
        length = self._store.length(stream)
        self.moved(stream, length)
        return length

    def wait(self, seen: Mapping[str, int], timeout: float) -> bool:
        """Wait until one of these streams has more events than were seen of it.

        :returns: whether one has; False after `timeout` seconds or when the hub closes
        :raises StoreError: one cannot be asked
        """
        news = threading.Condition(self._lock)
        with self._lock:
            watched = {stream: self._join(stream, news) for stream in seen}
            unknown = [stream for stream, watch in watched.items() if watch.length < 0]

        def moved() -> bool:
            return any(watch.length > seen[stream] for stream, watch in watched.items())

        try:
            # Asked once it is watched, so that nothing is missed, and without the lock: a
            # database that is away keeps nobody waiting who only says that a stream moved.
            for stream in unknown:
                self.look(stream)
            with self._lock:
                news.wait_for(lambda: self.closed or moved(), timeout)
                return moved() and not self.closed
        finally:
            with self._lock:
                for stream, watch in watched.items():
                    watch.news.remove(news)
                    if not watch.news:
                        self._streams.pop(stream, None)

    def close(self) -> None:
        """Let every watcher go. From then on the hub asks the store nothing: it may be closed."""
        self.closed = True
        self._let_go()
        with self._lock:
            poller = self._poller
        if poller is not None:
            poller.join()

    def _let_go(self) -> None:
        with self._lock:
            for watched in self._streams.values():
                for news in watched.news:
                    news.notify()

    def _join(self, stream: str, news: threading.Condition) -> _Watched:
        watched = self._streams.setdefault(stream, _Watched())
        watched.news.add(news)
        if self._poller is None:
            # Started by the first watcher, so in the worker that serves it, after any fork.
            self._poller = threading.Thread(target=self._poll, name="live", daemon=True)
            self._poller.start()
        return watched

    def _poll(self) -> None:
        """Notice what other processes appended, as long as anybody watches."""
        token, seq = -1, None
        while self._anybody():
            # A locked or broken database is told to whoever writes; watchers just wait on.
            with contextlib.suppress(StoreError):
                now = self._store.changes()
                if now != token:
                    if seq is None:
                        seq, _ = self._store.moved(NEWEST)
                        # What came between the first watcher's question and this look.
                        for stream in self._joined():
                            self.look(stream)
                    else:
                        seq, lengths = self._store.moved(seq)
                        for stream, length in lengths.items():
                            self.moved(stream, length)
                token = now
            time.sleep(POLL)
        if self.closed:
            # Told by a signal, which may wake nobody itself.
            self._let_go()

    def _joined(self) -> list[str]:
        with self._lock:
            return list(self._streams)

    def _anybody(self) -> bool:
        with self._lock:
            anybody = bool(self._streams) and not self.closed
            if not anybody:
                self._poller = None
            return anybody


def yield_to_others() -> None:
    """Let whoever else waits for this worker come between two pieces of long work."""
    time.sleep(0.005)
