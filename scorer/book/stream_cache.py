"""A cache of replayed streams, each continued by one event at a time.

A cached state never changes, so readers need no lock. Recording continues a copy of it, which
replaces it in the cache after the event is stored.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, Generic, Protocol, Self, TypeVar
from weakref import WeakValueDictionary

from scorer.store import (
    Appended,
    IdempotencyKeyReused,
    NewStream,
    Stale,
    Stored,
    Stream,
    StreamKeyTaken,
    Unavailable,
)
from scorer.store.hash_chain import ERASURE
from scorer.store.sql_store import Store

MAX_APPEND_TRIES: Final = 20
"""How often an append is repeated if other processes were faster or a new key exists already."""
CACHE_SIZE: Final = 40_000
"""Limit of events in one cache; an event takes about 2 KB. Every stream counts as
`COST_PER_STREAM` extra events."""
COST_PER_STREAM: Final = 10
"""Added to a stream's cost: to its events in the cache, or to its steps in a replay."""
MAX_COST_PER_READ: Final = CACHE_SIZE
"""Default limit of replay steps of one `current_within`."""
READ_BATCH: Final = 5_000
"""Limit of events read at once, before their steps are counted. A longer stream is read whole."""


class StreamState(Protocol):
    """The state of a stream after some of its events."""

    @property
    def recorded(self) -> Sequence[Mapping[str, Any]]:
        """The events as stored."""

    @property
    def replay_cost(self) -> int:
        """Number of steps that a replay of the events takes."""

    def after(self, events: Iterable[Mapping[str, Any]], /) -> Self:
        """The stream after more events; this value is unchanged.

        :raises Illegal: an event is refused
        """

    def with_stored_event(self, data: Mapping[str, Any], /) -> Self:
        """A copy whose newest event is the stored version."""


def version_tag(state: StreamState) -> str:
    """The hash of the newest event, which identifies a state of a stream.

    The number of events is not enough, because a phone's events may be replaced by a server's.
    """
    return str(state.recorded[-1].get("hash", len(state.recorded))) if state.recorded else ""


StateT = TypeVar("StateT", bound=StreamState)


