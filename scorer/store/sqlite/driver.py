"""Chooses the SQLite driver: pysqlite3 if its wheel is installed, else Python's own.

sqlite-utils chooses in the same way: two copies of SQLite must not open one file in one process.
It also imports numpy and pandas if installed, 12 MB a worker for nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from scorer.engine.translatable import N_


@contextmanager
def _hidden_modules(*names: str) -> Iterator[None]:
    """Hide these modules from imports in the block, unless they are loaded already."""
    hidden = [name for name in names if name not in sys.modules]
    sys.modules.update(dict.fromkeys(hidden))  # type: ignore[arg-type]
    try:
        yield
    finally:
        for name in hidden:
            del sys.modules[name]


with _hidden_modules("numpy", "pandas"):
    from sqlite_utils import Database, Migrations

if TYPE_CHECKING:
    import sqlite3
else:
    try:
        from pysqlite3 import dbapi2 as sqlite3
    except ImportError:
        import sqlite3

__all__ = ["WAL_FAULT", "Database", "Migrations", "has_wal_fault", "sqlite3"]

WAL_FAULT: Final = N_(
    "SQLite {version} can, very rarely, damage the file when several processes write at once "
    "(its WAL-reset fault, mended in 3.51.3, 3.50.7 and 3.44.6). "
    "Install a newer one with: {python} -m pip install pysqlite3"
)


def has_wal_fault(version: str = sqlite3.sqlite_version) -> bool:
    """Whether this SQLite version has the WAL-reset bug.

    >>> [has_wal_fault(v) for v in ("3.40.1", "3.44.6", "3.45.0", "3.50.7", "3.51.2", "3.51.3")]
    [True, False, True, False, True, False]
    """
    number = tuple(int(part) for part in version.split("."))
    mended = ((3, 44, 6), (3, 50, 7))
    return number < (3, 51, 3) and not any(fix <= number < (3, fix[1] + 1) for fix in mended)
