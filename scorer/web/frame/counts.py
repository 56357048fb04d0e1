"""Counts of the rate limits that all who serve one book share.

For the workers of one machine they are a small file of their own, for several servers a table of
their database. No event is in them: what is lost with them are a few minutes of counting.
"""

from __future__ import annotations

import threading
import time
from abc import abstractmethod
from typing import Any, Final
from urllib.parse import quote, unquote, urlsplit

from limits.storage import Storage

from scorer.store import Unavailable
from scorer.store.databases import SCHEMES, is_remote
from scorer.store.sqlite.driver import sqlite3

FILE: Final = "counts"
_SWEEP: Final = 500
"""Counted requests between two clearings of what has ended."""


class Counts(Storage):
    """Counters in SQL. Windows end by a clock that nobody sets."""

    STORAGE_SCHEME: list[str] | None = None

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._since = 0

    @abstractmethod
    def _do(self, sql: str, *values: Any) -> list[Any]:
        """Run a statement and answer its rows."""

    @abstractmethod
    def close(self) -> None:
        """Let go of what it counts in."""

    @abstractmethod
    def _now(self) -> float:
        """The time in seconds, as all who count here have it."""

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count `amount` more under `key`; returns the sum of this window."""
        now = self._now()
        self._since += 1
        if self._since % _SWEEP == 0:
            self._do("delete from counts where ends <= ?", now)
        [(count,)] = self._do(
            "insert into counts (key, count, ends) values (?, ?, ?) on conflict (key) do update "
            "set count = case when counts.ends <= ? then excluded.count "
            "else counts.count + excluded.count end, "
            "ends = case when counts.ends <= ? then excluded.ends else counts.ends end "
            "returning count",
            *(key, amount, now + expiry, now, now),
        )
        return int(count)

    def get(self, key: str) -> int:
        """What is counted under `key` in this window."""
        sql = "select count from counts where key = ? and ends > ?"
        found = self._do(sql, key, self._now())
        return int(found[0][0]) if found else 0

    def get_expiry(self, key: str) -> float:
        """When the window of `key` ends, by the clock on the wall."""
        found = self._do("select ends from counts where key = ?", key)
        left = found[0][0] - self._now() if found else 0.0
        return time.time() + max(left, 0.0)

    def check(self) -> bool:
        """Whether it can count."""
        self._do("select 1")
        return True

    def reset(self) -> int:
        """Forget all; returns how many counts there were."""
        return len(self._do("delete from counts returning key"))

    def clear(self, key: str) -> None:
        """Forget one."""
        self._do("delete from counts where key = ?", key)


class FileCounts(Counts):
    """In a file, by the clock since the machine's start."""

    STORAGE_SCHEME = [FILE]  # noqa: RUF012

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._path = unquote(urlsplit(uri).path)
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None

    @property
    def base_exceptions(self) -> type[Exception]:
        return sqlite3.Error

    def _now(self) -> float:
        return time.monotonic()

    def close(self) -> None:
        if self._db is not None:
            self._db.close()

    def _do(self, sql: str, *values: Any) -> list[Any]:
        with self._lock:
            if self._db is None:
                # Opened by the worker that counts, after any fork.
                self._db = sqlite3.connect(
                    self._path, timeout=0.1, isolation_level=None, check_same_thread=False
                )
                self._db.execute("pragma journal_mode=wal")
                self._db.execute("pragma synchronous=off")
                self._db.execute(
                    "create table if not exists counts "
                    "(key text primary key, count integer not null, ends real not null) strict"
                )
            return self._db.execute(sql, values).fetchall()


class ServerCounts(Counts):
    """In a table of the PostgreSQL database, by that server's clock."""

    STORAGE_SCHEME = [*SCHEMES]  # noqa: RUF012

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        # psycopg is there where somebody names such a database.
        from scorer.store.postgres.connections import Connections

        self._connections = Connections(uri, patience=0.5, most=2)
        self._ahead: float | None = None
        """The server's clock against this machine's steady one."""

    @property
    def base_exceptions(self) -> type[Exception]:
        return Unavailable

    def _now(self) -> float:
        if self._ahead is None or self._since % _SWEEP == 0:
            [(there,)] = self._do("select extract(epoch from clock_timestamp())")
            self._ahead = float(there) - time.monotonic()
        return time.monotonic() + self._ahead

    def close(self) -> None:
        self._connections.close()

    def _do(self, sql: str, *values: Any) -> list[Any]:
        return self._connections.rows(sql, *values)


def address(counts: str) -> str:
    """Where `limits` counts: in the file or database of this name, or each process for itself."""
    if not counts:
        return "memory://"
    return counts if is_remote(counts) else f"{FILE}://{quote(counts)}"
