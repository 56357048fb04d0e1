"""Connections to one SQLite file, shared by threads and greenlets, never by processes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from scorer.store import Unavailable
from scorer.store.connection_pool import Pool
from scorer.store.lock_timeout import bounded_wait, hold_lock, short_pause
from scorer.store.sql_store import RowExists, Run
from scorer.store.sqlite.driver import Database, sqlite3
from scorer.store.sqlite.file_identity import FileIdentity

Result = TypeVar("Result")

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


def code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_IOERR) & 0xFF


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise SQLite's errors as `Unavailable`; integrity errors pass."""
    try:
        yield
    except sqlite3.IntegrityError:
        raise
    except sqlite3.Error as error:
        raise Unavailable(_REASONS.get(code(error), "broken")) from error


def runner(db: Database) -> Run:
    def run(sql: str, *parameters: Any) -> list[Any]:
        try:
            return db.execute(sql, parameters).fetchall()
        except sqlite3.IntegrityError as error:
            raise RowExists from error

    return run


class Connections:
    """The `Backend` of an SQLite file.

    :param patience: seconds to wait for another process's lock
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._path, self._patience = path, patience
        self._pool = Pool(self._connect, _clear, _shut)
        self.file_identity = FileIdentity(path)
        self._writer = threading.Lock()
        """Lock of writers in this process, so that only one of them waits for other processes."""
        self.borrow = self._pool.borrow

    def waiting(self) -> AbstractContextManager[float]:
        return bounded_wait(self._patience)

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        with translate_errors(), self.borrow() as db:
            return self.patiently(lambda: db.execute(sql, parameters).fetchall())

    @contextmanager
    def snapshot(self) -> Iterator[Run]:
        with translate_errors(), self.borrow() as db:
            self.patiently(lambda: db.execute("begin"))
            yield runner(db)

    @contextmanager
    def writing(self) -> Iterator[tuple[Run, bool]]:
        with self.exclusive() as db:
            yield runner(db), self.file_identity.was_written()

    @contextmanager
    def exclusive(self) -> Iterator[Database]:
        """One write transaction, committed as a whole or not at all.

        :raises Unavailable: without `may_be_recorded` if nothing was written
        """
        with translate_errors(), hold_lock(self._writer, self._patience), self.borrow() as db:
            # An ordinary BEGIN would fail as soon as another writer commits after our first read.
            self.patiently(lambda: db.execute("begin immediate"))
            try:
                yield db
                self.file_identity.check()
            except BaseException:
                db.conn.rollback()
                raise
            try:
                db.conn.commit()
                self.file_identity.check()
            except sqlite3.Error as error:
                raise Unavailable(
                    _REASONS.get(code(error), "broken"), may_be_recorded=True
                ) from error
            except Unavailable as error:
                raise Unavailable(error.reason, may_be_recorded=True) from None

    def patiently(self, attempt: Callable[[], Result]) -> Result:
        """Repeat `attempt` while another process holds the lock.

        SQLite's own busy wait would block every greenlet of the process, so it is off.
        """
        with self.waiting() as deadline:
            while True:
                try:
                    return attempt()
                except sqlite3.OperationalError as error:
                    if code(error) not in _BUSY or time.monotonic() > deadline:
                        raise
                short_pause()

    def changes(self) -> int:
        with translate_errors():
            watcher = self._pool.change_connection()
            return int(watcher.execute("pragma data_version").fetchone()[0])

    def close(self) -> None:
        self._pool.close()

    def _connect(self, is_first: bool) -> Database:
        if is_first:
            self.file_identity.forget_wal()
        # SQLite would create a file that was moved away.
        self.file_identity.check()
        connection = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False)
        try:
            db = Database(connection)
            # secure_delete: what is deleted or changed is overwritten in the file.
            for pragma in (
                "busy_timeout=0",
                "foreign_keys=on",
                "synchronous=full",
                "secure_delete=on",
            ):
                # These read the file, which another process may be migrating.
                self.patiently(partial(db.execute, f"pragma {pragma}"))
            # A read keeps the WAL open: another process that closes last would delete it.
            self.patiently(lambda: db.execute("pragma schema_version").fetchone())
            self.file_identity.check()
        except BaseException:
            connection.close()
            raise
        return db


def _clear(db: Database) -> bool:
    try:
        if db.conn.in_transaction:
            db.conn.rollback()
    except sqlite3.Error:
        return False
    return True


def _shut(db: Database) -> None:
    with suppress(sqlite3.Error):
        db.close()
