"""A temporary PostgreSQL server for tests, on a Unix socket in a temporary folder.

    python -m tests.cluster

prints the paths of PostgreSQL and nginx, or what to install.
"""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg

SETTINGS = {
    "listen_addresses": "",
    "unix_socket_permissions": "0777",
    "max_connections": "60",
    "shared_buffers": "16MB",
    "autovacuum": "off",
    # A killed server loses nothing without fsync. Only a power failure would lose data.
    "fsync": "off",
    "log_min_messages": "fatal",
}

PATIENCE_SECONDS = 60
"""Seconds in which the server must start or stop."""
REST = 0.1
"""Seconds between two attempts to start, as systemd waits by default."""


def programs() -> Path | None:
    """The folder of initdb and postgres: POSTGRES_BIN, else that on the PATH, else the newest."""
    if named := os.environ.get("POSTGRES_BIN"):
        found = [Path(named)]
    elif beside := shutil.which("initdb"):
        found = [Path(beside).parent]
    else:
        versions = Path("/usr/lib/postgresql").glob("[0-9]*/bin")
        found = sorted(versions, key=lambda folder: float(folder.parent.name), reverse=True)
    return next((folder for folder in found if (folder / "initdb").exists()), None)


def nginx() -> str | None:
    """The path of nginx. Debian's is not on the PATH of ordinary users."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def _as_somebody() -> dict[str, Any]:
    """Arguments of `Popen` that select another user for root, because PostgreSQL refuses root."""
    if os.geteuid() != 0:
        return {}
    names = {user.pw_name for user in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    user = pwd.getpwnam(name)
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}


class Cluster:
    """One server with any number of databases."""

    def __init__(self, folder: Path, settings: dict[str, str]) -> None:
        found = programs()
        if found is None:
            raise FileNotFoundError("no PostgreSQL: tools/postgres.sh says what to install")
        self.folder, self._bin, self._user = folder, found, _as_somebody()
        self._settings = {**SETTINGS, **settings, "unix_socket_directories": str(folder)}
        self._numbers = itertools.count(1)
        self._run("initdb", "-D", "data", "-U", "bummerl", "-A", "trust", "-E", "UTF8", "--no-sync")
        self._process: subprocess.Popen[bytes] | None = None

    def _run(self, program: str, *options: str) -> None:
        command = [str(self._bin / program), *options, "--no-locale"]
        subprocess.run(
            command, cwd=self.folder, check=True, stdout=subprocess.DEVNULL, **self._user
        )

    def start(self) -> None:
        """Start the server, and wait until it accepts connections.

        A crashed server's remaining processes hold its shared memory for a moment, so try again
        like a service manager.
        """
        until = time.monotonic() + PATIENCE_SECONDS
        while not self._try_to_start():
            if time.monotonic() > until:
                raise AssertionError((self.folder / "log").read_text())
            time.sleep(REST)

    def _try_to_start(self) -> bool:
        """Try once to start the server, and return whether it accepts connections."""
        settings = self._settings.items()
        options = [part for name, value in settings for part in ("-c", f"{name}={value}")]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [str(self._bin / "postgres"), "-D", "data", *options],
            cwd=self.folder,
            stdout=log,
            stderr=log,
            **self._user,
        )
        log.close()
        while not self._takes_connections():
            if self._process.poll() is not None:
                return False
        return True

    def _takes_connections(self) -> bool:
        try:
            psycopg.connect(self.url("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop the server at once and cut all connections. SIGKILL simulates a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=PATIENCE_SECONDS)
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        self.stop(how)
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql://bummerl@/{database}?host={self.folder}"

    def book(self) -> str:
        """The URL of a new, empty schema. It serves as a database and is created faster."""
        name = f"book{next(self._numbers)}"
        self.execute(f"create schema {name}")
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        """Run SQL on a connection of its own, and return the rows."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def cut_connections(self) -> int:
        """Cut every connection of Bummerl, and return how many there were."""
        sql = (
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where application_name = 'bummerl'"
        )
        return len(self.execute(sql))


@contextmanager
def cluster(**settings: str) -> Iterator[Cluster]:
    """A running cluster. At the end it is stopped and deleted."""
    # Pytest's folder is readable by one user only, and its path is too long for a socket.
    folder = Path(tempfile.mkdtemp(prefix="bummerl-pg-", dir="/tmp"))
    user = _as_somebody()
    if user:
        os.chown(folder, user["user"], user["group"])
    folder.chmod(0o711)
    try:
        running = Cluster(folder, settings)
        running.start()
        try:
            yield running
        finally:
            running.stop(signal.SIGQUIT)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


MISSING = """\
The tests need PostgreSQL and nginx, and did not find {names}. Install them:
  Debian, Ubuntu   sudo apt-get install postgresql nginx
  Fedora           sudo dnf install postgresql-server nginx
  Arch             sudo pacman -S postgresql nginx
  macOS            brew install postgresql nginx
or name a PostgreSQL you have: POSTGRES_BIN=/folder/of/initdb make test"""


if __name__ == "__main__":
    sought = {"PostgreSQL": programs(), "nginx": nginx()}
    if missing := [name for name, found in sought.items() if found is None]:
        sys.exit(MISSING.format(names=" and ".join(missing)))
    print(*sought.values())
