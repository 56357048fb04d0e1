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
from scorer.store.connection_pool import MAX_POSTGRES_CONNECTIONS, Pool
from scorer.store.lock_timeout import bounded_wait, short_pause
from scorer.store.postgres.migrations import LOCKS_SETTING
from scorer.store.sql_store import RowExists, Run

Result = TypeVar("Result")
Connection = psycopg.Connection[tuple[Any, ...]]

IDLE_WRITER_SECONDS: Final = 10
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
_LOST_PREFIXES: Final = ("08", "53300", "57P01", "57P02", "57P03", "57P05")
"""SQLSTATE prefixes that mean the connection is lost and may be retried."""


def _is_connection_lost(error: psycopg.Error) -> bool:
    if error.sqlstate is None:
        return isinstance(error, psycopg.OperationalError | psycopg.InterfaceError)
    return error.sqlstate.startswith(_LOST_PREFIXES)


def _unavailable(error: psycopg.Error, may_be_recorded: bool = False) -> Unavailable:
    reason = "gone" if _is_connection_lost(error) else _REASONS.get(error.sqlstate or "", "broken")
    return Unavailable(reason, may_be_recorded=may_be_recorded, database_message=str(error).strip())


@contextmanager
def translate_errors() -> Iterator[None]:
    """Raise PostgreSQL's errors as `Unavailable`; integrity errors pass."""
    try:
        yield
    except psycopg.IntegrityError:
        raise
    except psycopg.Error as error:
        raise _unavailable(error) from error


def runner(connection: Connection) -> Run:
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
    :param max_connections: the most connections that may be open at once
    """

    def __init__(
        self, url: str, patience: float, max_connections: int = MAX_POSTGRES_CONNECTIONS
    ) -> None:
        # Settings in the URL override these.
        self._conninfo = make_conninfo("", **{**_CONNECTION, **conninfo_to_dict(url)})
        self._patience = patience
        self._pool = Pool(self._connect, _clear, _shut, max_connections, patience)
        self._unwritten: WeakSet[Connection] = WeakSet()
        """Connections that have not written yet: they may lead to another server."""

    def waiting(self) -> AbstractContextManager[float]:
        return bounded_wait(self._patience)

    def rows(self, sql: str, *parameters: Any) -> list[Any]:
        def run_query() -> list[Any]:
            with self._pool.borrow() as connection:
                return runner(connection)(sql, *parameters)

        with translate_errors():
            return self._patiently(run_query)

    @contextmanager
    def snapshot(self) -> Iterator[Run]:
        with translate_errors(), ExitStack() as cleanup:
            yield runner(self._start_transaction(cleanup, _begin_reading))

    @contextmanager
    def writing(self) -> Iterator[tuple[Run, bool]]:
        with translate_errors(), ExitStack() as cleanup:
            connection = self._start_transaction(cleanup, _begin_writing)
            yield runner(connection), connection in self._unwritten
            try:
                status = connection.execute("commit").statusmessage
            except psycopg.Error as error:
                raise _unavailable(error, may_be_recorded=True) from error
            if status != "COMMIT":
                # A statement failed: rolled back.
                raise Unavailable("broken")
            self._unwritten.discard(connection)

    def write_repeatable(self, write: Callable[[Run, bool], Result]) -> Result:
        """What `write` returns, which runs one statement that may be repeated.

        The statement is its own transaction, in one round trip. `write` is called again on another
        connection if the first one was lost.

        :raises Unavailable: without `may_be_recorded` if nothing was written
        """

        was_sent = False

        def attempt() -> Result:
            nonlocal was_sent
            with self._pool.borrow() as connection:
                was_sent = True
                result = write(runner(connection), connection in self._unwritten)
                self._unwritten.discard(connection)
                return result

        try:
            with translate_errors():
                return self._patiently(attempt)
        except Unavailable as error:
            error.may_be_recorded = was_sent and error.reason == "gone"
            raise

    def lock_milliseconds(self) -> int:
        """How long a statement may wait for a lock now."""
        with self.waiting() as deadline:
            return max(1, round(1000 * (deadline - time.monotonic())))

    def _start_transaction(self, cleanup: ExitStack, begin: Callable[[float], str]) -> Connection:
        """A connection with a transaction begun; `cleanup` releases it."""

        def attempt() -> Connection:
            with ExitStack() as attempt_cleanup, self.waiting() as deadline:
                connection = attempt_cleanup.enter_context(self._pool.borrow())
                connection.execute(begin(deadline), prepare=False)
                cleanup.push(attempt_cleanup.pop_all())
                return connection

        return self._patiently(attempt)

    def _patiently(self, attempt: Callable[[], Result]) -> Result:
        """Repeat `attempt` while there is no connection: a restarting server is back soon."""
        with self.waiting() as deadline:
            while True:
                try:
                    return attempt()
                except psycopg.Error as error:
                    if not _is_connection_lost(error) or time.monotonic() > deadline:
                        raise
                    # Idle connections lead to the same server.
                    self._pool.close_idle()
                short_pause(0.1)

    def changes(self) -> str:
        # A snapshot names the transactions that have ended: another one, another commit.
        with translate_errors():
            try:
                watcher = runner(self._pool.change_connection())
                [(snapshot,)] = watcher("select pg_current_snapshot()::text")
                return str(snapshot)
            except psycopg.Error:
                self._pool.close_watcher()
                raise

    def close(self) -> None:
        self._pool.close()

    def _connect(self, _: bool) -> Connection:
        connection = psycopg.connect(self._conninfo, autocommit=True)
        self._unwritten.add(connection)
        connection.execute(_session())
        return connection


def _session() -> str:
    """SQL of each new connection's settings, whatever the server's defaults are."""
    settings = {
        LOCKS_SETTING: "streams",
        "default_transaction_isolation": "read committed",
        "idle_in_transaction_session_timeout": f"{IDLE_WRITER_SECONDS}s",
    }
    chosen_settings = ", ".join(
        f"set_config('{name}', '{value}', false)" for name, value in settings.items()
    )
    # A recorded event must be on disk.
    durable = "set_config('synchronous_commit', 'on', false)"
    is_off = "current_setting('synchronous_commit') = 'off'"
    return f"select {chosen_settings}, case when {is_off} then {durable} end"


def _begin_reading(_: float) -> str:
    """SQL of a read transaction in one snapshot."""
    return "begin isolation level repeatable read read only"


def _begin_writing(deadline: float) -> str:
    """SQL of a write transaction."""
    milliseconds = max(1, round(1000 * (deadline - time.monotonic())))
    return f"begin; set local lock_timeout = {milliseconds}"


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
