"""The store in one SQLite file, through sqlite-utils."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from scorer.store import (
    Access,
    Appended,
    Exists,
    KeyReused,
    KeyTaken,
    Opening,
    Seal,
    Stale,
    Stored,
    Stream,
    Unavailable,
    UnknownStream,
    archive,
)
from scorer.store.aside import aside
from scorer.store.chain import canonical, first, link
from scorer.store.keys import digest, new_stream, unwrap, wrap
from scorer.store.sqlite.connections import Connections, translated
from scorer.store.sqlite.driver import Database, sqlite3
from scorer.store.sqlite.migrations import INSERT_EVENT, INSERT_STREAM, NAMES, migrations

LONGEST_KEY: Final = 200
REMEMBERED: Final = 1024
"""Events by which a process knows its book again; more than one clearing of the log writes."""


def utc_now() -> str:
    """The time as the record writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


class SqliteStore:
    """A `Store` in the file `path`, made with its folder where it does not exist yet.

    :param clock: gives the time of each event
    :param patience: seconds to wait for another writer
    :param journal: SQLite's journal mode; "delete" keeps everything in the one file
    :raises Unavailable: the file is no database, or cannot be opened
    """

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Callable[[], str] = utc_now,
        patience: float = 5.0,
        journal: str = "wal",
    ) -> None:
        self.path = Path(path)
        self._clock, self._journal = clock, journal
        self._db = Connections(self.path, patience)
        self._seen: deque[tuple[int, str]] = deque(maxlen=REMEMBERED)
        """The newest events this process knows: their places in the database, and their hashes."""
        self._prepare()

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise Unavailable("read-only") from None
        with translated(), self._db.borrow() as db:
            if not self._db.patiently(lambda: _to_do(db)):
                return
            self._db.patiently(lambda: db.execute(f"pragma journal_mode={self._journal}"))
        # Several workers may start at once: one migrates, the others find nothing to do.
        with self._db.writing() as db:
            migrations.apply(db)

    @contextmanager
    def _writing(self) -> Iterator[Database]:
        """One write transaction into the book this process has read."""
        with self._db.writing() as db:
            if self._db.place.rewritten():
                self._compare(db)
            yield db

    def _compare(self, db: Database) -> None:
        """See whether what this process knows still stands in the file.

        :raises Unavailable: an older copy was put in its place
        """
        sql = "select hash from events where seq = ?"
        try:
            # Not what the connection remembers of it.
            db.execute("pragma shrink_memory")
            found = [db.execute(sql, (seq,)).fetchone() for seq, _ in self._seen]
        except sqlite3.DatabaseError:
            self._db.place.lost()
        if found != [(newest,) for _, newest in self._seen]:
            self._db.place.lost()

    def _note(self, newest: Stored) -> None:
        if not self._seen or newest.seq > self._seen[-1][0]:
            self._seen.append((newest.seq, newest.event["hash"]))

    def waiting(self) -> AbstractContextManager[float]:
        return self._db.waiting()

    def close(self) -> None:
        self._db.close()

    # Streams and events

    def create(self, kind: str, opening: Opening) -> Stream:
        with self._writing() as db:
            return self._create(db, kind, opening)

    def _create(self, db: Database, kind: str, opening: Opening) -> Stream:
        name = opening.id or new_stream()
        stream = Stream(name, kind, dict(opening.head), self._clock())
        db.execute(
            INSERT_STREAM,
            (stream.id, kind, canonical(stream.head), stream.created),
        )
        self._grant(db, stream.id, opening.grants, opening.seals)
        previous = first(stream.head)
        for n, event in enumerate(opening.events, 1):
            body = {name: value for name, value in event.items() if name != "hash"}
            previous = event.get("hash") or link(previous, body)
            stored = {**body, "hash": previous}
            row = (stream.id, n, f"taken:{n}", canonical(body), canonical(stored), previous)
            db.execute(INSERT_EVENT, row)
        return stream

    def stream(self, stream: str) -> Stream:
        return _stream(self._db.rows, stream)

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
        if not 0 < len(key) <= LONGEST_KEY:
            raise ValueError(f"an idempotency key has 1 to {LONGEST_KEY} characters")
        said = canonical(body)
        with self._writing() as db:
            rows = _inside(db)
            known = _recorded(rows, stream, key)
            if known is not None:
                if known[0] != said:
                    raise KeyReused(key)
                return Appended(known[1], False)
            n, previous = _newest(rows, stream)
            if expected is not None and expected != n:
                raise Stale(n)
            # Whatever a client says of them, when and by whom is the server's.
            event = {**body, "at": self._clock(), "by": by}
            event["hash"] = link(previous or first(_stream(rows, stream).head), event)
            row = (stream, n + 1, key, said, canonical(event), event["hash"])
            cursor = db.execute(INSERT_EVENT, row)
            stored = Stored(int(cursor.lastrowid or 0), n + 1, event)
            for kind, openings in (opens or {}).items():
                for opening in openings:
                    self._create(db, kind, opening)
        self._note(stored)
        return Appended(stored, True)

    def recorded(self, stream: str, key: str) -> Stored | None:
        known = _recorded(self._db.rows, stream, key)
        return None if known is None else known[1]

    def events(self, stream: str, after: int = 0) -> list[Stored]:
        sql = "select seq, n, event from events where stream = ? and n > ? order by n"
        rows = self._db.rows(sql, stream, after)
        found = [Stored(seq, n, json.loads(event)) for seq, n, event in rows]
        if found:
            self._note(found[-1])
        return found

    def length(self, stream: str) -> int:
        return _newest(self._db.rows, stream)[0]

    # What has changed

    def moved(self, after: int) -> tuple[int, dict[str, int]]:
        # The newest seq is taken first: what comes in between is reported again, not missed.
        [(seq,)] = self._db.rows("select coalesce(max(seq), 0) from events")
        sql = "select stream, max(n) from events where seq > ? group by stream"
        return seq, dict(self._db.rows(sql, after))

    def changes(self) -> int:
        return self._db.changes()

    # Keys

    def find(self, key: str) -> Access | None:
        sql = "select stream, role from keys where digest = ? and revoked is null"
        rows = self._db.rows(sql, digest(key))
        return Access(*rows[0]) if rows else None

    def grant(
        self,
        stream: str,
        grants: Mapping[str, str],
        *,
        revoke: Collection[str] = (),
        seals: Collection[Seal] = (),
    ) -> None:
        with self._writing() as db:
            for role in revoke:
                db.execute(
                    "update keys set revoked = ? where stream = ? and role = ? and revoked is null",
                    (self._clock(), stream, role),
                )
            self._grant(db, stream, grants, seals)

    def _grant(
        self, db: Database, stream: str, grants: Mapping[str, str], seals: Collection[Seal]
    ) -> None:
        now = self._clock()
        try:
            db.table("keys").insert_all(
                {"digest": digest(key), "stream": stream, "role": role, "created": now}
                for role, key in grants.items()
            )
        except sqlite3.IntegrityError:
            raise KeyTaken from None
        db.table("boxes").insert_all(map(_boxed, seals), replace=True)

    def unseal(self, holder: str, role: str) -> str | None:
        sql = "select nonce, box from boxes where holder = ? and role = ?"
        rows = self._db.rows(sql, digest(holder), role)
        return unwrap(rows[0][0], rows[0][1], holder) if rows else None

    # The whole database

    def dump(
        self, streams: Collection[str] | None = None, holders: Collection[str] = ()
    ) -> dict[str, Any]:
        with translated(), self._db.borrow() as db:
            # One transaction, so that all of it is of one moment.
            self._db.patiently(lambda: db.execute("begin"))
            return archive.dump(_inside(db), streams, holders)

    def restore(self, data: Mapping[str, Any]) -> None:
        try:
            with self._writing() as db:
                archive.restore(db, data)
        except sqlite3.IntegrityError:
            raise Exists from None

    def ready(self) -> None:
        with self._writing() as db:
            if _to_do(db):
                raise Unavailable("foreign")
            # The number stays, and yet it goes to the disk as an event would.
            [(number,)] = db.execute("pragma user_version").fetchall()
            db.execute(f"pragma user_version={int(number)}")

    def examine(self) -> str:
        """What is wrong with the file, in SQLite's words; an empty text where all is well."""
        found = [text for (text,) in self._db.rows("pragma integrity_check(1)")]
        return "" if found == ["ok"] else str(found[0])

    def backup(self, target: Path) -> None:
        with aside(target) as unfinished, translated(), self._db.borrow() as db:
            self._db.patiently(lambda: db.execute("vacuum into ?", (str(unfinished),)))


