"""The tables and triggers of the SQLite database.

`scorer/store/postgres/migrations.py` has those of the PostgreSQL database.
"""

from __future__ import annotations

from typing import Final

from scorer.store.sqlite.driver import Database, Migrations

migrations: Final = Migrations("bummerl")


def refusal_trigger(table: str, change: str) -> str:
    """SQL of a trigger that refuses `change` on a table."""
    return (
        f"create trigger {table}_no_{change} before {change} on {table} "
        "begin select raise(abort, 'append-only'); end"
    )


@migrations()
def m001_streams(db: Database) -> None:
    for statement in (
        """create table streams (
            id text primary key, kind text not null,
            head text not null check (json_valid(head)), created text not null
        ) strict""",
        """create table events (
            seq integer primary key autoincrement,
            stream text not null references streams(id), n integer not null,
            key text not null, body text not null, event text not null check (json_valid(event)),
            hash text not null,
            unique (stream, n), unique (stream, key)
        ) strict""",
        """create table keys (
            digest text primary key, stream text not null references streams(id),
            role text not null, created text not null, revoked text
        ) strict""",
        "create index keys_of_stream on keys (stream, role)",
        """create table boxes (
            holder text not null, role text not null, nonce text not null, box text not null,
            primary key (holder, role)
        ) strict""",
    ):
        db.execute(statement)
    for table in ("streams", "events"):
        for change in ("update", "delete"):
            db.execute(refusal_trigger(table, change))


@migrations()
def m002_opened(db: Database) -> None:
    """Last opening of each table, for the deletion of unused ones."""
    db.execute(
        """create table opened (
            stream text primary key references streams(id), since text not null, seen text not null
        ) strict"""
    )


@migrations()
def m003_announced(db: Database) -> None:
    """On how many days the deletion of a table was announced, and the last of them."""
    db.execute("alter table opened add column days integer not null default 0")
    db.execute("alter table opened add column day text not null default ''")


def _migration_names() -> frozenset[str]:
    with Database(memory=True) as empty:
        return frozenset(migration.name for migration in migrations.pending(empty))


MIGRATION_NAMES: Final = _migration_names()
"""Known migrations; a database with others was written by a later release."""
