"""The store in one SQLite file: the embedded default, and a phone's own."""

from scorer.store.sqlite.store import SqliteStore, utc_now

__all__ = ["SqliteStore", "utc_now"]
