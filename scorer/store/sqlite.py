"""The store in one SQLite file, through sqlite-utils."""

from __future__ import annotations

import json
import os
import random
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from sqlite_utils import Database

from scorer.store import (
    Access,
    Appended,
    KeyReused,
    Seal,
    Stale,
    Stored,
    Stream,
    Unavailable,
    UnknownStream,
)
from scorer.store.chain import canonical, first, link
from scorer.store.keys import digest, unwrap, wrap
from scorer.store.migrations import migrations

LONGEST_KEY: Final = 200
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_BUSY: "locked",
    sqlite3.SQLITE_LOCKED: "locked",
}
_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def utc_now() -> str:
    """The time as the record writes it."""
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF


class SqliteStore:
    """A `Store` in the file `path`, made with its folder where it does not exist yet.

    :param clock: gives the time of each event
    :param patience: seconds to wait for another writer
    :raises Unavailable: the file is no database, or cannot be opened
    """

    def __init__(
        self, path: str | Path, *, clock: Callable[[], str] = utc_now, patience: float = 5.0
    ) -> None:
        self.path = Path(path)
        self._clock, self._patience = clock, patience
        self._idle: list[Database] = []
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._watcher: Database | None = None
        with _translated():
            self._prepare()

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise Unavailable("read-only") from None
        with self._connection() as db:
            if not migrations.pending(db):
                return
            db.execute("pragma journal_mode=wal")
            # Several workers may start at once: one migrates, the others find nothing to do.
            with self._transaction(db):
                migrations.apply(db)

    # Connections

    def _open(self) -> Database:
        conn = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
        db = Database(conn)
        # Waiting for the lock is done in Python: SQLite's own wait would freeze the worker.
        for pragma in ("busy_timeout=0", "foreign_keys=on", "synchronous=full"):
            db.execute(f"pragma {pragma}")
        return db

    @contextmanager
    def _connection(self) -> Iterator[Database]:
        """A connection that nobody else uses meanwhile."""
        with self._lock:
            if self._pid != os.getpid():
                # A forked worker must not touch its parent's connections, not even to close.
                self._inherited, self._idle = self._idle, []
                self._watcher, self._pid = None, os.getpid()
            db = self._idle.pop() if self._idle else None
        db = db or self._open()
        try:
            yield db
        finally:
            if db.conn.in_transaction:
                db.conn.rollback()
            with self._lock:
                self._idle.append(db)

    @contextmanager
    def _transaction(self, db: Database) -> Iterator[None]:
        """One write transaction; waits for the lock as threads and greenlets can."""
        end = time.monotonic() + self._patience
        while True:
            try:
                db.execute("begin immediate")
                break
            except sqlite3.OperationalError as error:
                if _code(error) not in _BUSY or time.monotonic() > end:
                    raise
            time.sleep(random.uniform(0.001, 0.010))
        try:
            yield
        except BaseException:
            db.conn.rollback()
            raise
        db.conn.commit()

    @contextmanager
    def _reading(self) -> Iterator[Database]:
        with _translated(), self._connection() as db:
            yield db

    @contextmanager
    def _writing(self) -> Iterator[Database]:
        with _translated(), self._connection() as db, self._transaction(db):
            yield db

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
            if self._watcher is not None:
                idle.append(self._watcher)
                self._watcher = None
        for db in idle:
            db.close()

    # Streams and events

    def create(
        self,
        kind: str,
        head: Mapping[str, Any],
        grants: Mapping[str, str],
        seals: Collection[Seal] = (),
    ) -> Stream:
        stream = Stream(secrets.token_hex(8), kind, dict(head), self._clock())
        with self._writing() as db:
            db.table("streams").insert(
                {
                    "id": stream.id,
                    "kind": kind,
                    "head": canonical(stream.head),
                    "created": stream.created,
                }
            )
            self._grant(db, stream.id, grants, seals)
        return stream

    def stream(self, id: str) -> Stream:
        with self._reading() as db:
            return _stream(db, id)

    def append(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int | None = None,
    ) -> Appended:
        if not 0 < len(key) <= LONGEST_KEY:
            raise ValueError(f"an idempotency key has 1 to {LONGEST_KEY} characters")
        said = canonical(body)
        with self._writing() as db:
            known = _recorded(db, stream, key)
            if known is not None:
                if known[0] != said:
                    raise KeyReused(key)
                return Appended(known[1], False)
            n, previous = _newest(db, stream)
            if expected is not None and expected != n:
                raise Stale(n)
            event = {"at": self._clock(), "by": by, **body}
            event["hash"] = link(previous or first(_stream(db, stream).head), event)
            row = (stream, n + 1, key, said, canonical(event), event["hash"])
            cursor = db.execute(
                "insert into events (stream, n, key, body, event, hash) values (?, ?, ?, ?, ?, ?)",
                row,
            )
            return Appended(Stored(int(cursor.lastrowid or 0), n + 1, event), True)

    def recorded(self, stream: str, key: str) -> Stored | None:
        with self._reading() as db:
            known = _recorded(db, stream, key)
        return None if known is None else known[1]

    def events(self, stream: str, after: int = 0) -> list[Stored]:
        sql = "select seq, n, event from events where stream = ? and n > ? order by n"
        with self._reading() as db:
            rows = db.execute(sql, (stream, after)).fetchall()
        return [Stored(seq, n, json.loads(event)) for seq, n, event in rows]

    def length(self, stream: str) -> int:
        with self._reading() as db:
            return _newest(db, stream)[0]

    # What has changed

    def moved(self, after: int) -> tuple[int, dict[str, int]]:
        sql = "select stream, max(n) from events where seq > ? group by stream"
        with self._reading() as db:
            (seq,) = db.execute("select coalesce(max(seq), 0) from events").fetchone()
            return seq, dict(db.execute(sql, (after,)).fetchall())

    def changes(self) -> int:
        with _translated():
            with self._connection():
                # Only one connection's tokens can be compared with each other.
                watcher = self._watcher = self._watcher or self._open()
            return int(watcher.execute("pragma data_version").fetchone()[0])

    # Keys

    def find(self, key: str) -> Access | None:
        sql = "select stream, role from keys where digest = ? and revoked is null"
        with self._reading() as db:
            row = db.execute(sql, (digest(key),)).fetchone()
        return None if row is None else Access(*row)

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
        db.table("keys").insert_all(
            {"digest": digest(key), "stream": stream, "role": role, "created": now}
            for role, key in grants.items()
        )
        db.table("boxes").insert_all(map(_boxed, seals), replace=True)

    def unseal(self, holder: str, role: str) -> str | None:
        sql = "select nonce, box from boxes where holder = ? and role = ?"
        with self._reading() as db:
            row = db.execute(sql, (digest(holder), role)).fetchone()
        return None if row is None else unwrap(row[0], row[1], holder)


