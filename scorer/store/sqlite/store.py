"""The store in one SQLite file, through sqlite-utils."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import ClassVar, Final

from scorer.store import Unavailable
from scorer.store.atomic_file import atomic_file, make_own
from scorer.store.sql_store import Run, Store, utc_now
from scorer.store.sqlite.connections import Connections, code, translated
from scorer.store.sqlite.driver import Database, sqlite3
from scorer.store.sqlite.migrations import NAMES, migrations, refusing

_ANOTHER: Final = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
"""What SQLite says where another file, or none of ours, lies under what it has open."""


class SqliteStore(Store):
    """A `Store` in the file `path`, made with its folder where it does not exist yet.

    :param clock: gives the time of each event
    :param patience: seconds to wait for another writer
    :param journal: SQLite's journal mode; "delete" keeps everything in the one file
    :raises Unavailable: the file is no database, or cannot be opened
    """

    REMEMBERED: ClassVar[int] = 1024
    """More than one clearing of the log writes."""

    def __init__(
        self,
        path: str | Path,
        *,
        clock: Callable[[], str] = utc_now,
        patience: float = 5.0,
        journal: str = "wal",
    ) -> None:
        self.path, self._journal = Path(path), journal
        self._db = Connections(self.path, patience)
        super().__init__(self._db, clock)
        self._prepare()

    def _prepare(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            make_own(self.path)
        except OSError:
            raise Unavailable("read-only") from None
        with translated(), self._db.borrow() as db:
            if not self._db.patiently(lambda: _to_do(db)):
                return
            self._db.patiently(lambda: db.execute(f"pragma journal_mode={self._journal}"))
        # Several workers may start at once: one migrates, the others find nothing to do.
        with self._db.exclusive() as db:
            migrations.apply(db)

    def _known(self, run: Run) -> bool:
        try:
            # Not what the connection remembers of it.
            run("pragma shrink_memory")
            return super()._known(run)
        except sqlite3.DatabaseError as error:
            if code(error) in _ANOTHER:
                return False
            # The disk would not read it now: that says nothing of what stands there.
            raise

    def _newest_known(self, run: Run) -> bool:
        with self._noting:
            newest = self._seen[-1] if self._seen else None
        if newest is None:
            return True
        found = run("select hash from events where seq = ?", newest[0])
        return bool(found) and found[0][0] in (newest[1], "")

    def guard(self) -> None:
        """From now on `look` and all writes notice, too, that the file was overwritten in place.

        For a process that serves it to its end: it holds two descriptors for good.
        """
        # The first write begins the log: what is noted of it now stays so until a checkpoint.
        with suppress(Unavailable):
            self.ready()
        self._db.place.guard()

    def look(self) -> None:
        super().look()
        self._db.place.check()

    def make_way(self) -> None:
        self._db.place.make_way(_check_whole)

    @contextmanager
    def _loosened(self, run: Run) -> Iterator[None]:
        tables = ("streams", "events")
        # Nothing of what it was stays in the pages of the file.
        run("pragma secure_delete=on")
        for table in tables:
            run(f"drop trigger {table}_no_update")
        yield
        for table in tables:
            run(refusing(table, "update"))

    def ready(self) -> None:
        with translated(), self._db.borrow() as db:
            if _to_do(db):
                raise Unavailable("foreign")
        with self._writing() as run:
            # The number stays, and yet it goes to the disk as an event would.
            [(number,)] = run("pragma user_version")
            run(f"pragma user_version={int(number)}")

    def examine(self) -> str:
        """What is wrong with the file, in SQLite's words; an empty text where all is well."""
        verdict = [text for (text,) in self._db.rows("pragma integrity_check(1)")]
        return "" if verdict == ["ok"] else str(verdict[0])

    def backup(self, target: Path) -> None:
        with atomic_file(target) as unfinished, translated(), self._db.borrow() as db:
            self._db.patiently(lambda: db.execute("vacuum into ?", (str(unfinished),)))
            # A copy forgets that its original kept a log; whoever serves it needs one again.
            with closing(sqlite3.connect(unfinished)) as copy:
                copy.execute(f"pragma journal_mode={self._journal}")


def into_file(target: Path, book: Store) -> None:
    """Write all of another store's book into the new file `target`, whole or not at all.

    :raises FileExistsError: it is there already
    """
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
    except OSError:
        raise Unavailable("read-only") from None
    with atomic_file(target) as unfinished, closing(SqliteStore(unfinished)) as copy:
        copy.take_all(book)


def _check_whole(path: Path) -> None:
    """A file is a score book, whole.

    :raises Unavailable: it is not, or a later release wrote it
    """
    with translated(), closing(sqlite3.connect(path)) as connection:
        _to_do(Database(connection))
        if connection.execute("pragma quick_check(1)").fetchone() != ("ok",):
            raise Unavailable("damaged")


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
