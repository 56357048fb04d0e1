"""A table with thousands of live boards: delay of the boards, and the writer's waiting time.

The load is generated in this process, on the same machine as the server.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from json import dumps, loads
from pathlib import Path
from statistics import median
from typing import Any

from bench.ratios import Ratio

WATCHERS = int(os.environ.get("BENCH_WATCHERS", "3000"))
ROUNDS = 20
PAUSE = 0.3
LATE = 0.25
"""Seconds in which a round must reach nearly every board."""
HEAD = {"watten": 1, "rules": "oberoesterreich"}


class Board(asyncio.Protocol):
    """A live board that records when each state arrived; later states include earlier ones."""

    def __init__(self, path: str) -> None:
        self._path, self._rest = path, b""
        self.heard: list[tuple[int, float]] = []

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        *messages, self._rest = (self._rest + data).split(b"\n\n")
        for message in messages:
            _, found, number = message.partition(b"\nid: ")
            if found:
                self.heard.append((int(number.partition(b"\n")[0]), time.perf_counter()))

    def when(self, number: int) -> float:
        """The time at which `number` events or more were shown."""
        return next(at for seen, at in self.heard if seen >= number)


@contextmanager
def serving(workers: int, limits: str = "off", db: str = "") -> Iterator[tuple[int, int]]:
    """A server with so many workers: its port and process id.

    :param db: its database; a new file if empty
    """
    with tempfile.TemporaryDirectory() as folder:
        where = ["--host", "127.0.0.1", "--port", "0", "--db", db or str(Path(folder) / "x.db")]
        process = subprocess.Popen(
            [sys.executable, "-m", "scorer", "serve", "--workers", str(workers), *where],
            env=os.environ | {"BUMMERL_RATE_LIMITS": limits},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        try:
            line = next(line for line in process.stdout if "open at" in line)
            yield int(line.rsplit(":", 1)[1]), process.pid
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait(timeout=30)


def ask(port: int, path: str, body: object, name: str = "") -> dict[str, Any]:
    connection = HTTPConnection("127.0.0.1", port)
    sent = {"Content-Type": "application/json", "Idempotency-Key": name}
    connection.request("POST", path, dumps(body), sent)
    found: dict[str, Any] = loads(connection.getresponse().read())
    connection.close()
    return found


def rounds(port: int, key: str, names: str) -> Iterator[tuple[int, float, float]]:
    """Record round after round; yield its number, start time and duration."""
    for number in range(ROUNDS):
        event = {"do": "ansage", "schlag": "7" if number % 2 else "8"}
        start = time.perf_counter()
        done = ask(port, f"/api/tables/{key}/events", event, f"{names}{number}")
        yield done["seq"], start, time.perf_counter() - start
        time.sleep(PAUSE)


async def watched(port: int, keys: dict[str, str]) -> tuple[list[float], list[float]]:
    """Each board's delay for each round, and the writer's waiting times, in seconds."""
    loop, path = asyncio.get_running_loop(), f"/b/{keys['viewer']}/stream"
    found = [
        await loop.create_connection(lambda: Board(path), "127.0.0.1", port)
        for _ in range(WATCHERS)
    ]

    async def all_know(number: int) -> None:
        while not all(board.heard and board.heard[-1][0] >= number for _, board in found):
            await asyncio.sleep(0.05)

    await all_know(ROUNDS)
    written = await asyncio.to_thread(lambda: list(rounds(port, keys["scorer"], "watched")))
    await all_know(2 * ROUNDS)
    late = [board.when(number) - start for number, start, _ in written for _, board in found]
    for transport, _ in found:
        transport.close()
    return late, [wait for _, _, wait in written]


def measure() -> Iterator[Ratio]:
    with serving(2) as (port, _):
        keys = ask(port, "/api/tables", HEAD)
        alone = [wait for _, _, wait in rounds(port, keys["scorer"], "alone")]
        late, waits = asyncio.run(watched(port, keys))
    late.sort()
    slowest = late[int(0.99 * len(late))]
    name = f"a round on 99 of 100 of {WATCHERS} boards ({1000 * slowest:.0f} ms)"
    yield Ratio(name, "250 ms", slowest / LATE, "below 1")
    times = median(waits) / median(alone)
    yield Ratio("the writer's wait then", "with nobody watching", times, "about 1")
    yield Ratio("its longest", "the longest with nobody watching", max(waits) / max(alone))
