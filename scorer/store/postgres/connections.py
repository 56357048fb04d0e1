"""Connections to one PostgreSQL database, shared by threads and greenlets, never by processes."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from typing import Any, Final, TypeVar
from weakref import WeakSet

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus

from scorer.store import Unavailable
from scorer.store.connection_pool import Pool
from scorer.store.lock_timeout import bounded_wait, short_pause
from scorer.store.postgres.schema import LOCKS
from scorer.store.sql_store import RowExists, Run

Found = TypeVar("Found")
Connection = psycopg.Connection[tuple[Any, ...]]

POOL_SIZE: Final = 10
HELD: Final = 10
"""Seconds after which the server ends an idle writer's transaction."""
_CONNECTION: Final = {
    "application_name": "bummerl",
    "client_encoding": "UTF8",
    "connect_timeout": "3",
    # Detects a lost server in seconds instead of hours.
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_REASONS: Final = {
    "25006": "read-only",
    "40001": "locked",
    "40P01": "locked",
    "42501": "read-only",
    "53100": "full",
    "55P03": "locked",
    "57014": "locked",
    "XX001": "damaged",
    "XX002": "damaged",
}
"""`Unavailable` reasons by SQLSTATE."""
_LOST: Final = ("08", "53300", "57P01", "57P02", "57P03", "57P05")
"""SQLSTATE prefixes that mean the connection is lost and may be retried."""


def _lost(error: psycopg.Error) -> bool:
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_LOST)


def _unavailable(error: psycopg.Error, sure: bool = True) -> Unavailable:
    reason = "gone" if _lost(error) else _REASONS.get(error.sqlstate or "", "broken")
    return Unavailable(reason, sure=sure, said=str(error).strip())


@contextmanager
def translated() -> Iterator[None]:
    """Raises PostgreSQL's errors as `Unavailable`; integrity errors pass."""
    try:
        yield
    except psycopg.IntegrityError:
        raise
    except psycopg.Error as error:
        raise _unavailable(error) from error


def running(connection: Connection) -> Run:
    def run(sql: str, *parameters: Any) -> list[Any]:
        try:
            # A parameter is `%s` to psycopg.
            cursor = connection.execute(sql.replace("?", "%s"), parameters or None)
        except psycopg.errors.UniqueViolation as error:
            raise RowExists from error
        return cursor.fetchall() if cursor.description else []

    return run


class Connections:
    """The `Backend` of a PostgreSQL database.

    :param url: as libpq understands it
    :param patience: seconds to wait for another writer, or for a server that does not answer
    :param most: the most connections that may be open at once
    """

    def __init__(self, url: str, patience: float, most: int = POOL_SIZE) -> None:
        # Settings in the URL override these.
        self._where = make_conninfo("", **{**_CONNECTION, **conninfo_to_dict(url)})
        self._patience = patience
        self._pool = Pool(self._connect, _clear, _shut, most, patience)
        self._new: WeakSet[Connection] = WeakSet()
        """Connections that have not written yet: they may lead to another server."""

    def waiting(self) -> AbstractContextManager[float]:
        return bounded_wait(self._patience)

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        def asked() -> list[Any]:
            with self._pool.borrow() as connection:
                return running(connection)(sql, *parameters)

        with translated():
            return self._patiently(asked)

    @contextmanager
    def snapshot(self) -> Iterator[Run]:
        with translated(), ExitStack() as ends:
            yield running(self._begun(ends, _look))

    @contextmanager
    def writing(self) -> Iterator[tuple[Run, bool]]:
        with translated(), ExitStack() as ends:
            connection = self._begun(ends, _begin)
            yield running(connection), connection in self._new
            try:
                done = connection.execute("commit").statusmessage
            except psycopg.Error as error:
                raise _unavailable(error, sure=False) from error
            if done != "COMMIT":
                # A statement failed: rolled back.
                raise Unavailable("broken")
            self._new.discard(connection)

    def writing_again(self, do: Callable[[Run, bool], Found]) -> Found:
        """What `do` returns, which runs one statement that may be repeated.

        The statement is its own transaction, in one round trip. `do` is called again on another
        connection if the first one was lost.

        :raises Unavailable: with `sure` if nothing was written
        """

        sent = False

        def attempt() -> Found:
            nonlocal sent
            with self._pool.borrow() as connection:
                sent = True
                found = do(running(connection), connection in self._new)
                self._new.discard(connection)
                return found

        try:
            with translated():
                return self._patiently(attempt)
        except Unavailable as error:
            error.sure = not (sent and error.reason == "gone")
            raise

    def lock_milliseconds(self) -> int:
        """How long a statement may wait for a lock now."""
        with self.waiting() as until:
            return max(1, round(1000 * (until - time.monotonic())))

    def _begun(self, ends: ExitStack, begin: Callable[[float], str]) -> Connection:
        """A connection with a transaction begun; `ends` releases it."""

        def attempt() -> Connection:
            with ExitStack() as tried, self.waiting() as until:
                connection = tried.enter_context(self._pool.borrow())
                connection.execute(begin(until), prepare=False)
                ends.push(tried.pop_all())
                return connection

        return self._patiently(attempt)

    def _patiently(self, attempt: Callable[[], Found]) -> Found:
        """Repeats `attempt` while there is no connection: a restarting server is back soon."""
        with self.waiting() as until:
            while True:
                try:
                    return attempt()
                except psycopg.Error as error:
                    if not _lost(error) or time.monotonic() > until:
                        raise
                    # Idle connections lead to the same server.
                    self._pool.close_idle()
                short_pause(0.1)

    def changes(self) -> str:
        # A snapshot names the transactions that have ended: another one, another commit.
        with translated():
            try:
                watcher = running(self._pool.watcher())
                [(snapshot,)] = watcher("select pg_current_snapshot()::text")
                return str(snapshot)
            except psycopg.Error:
                self._pool.unwatch()
                raise

    def close(self) -> None:
        self._pool.close()

    def _connect(self, _: bool) -> Connection:
        connection = psycopg.connect(self._where, autocommit=True)
        self._new.add(connection)
        connection.execute(_session())
        return connection


def _session() -> str:
    """SQL of each new connection's settings, whatever the server's defaults are."""
    settings = {
        LOCKS: "streams",
        "default_transaction_isolation": "read committed",
        "idle_in_transaction_session_timeout": f"{HELD}s",
    }
    chosen = ", ".join(f"set_config('{name}', '{to}', false)" for name, to in settings.items())
    # A recorded event must be on disk.
    durable = "set_config('synchronous_commit', 'on', false)"
    off = "current_setting('synchronous_commit') = 'off'"
    return f"select {chosen}, case when {off} then {durable} end"


def _look(_: float) -> str:
    """SQL of a read transaction in one snapshot."""
    return "begin isolation level repeatable read read only"


def _begin(until: float) -> str:
    """SQL of a write transaction."""
    left = max(1, round(1000 * (until - time.monotonic())))
    return f"begin; set local lock_timeout = {left}"


def _clear(connection: Connection) -> bool:
    try:
        if connection.info.transaction_status in (
            TransactionStatus.INTRANS,
            TransactionStatus.INERROR,
        ):
            connection.execute("rollback")
    except psycopg.Error:
        return False
    return connection.info.transaction_status == TransactionStatus.IDLE


def _shut(connection: Connection) -> None:
    with suppress(psycopg.Error):
        connection.close()
