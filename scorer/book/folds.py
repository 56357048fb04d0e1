"""Streams folded once and then only gone on with, one event at a time.

What is handed out is a value: nobody changes it, so whoever reads it needs no lock and holds up
nobody. What is recorded gives another value, which takes the old one's place once it is stored.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any, Final, Generic, Protocol, Self, TypeVar
from weakref import WeakValueDictionary

from scorer.store import Appended, KeyReused, KeyTaken, Opening, Stale, Stored, Stream, Unavailable
from scorer.store.hash_chain import ERASURE
from scorer.store.sql_store import Store

TRIES: Final = 20
"""How often an event is judged anew because another process was quicker."""
MOST: Final = 40_000
"""Events a process holds folded; some 2 KB each."""
BASE: Final = 10
"""What a stream costs beside its events, in events."""
MOST_READ: Final = MOST
"""Steps that folding the streams beside its own may take for one request: what one reads may stay
folded for the next."""
AT_ONCE: Final = 5_000
"""Events that are read at once."""


class Fold(Protocol):
    """A stream as far as it was read."""

    @property
    def recorded(self) -> Sequence[Mapping[str, Any]]:
        """The events, as they are stored."""

    @property
    def folded(self) -> int:
        """The steps that folding its events takes."""

    def after(self, events: Iterable[Mapping[str, Any]], /) -> Self:
        """The stream after more events; this one stays as it is.

        :raises Illegal: one cannot be
        """

    def stored(self, data: Mapping[str, Any], /) -> Self:
        """The same with its newest event as the store has it."""


def mark(fold: Fold) -> str:
    """What tells this state from any other the stream ever stood in: its newest event's hash.

    The number of events does not: a phone's may be replaced by as many of a server's.
    """
    return str(fold.recorded[-1].get("hash", len(fold.recorded))) if fold.recorded else ""


F = TypeVar("F", bound=Fold)


@dataclass(frozen=True, slots=True)
class Command:
    """What is to be recorded, with the streams it opens: all of it or nothing."""

    body: Mapping[str, Any]
    opens: Mapping[str, Sequence[Opening]] = field(default_factory=dict)


Moved = Callable[[str, int], object]
"""Hears that a stream now has so many events."""


def ignore_news(stream: str, length: int) -> None:
    """Nobody watches."""


class Folds(Generic[F]):
    """The folded streams of one store.

    :param start: a stream's fold before its first event
    :param moved: hears of whatever is recorded here
    :param most: how many events a process holds folded, of all streams together
    """

    def __init__(
        self,
        store: Store,
        start: Callable[[Stream], F],
        moved: Moved = ignore_news,
        most: int = MOST,
    ) -> None:
        self._store, self._start, self._moved, self._most = store, start, moved, most
        self._newest: OrderedDict[str, F] = OrderedDict()
        self._held = 0
        """The size of all in `_newest`."""
        self._lock = threading.Lock()
        """Held while `_newest` is looked at, and nothing else is asked then."""
        self._writers: WeakValueDictionary[str, _Writer] = WeakValueDictionary()
        """The streams that are written to, or waited for, in this process."""

    def reading(self, stream: str) -> F:
        """The stream as it now is: a value, which stays as it is.

        What other processes appended is caught up with, so any of them may answer.

        :raises UnknownStream: there is none
        """
        return self.reading_all([stream])[stream]

    def reading_all(self, streams: Collection[str]) -> dict[str, F]:
        """Streams as they now are, by their ids: at most three statements, however many they are.

        :raises UnknownStream: one is not there
        """
        with self._lock:
            known = {stream: self._newest.get(stream) for stream in streams}
        held = {stream: fold for stream, fold in known.items() if fold is not None}
        lengths = {stream: len(fold.recorded) for stream, fold in held.items()}
        missed = self._store.events_behind(lengths) if lengths else {}
        # What was read before an erasure has a name in it, if only in the head.
        anew = [s for s in known if s not in held or any(map(_is_erasure, missed.get(s, ())))]
        for stream, (head, events) in (self._store.whole(anew) if anew else {}).items():
            held[stream], missed[stream] = self._start(head), events
        return {
            stream: self._publish(stream, _caught_up(fold, missed.get(stream, ())))
            for stream, fold in held.items()
        }

    def reading_within(
        self, streams: Collection[str], most: int = MOST_READ, at_once: int = AT_ONCE
    ) -> dict[str, F]:
        """As many streams, in their order, as fold in `most` steps; the last may go beyond.

        :param at_once: how many events are read before their steps are counted
        :raises UnknownStream: one is not there
        """
        found: dict[str, F] = {}
        for part in _affordable(self._store.lengths(streams), most, at_once):
            if sum(map(_cost, found.values())) >= most:
                break
            read = self.reading_all(part)
            found |= {stream: read[stream] for stream in part}
        return found

    def record(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int | None = None,
        allowed: Callable[[F], None] | None = None,
    ) -> tuple[Appended, F]:
        """Record one event exactly once; returns what is stored and the stream with it.

        :param expected: how many events the caller had seen, or None not to care
        :param allowed: raises where the stream as it then is does not take a new event
        :raises Illegal: it cannot be
        :raises Stale: the stream has moved on since
        :raises KeyReused: `key` has recorded another event
        :raises StoreError: it could not be stored
        """

        def said(fold: F) -> Command:
            if expected is not None and expected != len(fold.recorded):
                raise Stale(len(fold.recorded))
            if allowed is not None:
                allowed(fold)
            return Command(body)

        done, fold = self.compose(stream, said, key=key, by=by)
        if not done.fresh:
            # Only the store knows what was said then.
            with unsure():
                self._store.append(stream, body, key=key, by=by)
        return done, fold

    def compose(
        self, stream: str, say: Callable[[F], Command], *, key: str, by: str
    ) -> tuple[Appended, F]:
        """Record exactly once what `say` makes of the stream as it is then.

        What it raises is the caller's. Whatever `key` has recorded before is the answer.
        """
        done, fold = self._composed(stream, say, key=key, by=by)
        self._moved(stream, len(fold.recorded))
        return done, fold

    def _composed(
        self, stream: str, say: Callable[[F], Command], *, key: str, by: str
    ) -> tuple[Appended, F]:
        with self._turn(stream):
            for attempt in (self._at_once, *repeat(self._anew, TRIES)):
                if (done := attempt(stream, say, key=key, by=by)) is not None:
                    return done
        raise Unavailable("locked", sure=False)

    def _at_once(
        self, stream: str, say: Callable[[F], Command], *, key: str, by: str
    ) -> tuple[Appended, F] | None:
        """Record by what is held, which mostly is the newest; None where it may not be."""
        with self._lock:
            fold = self._newest.get(stream)
        if fold is None:
            return None
        try:
            said, ahead = _ahead(fold, say)
        except Exception:
            # Nobody is refused by what may be old, or for what was recorded when first sent.
            return None
        try:
            return self._append(stream, said, ahead, key=key, by=by)
        except Unavailable as error:
            # It may be sure of this time, but not of when this was first sent.
            if not error.sure or (known := self._known(stream, key)) is None:
                raise
            return known

    def _anew(
        self, stream: str, say: Callable[[F], Command], *, key: str, by: str
    ) -> tuple[Appended, F] | None:
        """Record by what is true now; None where somebody was quicker again."""
        if (known := self._known(stream, key)) is not None:
            return known
        with unsure():
            fold = self.reading(stream)
        return self._append(stream, *_ahead(fold, say), key=key, by=by)

    def _known(self, stream: str, key: str) -> tuple[Appended, F] | None:
        """What `key` has recorded, and the stream as it now is."""
        with unsure():
            stored = self._store.recorded(stream, key)
            return None if stored is None else (Appended(stored, False), self.reading(stream))

    def _append(
        self, stream: str, said: Command, ahead: F, *, key: str, by: str
    ) -> tuple[Appended, F] | None:
        """Record what `ahead` has come to; None where the stream has moved on since."""
        seen = len(ahead.recorded) - 1
        try:
            done = self._store.append(
                stream, said.body, key=key, by=by, expected=seen, opens=said.opens
            )
        except (Stale, KeyReused, KeyTaken):
            # Another process was quicker: judge anew by what is true now.
            return None
        if not done.fresh:
            with unsure():
                return done, self.reading(stream)
        return done, self._publish(stream, ahead.stored(done.stored.event))

    def forget(self, stream: str) -> None:
        """Fold `stream` anew when it is next asked for: what is stored of it was replaced."""
        with self._lock:
            if (fold := self._newest.pop(stream, None)) is not None:
                self._held -= _size(fold)

    @contextmanager
    def _turn(self, stream: str) -> Iterator[None]:
        """One writer of this process at a time to each stream, in the order they came; whoever
        writes to one asks for no other then."""
        with self._lock:
            writer = self._writers.setdefault(stream, _Writer())
        with self._store.waiting() as until:
            if not writer.lock.acquire(timeout=max(0, until - time.monotonic())):
                raise Unavailable("locked", sure=False)
            try:
                yield
            finally:
                writer.lock.release()

    def _publish(self, stream: str, fold: F) -> F:
        """Hold `fold` for the next reader, unless somebody read further meanwhile."""
        with self._lock:
            known = self._newest.get(stream)
            if known is None or len(known.recorded) < len(fold.recorded):
                self._held += _size(fold) - (0 if known is None else _size(known))
                self._newest[stream] = fold
            self._newest.move_to_end(stream)
            while self._held > self._most and len(self._newest) > 1:
                _, oldest = self._newest.popitem(last=False)
                self._held -= _size(oldest)
        return fold


class _Writer:
    """Held by whoever writes to one stream; gone when nobody does or waits to."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


