"""The tables, triggers and functions of the PostgreSQL database.

Texts are compared by bytes, as in SQLite. Records are stored as text, because jsonb reorders keys.
"""

from __future__ import annotations

from typing import Final

from scorer.store import Unavailable
from scorer.store.sql_store import Run, utc_now

LOCKS_SETTING: Final = "bummerl.locks"
"""Setting of each connection that locks streams. Older servers locked the whole database."""
LOCK_SQL: Final = "pg_advisory_xact_lock(hashtextextended({}, 0))"
"""SQL that keeps other writers from a stream until the end of the transaction."""
ERASING_SETTING: Final = "bummerl.erasing"
"""Setting of a transaction that may change events."""

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
        for table in ("streams", "events")
    ),
)
_PLACES: Final = (
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
_NEWS: Final = (
    """create function tell_news() returns trigger language plpgsql as $$
        begin perform pg_notify('bummerl', ''); return null; end
    $$""",
    "create trigger news after insert on events for each statement execute function tell_news()",
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
_NO_SINGLE_WRITER: Final = (
    "drop trigger place on events",
    "drop function next_place()",
    "drop trigger news on events",
    "drop function tell_news()",
    # A sequence and a transaction's id need no lock, but seq has gaps, and may be out of order.
    "create sequence seq_of_events owned by events.seq",
    "select setval('seq_of_events', (select coalesce(max(seq), 0) + 1 from events), false)",
    "alter table events alter column seq set default nextval('seq_of_events')",
    "alter table events add column xid xid8 not null default pg_current_xact_id()",
    "create index xid_of_events on events (xid)",
    f"""create or replace function append_only() returns trigger language plpgsql as $$
        begin
            if current_setting('{ERASING_SETTING}', true) = 'on' and tg_op = 'UPDATE' then
                return null;
            end if;
            raise exception 'append-only' using errcode = 'integrity_constraint_violation';
        end
    $$""",
    # An older server relies on a lock that no other takes any more.
    f"""create function refuse_older_server() returns trigger language plpgsql as $$
        begin
            if coalesce(current_setting('{LOCKS_SETTING}', true), '') = '' then
                raise exception 'a newer release of Bummerl has changed this database: '
                    'upgrade this server' using errcode = 'read_only_sql_transaction';
            end if;
            return null;
        end
    $$""",
    *(
        f"create trigger release before insert or update on {table} "
        "for each statement execute function refuse_older_server()"
        for table in ("streams", "events", "keys")
    ),
    # The event's text is `before`, the hash and `after`; `hashed` is the event without its hash.
    f"""create function append_event(
        stream_id text, milliseconds integer, event_key text, event_body text, expected integer,
        hashed text, before text, after text,
        out outcome text, out seq bigint, out n integer, out body text, out event text,
        out hash text
    ) language plpgsql as $$
        declare
            previous text;
            repeated events;
        begin
            perform set_config('lock_timeout', milliseconds::text, true),
                {LOCK_SQL.format("stream_id")};
            select e.n, e.hash into n, previous
                from events e where e.stream = stream_id order by e.n desc limit 1;
            n := coalesce(n, 0);
            if coalesce(previous, '') = '' then
                select encode(sha256(convert_to(head, 'UTF8')), 'hex') into previous
                    from streams where id = stream_id;
            end if;
            outcome := case
                when expected <> n then 'stale' when previous is null then 'unknown' else 'appended'
            end;
            if outcome = 'appended' then
                hash := encode(sha256(convert_to(previous || hashed, 'UTF8')), 'hex');
                n := n + 1;
                event := before || hash || after;
                insert into events as e (stream, n, key, body, event, hash) values (
                    stream_id, append_event.n, event_key, event_body, append_event.event,
                    append_event.hash
                ) on conflict (stream, key) do nothing returning e.seq into seq;
            end if;
            if seq is null then
                select * into repeated
                    from events e where e.stream = stream_id and e.key = event_key;
                if found then
                    outcome := 'repeated';
                    seq := repeated.seq;
                    n := repeated.n;
                    body := repeated.body;
                    event := repeated.event;
                end if;
            end if;
        end
    $$""",
)
_MIGRATIONS: Final = {
    "m001_streams": (*_TABLES, *_APPEND_ONLY, *_PLACES, *_NEWS, *_COUNTS),
    "m002_opened": _OPENED,
    "m003_announced": _ANNOUNCED,
    "m004_no_single_writer": _NO_SINGLE_WRITER,
}


def missing_migrations(run: Run) -> list[str]:
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
    """Apply missing migrations in the transaction of `run`."""
    names = missing_migrations(run)
    if names == list(_MIGRATIONS):
        run("create table bummerl_migrations (name text primary key, applied text not null)")
    for name in names:
        for statement in _MIGRATIONS[name]:
            run(statement)
        run("insert into bummerl_migrations (name, applied) values (?, ?)", name, utc_now())
