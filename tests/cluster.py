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
    # A killed server loses nothing by this, only a machine without power would.
    "fsync": "off",
    "log_min_messages": "fatal",
}

PATIENCE = 60
"""Seconds in which it must come back, or be gone."""
REST = 0.1
"""Seconds between two tries, as systemd has it."""


def programs() -> Path | None:
    """The folder of initdb and postgres: the newest that is installed."""
    named = os.environ.get("POSTGRES_BIN")
    found = [Path(named)] if named else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    beside = shutil.which("initdb")
    found += [Path(beside).parent] if beside else []
    return next((folder for folder in reversed(found) if (folder / "initdb").exists()), None)


def nginx() -> str | None:
    """The program; Debian keeps it where ordinary users do not look."""
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")


def _as_somebody() -> dict[str, Any]:
    """PostgreSQL refuses to run as root: then it runs as its own user, or as nobody."""
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
        """Start, and wait until it takes connections.

        Like a service manager it tries again: what is left of a server that fell holds its memory
        for another moment.
        """
        until = time.monotonic() + PATIENCE
        while not self._started():
            if time.monotonic() > until:
                raise AssertionError((self.folder / "log").read_text())
            time.sleep(REST)

    def _started(self) -> bool:
        """One try."""
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
        """Stop at once, cutting all connections; SIGKILL as a machine that falls over."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=PATIENCE)
            self._process = None

    def restart(self, how: signal.Signals = signal.SIGINT) -> None:
        """Stop and start again."""
        self.stop(how)
        self.start()

    def url(self, database: str) -> str:
        return f"postgresql://bummerl@/{database}?host={self.folder}"

    def book(self) -> str:
        """The address of a new, empty schema, which is as good as a database and made sooner."""
        name = f"book{next(self._numbers)}"
        self.execute(f"create schema {name}")
        return f"{self.url('postgres')}&options=-csearch_path%3D{name}"

    def execute(self, sql: str) -> list[tuple[object, ...]]:
        """What somebody else does to the server."""
        with psycopg.connect(self.url("postgres"), autocommit=True) as connection:
            cursor = connection.execute(sql)
            return cursor.fetchall() if cursor.description else []

    def cut(self) -> int:
        """Cut every connection of Bummerl's; returns how many there were."""
        sql = (
            "select pg_terminate_backend(pid) from pg_stat_activity "
            "where application_name = 'bummerl'"
        )
        return len(self.execute(sql))


@contextmanager
def cluster(**settings: str) -> Iterator[Cluster]:
    """A running cluster, gone at the end."""
    # Not in pytest's folder: that is for one user only, and too long a name for a socket.
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
