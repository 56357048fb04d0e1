"""Streams, events and keys in SQL that SQLite and PostgreSQL both understand.

A database brings its connections (`Backend`) and its tables; all queries are here.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol

from scorer.store import (
    MAX_KEY_LENGTH,
    Access,
    Appended,
    Exists,
    IdempotencyKeyReused,
    NewStream,
    Seal,
    Stale,
    Stored,
    StoreError,
    Stream,
    StreamKeyTaken,
    Unavailable,
    UnknownStream,
    archive,
)
from scorer.store.database_copy import copy
from scorer.store.hash_chain import (
    ERASURE,
    HEAD_INDEX,
    RECEIVED,
    canonical_json,
    chain_entry,
    entry_hash,
    erasure_text,
    first_broken_entry,
    head_hash,
    starting_hash,
)
from scorer.store.keys import digest, new_stream_id, seal_key, unseal_key
from scorer.store.name_redaction import with_salt
from scorer.store.sql_inserts import (
    ERASED,
    INSERT_KEY,
    INSERT_STREAM,
    REPLACE_BOX,
    batches,
    placeholders,
    put_event,
)

OPERATOR: Final = "operator"
"""`by` of events that the server's operator causes."""


def utc_now() -> str:
    return utc_text(datetime.now(UTC))


def utc_text(time: datetime) -> str:
    """A time as entries have it, such as "2026-01-06T19:00:00.000Z"."""
    return time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RowExists(StoreError):
    """A row with this primary or unique key exists."""


Run = Callable[..., list[Any]]
"""Runs a statement with `?` placeholders and returns its rows.

:raises RowExists: a unique constraint fails
"""


