"""Counters shared by all processes that serve one database, for the rate limits.

The workers of one machine share a small file, several servers a table of their database. They
are not part of the record; losing them is harmless.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from typing import Any, Final

from scorer.store import Unavailable
from scorer.store.database_url import is_remote
from scorer.store.sqlite.driver import sqlite3

_CALLS_PER_SWEEP: Final = 500
"""Counted requests between two deletions of expired windows."""
_ADD: Final = """
    insert into counts (key, count, ends) values (?, ?, ?) on conflict (key) do update set
    count = case when counts.ends <= ? then excluded.count
        else counts.count + excluded.count end,
    ends = case when counts.ends <= ? then excluded.ends else counts.ends end
    returning count, ends
"""


class Counts(ABC):
    """Counters in SQL, each for a window of time."""

    errors: type[Exception]

    def __init__(self) -> None:
        self._call_count = 0

    def count(self, key: str, seconds: int, amount: int = 1) -> tuple[int, float]:
        """Add `amount` to the counter `key`.

        :param seconds: length of the window, which begins with the first count in it
        :returns: the count in this window, and the seconds left of it
        """
        now = self._now()
        self._call_count += 1
        if self._call_count % _CALLS_PER_SWEEP == 0:
            self._run("delete from counts where ends <= ?", now)
        [(count, ends)] = self._run(_ADD, key, amount, now + seconds, now, now)
        # Rounding may make the difference larger than the window.
        return int(count), min(float(ends) - now, seconds)

    @abstractmethod
    def close(self) -> None:
        """Close the file or the connections of the counters."""

    @abstractmethod
    def _run(self, sql: str, *values: Any) -> list[Any]:
        """Run a statement and return its rows."""

    @abstractmethod
    def _now(self) -> float:
        """The time in seconds, the same for all that share the counters."""


class FileCounts(Counts):
    """Counters in a file, by the clock since the machine's start.

    :param path: ":memory:" for counters of this process only
    """

    errors = sqlite3.Error

    def __init__(self, path: str) -> None:
        super().__init__()
        self._path = path
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    def close(self) -> None:
        if self._db is not None:
            self._db.close()

    def _now(self) -> float:
        return time.monotonic()

    def _run(self, sql: str, *values: Any) -> list[Any]:
        with self._lock:
            if self._db is None:
                # Opened lazily, so after a fork.
                self._db = self._open()
            return self._db.execute(sql, values).fetchall()

    def _open(self) -> sqlite3.Connection:
        db = sqlite3.connect(self._path, timeout=0.1, isolation_level=None, check_same_thread=False)
        db.execute("pragma journal_mode=wal")
        db.execute("pragma synchronous=off")
        db.execute(
            "create table if not exists counts "
            "(key text primary key, count integer not null, ends real not null) strict"
        )
        return db


class PostgresCounts(Counts):
    """Counters in a table of the PostgreSQL database, by the server's clock, which may be set."""

    errors = Unavailable

    def __init__(self, address: str) -> None:
        super().__init__()
        # psycopg is optional.
        from scorer.store.postgres.connections import Connections

        self._connections = Connections(address, patience=0.5, max_connections=2)
        self._clock_offset: float | None = None
        """Seconds the server's clock is ahead of this machine's monotonic clock."""

    def _now(self) -> float:
        if self._clock_offset is None or self._call_count % _CALLS_PER_SWEEP == 0:
            [(server_time,)] = self._run("select extract(epoch from clock_timestamp())")
            self._clock_offset = float(server_time) - time.monotonic()
        return time.monotonic() + self._clock_offset

    def close(self) -> None:
        self._connections.close()

    def _run(self, sql: str, *values: Any) -> list[Any]:
        return self._connections.rows(sql, *values)


def open_counts(address: str) -> Counts:
    """Counters in the file or database at this address; in memory if it is ''."""
    return PostgresCounts(address) if is_remote(address) else FileCounts(address or ":memory:")