@contextmanager
def _translated() -> Iterator[None]:
    """SQLite's errors as the store's own."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise Unavailable(_REASONS.get(_code(error), "broken")) from error


def _boxed(seal: Seal) -> dict[str, str]:
    nonce, box = wrap(seal.key, seal.holder)
    return {"holder": digest(seal.holder), "role": seal.role, "nonce": nonce, "box": box}


def _stream(db: Database, id: str) -> Stream:
    sql = "select id, kind, head, created from streams where id = ?"
    row = db.execute(sql, (id,)).fetchone()
    if row is None:
        raise UnknownStream(id)
    return Stream(row[0], row[1], json.loads(row[2]), row[3])


def _recorded(db: Database, stream: str, key: str) -> tuple[str, Stored] | None:
    """What a key said, and what was stored of it."""
    sql = "select body, seq, n, event from events where stream = ? and key = ?"
    row = db.execute(sql, (stream, key)).fetchone()
    return None if row is None else (row[0], Stored(row[1], row[2], json.loads(row[3])))


def _newest(db: Database, stream: str) -> tuple[int, str | None]:
    """How many events a stream has, and the hash of the last."""
    sql = "select n, hash from events where stream = ? order by n desc limit 1"
    n, hash = db.execute(sql, (stream,)).fetchone() or (0, None)
    return n, hash
