"""Streams, events and keys in SQL that SQLite and PostgreSQL understand alike.

A database brings its connections (`Backend`) and its tables; all that is asked of them is here.
"""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from itertools import chain
from operator import attrgetter
from pathlib import Path
from typing import Any, ClassVar, Final, Protocol

from scorer.store import (
    LONGEST_KEY,
    Access,
    Appended,
    Exists,
    KeyReused,
    KeyTaken,
    Opening,
    Seal,
    Stale,
    Stored,
    StoreError,
    Stream,
    Unavailable,
    UnknownStream,
    archive,
)
from scorer.store.database_copy import copy
from scorer.store.hash_chain import ERASURE, HEAD, canonical, chained, first, link, origin
from scorer.store.hash_chain import seal as sealing
from scorer.store.keys import digest, new_stream, unwrap, wrap
from scorer.store.name_redaction import salted
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
"""Who runs the server, as events are signed."""


def utc_now() -> str:
    """The time as the record writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class RowExists(StoreError):
    """A row of this name is there already."""


Run = Callable[..., list[Any]]
"""Runs a statement with its parameters, which stand in it as `?`, and answers its rows.

:raises RowExists: it would write a row that is there already
"""


class Backend(Protocol):
    """A database as the statements need it. All methods may raise `Unavailable`."""

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        """The rows of one query."""

    def snapshot(self) -> AbstractContextManager[Run]:
        """All that is read in here is of one moment."""

    def writing(self) -> AbstractContextManager[Run]:
        """One write transaction, whole or not at all; nobody else writes meanwhile.

        :raises Unavailable: it could not be; `sure` where nothing was written
        """

    def doubtful(self) -> bool:
        """Whether the book may be another one than at the last look."""

    def changes(self) -> int:
        """A number that is another one after any commit, of any process."""

    def waiting(self) -> AbstractContextManager[float]:
        """All waiting for other writers in here ends at one time, on the monotonic clock."""

    def close(self) -> None:
        """Let go of what is not lent out."""


class Store(ABC):
    """Append-only streams of events in a database, and the keys that open them.

    All methods may raise `Unavailable`.

    :param clock: gives the time of each event
    """

    REMEMBERED: ClassVar[int] = 1
    """Events by which a process knows its book again."""

    def __init__(self, backend: Backend, clock: Callable[[], str]) -> None:
        self._backend, self._clock = backend, clock
        self._seen: deque[tuple[int, str]] = deque(maxlen=self.REMEMBERED)
        """The newest events this process knows: their places in the database, and their hashes."""
        self._noting = threading.Lock()
        """Held while `_seen` is looked at or added to, and nothing else is asked then."""
        self._gone = False
        self.spend: Callable[[int], object] = _unlimited
        """Asked with the size of each write, in characters, before it is committed; refuses by
        raising, and nothing is written."""

    # The book this process has read

    @contextmanager
    def _writing(self) -> Iterator[Run]:
        """One write transaction into the book this process has read."""
        with self._backend.writing() as run:
            known = self._known(run) if self._backend.doubtful() else self._newest_known(run)
            if self._gone or not known:
                # What this process told its readers is not in it: only a new start reads anew.
                self._gone = True
                raise Unavailable("replaced")
            sizes: list[int] = []
            yield _measured(run, sizes)
            self.spend(sum(sizes))

    def _known(self, run: Run) -> bool:
        """Whether what this process knows still stands in the database."""
        with self._noting:
            seen = dict(self._seen)
        if not seen:
            return True
        hashes = dict(
            run(f"select seq, hash from events where seq in ({placeholders(seen)})", *seen)
        )
        # One that is empty was erased since.
        return all(hashes.get(seq) in (newest, "") for seq, newest in seen.items())

    def _newest_known(self, run: Run) -> bool:
        """As `_known`, asked before each write: of the newest alone, where that costs next to
        nothing."""
        return True

    def _note(self, newest: Stored) -> None:
        with self._noting:
            if not self._seen or newest.seq > self._seen[-1][0]:
                self._seen.append((newest.seq, newest.event["hash"]))

    def look(self) -> None:
        """The database is the one that was opened, as far as a look at it tells.

        :raises Unavailable: "replaced", it is another one
        """
        if self._gone:
            raise Unavailable("replaced")

    def make_way(self) -> None:  # noqa: B027
        """Let what lies where this database was be opened instead of it; to be called where `look`
        raises, and before that is opened. Nothing has to be done for a database server.

        :raises Unavailable: nothing that could be opened lies there
        """

    def waiting(self) -> AbstractContextManager[float]:
        """All waiting for other writers in here ends at one time, on the monotonic clock."""
        return self._backend.waiting()

    def close(self) -> None:
        """Let go of the database."""
        self._backend.close()

    # Streams and events

    def create(self, kind: str, opening: Opening) -> Stream:
        """A new stream.

        :raises KeyTaken: one of its keys opens something already
        """
        with self._writing() as run:
            return self._create(run, kind, opening)

    def _create(self, run: Run, kind: str, opening: Opening) -> Stream:
        name = opening.id or new_stream()
        # A stream that comes with events has been chained to its head as it is.
        head = dict(opening.head) if opening.events else salted(opening.head)
        stream = Stream(name, kind, head, self._clock())
        run(INSERT_STREAM, stream.id, kind, canonical(stream.head), stream.created)
        self._grant(run, stream.id, opening.grants, opening.seals)
        previous = first(stream.head)
        for n, event in enumerate(opening.events, 1):
            body = {name: value for name, value in event.items() if name != "hash"}
            previous = event.get("hash") or link(previous, body)
            put_event(run, stream.id, n, f"taken:{n}", body, {**body, "hash": previous})
        return stream

    def stream(self, stream: str) -> Stream:
        """A stream's own page.

        :raises UnknownStream: there is none
        """
        return _stream(self._backend.rows, stream)

    def whole(self, streams: Collection[str]) -> dict[str, tuple[Stream, list[Stored]]]:
        """Several streams with all their events, as they are at one moment, by their ids.

        :raises UnknownStream: one is not there
        """
        sql = f"select id, kind, head, created from streams where id in ({placeholders(streams)})"
        with self._backend.snapshot() as run:
            heads = run(sql, *streams)
            events = self._events_behind(run, dict.fromkeys(streams, 0))
        if missing := set(streams).difference(name for name, *_ in heads):
            raise UnknownStream(min(missing))
        return {
            name: (Stream(name, kind, json.loads(head), created), events.get(name, []))
            for name, kind, head, created in heads
        }

    def known(self, kind: str, streams: Collection[str]) -> set[str]:
        """Those of `streams` that are here, and of this kind; what was erased is of none."""
        if not streams:
            return set()
        sql = f"select id from streams where kind = ? and id in ({placeholders(streams)})"
        return {name for (name,) in self._backend.rows(sql, kind, *streams)}

    def append(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int | None = None,
        opens: Mapping[str, Sequence[Opening]] | None = None,
    ) -> Appended:
        """Record `body` as the next event of `stream`, once for each `key`.

        :param expected: the length the stream must have, or None for any
        :param opens: new streams by kind, opened with a new event or not at all
        :raises KeyTaken: one of their keys opens something already
        :raises Stale: it has another length and `key` is new
        :raises KeyReused: `key` has recorded another body
        :raises UnknownStream: there is no such stream
        :raises ValueError: an empty key, one longer than 200 characters, or one with a character 0
        """
        if not 0 < len(key) <= LONGEST_KEY or "\0" in key:
            raise ValueError(
                f"an idempotency key has 1 to {LONGEST_KEY} characters, none of them 0"
            )
        with self._writing() as run:
            known = _recorded(run, stream, key)
            if known is not None:
                if known[0] != canonical(body):
                    raise KeyReused(key)
                return Appended(known[1], False)
            n, previous = _newest(run, stream)
            if expected is not None and expected != n:
                raise Stale(n)
            previous = previous or first(_stream(run, stream).head)
            event = chained(previous, body, self._clock(), by)
            stored = Stored(put_event(run, stream, n + 1, key, body, event), n + 1, event)
            for kind, openings in (opens or {}).items():
                for opening in openings:
                    self._create(run, kind, opening)
        self._note(stored)
        return Appended(stored, True)

    def redact(
        self,
        stream: str,
        words: Callable[[Mapping[str, Any]], dict[str, Any]],
        check: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None],
    ) -> Appended | None:
        """Put `words(entry)` in the place of the head and of each event; their hashes stay, and
        the stream's next event says which they are and what they hold since (`chain`).

        :param check: raises where head and events as they would then be must not be
        :returns: that event, or None where `words` changes nothing
        :raises UnknownStream: there is no such stream
        """
        sql = "select seq, n, body, event from events where stream = ? order by n"
        with self._writing() as run:
            before = _stream(run, stream).head
            rows = [(n, json.loads(b), json.loads(e)) for _, n, b, e in run(sql, stream)]
            head, events = words(before), [words(event) for _, _, event in rows]
            check(head, events)
            old = [event for _, _, event in rows]
            sealed = [sealing(at, event) for at, event in enumerate(events) if event != old[at]]
            if head != before:
                sealed.append(sealing(HEAD, head, origin(before, old)))
            if not sealed:
                return None
            with self._loosened(run):
                run("update streams set head = ? where id = ?", canonical(head), stream)
                for (n, body, event), after in zip(rows, events, strict=True):
                    if after != event:
                        written = canonical(words(body)), canonical(after)
                        where = "where stream = ? and n = ?"
                        run(f"update events set body = ?, event = ? {where}", *written, stream, n)
            said = {"do": ERASURE, "sealed": sealed}
            event = {**said, "at": self._clock(), "by": OPERATOR}
            event["hash"] = link(old[-1]["hash"] if old else origin(before, old), event)
            n = len(old) + 1
            stored = Stored(put_event(run, stream, n, f"{ERASURE}:{n}", said, event), n, event)
        self._note(stored)
        return Appended(stored, True)

    @abstractmethod
    def _loosened(self, run: Run) -> AbstractContextManager[None]:
        """In here, what is stored may be changed, which the database else refuses."""

    def recorded(self, stream: str, key: str) -> Stored | None:
        """What `key` has recorded in `stream`."""
        known = _recorded(self._backend.rows, stream, key)
        return None if known is None else known[1]

    def recorded_keys(self, stream: str, keys: Collection[str]) -> set[str]:
        """Those of `keys` that have recorded something in `stream`."""
        if not keys:
            return set()
        sql = f"select key from events where stream = ? and key in ({placeholders(keys)})"
        return {key for (key,) in self._backend.rows(sql, stream, *keys)}

    def events(self, stream: str, after: int = 0) -> list[Stored]:
        """The events of `stream` behind its first `after`, in order."""
        sql = "select seq, n, event from events where stream = ? and n > ? order by n"
        rows = self._backend.rows(sql, stream, after)
        stored = [Stored(seq, n, json.loads(event)) for seq, n, event in rows]
        if stored:
            self._note(stored[-1])
        return stored

    def events_behind(self, lengths: Mapping[str, int]) -> dict[str, list[Stored]]:
        """The events of several streams, each behind its first so many, in order; a stream without
        such events is left out."""
        return self._events_behind(self._backend.rows, lengths) if lengths else {}

    def _events_behind(self, run: Run, lengths: Mapping[str, int]) -> dict[str, list[Stored]]:
        known = ", ".join(["(?, ?)"] * len(lengths))
        sql = (
            f"with known (stream, n) as (values {known}) "
            "select events.stream, seq, events.n, event from known "
            "join events on events.stream = known.stream and events.n > known.n "
            "order by events.stream, events.n"
        )
        found: dict[str, list[Stored]] = {}
        for stream, seq, n, event in run(sql, *chain.from_iterable(lengths.items())):
            found.setdefault(stream, []).append(Stored(seq, n, json.loads(event)))
        if found:
            self._note(max((stored[-1] for stored in found.values()), key=attrgetter("seq")))
        return found

    def length(self, stream: str) -> int:
        """How many events `stream` has."""
        return _newest(self._backend.rows, stream)[0]

    def lengths(self, streams: Collection[str]) -> dict[str, int]:
        """How many events each of these streams has, in their order; 0 of one that is not there."""
        found = dict.fromkeys(streams, 0)
        for part in batches(found):
            sql = f"select stream, max(n) from events where stream in ({placeholders(part)}) "
            found.update(self._backend.rows(f"{sql} group by stream", *part))
        return found

    # What has changed

    def moved(self, after: int) -> tuple[int, dict[str, int]]:
        """The database's newest seq, and the newest n of each stream that has grown since
        seq `after`."""
        # The newest seq is taken first: what comes in between is reported again, not missed.
        [(seq,)] = self._backend.rows("select coalesce(max(seq), 0) from events")
        sql = "select stream, max(n) from events where seq > ? group by stream"
        return seq, dict(self._backend.rows(sql, after))

    def changes(self) -> int:
        """A cheap token that changes whenever any process has written."""
        return self._backend.changes()

    # Keys

    def find(self, key: str) -> Access | None:
        """What `key` opens, if it has not been closed."""
        sql = (
            "select stream, keys.role, boxes.role from keys left join boxes on holder = digest "
            "where digest = ? and revoked is null"
        )
        rows = self._backend.rows(sql, digest(key))
        if not rows:
            return None
        stream, role, _ = rows[0]
        return Access(stream, role, frozenset(sees for *_, sees in rows if sees))

    def grant(
        self,
        stream: str,
        grants: Mapping[str, str],
        *,
        revoke: Collection[str] = (),
        seals: Collection[Seal] = (),
    ) -> None:
        """Close all keys of the roles in `revoke` and open new ones, all or nothing.

        :raises KeyTaken: one of the new keys opens something already
        """
        sql = "update keys set revoked = ? where stream = ? and role = ? and revoked is null"
        with self._writing() as run:
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
            raise KeyTaken from None
        for seal in seals:
            run(REPLACE_BOX, digest(seal.holder), seal.role, *wrap(seal.key, seal.holder))

    def unseal(self, holder: str, role: str) -> str | None:
        """The key of `role` that was sealed for `holder`."""
        sql = "select nonce, box from boxes where holder = ? and role = ?"
        rows = self._backend.rows(sql, digest(holder), role)
        return unwrap(rows[0][0], rows[0][1], holder) if rows else None

    def unseal_all(self, holders: Collection[str]) -> dict[str, dict[str, str]]:
        """For each of `holders`, all keys that were sealed for it, by role."""
        own = {digest(holder): holder for holder in holders}
        found: dict[str, dict[str, str]] = {holder: {} for holder in own.values()}
        for part in batches(own):
            sql = (
                f"select holder, role, nonce, box from boxes where holder in ({placeholders(part)})"
            )
            for held, role, nonce, box in self._backend.rows(sql, *part):
                found[own[held]][role] = unwrap(nonce, box, own[held])
        return found

    # Streams that are opened no more

    def streams(self, kind: str) -> list[str]:
        """Every stream of a kind, the oldest first."""
        sql = "select id from streams where kind = ? order by created, id"
        return [stream for (stream,) in self._backend.rows(sql, kind)]

    def opened(self, stream: str) -> tuple[str, str] | None:
        """The two days that `note_opened` has last noted."""
        rows = self._backend.rows("select since, seen from opened where stream = ?", stream)
        return (rows[0][0], rows[0][1]) if rows else None

    def note_opened(self, stream: str, since: str, seen: str) -> None:
        """Note two days for a stream."""
        with self._writing() as run:
            run(
                "insert into opened (stream, since, seen) values (?, ?, ?) on conflict (stream) "
                "do update set since = excluded.since, seen = excluded.seen",
                *(stream, since, seen),
            )

    def sealed_as(self, role: str) -> bool:
        """Whether anybody holds a sealed key of this role."""
        return bool(self._backend.rows("select 1 from boxes where role = ? limit 1", role))

    def sealed_for(self, role: str) -> list[str]:
        """The streams for whose keys a key of this role is sealed."""
        sql = "select distinct stream from boxes join keys on holder = digest where boxes.role = ?"
        return [stream for (stream,) in self._backend.rows(sql, role)]

    def erase(self, stream: str) -> None:
        """Empty a stream for good: of its head, events and keys nothing stays but their number."""
        with self._writing() as run, self._loosened(run):
            # The places in the database stay taken: others know their own by them.
            run(f"update streams set kind = '{ERASED}', head = '{{}}' where id = ?", stream)
            run(
                "update events set key = 'erased:' || n, body = '{}', event = '{}', hash = '' "
                "where stream = ?",
                stream,
            )
            own = "(select digest from keys where stream = ?)"
            run(f"delete from boxes where holder in {own}", stream)
            run("delete from keys where stream = ?", stream)
            run("delete from opened where stream = ?", stream)

    # The whole database

    def dump(
        self, streams: Collection[str] | None = None, holders: Collection[str] = ()
    ) -> dict[str, Any]:
        """Everything there is, or only these streams with their keys, as `archive` has it.

        :param holders: digests of further secrets whose boxes are wanted too
        """
        with self._backend.snapshot() as run:
            return archive.dump(run, streams, holders)

    def restore(self, data: Mapping[str, Any]) -> None:
        """Take in a checked archive, all or nothing.

        :raises Exists: one of its streams is here already
        """
        try:
            with self._writing() as run:
                archive.restore(run, data)
        except RowExists:
            raise Exists from None

    @abstractmethod
    def backup(self, target: Path) -> None:
        """Copy the database as it is now into a new file, while others go on writing.

        The file is there once it is whole.
        """

    @abstractmethod
    def ready(self) -> None:
        """Write as an event would be written, and leave everything as it was.

        :raises Unavailable: nothing could be recorded now, or a later release wrote the database
        """

    def take_all(self, other: Store) -> None:
        """Everything another database holds at one moment, into this one, which is empty.

        :raises Exists: it is not
        """
        with other._backend.snapshot() as read, self._writing() as write:
            if write("select 1 from streams limit 1"):
                raise Exists
            copy(read, write)


def _unlimited(size: int) -> None:
    """Takes any number of bytes."""


def _measured(run: Run, sizes: list[int]) -> Run:
    """`run`, which notes how many characters each statement brings."""

    def measured(sql: str, *parameters: Any) -> list[Any]:
        sizes.append(sum(len(value) for value in parameters if isinstance(value, (str, bytes))))
        return run(sql, *parameters)

    return measured


# The questions that are asked both inside a transaction and outside.


def _stream(run: Run, stream: str) -> Stream:
    rows = run("select id, kind, head, created from streams where id = ?", stream)
    if not rows:
        raise UnknownStream(stream)
    _, kind, head, created = rows[0]
    return Stream(stream, kind, json.loads(head), created)


def _recorded(run: Run, stream: str, key: str) -> tuple[str, Stored] | None:
    """What a key said, and what was stored of it."""
    sql = "select body, seq, n, event from events where stream = ? and key = ?"
    for body, seq, n, event in run(sql, stream, key):
        return body, Stored(seq, n, json.loads(event))
    return None


def _newest(run: Run, stream: str) -> tuple[int, str | None]:
    """How many events a stream has, and the hash of the last."""
    sql = "select n, hash from events where stream = ? order by n desc limit 1"
    for n, newest in run(sql, stream):
        return n, newest
    return 0, None
