"""Connections to one SQLite file, shared by threads and greenlets, never by processes."""

from __future__ import annotations

import os
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from scorer.store import Unavailable
from scorer.store.sqlite.driver import Database, sqlite3
from scorer.store.sqlite.place import Place

Found = TypeVar("Found")

_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    sqlite3.SQLITE_CANTOPEN: "read-only",
    sqlite3.SQLITE_PERM: "read-only",
    sqlite3.SQLITE_CORRUPT: "damaged",
    sqlite3.SQLITE_NOTADB: "damaged",
    **dict.fromkeys(_BUSY, "locked"),
}

IDLE: Final = 8
"""Connections kept open while nobody uses them; more are closed, and their descriptors go back."""

_until: ContextVar[float | None] = ContextVar("until", default=None)
"""When whoever asks now stops waiting, on the monotonic clock."""


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF


@contextmanager
def translated() -> Iterator[None]:
    """SQLite's errors as the store's own; a broken promise of ours stays what it is."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise Unavailable(_REASONS.get(_code(error), "broken")) from error


class Connections:
    """A pool of connections, each lent to one borrower at a time.

    :param patience: seconds to wait for another process's lock
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._path, self._patience = path, patience
        self._idle: list[Database] = []
        self._open_now = 0
        self.place = Place(path)
        self._writer = threading.Lock()
        """Whoever writes holds it: one of this process waits for the others, not all at once."""
        self._watcher: Database | None = None
        self._inherited: list[Database | None] = []
        self._pid = os.getpid()
        self._lock = threading.Lock()

    @contextmanager
    def borrow(self) -> Iterator[Database]:
        """A connection that nobody else uses meanwhile; nothing stays open on it."""
        with self._lock:
            self._own()
            db = self._idle.pop() if self._idle else None
        db = db or self._open()
        try:
            yield db
        finally:
            self._give_back(db)

    def _give_back(self, db: Database) -> None:
        try:
            if db.conn.in_transaction:
                db.conn.rollback()
        except sqlite3.Error:
            # Whatever it holds yet, it is not to be used again.
            self._shut(db)
            return
        with self._lock:
            if len(self._idle) < IDLE:
                self._idle.append(db)
                return
        self._shut(db)

    def _shut(self, db: Database) -> None:
        with suppress(sqlite3.Error):
            db.close()
        with self._lock:
            self._open_now -= 1

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        """The rows of a query."""
        with translated(), self.borrow() as db:
            return self.patiently(lambda: db.execute(sql, parameters).fetchall())

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One write transaction, whole or not at all.

        :raises Unavailable: it could not be; `sure` where nothing was written
        """
        with translated(), self._one_at_a_time(), self.borrow() as db:
            # An ordinary BEGIN would fail as soon as another writer commits after our first read.
            self.patiently(lambda: db.execute("begin immediate"))
            try:
                yield db
                self.place.check()
            except BaseException:
                db.conn.rollback()
                raise
            try:
                db.conn.commit()
                self.place.check()
            except sqlite3.Error as error:
                raise Unavailable(_REASONS.get(_code(error), "broken"), sure=False) from error
            except Unavailable as error:
                raise Unavailable(error.reason, sure=False) from None

    @contextmanager
    def _one_at_a_time(self) -> Iterator[None]:
        with self.waiting() as until:
            if not self._writer.acquire(timeout=max(0, until - time.monotonic())):
                raise Unavailable("locked")
            try:
                yield
            finally:
                self._writer.release()

    @contextmanager
    def waiting(self) -> Iterator[float]:
        """All that waits in here for other writers waits no longer together than once.

        :returns: until when, on the monotonic clock
        """
        until = _until.get()
        if until is not None:
            yield until
            return
        until = time.monotonic() + self._patience
        token = _until.set(until)
        try:
            yield until
        finally:
            _until.reset(token)

    def patiently(self, attempt: Callable[[], Found]) -> Found:
        """`attempt`, again while another process holds the lock.

        SQLite's own waiting would freeze every greenlet of the process, so it is switched off.
        """
        with self.waiting() as until:
            while True:
                try:
                    return attempt()
                except sqlite3.OperationalError as error:
                    if _code(error) not in _BUSY or time.monotonic() > until:
                        raise
                time.sleep(random.uniform(0.001, 0.010))

    def changes(self) -> int:
        """A number that is another one after any commit, of any process, to the file."""
        with translated():
            with self._lock:
                self._own()
                # Only the numbers of one and the same connection can be compared.
                watcher = self._watcher
            if watcher is None:
                watcher = self._watching(self._open())
            return int(watcher.execute("pragma data_version").fetchone()[0])

    def _watching(self, opened: Database) -> Database:
        with self._lock:
            if self._watcher is None:
                self._watcher = opened
                return opened
        self._shut(opened)
        return self._watcher

    def close(self) -> None:
        """Close what is not lent out."""
        with self._lock:
            self._own()
            idle, watcher = self._idle, self._watcher
            self._idle, self._watcher = [], None
        for db in [*idle, *([watcher] if watcher else [])]:
            self._shut(db)

    def _own(self) -> None:
        if self._pid == os.getpid():
            return
        # A forked process must not touch its parent's connections, not even to close them.
        self._inherited = [*self._idle, self._watcher]
        self._idle, self._watcher, self._pid = [], None, os.getpid()
        self._open_now = 0

    def _open(self) -> Database:
        with self._lock:
            if not self._open_now:
                self.place.fresh()
            self._open_now += 1
        try:
            return self._connected()
        except BaseException:
            with self._lock:
                self._open_now -= 1
            raise

    def _connected(self) -> Database:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            db = Database(connection)
            for pragma in ("busy_timeout=0", "foreign_keys=on", "synchronous=full"):
                # Even these read the file, which another process may just be preparing.
                self.patiently(partial(db.execute, f"pragma {pragma}"))
            # Reading holds the log, so that nobody else clears it away as the last to leave.
            self.patiently(lambda: db.execute("pragma schema_version").fetchone())
            self.place.check()
        except BaseException:
            connection.close()
            raise
        return db
