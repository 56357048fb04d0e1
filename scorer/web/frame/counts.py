"""Counts of the rate limits that all workers share, in one small file of their own.

No event is in it: what is lost with it are a few minutes of counting.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from limits.storage import Storage

from scorer.store.sqlite.driver import sqlite3

SCHEME: Final = "counts"
_SWEEP: Final = 500
"""Counted requests between two clearings of what has ended."""


class Counts(Storage):
    """Counters in a file, for the workers of one machine.

    Windows end by the clock since the machine's start, which nobody sets.
    """

    STORAGE_SCHEME = [SCHEME]  # noqa: RUF012

    def __init__(self, uri: str, wrap_exceptions: bool = False, **options: Any) -> None:
        super().__init__(uri, wrap_exceptions=wrap_exceptions, **options)
        self._path = unquote(urlsplit(uri).path)
        self._lock = threading.Lock()
        self._db: sqlite3.Connection | None = None
        self._since = 0

    @property
    def base_exceptions(self) -> type[Exception]:
        return sqlite3.Error

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

    def incr(self, key: str, expiry: int, amount: int = 1) -> int:
        """Count `amount` more under `key`; returns the sum of this window."""
        now = time.monotonic()
        self._since += 1
        if self._since % _SWEEP == 0:
            self._do("delete from counts where ends <= ?", now)
        [(count,)] = self._do(
            "insert into counts values (?1, ?2, ?3) on conflict (key) do update set "
            "count = iif(ends <= ?4, ?2, count + ?2), ends = iif(ends <= ?4, ?3, ends) "
            "returning count",
            *(key, amount, now + expiry, now),
        )
        return int(count)

    def get(self, key: str) -> int:
        """What is counted under `key` in this window."""
        sql = "select count from counts where key = ? and ends > ?"
        found = self._do(sql, key, time.monotonic())
        return int(found[0][0]) if found else 0

    def get_expiry(self, key: str) -> float:
        """When the window of `key` ends, by the clock on the wall."""
        found = self._do("select ends from counts where key = ?", key)
        left = found[0][0] - time.monotonic() if found else 0.0
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
