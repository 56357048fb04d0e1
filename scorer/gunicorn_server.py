"""Runs gunicorn with gevent, and prints the address on the terminal.

Its options, such as the number of workers, are in `scorer/commands/serve.py`.
"""

from __future__ import annotations

import errno
import gc
import logging
import logging.config
import os
import resource
import shutil
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from gettext import gettext
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import click
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter

from scorer import config
from scorer.store import Unavailable
from scorer.terminal import _
from scorer.web.frame import logs, metrics
from scorer.web.frame.public_address import is_loopback, lan_address

HEADER_SECONDS: Final = config.client_seconds()
"""Timeout for a request's headers in seconds, twice that for its body; also the keep-alive
timeout."""
MAX_CONNECTIONS: Final = 6000
"""Limit of connections per worker, live pages and requests together."""
RESERVED_CONNECTIONS: Final = 50
"""Connections not available to live pages, so that recording stays possible."""
SPARE_DESCRIPTORS: Final = 200
GRACE_SECONDS: Final = 5
"""Seconds an open response may take after the signal to stop."""
RETRY_SECONDS: Final = 1
"""Seconds until another worker is started for one that could not open the database."""
QUIET_ZONE: Final = 4
"""Width of a QR code's quiet zone, in modules."""

LOG: Final = logging.getLogger("bummerl")


class Server(BaseApplication):
    """gunicorn with settings from code instead of a file."""

    def __init__(self, settings: dict[str, Any], app_config: dict[str, Any]) -> None:
        self._settings, self._app_config = settings, app_config
        super().__init__()

    def load_config(self) -> None:
        for name, value in self._settings.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        Master(self).run()

    def load(self) -> Any:
        from scorer import create_app
        from scorer.slow_client_timeout import SlowClientTimeout

        try:
            app = create_app(self._app_config)
        except Unavailable as error:
            # It could be opened when the server started, so the next worker tries again;
            # gunicorn would stop the server.
            logging.getLogger("gunicorn.error").error("score book not opened: %s", error.reason)
            time.sleep(RETRY_SECONDS)
            os._exit(1)  # an orderly exit prints errors of gevent's locks
        app.wsgi_app = SlowClientTimeout(app.wsgi_app, 2.0 * HEADER_SECONDS)  # type: ignore[method-assign]
        return app


class Master(Arbiter):
    """gunicorn's arbiter, whose workers obey a SIGTERM that comes while they start.

    A forked worker has the master's handlers at first: a SIGTERM would be lost then, and the worker
    killed after `GRACE_SECONDS`. So the signal is held back until `Worker.init_signals`.
    """

    def spawn_worker(self) -> int:
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
        try:
            return int(super().spawn_worker())
        finally:
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})


def _share_memory(server: Any, worker: Any) -> None:
    """Exclude inherited objects from garbage collection, which would copy their memory pages."""
    gc.collect()
    gc.freeze()


def run(host: str, port: int, db: str, workers: int) -> None:
    """Serve until stopped by a signal.

    :param db: as in `scorer.store.database_url`
    :param port: 0 for any free one
    :param workers: the option `--workers` of `scorer/cli.py`
    """
    from scorer.doctor import wal_fault
    from scorer.store.database_url import is_remote
    from scorer.store.sqlite.driver import has_wal_fault

    if config.uses_json_log():
        logging.config.dictConfig(logs.json_config())
    # Migrate once, before the workers start, and report errors here.
    warnings = []
    if is_remote(db):
        _prepare_in_child(db)
    else:
        _prepare(db)
        if has_wal_fault():
            warnings.append(wal_fault(gettext))
    max_connections = _connection_limit(MAX_CONNECTIONS)
    if max_connections < MAX_CONNECTIONS:
        warnings.append(_few_descriptors(max_connections))
    settings = _settings(host, _open_listener(host, port), workers, max_connections, warnings)
    logs.scrub(logging.getLogger("gunicorn.error"))
    database = db if is_remote(db) else str(Path(db).resolve())
    app_config = {
        "DATABASE": database,
        "MAX_LIVE_PAGES": min(config.max_live_pages(), max_connections - RESERVED_CONNECTIONS),
        "LOOPBACK": is_loopback(host),
    }
    with _temporary_folder() as folder:
        if config.metrics_token():
            (folder / "metrics").mkdir()
            os.environ[metrics.FOLDER_VARIABLE] = str(folder / "metrics")
        counts = database if is_remote(database) else str(folder / "counts.db")
        Server(settings, {**app_config, "COUNTS": counts}).run()