@dataclass(frozen=True, slots=True)
class EventToAppend:
    """An event to record and the streams to open with it, in one transaction."""

    body: Mapping[str, Any]
    streams_to_open: Mapping[str, Sequence[NewStream]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class _AppendRequest(Generic[StateT]):
    """What `append_composed` was asked to record."""

    stream: str
    compose: Callable[[StateT], EventToAppend]
    idempotency_key: str
    by: str
    body: Mapping[str, Any] | None


OnChange = Callable[[str, int], object]
"""Callback: a stream now has so many events."""


def ignore_change(stream: str, length: int) -> None:
    """An `OnChange` that does nothing."""


class StreamCache(Generic[StateT]):
    """The states of one store's streams.

    :param initial_state: returns a stream's state before its first event
    :param on_change: called after each event that is recorded or repeated
    :param max_events: limit of cached events, of all streams together
    """

    def __init__(
        self,
        store: Store,
        initial_state: Callable[[Stream], StateT],
        on_change: OnChange = ignore_change,
        max_events: int = CACHE_SIZE,
    ) -> None:
        self._store = store
        self._initial_state = initial_state
        self._on_change = on_change
        self._max_events = max_events
        self._cached_states: OrderedDict[str, StateT] = OrderedDict()
        self._cached_events = 0
        self._lock = threading.Lock()
        """Guards `_cached_states`, `_cached_events` and `_writers`; never held during I/O."""
        self._writers: WeakValueDictionary[str, _WriterLock] = WeakValueDictionary()
        """Writer locks in use, by stream."""

    def current(self, stream: str) -> StateT:
        """The stream's current state, including events of other processes.

        :raises UnknownStream: there is none
        """
        return self.current_all([stream])[stream]

    def current_all(self, streams: Collection[str]) -> dict[str, StateT]:
        """The current states of several streams by id, with at most three queries.

        :raises UnknownStream: one does not exist
        """
        with self._lock:
            cached = {stream: self._cached_states.get(stream) for stream in streams}
        states = {stream: state for stream, state in cached.items() if state is not None}
        lengths = {stream: len(state.recorded) for stream, state in states.items()}
        new_events = self._store.events_after(lengths) if lengths else {}
        # After an erasure, cached states may still hold the name, so they are not continued.
        to_reread = [
            s for s in cached if s not in states or any(map(_is_erasure, new_events.get(s, ())))
        ]
        reread = self._store.read_streams(to_reread) if to_reread else {}
        for stream, (head, events) in reread.items():
            states[stream], new_events[stream] = self._initial_state(head), events
        return {
            stream: self._cache(stream, _with_new_events(state, new_events.get(stream, ())))
            for stream, state in states.items()
        }

    def current_within(
        self,
        streams: Collection[str],
        max_cost: int = MAX_COST_PER_READ,
        max_batch: int = READ_BATCH,
    ) -> dict[str, StateT]:
        """The states of the streams, in order, until their replays take `max_cost` steps.

        The last batch may exceed the limit. Streams after it are not in the result.

        :param max_batch: limit of events read before their steps are counted
        :raises UnknownStream: one does not exist
        """
        states: dict[str, StateT] = {}
        for batch in _batches(self._store.lengths(streams), max_cost, max_batch):
            if sum(map(_replay_cost, states.values())) >= max_cost:
                break
            read = self.current_all(batch)
            states |= {stream: read[stream] for stream in batch}
        return states

    def append_body(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: str,
        by: str,
        expected: int | None = None,
        precondition: Callable[[StateT], None] | None = None,
    ) -> tuple[Appended, StateT]:
        """Record one event; return the stored event and the stream with it.

        An `idempotency_key` records one event only.

        :param expected: required number of events, None for any
        :param precondition: raises if the stream's state refuses a new event
        :raises Illegal: the event is refused
        :raises Stale: the stream has another number of events
        :raises IdempotencyKeyReused: `idempotency_key` has recorded another event
        :raises StoreError: it could not be stored
        """

        def compose(state: StateT) -> EventToAppend:
            if expected is not None and expected != len(state.recorded):
                raise Stale(len(state.recorded))
            if precondition is not None:
                precondition(state)
            return EventToAppend(body)

        return self.append_composed(
            stream, compose, idempotency_key=idempotency_key, by=by, body=body
        )

    def append_composed(
        self,
        stream: str,
        compose: Callable[[StateT], EventToAppend],
        *,
        idempotency_key: str,
        by: str,
        body: Mapping[str, Any] | None = None,
    ) -> tuple[Appended, StateT]:
        """Record what `compose` returns for the stream's current state.

        If `idempotency_key` has already recorded an event, returns that event. Raises whatever
        `compose` raises on the current state.

        :param body: the body that `idempotency_key` must have recorded, None for any
        :raises IdempotencyKeyReused: `idempotency_key` has recorded another body
        """
        request = _AppendRequest(stream, compose, idempotency_key, by, body)
        with self._writer_lock(stream):
            # Try the cached state first: it is usually current.
            with self._lock:
                cached = self._cached_states.get(stream)
            result = None if cached is None else self._append_to_cached(request, cached)
            tries = 0
            while result is None:
                if tries == MAX_APPEND_TRIES:
                    raise Unavailable("locked", may_be_recorded=True)
                result = self._append_to_current(request)
                tries += 1
        appended, state = result
        self._on_change(stream, len(state.recorded))
        return appended, state

    def _append_to_current(self, request: _AppendRequest[StateT]) -> tuple[Appended, StateT] | None:
        """Append to the current state; return None if another process was faster."""
        if (repeated := self._find_appended(request)) is not None:
            return repeated
        with failures_leave_recording_unsure():
            current = self.current(request.stream)
        return self._append(request, *_apply(current, request.compose))

    def _append_to_cached(
        self, request: _AppendRequest[StateT], cached: StateT
    ) -> tuple[Appended, StateT] | None:
        """Append to the cached state; return None if the current one must be read."""
        try:
            to_append, next_state = _apply(cached, request.compose)
        except Exception:
            # The cached state may be outdated, or the event already recorded. The second attempt,
            # on the current state, raises any other error again.
            return None
        try:
            return self._append(request, to_append, next_state)
        except Unavailable as error:
            # Nothing was written now, but an earlier request may have recorded it.
            if error.may_be_recorded or (repeated := self._find_appended(request)) is None:
                raise
            return repeated

    def _find_appended(self, request: _AppendRequest[StateT]) -> tuple[Appended, StateT] | None:
        """The event that the request has already recorded and the current state, or None.

        :raises IdempotencyKeyReused: its key has recorded another body
        """
        with failures_leave_recording_unsure():
            stored = self._store.find_recorded(
                request.stream, request.idempotency_key, request.body
            )
            if stored is None:
                return None
            return Appended(stored, False), self.current(request.stream)

    def _append(
        self, request: _AppendRequest[StateT], to_append: EventToAppend, next_state: StateT
    ) -> tuple[Appended, StateT] | None:
        """Record the last event of `next_state`; None if it must be retried."""
        stream = request.stream
        try:
            appended = self._store.append(
                stream,
                to_append.body,
                idempotency_key=request.idempotency_key,
                by=request.by,
                expected=len(next_state.recorded) - 1,
                opens=to_append.streams_to_open,
            )
        except (Stale, IdempotencyKeyReused, StreamKeyTaken):
            # The stream has moved on, or a key is taken. Retry on the current state.
            return None
        if not appended.is_new:
            with failures_leave_recording_unsure():
                return appended, self.current(stream)
        return appended, self._cache(stream, next_state.with_stored_event(appended.stored.event))

    def drop_cached(self, stream: str) -> None:
        """Drop a stream from the cache, because its stored events were replaced."""
        with self._lock:
            if (state := self._cached_states.pop(stream, None)) is not None:
                self._cached_events -= _cache_cost(state)

    @contextmanager
    def _writer_lock(self, stream: str) -> Iterator[None]:
        """The lock of a stream's writers in this process. Never held for two streams at
        once."""
        with self._lock:
            writer = self._writers.setdefault(stream, _WriterLock())
        with self._store.waiting() as deadline:
            if not writer.lock.acquire(timeout=max(0, deadline - time.monotonic())):
                raise Unavailable("locked", may_be_recorded=True)
            try:
                yield
            finally:
                writer.lock.release()

    def _cache(self, stream: str, state: StateT) -> StateT:
        """Cache `state` unless a newer one is cached."""
        with self._lock:
            cached = self._cached_states.get(stream)
            if cached is None or len(cached.recorded) < len(state.recorded):
                replaced_cost = 0 if cached is None else _cache_cost(cached)
                self._cached_events += _cache_cost(state) - replaced_cost
                self._cached_states[stream] = state
            self._cached_states.move_to_end(stream)
            while self._cached_events > self._max_events and len(self._cached_states) > 1:
                _, oldest = self._cached_states.popitem(last=False)
                self._cached_events -= _cache_cost(oldest)
        return state


class _WriterLock:
    """A lock that a `WeakValueDictionary` can hold."""

    def __init__(self) -> None:
        self.lock = threading.Lock()


def _is_erasure(stored: Stored) -> bool:
    return stored.event.get("do") == ERASURE


def _with_new_events(state: StateT, new_events: Sequence[Stored]) -> StateT:
    return state.after(stored.event for stored in new_events) if new_events else state


def _apply(
    state: StateT, compose: Callable[[StateT], EventToAppend]
) -> tuple[EventToAppend, StateT]:
    """The event to append, and the state after it."""
    to_append = compose(state)
    return to_append, state.after([to_append.body])


@contextmanager
def failures_leave_recording_unsure() -> Iterator[None]:
    """Mark `Unavailable` of this block as unsure, because the event may already be recorded."""
    try:
        yield
    except Unavailable as error:
        raise Unavailable(error.reason, may_be_recorded=True) from error


def _batches(lengths: Mapping[str, int], max_cost: int, max_batch: int) -> Iterator[list[str]]:
    """Split the streams into batches that cost at most `max_batch`. Stop before the total exceeds
    `max_cost`, but always yield one stream. A stream costs its events and `COST_PER_STREAM`.

    >>> [*_batches({"a": 6_000, "b": 3_000, "c": 10, "d": 9_000}, 12_000, 8_000)]
    [['a'], ['b', 'c']]
    """
    batch, batch_cost, total = list[str](), 0, 0
    for stream, length in lengths.items():
        cost = COST_PER_STREAM + length
        total += cost
        is_first = cost == total
        if not is_first and total > max_cost:
            break
        if batch and batch_cost + cost > max_batch:
            yield batch
            batch, batch_cost = [], 0
        batch.append(stream)
        batch_cost += cost
    if batch:
        yield batch


def _replay_cost(state: StreamState) -> int:
    return COST_PER_STREAM + state.replay_cost


def _cache_cost(state: StreamState) -> int:
    return COST_PER_STREAM + len(state.recorded)
