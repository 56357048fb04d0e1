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
    """A `Store` in the database `url`, whose tables are made where there are none yet.

    :param clock: gives the time of each event
    :param patience: seconds to wait for another writer, or for a server that is away
    :raises Unavailable: it does not answer, or is no score book
    """

    def __init__(
        self, url: str, *, clock: Callable[[], str] = utc_now, patience: float = 5.0
    ) -> None:
        self._db = Connections(url, patience)
        super().__init__(self._db, clock)
        # Several servers may start at once: one migrates, the others find nothing to do.
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
            # The names stay, and yet it goes to the disk as an event would.
            run("update bummerl_migrations set applied = applied")

    def settings(self) -> dict[str, str]:
        """How the server is set up, by PostgreSQL's own names."""
        return dict(self._db.rows("select name, setting from pg_settings"))

    def backup(self, target: Path) -> None:
        into_file(target, self)
