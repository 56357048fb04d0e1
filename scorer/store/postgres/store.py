"""The store in a PostgreSQL database, through psycopg."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from scorer.store import Unavailable
from scorer.store.postgres.connections import Connections
from scorer.store.postgres.schema import APPEND_ONLY, migrate, to_do
from scorer.store.sql_store import Run, Store, utc_now
from scorer.store.sqlite import into_file


class PostgresStore(Store):
    """A `Store` in the database `url`; creates its tables if missing.

    :param clock: returns the time of a new event
    :param patience: seconds to wait for another writer, or for a server that does not answer
    :raises Unavailable: it does not answer, or is no score book
    """

    def __init__(
        self, url: str, *, clock: Callable[[], str] = utc_now, patience: float = 5.0
    ) -> None:
        self._db = Connections(url, patience)
        super().__init__(self._db, clock)
        # Several servers may start at once: only one migrates.
        try:
            with self._db.writing() as run:
                migrate(run)
        except BaseException:
            self._db.close()
            raise

    @contextmanager
    def _loosened(self, run: Run) -> Iterator[None]:
        for table in APPEND_ONLY:
            run(f"alter table {table} disable trigger no_change")
        yield
        for table in APPEND_ONLY:
            run(f"alter table {table} enable trigger no_change")

    def ready(self) -> None:
        with self._writing() as run:
            if to_do(run):
                raise Unavailable("foreign")
            # Same value, but written to disk like an event.
            run("update bummerl_migrations set applied = applied")

    def settings(self) -> dict[str, str]:
        """The server's settings by PostgreSQL's names."""
        return dict(self._db.rows("select name, setting from pg_settings"))

    def backup(self, target: Path) -> None:
        into_file(target, self)