class Backend(Protocol):
    """A database's connections. All methods may raise `Unavailable`."""

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        """The rows of one query."""

    def snapshot(self) -> AbstractContextManager[Run]:
        """A read transaction: all queries see one state."""

    def writing(self) -> AbstractContextManager[tuple[Run, bool]]:
        """A write transaction, committed as a whole or not at all, and whether its connection is
        new, so that the database may be another one.

        :raises Unavailable: without `may_be_recorded` if nothing was written
        """

    def changes(self) -> object:
        """A token that changes with every commit of any process."""

    def waiting(self) -> AbstractContextManager[float]:
        """A common deadline (monotonic clock) for all waits for writers in the block."""

    def close(self) -> None:
        """Close idle connections."""


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event that `Store.append` is to record."""

    stream: str
    body: Mapping[str, Any]
    idempotency_key: str
    by: str
    expected: int | None


class Store(ABC):
    """Append-only streams of events in a database, and the keys that open them.

    The column `seq` is an event's position in the database; `n` is its number in its stream, which
    pages and the API call `seq`.

    All methods may raise `Unavailable`.

    :param clock: returns the time of a new event
    """

    MAX_REMEMBERED: ClassVar[int] = 1024
    """Newest events by which a process recognizes its database: more than are written between two
    WAL checkpoints of SQLite."""

    def __init__(self, backend: Backend, clock: Callable[[], str]) -> None:
        self._backend, self._clock = backend, clock
        self._newest_hashes: list[tuple[int, str]] = []
        """(position, hash) of the newest events this process has seen, in order."""
        self._newest_lock = threading.Lock()
        self._was_replaced = False
        self.spend: Callable[[int], object] = _spend_nothing
        """Called before each commit with the bytes of the write; an exception rolls it back."""

    # Writes, and whether the database was replaced

    @contextmanager
    def _writing(self, stream: str | None = None) -> Iterator[Run]:
        """A write transaction in the database this process has read.

        :param stream: the one that no other writer may change meanwhile
        """
        with self._backend.writing() as (run, may_be_other):
            self._check_database(run, may_be_other)
            if stream is not None:
                self._lock(run, stream)
            sizes: list[int] = []
            yield with_size_count(run, sizes.append)
            self.spend(sum(sizes))

    @abstractmethod
    def _lock(self, run: Run, stream: str) -> None:
        """Keep other writers from a stream until the end of the transaction."""

    def _check_database(self, run: Run, may_be_other: bool) -> None:
        """Refuse a database that has replaced the one this process has read.

        :raises Unavailable: "replaced"
        """
        is_same = self._is_same_database(run) if may_be_other else self._has_newest(run)
        if self._was_replaced or not is_same:
            # Caches of this process are wrong for the new database: a new process must open it.
            self._was_replaced = True
            raise Unavailable("replaced")

    def _is_same_database(self, run: Run) -> bool:
        """Whether the events this process has seen are still in the database."""
        with self._newest_lock:
            newest_hashes = dict(self._newest_hashes)
        if not newest_hashes:
            return True
        hashes = dict(
            run(
                f"select seq, hash from events where seq in ({placeholders(newest_hashes)})",
                *newest_hashes,
            )
        )
        # An empty hash: erased since.
        return all(
            hashes.get(position) in (newest, "") for position, newest in newest_hashes.items()
        )

    def _has_newest(self, run: Run) -> bool:
        """A cheaper `_is_same_database` for each write; subclasses may compare the newest event."""
        return True

    def _remember(self, newest: Stored) -> None:
        noted = newest.position, newest.event["hash"]
        with self._newest_lock:
            index = bisect_left(self._newest_hashes, noted)
            if self._newest_hashes[index : index + 1] != [noted]:
                self._newest_hashes.insert(index, noted)
                del self._newest_hashes[: -self.MAX_REMEMBERED]

    def check_opened(self) -> None:
        """Check that the database is still the one that was opened.

        :raises Unavailable: "replaced"
        """
        if self._was_replaced:
            raise Unavailable("replaced")

    def can_reopen(self) -> bool:
        """Whether a new process may open the database that replaced this one."""
        return True

    def waiting(self) -> AbstractContextManager[float]:
        """A common deadline (monotonic clock) for all waits for writers in the block."""
        return self._backend.waiting()

    def close(self) -> None:
        self._backend.close()

    # Streams and events

    def create(self, kind: str, new_stream: NewStream) -> Stream:
        """Create a stream with its keys and first events.

        :raises StreamKeyTaken: one of its keys exists
        """
        with self._writing() as run:
            return self._create(run, kind, new_stream)

    def _create(self, run: Run, kind: str, new_stream: NewStream) -> Stream:
        stream_id = new_stream.id or new_stream_id()
        # Events from elsewhere are chained to the head without a new salt.
        head = dict(new_stream.head) if new_stream.events else with_salt(new_stream.head)
        stream = Stream(stream_id, kind, head, self._clock())
        run(INSERT_STREAM, stream.id, kind, canonical_json(stream.head), stream.created)
        self._grant(run, stream.id, new_stream.grants, new_stream.seals)
        previous = head_hash(stream.head)
        for n, event in enumerate(new_stream.events, 1):
            body = {name: value for name, value in event.items() if name != "hash"}
            previous = event.get("hash") or entry_hash(previous, body)
            put_event(run, stream.id, n, f"taken:{n}", body, {**body, "hash": previous})
        return stream

    def stream(self, stream: str) -> Stream:
        """:raises UnknownStream: there is none"""
        return _stream(self._backend.rows, stream)

    def read_streams(self, streams: Collection[str]) -> dict[str, tuple[Stream, list[Stored]]]:
        """Several streams with all their events in one snapshot, by id.

        :raises UnknownStream: one does not exist
        """
        sql = f"select id, kind, head, created from streams where id in ({placeholders(streams)})"
        with self._backend.snapshot() as run:
            heads = run(sql, *streams)
            events = self._events_after(run, dict.fromkeys(streams, 0))
        if missing := set(streams).difference(name for name, *_ in heads):
            raise UnknownStream(min(missing))
        return {
            name: (Stream(name, kind, json.loads(head), created), events.get(name, []))
            for name, kind, head, created in heads
        }

    def existing_streams(self, kind: str, streams: Collection[str]) -> set[str]:
        """Those of `streams` that exist and have this kind; erased ones have none."""
        if not streams:
            return set()
        sql = f"select id from streams where kind = ? and id in ({placeholders(streams)})"
        return {name for (name,) in self._backend.rows(sql, kind, *streams)}

    def append(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: str,
        by: str,
        expected: int | None = None,
        opens: Mapping[str, Sequence[NewStream]] | None = None,
    ) -> Appended:
        """Record `body` as the next event of `stream`, once per `idempotency_key`.

        :param expected: required length of the stream, None for any
        :param opens: streams to create by kind, in the same transaction as a new event
        :raises StreamKeyTaken: one of the new streams' keys exists
        :raises Stale: the stream has another length and `idempotency_key` is new
        :raises IdempotencyKeyReused: `idempotency_key` has recorded another body
        :raises UnknownStream: there is no such stream
        :raises ValueError: `idempotency_key` is empty, longer than 200 characters, or contains NUL
        """
        if not 0 < len(idempotency_key) <= MAX_KEY_LENGTH or "\0" in idempotency_key:
            raise ValueError(
                f"an idempotency key has 1 to {MAX_KEY_LENGTH} characters, none of them 0"
            )
        new_event = NewEvent(stream, body, idempotency_key, by, expected)
        if not opens:
            appended = self._append_single(new_event)
        else:
            with self._writing() as run:
                appended = self._append(run, new_event)
                for kind, new_streams in opens.items() if appended.is_new else ():
                    for new_stream in new_streams:
                        self._create(run, kind, new_stream)
        if appended.is_new:
            self._remember(appended.stored)
        return appended

    def _append_single(self, new_event: NewEvent) -> Appended:
        """`_append` in a transaction of its own."""
        with self._writing() as run:
            return self._append(run, new_event)

    def _append(self, run: Run, new_event: NewEvent) -> Appended:
        """:raises StoreError: as `append`"""
        repeated = _recorded_event(run, new_event.stream, new_event.idempotency_key, new_event.body)
        if repeated is not None:
            return Appended(repeated, False)
        n, previous = _length_and_hash(run, new_event.stream)
        if new_event.expected not in (None, n):
            raise Stale(n)
        previous = previous or head_hash(_stream(run, new_event.stream).head)
        event = chain_entry(previous, new_event.body, self._clock(), new_event.by)
        position = put_event(
            run, new_event.stream, n + 1, new_event.idempotency_key, new_event.body, event
        )
        return Appended(Stored(position, n + 1, event), True)

    def redact(
        self,
        stream: str,
        replace_name: Callable[[Mapping[str, Any]], dict[str, Any]],
        check: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None],
    ) -> Appended | None:
        """Replace the head and each event by `replace_name(entry)`, keeping the hashes, and
        append an erasure that lists the changed entries (`hash_chain`).

        :param check: raises if the new head and events are not allowed
        :returns: the erasure, or None if nothing changes
        :raises UnknownStream: there is no such stream
        """
        sql = "select seq, n, body, event from events where stream = ? order by n"
        with self._writing(stream) as run:
            before = _stream(run, stream).head
            rows = [(n, json.loads(b), json.loads(e)) for _, n, b, e in run(sql, stream)]
            head, events = replace_name(before), [replace_name(event) for _, _, event in rows]
            check(head, events)
            old = [event for _, _, event in rows]
            changed_entries = [
                erasure_text(index, event)
                for index, event in enumerate(events)
                if event != old[index]
            ]
            if head != before:
                changed_entries.append(erasure_text(HEAD_INDEX, head, starting_hash(before, old)))
            if not changed_entries:
                return None
            with self._allow_updates(run):
                run("update streams set head = ? where id = ?", canonical_json(head), stream)
                for (n, body, event), after in zip(rows, events, strict=True):
                    if after != event:
                        written = canonical_json(replace_name(body)), canonical_json(after)
                        where = "where stream = ? and n = ?"
                        run(f"update events set body = ?, event = ? {where}", *written, stream, n)
            erasure = {"do": ERASURE, "sealed": changed_entries}
            event = {**erasure, "at": self._clock(), "by": OPERATOR}
            event["hash"] = entry_hash(
                old[-1]["hash"] if old else starting_hash(before, old), event
            )
            n = len(old) + 1
            stored = Stored(put_event(run, stream, n, f"{ERASURE}:{n}", erasure, event), n, event)
        self._remember(stored)
        return Appended(stored, True)

    @abstractmethod
    def _allow_updates(self, run: Run) -> AbstractContextManager[None]:
        """Disable the append-only triggers in the block."""

    def find_recorded(
        self, stream: str, idempotency_key: str, body: Mapping[str, Any] | None = None
    ) -> Stored | None:
        """The event that `idempotency_key` has recorded in `stream`, or None.

        :param body: the body that it must have recorded, None for any
        :raises IdempotencyKeyReused: it has recorded another body
        """
        return _recorded_event(self._backend.rows, stream, idempotency_key, body)

    def recorded_idempotency_keys(self, stream: str, keys: Collection[str]) -> set[str]:
        if not keys:
            return set()
        sql = f"select key from events where stream = ? and key in ({placeholders(keys)})"
        return {key for (key,) in self._backend.rows(sql, stream, *keys)}

    def signatures_of_idempotency_keys(self, stream: str, beginnings: Collection[str]) -> set[str]:
        """The `by` of the events whose idempotency keys begin with one of `beginnings`."""
        range_conditions = " or ".join(["key >= ? and key < ?"] * len(beginnings))
        sql = f"select event from events where stream = ? and ({range_conditions})"
        ranges = ((text, text[:-1] + chr(ord(text[-1]) + 1)) for text in beginnings)
        rows = self._backend.rows(sql, stream, *chain.from_iterable(ranges))
        return {json.loads(event).get("by", "") for (event,) in rows}

    def events(self, stream: str, after: int = 0) -> list[Stored]:
        """The events of `stream` after its first `after`, in order."""
        sql = "select seq, n, event from events where stream = ? and n > ? order by n"
        rows = self._backend.rows(sql, stream, after)
        stored = [Stored(position, n, json.loads(event)) for position, n, event in rows]
        if stored:
            self._remember(stored[-1])
        return stored

    def events_after(self, lengths: Mapping[str, int]) -> dict[str, list[Stored]]:
        """For each stream, the events after its given length, in order; streams without any are
        left out."""
        return self._events_after(self._backend.rows, lengths) if lengths else {}

    def _events_after(self, run: Run, lengths: Mapping[str, int]) -> dict[str, list[Stored]]:
        pairs = ", ".join(["(?, ?)"] * len(lengths))
        sql = (
            f"with known (stream, n) as (values {pairs}) "
            "select events.stream, seq, events.n, event from known "
            "join events on events.stream = known.stream and events.n > known.n "
            "order by events.stream, events.n"
        )
        by_stream: dict[str, list[Stored]] = {}
        for stream, position, n, event in run(sql, *chain.from_iterable(lengths.items())):
            by_stream.setdefault(stream, []).append(Stored(position, n, json.loads(event)))
        if by_stream:
            self._remember(
                max((stored[-1] for stored in by_stream.values()), key=attrgetter("position"))
            )
        return by_stream

    def length(self, stream: str) -> int:
        return _length_and_hash(self._backend.rows, stream)[0]

    def lengths(self, streams: Collection[str]) -> dict[str, int]:
        """The number of events of each stream, in the given order; 0 for an unknown stream."""
        lengths = dict.fromkeys(streams, 0)
        for part in batches(lengths):
            sql = f"select stream, max(n) from events where stream in ({placeholders(part)}) "
            lengths.update(self._backend.rows(f"{sql} group by stream", *part))
        return lengths

    def streams(self, kind: str) -> list[str]:
        sql = "select id from streams where kind = ? order by created, id"
        return [stream for (stream,) in self._backend.rows(sql, kind)]

    # What has changed

    @abstractmethod
    def grown_streams(self, after: int) -> tuple[int, dict[str, int]]:
        """The position of the newest event, and the length of each stream that has grown after the
        position `after`. A stream may be reported twice, but is never missed."""

    def count(self) -> int:
        """The number of events in the database."""
        [(count,)] = self._backend.rows("select count(*) from events")
        return int(count)

    def changes(self) -> object:
        """A cheap token that changes with every write of any process."""
        return self._backend.changes()

    # Keys and seals

    def find(self, key: str) -> Access | None:
        sql = (
            "select stream, keys.role, boxes.role from keys left join boxes on holder = digest "
            "where digest = ? and revoked is null"
        )
        rows = self._backend.rows(sql, digest(key))
        if not rows:
            return None
        stream, role, _ = rows[0]
        return Access(stream, role, frozenset(name for *_, name in rows if name))

    def stream_of_revoked_key(self, key: str) -> str | None:
        """The stream that a key opened before it was revoked, or None."""
        sql = "select stream from keys where digest = ? and revoked is not null"
        rows = self._backend.rows(sql, digest(key))
        return rows[0][0] if rows else None

    def roles(self, stream: str) -> dict[str, bool]:
        """The roles of all keys that a stream ever had, and whether a key of the role is valid."""
        sql = "select role, count(*) - count(revoked) from keys where stream = ? group by role"
        return {role: bool(valid) for role, valid in self._backend.rows(sql, stream)}

    def use_times(self, key: str) -> list[str]:
        """When a key was made and its stream's newest event recorded, as far as it is known."""
        sql = (
            "select keys.created, event from keys left join events on events.stream = keys.stream "
            "where digest = ? order by n desc limit 1"
        )
        rows = self._backend.rows(sql, digest(key))
        newest = [json.loads(event) for _, event in rows if event]
        times = [event.get(RECEIVED) or event.get("at") for event in newest]
        return [created for created, _ in rows] + [time for time in times if time]

    def grant(
        self,
        stream: str,
        grants: Mapping[str, str],
        *,
        revoke: Collection[str] = (),
        seals: Collection[Seal] = (),
    ) -> None:
        """Revoke all keys of the roles in `revoke` and add new ones, in one transaction.

        :raises StreamKeyTaken: one of the new keys exists
        """
        sql = "update keys set revoked = ? where stream = ? and role = ? and revoked is null"
        with self._writing(stream) as run:
            for role in revoke:
                run(sql, self._clock(), stream, role)
            self._grant(run, stream, grants, seals)

    def _grant(
        self, run: Run, stream: str, grants: Mapping[str, str], seals: Collection[Seal]
    ) -> None:
        now = self._clock()
        try:
            for role, key in grants.items():
                run(INSERT_KEY, digest(key), stream, role, now, None)
        except RowExists:
            raise StreamKeyTaken from None
        for seal in seals:
            run(REPLACE_BOX, digest(seal.holder), seal.role, *seal_key(seal.key, seal.holder))

    def unseal(self, holder: str, role: str) -> str | None:
        """The key sealed for `holder` under `role`, or None."""
        sql = "select nonce, box from boxes where holder = ? and role = ?"
        rows = self._backend.rows(sql, digest(holder), role)
        return unseal_key(rows[0][0], rows[0][1], holder) if rows else None

    def unseal_all(self, holders: Collection[str]) -> dict[str, dict[str, str]]:
        """For each of `holders`, which are keys, the keys sealed for it, by role."""
        by_digest = {digest(holder): holder for holder in holders}
        unsealed: dict[str, dict[str, str]] = {holder: {} for holder in by_digest.values()}
        for part in batches(by_digest):
            sql = (
                f"select holder, role, nonce, box from boxes where holder in ({placeholders(part)})"
            )
            for holder_digest, role, nonce, box in self._backend.rows(sql, *part):
                unsealed[by_digest[holder_digest]][role] = unseal_key(
                    nonce, box, by_digest[holder_digest]
                )
        return unsealed

    def has_seals_of_role(self, role: str) -> bool:
        """Whether any key is sealed under this role."""
        return bool(self._backend.rows("select 1 from boxes where role = ? limit 1", role))

    def streams_holding(self, role: str) -> list[str]:
        """The streams whose keys have a key of this role sealed for them."""
        sql = "select distinct stream from boxes join keys on holder = digest where boxes.role = ?"
        return [stream for (stream,) in self._backend.rows(sql, role)]

    # Visits, and the end of streams that have none

    def visit_days(self, stream: str) -> tuple[str, str, int] | None:
        """The days `since` and `seen` of `note_visit`, and the number of days `note_announced`."""
        sql = "select since, seen, days from opened where stream = ?"
        rows = self._backend.rows(sql, stream)
        return (rows[0][0], rows[0][1], rows[0][2]) if rows else None

    def note_visit(self, stream: str, since: str, seen: str) -> None:
        """Note the day of a visit; another `since` starts the count of announcements anew.

        :param since: the last visit before the deletion was announced
        :param seen: the newest visit
        """
        with self._writing() as run:
            run(
                "insert into opened (stream, since, seen) values (?, ?, ?) on conflict (stream) "
                "do update set since = excluded.since, seen = excluded.seen, "
                "days = case when opened.since = excluded.since then opened.days else 0 end",
                *(stream, since, seen),
            )

    def note_announced(self, stream: str, day: str) -> None:
        """Count a day on which the deletion of a visited stream is announced, once."""
        sql = "update opened set days = days + 1, day = ? where stream = ? and day <> ?"
        with self._writing() as run:
            run(sql, day, stream, day)

    def erase(self, stream: str) -> None:
        """Empty a stream for good: head, events and keys are deleted, only the number of events
        stays."""
        with self._writing(stream) as run, self._allow_updates(run):
            # Rows stay, so that no position is used again.
            run(f"update streams set kind = '{ERASED}', head = '{{}}' where id = ?", stream)
            run(
                "update events set key = 'erased:' || n, body = '{}', event = '{}', hash = '' "
                "where stream = ?",
                stream,
            )
            digests = "(select digest from keys where stream = ?)"
            run(f"delete from boxes where holder in {digests}", stream)
            run("delete from keys where stream = ?", stream)
            run("delete from opened where stream = ?", stream)

    # The whole database

    def dump(
        self,
        streams: Collection[str] | None = None,
        box_digests: Collection[str] = (),
        events: bool = True,
    ) -> dict[str, Any]:
        """An archive of the database, or of these streams (`archive.dump`).

        :param box_digests: of further keys whose boxes are included
        :param events: False for streams without their events
        """
        with self._backend.snapshot() as run:
            return archive.dump(run, streams, box_digests, events)

    def restore(self, data: Mapping[str, Any]) -> None:
        """Write a checked archive in one transaction.

        :raises Exists: it contains a stream that exists here
        """
        try:
            with self._writing() as run:
                archive.restore(run, data)
        except RowExists:
            raise Exists from None

    @abstractmethod
    def backup(self, target: Path) -> None:
        """Copy a snapshot of the database into a new file without blocking writers.

        The file exists only when it is complete.
        """

    def first_broken_chain(self) -> tuple[str, int] | None:
        """The first stream whose hashes do not hold, and the number of that event; None if all
        hold."""
        sql = "select id, head from streams where kind <> ? order by created, id"
        for stream, head in self._backend.rows(sql, ERASED):
            events = [stored.event for stored in self.events(stream)]
            broken_index = first_broken_entry(json.loads(head), events)
            if broken_index is not None:
                return stream, broken_index
        return None

    def free_disk_share(self) -> float:
        """The share of the disk that is free; 1 if it is not this machine's."""
        return 1.0

    @abstractmethod
    def ready(self) -> None:
        """Commit a write that changes nothing.

        :raises Unavailable: events cannot be recorded now, or a later release wrote the database
        """

    def copy_all_from(self, other: Store) -> None:
        """Copy a snapshot of another database into this empty one.

        :raises Exists: this one is not empty
        """
        with other._backend.snapshot() as read, self._writing() as write:
            if write("select 1 from streams limit 1"):
                raise Exists
            copy(read, write)
            self._after_copy(write)

    @abstractmethod
    def _after_copy(self, run: Run) -> None:
        """Called after rows with their positions were copied into this database."""