def _to_do(db: Database) -> bool:
    """Whether the file is new or older than this release.

    :raises Unavailable: a later release wrote it, or another program
    """
    # In this order: another worker, which is just preparing it, commits both at once.
    tables = db.table_names()
    applied = {migration.name for migration in migrations.applied(db)}
    if applied - NAMES:
        raise Unavailable("newer")
    if tables and not applied:
        raise Unavailable("foreign")
    return applied != NAMES


def _boxed(seal: Seal) -> dict[str, str]:
    nonce, box = wrap(seal.key, seal.holder)
    return {"holder": digest(seal.holder), "role": seal.role, "nonce": nonce, "box": box}


# The questions that are asked both inside a transaction and outside.

Rows = Callable[..., list[Any]]


def _inside(db: Database) -> Rows:
    return lambda sql, *parameters: db.execute(sql, parameters).fetchall()


def _stream(rows: Rows, stream: str) -> Stream:
    found = rows("select id, kind, head, created from streams where id = ?", stream)
    if not found:
        raise UnknownStream(stream)
    _, kind, head, created = found[0]
    return Stream(stream, kind, json.loads(head), created)


def _recorded(rows: Rows, stream: str, key: str) -> tuple[str, Stored] | None:
    """What a key said, and what was stored of it."""
    sql = "select body, seq, n, event from events where stream = ? and key = ?"
    for body, seq, n, event in rows(sql, stream, key):
        return body, Stored(seq, n, json.loads(event))
    return None


def _newest(rows: Rows, stream: str) -> tuple[int, str | None]:
    """How many events a stream has, and the hash of the last."""
    sql = "select n, hash from events where stream = ? order by n desc limit 1"
    for n, newest in rows(sql, stream):
        return n, newest
    return 0, None
