"""The tables and triggers of the PostgreSQL database.

Texts are compared by bytes, as in SQLite. Records are stored as text, because jsonb reorders keys.
"""

from __future__ import annotations

from typing import Final

from scorer.store import Unavailable
from scorer.store.postgres.notifications import TRIGGER
from scorer.store.sql_store import Run, utc_now

APPEND_ONLY: Final = ("streams", "events")

_TABLES: Final = (
    """create table streams (
        id text collate "C" primary key, kind text not null,
        head text not null check (head::json is not null), created text not null
    )""",
    """create table events (
        seq bigint primary key,
        stream text collate "C" not null references streams(id), n integer not null,
        key text collate "C" not null, body text not null,
        event text not null check (event::json is not null), hash text not null,
        unique (stream, n), unique (stream, key)
    )""",
    """create table keys (
        digest text collate "C" primary key,
        stream text collate "C" not null references streams(id),
        role text collate "C" not null, created text not null, revoked text
    )""",
    "create index keys_of_stream on keys (stream, role)",
    """create table boxes (
        holder text collate "C" not null, role text collate "C" not null,
        nonce text not null, box text not null,
        primary key (holder, role)
    )""",
)
_APPEND_ONLY: Final = (
    """create function append_only() returns trigger language plpgsql as $$
        begin raise exception 'append-only' using errcode = 'integrity_constraint_violation'; end
    $$""",
    *(
        f"create trigger no_change before update or delete or truncate on {table} "
        "for each statement execute function append_only()"
        for table in APPEND_ONLY
    ),
)
_PLACES: Final = (
    # Writers are serialized, so seq has no gaps.
    """create function next_place() returns trigger language plpgsql as $$
        begin
            if new.seq is null then
                select coalesce(max(seq), 0) + 1 into new.seq from events;
            end if;
            return new;
        end
    $$""",
    "create trigger place before insert on events for each row execute function next_place()",
)
_COUNTS: Final = (
    # Unlogged: losing some minutes of counts in a crash is harmless.
    """create unlogged table counts (
        key text collate "C" primary key, count integer not null, ends double precision not null
    )""",
)
_OPENED: Final = (
    """create table opened (
        stream text collate "C" primary key references streams(id),
        since text not null, seen text not null
    )""",
)
_ANNOUNCED: Final = (
    "alter table opened add column days integer not null default 0",
    "alter table opened add column day text not null default ''",
)
_MIGRATIONS: Final = {
    "m001_streams": (*_TABLES, *_APPEND_ONLY, *_PLACES, *TRIGGER, *_COUNTS),
    "m002_opened": _OPENED,
    "m003_announced": _ANNOUNCED,
}


def to_do(run: Run) -> list[str]:
    """The names of migrations not yet applied.

    :raises Unavailable: "newer", "foreign" or "encoding" (not UTF-8)
    """
    if run("show server_encoding") != [("UTF8",)]:
        raise Unavailable("encoding")
    tables = run("select tablename from pg_tables where schemaname = current_schema()")
    if not tables:
        return list(_MIGRATIONS)
    if ("bummerl_migrations",) not in tables:
        raise Unavailable("foreign")
    applied = {name for (name,) in run("select name from bummerl_migrations")}
    if applied - set(_MIGRATIONS):
        raise Unavailable("newer")
    return [name for name in _MIGRATIONS if name not in applied]


def migrate(run: Run) -> None:
    """Applies missing migrations in the transaction of `run`."""
    names = to_do(run)
    if names == list(_MIGRATIONS):
        run("create table bummerl_migrations (name text primary key, applied text not null)")
    for name in names:
        for statement in _MIGRATIONS[name]:
            run(statement)
        run("insert into bummerl_migrations (name, applied) values (?, ?)", name, utc_now())
