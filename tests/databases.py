"""Opens databases of both kinds for tests, and damages them."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager

import psycopg

from scorer.store.database_url import open_store
from scorer.store.sqlite.driver import sqlite3
from tests.serving import PATIENCE_SECONDS


class _Database:
    """One database. `place` is the path or URL by which other processes open it, too."""

    def __init__(self, place):
        self.place, self._ends = place, ExitStack()

    def __enter__(self):
        return self

    def __exit__(self, *given):
        self._ends.close()

    def open(self, patience=PATIENCE_SECONDS, **settings):
        """A new store on the database, as another process would open it. It is closed at the end.

        :param settings: PostgreSQL settings of its connections
        """
        begin = "".join(f"%20-c{name}%3D{value}" for name, value in settings.items())
        store = open_store(self.place + begin, patience)
        self._ends.callback(store.close)
        return store


class SqliteDatabase(_Database):
    """An SQLite file."""

    def __init__(self, folder):
        super().__init__(str(folder / "book" / "test.db"))

    @contextmanager
    def _foreign(self):
        connection = sqlite3.connect(self.place, isolation_level=None, check_same_thread=False)
        try:
            yield connection
        finally:
            connection.close()

    def execute(self, sql):
        """Run SQL without a store, as another program would, and return the rows."""
        with self._foreign() as connection:
            return connection.execute(sql).fetchall()

    @contextmanager
    def hold_write_lock(self):
        """Hold a write lock, like another process that is writing."""
        with self._foreign() as connection:
            connection.execute("begin immediate")
            yield
            connection.rollback()

    def as_of_a_later_release(self):
        self.execute(
            "insert into _sqlite_migrations (migration_set, name, applied_at) "
            "values ('bummerl', 'm999_later', '2099-01-01')"
        )


class PostgresDatabase(_Database):
    """A database of a PostgreSQL server."""

    def __init__(self, cluster):
        super().__init__(cluster.book())

    @contextmanager
    def _foreign(self):
        with psycopg.connect(self.place, autocommit=True) as connection:
            yield connection

    def execute(self, sql):
        with self._foreign() as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    @contextmanager
    def hold_write_lock(self):
        with self._foreign() as connection, connection.transaction():
            connection.execute("lock table events in share mode")
            yield

    def as_of_a_later_release(self):
        self.execute("insert into bummerl_migrations values ('m999_later', '2099-01-01')")
