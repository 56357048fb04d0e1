"""The store in one SQLite file: the embedded default, and a phone's own."""

from scorer.store.sqlite.store import SqliteStore

__all__ = ["SqliteStore"]
