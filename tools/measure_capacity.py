"""Measures the figures of docs/operate.md: `python -m tools.measure_capacity`.

Sizes are the same on every machine; the time of a backup is compared with a plain file copy.
"""

from __future__ import annotations

import os
import resource
import shutil
import socket
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

from scorer.config import streams
from scorer.demo import write
from scorer.store.database_url import open_store
from tests.serving import Server, serving

SEEDS = 40
"""Evenings per region."""
TABLES = 20
ADDRESSES = ("127.0.0.1", "127.0.0.2")
"""Client addresses: one address may have half of a worker's live pages."""


def book(folder: Path) -> Iterator[str]:
    """Lines: disk space of evenings, and the time of a backup."""
    path = folder / "bummerl.db"
    evenings = [keys for seed in range(SEEDS) for _, keys in write(path, seed)]
    store, copy = open_store(str(path)), folder / "copy.db"
    begun = time.monotonic()
    store.backup(copy)
    took = time.monotonic() - begun
    size = copy.stat().st_size
    events = [
        stored.event["do"]
        for keys in evenings
        if (access := store.find(keys["scorer"]))
        for stored in store.events(access.stream)
    ]
    store.close()
    rounds = sum(events.count(do) for do in ("gewinnt", "gehen"))
    yield f"an entry                {size / len(events):8.0f} bytes, keys and indexes with it"
    yield f"1,000 rounds           {size / rounds:9.0f} KB"
    evening = f"an evening of {rounds / len(evenings):.0f} rounds"
    yield f"{evening:23} {size / len(evenings) / 1000:8.0f} KB"
    yield f"a copy, for 100 MB      {took * 1e8 / size:8.1f} s"
    yield f"the same, plainly       {_plainly(copy, folder / 'plain.db') * 1e8 / size:8.1f} s"


def _plainly(source: Path, target: Path) -> float:
    begun = time.monotonic()
    shutil.copyfile(source, target)
    with target.open("rb") as written:
        os.fsync(written.fileno())
    return time.monotonic() - begun


def playing(folder: Path) -> Iterator[str]:
    """Lines: memory of a server that has shown some tables."""
    with serving(folder / "played.db", workers=2) as server:
        for _ in range(TABLES):
            keys = server.table()
            for path in ("/", f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
                server.request("GET", path)
        yield f"two workers, {TABLES} tables {server.memory() / 1000:8.1f} MB"


def viewers(folder: Path) -> Iterator[str]:
    """Lines: memory per live page."""
    with ExitStack() as stack:
        server = stack.enter_context(serving(folder / "live.db", workers=1))
        keys = server.table()
        server.request("GET", f"/b/{keys['viewer']}")
        before, pages = server.memory(), streams()
        for number in range(pages):
            address = ADDRESSES[number % len(ADDRESSES)]
            stack.enter_context(_looking(server, f"/b/{keys['viewer']}/stream", address))
        more = server.memory() - before
        yield f"a live page             {more / pages:8.1f} KB, of {pages} of one worker"


def _looking(server: Server, path: str, whence: str) -> socket.socket:
    """A connection to a live page that has started to respond."""
    address = urlsplit(server.url)
    looking = socket.create_connection((address.hostname, address.port), 60, (whence, 0))
    looking.sendall(f"GET {path} HTTP/1.1\r\nHost: {address.netloc}\r\n\r\n".encode())
    assert looking.recv(12) == b"HTTP/1.1 200"
    return looking


if __name__ == "__main__":
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with tempfile.TemporaryDirectory() as name:
        for part in (book, playing, viewers):
            for said in part(Path(name)):
                print(said, flush=True)