def _settings(
    host: str, listener: socket.socket, workers: int, max_connections: int, warnings: list[str]
) -> dict[str, Any]:
    """gunicorn's settings.

    :param max_connections: limit of connections per worker
    :param warnings: logged after the address is printed
    """
    port = listener.getsockname()[1]

    def ready(arbiter: Arbiter) -> None:
        _stop_gracefully_on_interrupt(arbiter)
        announce(host, port)
        for warning in warnings:
            LOG.warning(warning)

    return {
        "bind": f"fd://{listener.detach()}",
        "worker_class": "scorer.gunicorn_worker.Worker",
        "workers": workers,
        "worker_connections": max_connections,
        "keepalive": HEADER_SECONDS,
        # The application handles forwarded headers itself.
        "forwarded_allow_ips": "",
        "backlog": 2048,
        # Avoids a thread and a folder in the home directory.
        "control_socket_disable": True,
        "graceful_timeout": GRACE_SECONDS,
        "loglevel": "warning",
        "when_ready": ready,
        "on_exit": lambda arbiter: say_goodbye(),
        "pre_fork": _share_memory,
        "child_exit": lambda server, worker: metrics.forget_worker(worker.pid),
        **({"logconfig_dict": logs.json_config()} if config.uses_json_log() else {}),
    }


def _stop_gracefully_on_interrupt(arbiter: Arbiter) -> None:
    """Make the master treat Ctrl-C as SIGTERM: gunicorn's SIGINT ends workers in mid-response."""

    def stop(number: int, frame: Any) -> None:
        arbiter.signal(signal.SIGTERM, frame)

    signal.signal(signal.SIGINT, stop)


def _prepare(db: str) -> None:
    from scorer.store.database_url import open_store

    open_store(db).close()


def _prepare_in_child(db: str) -> None:
    """Migrate a PostgreSQL database in a child process.

    psycopg checks for gevent when imported; only the workers have it patched.
    """
    with ProcessPoolExecutor(1, mp_context=get_context("fork")) as process:
        process.submit(_prepare, db).result()


@contextmanager
def _temporary_folder() -> Iterator[Path]:
    """A temporary folder, deleted when this process ends, not by forked workers."""
    folder, owner = Path(tempfile.mkdtemp(prefix="bummerl-")), os.getpid()
    try:
        yield folder
    finally:
        if os.getpid() == owner:
            shutil.rmtree(folder, ignore_errors=True)


def _connection_limit(wanted: int) -> int:
    """The limit of connections per worker, at most `wanted`; raises the descriptor limit if
    possible."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted + SPARE_DESCRIPTORS
    if soft < needed and soft != resource.RLIM_INFINITY:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    if soft == resource.RLIM_INFINITY or soft >= needed:
        return wanted
    return max(soft - SPARE_DESCRIPTORS, 2 * RESERVED_CONNECTIONS)


def _few_descriptors(limit: int) -> str:
    """A warning about a limit that leaves only `limit` connections per worker."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return (
        f"This machine lets a process open {soft} files: each worker holds {limit} connections "
        f"instead of {MAX_CONNECTIONS}. "
        f"Raise it with: ulimit -n {MAX_CONNECTIONS + SPARE_DESCRIPTORS}"
    )


def _open_listener(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((host, port))
    except OSError as error:
        listener.close()
        raise click.ClickException(_listen_error(host, port, error)) from None
    listener.set_inheritable(True)
    return listener


def _listen_error(host: str, port: int, error: OSError) -> str:
    """Why the address cannot be used, and how to choose another port."""
    reason = _(
        "cannot listen on {host} port {port}: {reason}",
        host=host,
        port=port,
        reason=error.strerror,
    )
    if error.errno not in (errno.EADDRINUSE, errno.EACCES):
        return reason
    other_port = port + 1 if 1024 <= port < 65535 else 8001
    named = {"make": f"make run PORT={other_port}", "option": f"bummerl serve --port {other_port}"}
    return f"{reason}. " + _("Choose another port: {make}, or {option}", **named)


def announce(host: str, port: int) -> None:
    everywhere = host in ("0.0.0.0", "::", "")
    local_url = (
        f"http://{'127.0.0.1' if everywhere else f'[{host}]' if ':' in host else host}:{port}"
    )
    lan_url = f"http://{lan_address()}:{port}" if everywhere else local_url
    address = config.configured_url() or lan_url
    if sys.stdout.isatty() or everywhere:
        print_code(address)
    print(_("Bummerl is open at {address}", address=address), flush=True)
    if address != local_url:
        print(_("On this machine: {address}", address=local_url), flush=True)
    elif is_loopback(host):
        print(_("No phone reaches this address. For phones, add --host 0.0.0.0"), flush=True)


def say_goodbye() -> None:
    print("\n" if sys.stdout.isatty() else "", end="")
    print(_("Bummerl has stopped. What was recorded is kept."), flush=True)


def root_url(port: int = 8000) -> str:
    """This machine's address for phones: PUBLIC_URL, else in its local network."""
    return config.configured_url() or f"http://{lan_address()}:{port}"


def print_code(address: str) -> None:
    """Print an address as a QR code, in black and white whatever the terminal's colours."""
    from qrcode.main import QRCode

    code = QRCode(border=QUIET_ZONE)
    code.add_data(address)
    code.print_ascii(tty=sys.stdout.isatty(), invert=True)
