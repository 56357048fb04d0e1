"""The store in one SQLite file: the embedded default, and a phone's own."""

from scorer.store.sqlite.store import SqliteStore, into_file

__all__ = ["SqliteStore", "into_file"]
