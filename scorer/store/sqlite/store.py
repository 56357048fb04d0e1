"""The store in one SQLite file, through sqlite-utils."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from scorer.store import Unavailable
from scorer.store.atomic_file import atomic_file, create_owner_only
from scorer.store.lock_timeout import LOCK_SECONDS, short_pause
from scorer.store.sql_store import Run, Store, utc_now
from scorer.store.sqlite.connections import Connections, code, translate_errors
from scorer.store.sqlite.driver import Database, sqlite3
from scorer.store.sqlite.migrations import MIGRATION_NAMES, migrations, refusal_trigger

_OTHER_FILE_CODES: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""SQLite's result codes if the open file was replaced by another one."""


class SqliteStore(Store):
    """A `Store` in the file `path`, created with its folder if missing.

    :param clock: returns the time of a new event
    :param patience: seconds to wait for another writer
    :param journal: SQLite's journal mode; "delete" keeps everything in one file
    :raises Unavailable: the file is no database, or cannot be opened
    """

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Callable[[], str] = utc_now,
        patience: float = LOCK_SECONDS,
        journal: str = "wal",
    ) -> None:
        self.path, self._journal = Path(path), journal
        self._db = Connections(self.path, patience)
        super().__init__(self._db, clock)
        self._prepare()

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            create_owner_only(self.path)
        except OSError:
            raise Unavailable("read-only") from None
        with translate_errors(), self._db.borrow() as db:
            if not self._db.patiently(lambda: _needs_migration(db)):
                return
            self._db.patiently(lambda: db.execute(f"pragma journal_mode={self._journal}"))
        # Several workers may start at once: only one migrates.
        with self._db.exclusive() as db:
            migrations.apply(db)

    def _is_same_database(self, run: Run) -> bool:
        try:
            # Drop the connection's cache too.
            run("pragma shrink_memory")
            return super()._is_same_database(run)
        except sqlite3.DatabaseError as error:
            if code(error) in _OTHER_FILE_CODES:
                return False
            # An I/O error does not mean that the file was replaced.
            raise

    def _has_newest(self, run: Run) -> bool:
        with self._newest_lock:
            newest = self._newest_hashes[-1] if self._newest_hashes else None
        if newest is None:
            return True
        rows = run("select hash from events where seq = ?", newest[0])
        return bool(rows) and rows[0][0] in (newest[1], "")

    def grown_streams(self, after: int) -> tuple[int, dict[str, int]]:
        # Newest first: an event between the two queries is then reported twice, not missed.
        [(seq,)] = self._db.rows("select coalesce(max(seq), 0) from events")
        sql = "select stream, max(n) from events where seq > ? group by stream"
        return seq, dict(self._db.rows(sql, after))

    def _lock(self, run: Run, stream: str) -> None:
        """A file has one writer."""

    def _after_copy(self, run: Run) -> None:
        """SQLite continues after the largest seq."""

    def check_opened(self) -> None:
        super().check_opened()
        self._db.file_identity.check()

    def can_reopen(self) -> bool:
        return self._db.file_identity.is_safe_to_open()

    @contextmanager
    def _allow_updates(self, run: Run) -> Iterator[None]:
        tables = ("streams", "events")
        for table in tables:
            run(f"drop trigger {table}_no_update")
        yield
        for table in tables:
            run(refusal_trigger(table, "update"))

    def ready(self) -> None:
        with translate_errors(), self._db.borrow() as db:
            if _needs_migration(db):
                raise Unavailable("foreign")
        with self._writing() as run:
            # Same value, but written to disk like an event.
            [(number,)] = run("pragma user_version")
            run(f"pragma user_version={int(number)}")

    def empty_log(self, rewrite: bool = False) -> bool:
        """Write the log into the file and empty it, so that neither holds deleted content.

        :param rewrite: write the whole file anew: releases before 0.2.1 left deleted content in it
        :returns: False if others use it all the time, and it is not empty
        """
        with translate_errors(), self._db.borrow() as db, self._db.waiting() as until:
            if rewrite:
                self._db.patiently(lambda: db.execute("vacuum"))
            while True:
                [(busy, *_)] = db.execute("pragma wal_checkpoint(truncate)").fetchall()
                if not busy or time.monotonic() > until:
                    return not busy
                short_pause()

    def free_disk_share(self) -> float:
        disk = os.statvfs(self.path.parent)
        return disk.f_bavail / disk.f_blocks if disk.f_blocks else 1.0

    def examine(self) -> str:
        """SQLite's description of what is wrong with the file, or ''."""
        verdict = [text for (text,) in self._db.rows("pragma integrity_check(1)")]
        return "" if verdict == ["ok"] else str(verdict[0])

    def backup(self, target: Path) -> None:
        with atomic_file(target) as unfinished, translate_errors(), self._db.borrow() as db:
            self._db.patiently(lambda: db.execute("vacuum into ?", (str(unfinished),)))
            # WAL mode is not copied.
            with closing(sqlite3.connect(unfinished)) as copy:
                copy.execute(f"pragma journal_mode={self._journal}")


def into_file(target: Path, book: Store) -> None:
    """Write another store's data into the new file `target`, as a whole or not at all.

    :raises FileExistsError: it exists
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise Unavailable("read-only") from None
    with atomic_file(target) as unfinished, closing(SqliteStore(unfinished)) as copy:
        copy.copy_all_from(book)


def _needs_migration(db: Database) -> bool:
    """Whether the file is new or needs migrations.

    :raises Unavailable: a later release or another program wrote it
    """
    # In this order, because a migrating worker commits both at once.
    tables = db.table_names()
    applied = {migration.name for migration in migrations.applied(db)}
    if applied - MIGRATION_NAMES:
        raise Unavailable("newer")
    if tables and not applied:
        raise Unavailable("foreign")
    return applied != MIGRATION_NAMES
