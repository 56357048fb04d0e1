"""Connections to one SQLite file, shared by threads and greenlets, never by processes."""

from __future__ import annotations

import os
import random
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlite_utils import Database

from scorer.store import Unavailable

Found = TypeVar("Found")

_BUSY: Final = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_REASONS: Final = {
    sqlite3.SQLITE_FULL: "full",
    sqlite3.SQLITE_READONLY: "read-only",
    **dict.fromkeys(_BUSY, "locked"),
}


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
            if db.conn.in_transaction:
                db.conn.rollback()
            with self._lock:
                self._idle.append(db)

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        """The rows of a query."""
        with translated(), self.borrow() as db:
            return self.patiently(lambda: db.execute(sql, parameters).fetchall())

    @contextmanager
    def writing(self) -> Iterator[Database]:
        """One write transaction, whole or not at all."""
        with translated(), self.borrow() as db:
            # An ordinary BEGIN would fail as soon as another writer commits after our first read.
            self.patiently(lambda: db.execute("begin immediate"))
            try:
                yield db
            except BaseException:
                db.conn.rollback()
                raise
            db.conn.commit()

    def patiently(self, attempt: Callable[[], Found]) -> Found:
        """`attempt`, again while another process holds the lock.

        SQLite's own waiting would freeze every greenlet of the process, so it is switched off.
        """
        end = time.monotonic() + self._patience
        while True:
            try:
                return attempt()
            except sqlite3.OperationalError as error:
                if _code(error) not in _BUSY or time.monotonic() > end:
                    raise
            time.sleep(random.uniform(0.001, 0.010))

    def changes(self) -> int:
        """A number that is another one after any commit, of any process, to the file."""
        with translated():
            with self._lock:
                self._own()
                # Only the numbers of one and the same connection can be compared.
                watcher = self._watcher = self._watcher or self._open()
            return int(watcher.execute("pragma data_version").fetchone()[0])

    def close(self) -> None:
        """Close what is not lent out."""
        with self._lock:
            self._own()
            idle, watcher = self._idle, self._watcher
            self._idle, self._watcher = [], None
        for db in [*idle, *([watcher] if watcher else [])]:
            db.close()

    def _own(self) -> None:
        if self._pid == os.getpid():
            return
        # A forked process must not touch its parent's connections, not even to close them.
        self._inherited = [*self._idle, self._watcher]
        self._idle, self._watcher, self._pid = [], None, os.getpid()

    def _open(self) -> Database:
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            db = Database(connection)
            for pragma in ("busy_timeout=0", "foreign_keys=on", "synchronous=full"):
                # Even these read the file, which another process may just be preparing.
                self.patiently(partial(db.execute, f"pragma {pragma}"))
        except BaseException:
            connection.close()
            raise
        return db
