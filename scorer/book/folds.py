"""Streams folded once and then only moved on, one event at a time.

What other processes appended is caught up with before each use, so any of them may answer.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Generic, Protocol, TypeVar

from scorer.store import Appended, Stale, Store, Stream


class Fold(Protocol):
    """A stream as far as this process has read it."""

    stream: str
    lock: threading.RLock

    @property
    def seq(self) -> int:
        """How many events are recorded."""

    def push(self, event: Mapping[str, Any]) -> None:
        """One more event; raises where it cannot be, and then nothing has changed."""

    def kept(self, event: Mapping[str, Any]) -> None:
        """The newest event as the store keeps it, with its time, writer and hash."""

    def forget(self) -> None:
        """Back to the start; the next reader folds anew."""


F = TypeVar("F", bound=Fold)


class Folds(Generic[F]):
    """The folded streams of one store.

    :param start: a stream's fold before its first event
    :param most: how many a process keeps
    """

    def __init__(self, store: Store, start: Callable[[Stream], F], most: int) -> None:
        self._store, self._start, self._most = store, start, most
        self._kept: OrderedDict[str, F] = OrderedDict()
        self._lock = threading.Lock()

    @contextmanager
    def reading(self, stream: str) -> Iterator[F]:
        """The stream as it now is, kept still while it is read."""
        fold = self.open(stream)
        with fold.lock:
            self.catch_up(fold)
            yield fold

    def record(
        self,
        fold: F,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int | None = None,
    ) -> Appended:
        """Record one event exactly once; the fold has it then.

        :param expected: how many events the caller had seen, or None not to care
        :raises Stale: the stream has moved on since
        :raises StoreError: it could not be kept; nothing is recorded
        """
        stream = fold.stream
        with fold.lock:
            while True:
                self.catch_up(fold)
                if self._store.recorded(stream, key) is not None:
                    known = self._store.append(stream, body, key=key, by=by)
                    # Another process may have recorded it since the last look.
                    self.catch_up(fold)
                    return known
                if expected is not None and expected != fold.seq:
                    raise Stale(fold.seq)
                try:
                    return self.append(fold, body, key=key, by=by)
                except Stale:
                    # Another process was quicker: judge the event anew by what is true now.
                    continue

    def append(self, fold: F, body: Mapping[str, Any], *, key: str, by: str) -> Appended:
        """Fold `body` and keep it as the next event.

        :raises Stale: another process appended meanwhile
        """
        seq = fold.seq
        fold.push(body)
        try:
            done = self._store.append(fold.stream, body, key=key, by=by, expected=seq)
        except BaseException:
            # The fold is ahead of what is kept.
            fold.forget()
            raise
        if done.fresh:
            fold.kept(done.stored.event)
        else:
            # Another process was quicker with the same key: what was folded here is not there.
            fold.forget()
            self.catch_up(fold)
        return done

    def catch_up(self, fold: F) -> None:
        """Fold what was appended since the last look."""
        for stored in self._store.events(fold.stream, after=fold.seq):
            fold.push(stored.event)

    def open(self, stream: str) -> F:
        """The stream as far as this process has read it; to be locked before it is looked at.

        :raises UnknownStream: there is none
        """
        with self._lock:
            fold = self._kept.get(stream)
            if fold is not None:
                self._kept.move_to_end(stream)
                return fold
        fold = self._start(self._store.stream(stream))
        with self._lock:
            fold = self._kept.setdefault(stream, fold)
            while len(self._kept) > self._most:
                self._kept.popitem(last=False)
        return fold