def _spend_nothing(size: int) -> None:
    """Accept a write of any size."""


def with_size_count(run: Run, spend: Callable[[int], object]) -> Run:
    """`run`, calling `spend` before each statement with the bytes of its parameters."""

    def run_and_count(sql: str, *parameters: Any) -> list[Any]:
        values = (value.encode() if isinstance(value, str) else value for value in parameters)
        spend(sum(len(value) for value in values if isinstance(value, bytes)))
        return run(sql, *parameters)

    return run_and_count


# Queries used inside a transaction and outside.


def _stream(run: Run, stream: str) -> Stream:
    rows = run("select id, kind, head, created from streams where id = ?", stream)
    if not rows:
        raise UnknownStream(stream)
    _, kind, head, created = rows[0]
    return Stream(stream, kind, json.loads(head), created)


def _recorded_event(
    run: Run, stream: str, key: str, body: Mapping[str, Any] | None
) -> Stored | None:
    """The stored event of an idempotency key, or None.

    :param body: the body that `key` must have recorded, None for any
    :raises IdempotencyKeyReused: `key` has recorded another body
    """
    sql = "select body, seq, n, event from events where stream = ? and key = ?"
    for recorded, position, n, event in run(sql, stream, key):
        if body is not None and recorded != canonical_json(body):
            raise IdempotencyKeyReused(key)
        return Stored(position, n, json.loads(event))
    return None


def _length_and_hash(run: Run, stream: str) -> tuple[int, str | None]:
    """The number of events, and the last hash."""
    sql = "select n, hash from events where stream = ? order by n desc limit 1"
    for n, newest in run(sql, stream):
        return n, newest
    return 0, None