def _is_erasure(stored: Stored) -> bool:
    return stored.event.get("do") == ERASURE


def _caught_up(fold: F, missed: Sequence[Stored]) -> F:
    """`fold` with the events it has missed."""
    return fold.after(stored.event for stored in missed) if missed else fold


def _ahead(fold: F, say: Callable[[F], Command]) -> tuple[Command, F]:
    """What is to be recorded, and the stream with it."""
    said = say(fold)
    return said, fold.after([said.body])


@contextmanager
def unsure() -> Iterator[None]:
    """What fails in here leaves open whether the event was recorded, now or when sent before."""
    try:
        yield
    except Unavailable as error:
        raise Unavailable(error.reason, sure=False) from error


def _affordable(lengths: Mapping[str, int], most: int, at_once: int) -> Iterator[list[str]]:
    """The first streams that have up to `most` events, one at least, in parts of up to `at_once`.

    >>> [*_affordable({"a": 6_000, "b": 3_000, "c": 10, "d": 9_000}, 12_000, 8_000)]
    [['a'], ['b', 'c']]
    """
    part, size, whole = list[str](), 0, 0
    for stream, length in lengths.items():
        cost = BASE + length
        whole += cost
        if cost < whole > most:
            break
        if part and size + cost > at_once:
            yield part
            part, size = [], 0
        part.append(stream)
        size += cost
    if part:
        yield part


def _cost(fold: Fold) -> int:
    """The steps that folding a stream takes."""
    return BASE + fold.folded


def _size(fold: Fold) -> int:
    """What a fold costs to hold, in events."""
    return BASE + len(fold.recorded)
