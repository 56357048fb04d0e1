"""The store in a PostgreSQL database, through psycopg."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scorer.store import Appended, IdempotencyKeyReused, Stale, Stored, Unavailable, UnknownStream
from scorer.store.hash_chain import canonical_json, entry_without_hash
from scorer.store.lock_timeout import LOCK_SECONDS
from scorer.store.postgres.connections import Connections
from scorer.store.postgres.migrations import ERASING_SETTING, LOCK_SQL, migrate, missing_migrations
from scorer.store.sql_store import NewEvent, Run, Store, utc_now, with_size_count
from scorer.store.sqlite import into_file

MIGRATION_LOCK: Final = 0x42756D6D65726C
"""Advisory lock of a server that creates or changes the tables. Each write of older servers took it
too."""
_APPEND: Final = (
    "select outcome, seq, n, body, event, hash from append_event(?, ?, ?, ?, ?::integer, ?, ?, ?)"
)


class PostgresStore(Store):
    """A `Store` in the database `url`; creates its tables if missing.

    Writers of one stream take turns by an advisory lock, those of different streams do not wait.

    :param clock: returns the time of a new event
    :param patience: seconds to wait for another writer, or for a server that does not answer
    :raises Unavailable: it does not answer, or is no score book
    """

    def __init__(
        self, url: str, *, clock: Callable[[], str] = utc_now, patience: float = LOCK_SECONDS
    ) -> None:
        self._db = Connections(url, patience)
        super().__init__(self._db, clock)
        try:
            with self._db.writing() as (run, _):
                # Several servers may start at once.
                run(f"select pg_advisory_xact_lock({MIGRATION_LOCK})")
                migrate(run)
        except BaseException:
            self._db.close()
            raise

    def _lock(self, run: Run, stream: str) -> None:
        run(f"select {LOCK_SQL.format('?')}", stream)

    def _append_single(self, new_event: NewEvent) -> Appended:
        def append(run: Run, may_be_other: bool) -> Appended:
            self._check_database(run, may_be_other)
            return self._append(with_size_count(run, self.spend), new_event)

        # Once per key, so that it may be sent again.
        return self._db.write_repeatable(append)

    def _append(self, run: Run, new_event: NewEvent) -> Appended:
        # The database knows the previous hash, and puts the new one in place of `mark`.
        entry, mark = (
            entry_without_hash(new_event.body, self._clock(), new_event.by),
            secrets.token_hex(),
        )
        before, after = canonical_json({**entry, "hash": mark}).split(mark)
        body, timeout = canonical_json(new_event.body), self._db.lock_milliseconds()
        [(outcome, seq, n, recorded, text, digest)] = run(
            _APPEND,
            new_event.stream,
            timeout,
            new_event.idempotency_key,
            body,
            new_event.expected,
            canonical_json(entry),
            before,
            after,
        )
        if outcome == "stale":
            raise Stale(n)
        if outcome == "unknown":
            raise UnknownStream(new_event.stream)
        if outcome == "appended":
            return Appended(Stored(seq, n, {**entry, "hash": digest}), True)
        if recorded != body:
            raise IdempotencyKeyReused(new_event.idempotency_key)
        return Appended(Stored(seq, n, json.loads(text)), False)

    def grown_streams(self, after: int) -> tuple[int, dict[str, int]]:
        # All transactions below `xmin` have ended, so that none commits behind this position. Ids
        # of the future come from another server, with a dump.
        [(position,)] = self._db.rows("select pg_snapshot_xmin(pg_current_snapshot())::text")
        sql = (
            "select stream, max(n) from events where xid >= ?::text::xid8 "
            "and xid < pg_snapshot_xmax(pg_current_snapshot()) group by stream"
        )
        return int(position), dict(self._db.rows(sql, str(after)))

    @contextmanager
    def _allow_updates(self, run: Run) -> Iterator[None]:
        run(f"set local {ERASING_SETTING} = 'on'")
        yield
        run(f"set local {ERASING_SETTING} = 'off'")

    def _after_copy(self, run: Run) -> None:
        run("select setval('seq_of_events', (select coalesce(max(seq), 0) + 1 from events), false)")

    def ready(self) -> None:
        with self._writing() as run:
            if missing_migrations(run):
                raise Unavailable("foreign")
            # Same value, but written to disk like an event.
            run("update bummerl_migrations set applied = applied")

    def settings(self) -> dict[str, str]:
        """The server's settings by PostgreSQL's names."""
        return dict(self._db.rows("select name, setting from pg_settings"))

    def backup(self, target: Path) -> None:
        into_file(target, self)
