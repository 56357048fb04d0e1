"""Checks of the machine and the database, with advice."""

from __future__ import annotations

import os
import resource
import shlex
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from scorer.engine.translatable import N_
from scorer.store import Unavailable
from scorer.store.database_url import is_remote, open_store, own_file, without_password
from scorer.store.sql_store import Store
from scorer.store.sqlite.driver import WAL_FAULT, has_wal_fault, sqlite3

MIN_FREE_BYTES: Final = 200 * 2**20
"""With fewer free bytes on the disk `doctor` warns; several evenings need less."""
CONNECTIONS_BESIDE_POOL: Final = 3
"""A worker's PostgreSQL connections besides its pool: two for counters, one for notifications."""
TROUBLES: Final = {
    "full": N_("the disk is full: make room"),
    "read-only": N_("cannot be written: look at the rights of the file and its folder"),
    "locked": N_("is in use by another program that does not let go"),
    "broken": N_("the disk under it answers with errors: copy it elsewhere at once"),
    "damaged": N_("is no score book, or is damaged: put a backup in its place"),
    "foreign": N_("belongs to another program: name another file"),
    "newer": N_("was written by a newer release: install that one, or put a backup in its place"),
    "driver": N_("needs psycopg; install it with: {python} -m pip install 'psycopg[binary]'"),
    "encoding": N_("is not in UTF-8: make it with createdb --encoding=UTF8 --template=template0"),
    "replaced": N_("was moved or replaced while it was open: put it back, or use bummerl restore"),
}
"""Messages by `Unavailable.reason`."""
REMOTE_TROUBLES: Final = {
    **TROUBLES,
    "gone": N_("there is no connection to PostgreSQL; the reason is in brackets"),
    "read-only": N_(
        "cannot be written: this user must own the database (createdb --owner), "
        "and the server must be no standby"
    ),
}
"""The same for a PostgreSQL database."""


def startup_problem(db: str, error: Unavailable, translate: Callable[[str], str] = str) -> str:
    """What is wrong with a database, with its own error message, in one line."""
    details = f" ({' '.join(error.database_message.split())})" if error.database_message else ""
    troubles = REMOTE_TROUBLES if is_remote(db) else TROUBLES
    trouble = translate(troubles[error.reason]).format(python=_python())
    return f"{without_password(db)}: {trouble}{details}"


def wal_fault(translate: Callable[[str], str] = str) -> str:
    """A warning about SQLite's WAL-reset bug, with the command that installs a newer one."""
    return translate(WAL_FAULT).format(version=sqlite3.sqlite_version, python=_python())


def _python() -> str:
    """The path of this Python, quoted for a shell."""
    return shlex.quote(sys.executable)


def _permissions(db: Path) -> Finding:
    files = [db.with_name(db.name + ending) for ending in ("", "-wal", "-shm", ".key")]
    readable = [path for path in files if path.exists() and path.stat().st_mode & 0o077]
    if not readable:
        return Finding(True, f"{db}: only its owner can read it")
    command = f"chmod 600 {shlex.join(map(str, readable))}"
    return Finding(
        False, f"{db}: others on this machine can read it; if they should not: {command}"
    )


@dataclass(frozen=True, slots=True)
class Finding:
    is_ok: bool
    text: str


def examine(db: str) -> Iterator[Finding]:
    """All findings; opens the database as the server does."""
    yield _descriptors()
    yield _offline_app()
    yield from _server(db) if is_remote(db) else _file(Path(db))
    yield from _dialects(own_file(db))


def _offline_app() -> Finding:
    from scorer.web.pocket.bundle_files import folder, is_current, manifest_in

    bundle_folder = folder(Path("instance"))
    manifest = manifest_in(bundle_folder)
    if manifest is None:
        return Finding(True, "phones need the network: no app for offline use was built")
    if is_current(manifest):
        return Finding(True, f"{bundle_folder}: the app that phones run offline is of this release")
    return Finding(
        False,
        f"{bundle_folder}: phones run the app of another release offline; run: bummerl pocket",
    )


def _file(db: Path) -> Iterator[Finding]:
    yield _sqlite()
    # os.path.exists: False instead of an error for an unreadable folder.
    folder = next(folder for folder in db.absolute().parents if os.path.exists(folder))
    if os.path.exists(db):
        yield from _database(db)
    elif folder.is_dir() and os.access(folder, os.W_OK | os.X_OK):
        yield Finding(True, f"{db}: not there yet; it is made by the first start")
    else:
        yield Finding(False, f"{db}: {TROUBLES['read-only']}")
    free = shutil.disk_usage(folder).free
    yield Finding(free >= MIN_FREE_BYTES, f"{folder}: {free // 2**20} MB free")


def _chain_finding(db: str, store: Store) -> Finding:
    broken = store.first_broken_chain()
    if broken is None:
        return Finding(True, f"{without_password(db)}: the hashes of all records hold")
    fault = "event {1} of {0} does not fit its chain: put a backup in its place".format(*broken)
    return Finding(False, f"{without_password(db)}: {fault}")


def _server(db: str) -> Iterator[Finding]:
    try:
        with closing(open_store(db, patience=1.0)) as store:
            from scorer.store.connection_pool import MAX_POSTGRES_CONNECTIONS
            from scorer.store.postgres import PostgresStore

            assert isinstance(store, PostgresStore)
            settings, chains = store.settings(), _chain_finding(db, store)
    except Unavailable as error:
        yield Finding(False, startup_problem(db, error))
        return
    yield Finding(True, f"{without_password(db)}: PostgreSQL {settings['server_version']}")
    yield chains
    for setting in ("fsync", "full_page_writes"):
        is_ok = settings[setting] == "on"
        yield Finding(is_ok, f"{setting} is {settings[setting]}{'' if is_ok else ': switch it on'}")
    max_workers = int(settings["max_connections"]) // (
        MAX_POSTGRES_CONNECTIONS + CONNECTIONS_BESIDE_POOL
    )
    yield Finding(max_workers >= 4, f"its max_connections are enough for {max_workers} workers")


def _dialects(db: Path) -> Iterator[Finding]:
    from scorer.web.frame.dialects import InvalidDialect, own_folder, read

    for path in sorted(own_folder(db).glob("*.toml")):
        try:
            yield Finding(True, f"{path}: {read(path).name}")
        except InvalidDialect as error:
            yield Finding(False, str(error))


def _sqlite() -> Finding:
    version = sqlite3.sqlite_version
    if has_wal_fault():
        return Finding(False, wal_fault())
    return Finding(True, f"SQLite {version}")


def _descriptors() -> Finding:
    max_descriptors = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    enough = max_descriptors >= 4096
    advice = "" if enough else ": raise it (ulimit -n)"
    return Finding(enough, f"{max_descriptors} files and connections may be open at once{advice}")


def _database(db: Path) -> Iterator[Finding]:
    from scorer.store.sqlite import SqliteStore

    try:
        store = SqliteStore(db)
    except Unavailable as error:
        yield Finding(False, startup_problem(str(db), error))
        return
    try:
        is_damaged = store.examine()
        yield Finding(not is_damaged, f"{db}: {TROUBLES['damaged'] if is_damaged else 'whole'}")
        if not is_damaged:
            yield _chain_finding(str(db), store)
    except Unavailable as error:
        yield Finding(False, startup_problem(str(db), error))
    finally:
        store.close()
    yield _permissions(db)
