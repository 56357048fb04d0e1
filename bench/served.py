"""A tap and an API event over HTTP: one worker of the real server, one persistent client.

The baseline view runs in the same server. Each turn uses another loopback address, so that rate
limits are counted and never reached.
"""

from __future__ import annotations

import itertools
import multiprocessing
import socket
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

from flask import Flask

from bench.live import ask, serving
from bench.ratios import Ratio, ratio
from bench.taps import HEAD, MANY, WHAT, Asks, Table, bare, bare_row
from scorer.gunicorn_server import Server

ADDRESSES = (f"127.0.0.{number}" for number in itertools.count(2))


class Connected:
    """A client with one connection and a browser's headers."""

    def __init__(self, port: int, address: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), source_address=(address, 0))
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._answers = self._socket.makefile("rb")
        self.waits: list[float] = []
        """Seconds until each response."""

    def post(self, path: str, body: bytes, kind: str, **headers: str) -> bytes:
        said = {"host": "127.0.0.1", "accept_encoding": "gzip, deflate", "accept_language": "de"}
        said |= {"content_type": kind, "content_length": str(len(body)), **headers}
        lines = "".join(f"{name.replace('_', '-')}: {value}\r\n" for name, value in said.items())
        start = time.perf_counter()
        self._socket.sendall(f"POST {path} HTTP/1.1\r\n{lines}\r\n".encode() + body)
        status = self._answers.readline()
        length = 0
        while (line := self._answers.readline().lower()) != b"\r\n":
            name, _, value = line.partition(b":")
            length = int(value) if name == b"content-length" else length
        found = self._answers.read(length)
        self.waits.append(time.perf_counter() - start)
        assert status.split()[1].startswith(b"20"), (status, found)
        return found

    def close(self) -> None:
        self._answers.close()
        self._socket.close()


class _Bare(Server):
    """The real server's gunicorn with another application."""

    def __init__(self, app: Flask, listener: socket.socket) -> None:
        self._app = app
        bind = f"fd://{listener.fileno()}"
        super().__init__({"bind": bind, "worker_class": "gevent", "loglevel": "warning"}, {})

    def load(self) -> Any:
        return self._app


def _serve_bare(path: Path, answer: str, listener: socket.socket) -> None:
    _Bare(bare(path, answer), listener).run()


@contextmanager
def _bare_serving(path: Path, answer: str) -> Iterator[tuple[int, int]]:
    """The baseline view in gunicorn: its port and process id."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.set_inheritable(True)
        asked = path, answer, listener
        process = multiprocessing.get_context("fork").Process(target=_serve_bare, args=asked)
        process.start()
        try:
            assert process.pid is not None
            yield int(listener.getsockname()[1]), process.pid
        finally:
            process.terminate()
            process.join()


class _Asked:
    """A server that gets the same request turn after turn.

    :param pid: the master process, whose only child does the work
    """

    def __init__(self, port: int, pid: int, do: Callable[[Asks], bytes]) -> None:
        self._port, self._pid, self._do = port, pid, do
        self.waits: list[float] = []
        """Seconds until each response."""
        self.turn()
        self.waits.clear()
        self._before = self._busy()

    def turn(self) -> None:
        """Connect, send `MANY` requests and disconnect."""
        phone = Connected(self._port, next(ADDRESSES))
        for _ in range(MANY):
            self._do(phone)
        phone.close()
        self.waits += phone.waits

    @property
    def each(self) -> float:
        """CPU seconds per request, as Linux counts them."""
        return (self._busy() - self._before) / len(self.waits)

    def _busy(self) -> float:
        [worker] = Path(f"/proc/{self._pid}/task/{self._pid}/children").read_text().split()
        return int(Path(f"/proc/{worker}/schedstat").read_text().split()[0]) / 1e9


def measure() -> Iterator[Ratio]:
    against = "a bare durable view of as many bytes, both over HTTP"
    with tempfile.TemporaryDirectory() as folder, serving(1, limits="on") as (port, pid):
        for do, (what, aim) in WHAT.items():
            table = Table(ask(port, "/api/tables", HEAD)["scorer"])
            answer = "x" * len(do(table, Connected(port, next(ADDRESSES))))
            with _bare_serving(Path(folder) / f"{do.__name__}.db", answer) as there:
                ours, theirs = _Asked(port, pid, partial(do, table)), _Asked(*there, bare_row)
                found = ratio(what, ours.turn, against, theirs.turn)
                wait, rate = 1000 * median(ours.waits), len(ours.waits) / sum(ours.waits)
                named = f"{what} ({wait:.1f} ms, {rate:.0f} a second)"
                yield Ratio(named, against, found.times, aim)
                spent = f"its processor time ({1000 * ours.each:.2f} ms)"
                yield Ratio(spent, "the bare view's", ours.each / theirs.each)
