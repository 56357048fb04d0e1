"""Opens a database by its name: the path of a file or a PostgreSQL URL."""

from __future__ import annotations

from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from scorer.store import Unavailable
from scorer.store.lock_timeout import LOCK_SECONDS
from scorer.store.sql_store import Store
from scorer.store.sqlite import SqliteStore

SCHEMES: Final = ("postgresql", "postgres")


def is_remote(database: str) -> bool:
    """Whether it is a server's URL, not a path.

    >>> is_remote("postgresql://bummerl@db.example/bummerl"), is_remote("instance/bummerl.db")
    (True, False)
    """
    return database.partition("://")[0] in SCHEMES and "://" in database


def is_supported(database: str) -> bool:
    """Whether it is a path or a URL of a supported kind.

    >>> is_supported("bummerl.db"), is_supported("mysql://localhost/bummerl")
    (True, False)
    """
    return is_remote(database) or "://" not in database


def open_store(database: str | Path, patience: float = LOCK_SECONDS) -> Store:
    """Open the score book, creating it if it does not exist.

    :param patience: seconds to wait for other writers
    :raises Unavailable: it cannot be opened; "driver" if psycopg is not installed
    """
    database = str(database)
    if not is_remote(database):
        return SqliteStore(database, patience=patience)
    try:
        from scorer.store.postgres import PostgresStore
    except ImportError:
        raise Unavailable("driver") from None
    return PostgresStore(database, patience=patience)


def without_password(database: str) -> str:
    """The database's name without user and password.

    >>> without_password("postgresql://bummerl:geheim@db.example:5432/bummerl?sslmode=require")
    'postgresql://db.example:5432/bummerl'
    """
    if not is_remote(database):
        return database
    parts = urlsplit(database)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def own_file(database: str) -> Path:
    """The path beside which this machine keeps its own files: key, dialects."""
    return Path("instance", "postgres") if is_remote(database) else Path(database)
