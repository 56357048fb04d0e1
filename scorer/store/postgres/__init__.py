"""The store in a PostgreSQL database, for several servers at once. Needs `bummerl[postgres]`."""

from scorer.store.postgres.store import PostgresStore

__all__ = ["PostgresStore"]
