"""Events a second that PostgreSQL confirms for many writers, against pgbench with an equal insert.

Writers share the machine's processors with the database. `BENCH_COMMIT` is how many milliseconds a
commit takes besides, as on a slow disk.
"""

from __future__ import annotations

import itertools
import multiprocessing
import os
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from statistics import median

from bench.live import HEAD, ask, serving
from bench.ratios import Ratio
from bench.served import ADDRESSES, Connected
from scorer.store import NewStream
from scorer.store.database_url import open_store
from scorer.store.postgres.migrations import LOCKS_SETTING
from tests.cluster import Cluster, cluster, programs

COMMIT = int(os.environ.get("BENCH_COMMIT", "0"))
WRITERS = (1, 8, 32)
PROCESSES = 4
SECONDS = 2
TURNS = 5
BODY = '{"do":"ansage","schlag":"7"}'
EVENT = (
    f'{{"at":"2026-01-06T19:00:00.000Z","by":"bench","do":"ansage","salt":"{"0" * 32}"}}',
    f'{{"at":"2026-01-06T19:00:00.000Z","by":"bench","do":"ansage","salt":"{"0" * 32}","hash":"',
    '"}',
)
_BARE = """
    create table bare (
        seq bigserial primary key, stream text not null, n integer not null, key text not null,
        body text not null, event text not null check (event::json is not null), hash text not null,
        unique (stream, n), unique (stream, key)
    );
    create sequence place
"""
_PLACE = "with next as (select nextval('public.place') as n)"
_INSERT = f"""
    {_PLACE} insert into public.bare (stream, n, key, body, event, hash)
    select 'stream ' || :client_id, n, n::text, '{BODY}', '{EVENT[1]}' || repeat('0', 64) ||
        '{EVENT[2]}', repeat('0', 64) from next;
"""
_APPEND = f"""
    {_PLACE} select append_event('stream ' || :client_id, 5000, n::text, '{BODY}', null::integer,
        '{EVENT[0]}', '{EVENT[1]}', '{EVENT[2]}') from next;
"""


def _write(url: str, streams: list[str]) -> int:
    """The number of events that one process, with a thread for each stream, got confirmed."""
    store = open_store(url, patience=30)
    until = time.monotonic() + SECONDS

    def write(stream: str) -> int:
        for count in itertools.count():
            if time.monotonic() > until:
                return count
            body = {"do": "ansage", "schlag": "7"}
            store.append(stream, body, idempotency_key=f"{until} {count}", by="bench")
        raise AssertionError

    with ThreadPoolExecutor(len(streams)) as threads:
        done = sum(threads.map(write, streams))
    store.close()
    return done


def _stored(url: str, writers: int) -> float:
    streams = [f"stream {writer}" for writer in range(writers)]
    shares = [share for at in range(PROCESSES) if (share := streams[at::PROCESSES])]
    with multiprocessing.get_context("fork").Pool(len(shares)) as pool:
        return sum(pool.starmap(_write, [(url, share) for share in shares])) / SECONDS


def _pgbench(folder: Path, url: str, sql: str, writers: int) -> float:
    programs_folder = programs()
    assert programs_folder is not None
    program = (programs_folder / "initdb").resolve().with_name("pgbench")
    script = folder / "script.sql"
    script.write_text(sql)
    threads = min(writers, PROCESSES)
    counts = ["-c", str(writers), "-j", str(threads), "-T", str(SECONDS)]
    done = subprocess.run(
        [program, "--no-vacuum", "--protocol=prepared", "-f", script, *counts, url],
        check=True,
        capture_output=True,
        text=True,
    )
    line = next(line for line in done.stdout.splitlines() if line.startswith("tps"))
    return float(line.split()[2])


def _post(ports: list[int], count: int) -> int:
    """The number of events that one process got confirmed over HTTP, each connection for a table of
    its own."""
    keys = [ask(ports[0], "/api/tables", HEAD)["scorer"] for _ in range(count)]
    until = time.monotonic() + SECONDS

    def post(at: int) -> int:
        phone = Connected(ports[at % len(ports)], next(ADDRESSES))
        for number in itertools.count():
            if time.monotonic() > until:
                phone.close()
                return number
            named = {"idempotency_key": str(number)}
            phone.post(f"/api/tables/{keys[at]}/events", BODY.encode(), "application/json", **named)
        raise AssertionError

    with ThreadPoolExecutor(count) as threads:
        return sum(threads.map(post, range(count)))


def _posted(ports: list[int], clients: int) -> float:
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        each = [(ports, clients // PROCESSES)] * PROCESSES
        return sum(pool.starmap(_post, each)) / SECONDS


def _served(url: str) -> Iterator[Ratio]:
    with serving(1, db=url) as (first, _), serving(1, db=url) as (second, _):
        turns = [(_posted([first, second], 32), _posted([first], 32)) for _ in range(TURNS)]
    rate = median(both for both, _ in turns)
    name = f"events over HTTP with two servers, 32 phones ({rate:.0f} a second)"
    yield Ratio(name, "with one, as a rate", median(both / one for both, one in turns))


def _opened(running: Cluster) -> str:
    """The address of a new database with a stream for each writer."""
    url = running.book()
    store = open_store(url)
    for writer in range(max(WRITERS)):
        store.create("table", NewStream({"watten": 1}, {}, id=f"stream {writer}"))
    store.close()
    return url


def measure() -> Iterator[Ratio]:
    # Whoever comes while a commit waits shares the wait.
    slow = {"commit_delay": str(1000 * COMMIT), "commit_siblings": "0"} if COMMIT else {}
    with cluster(fsync="on", max_connections="100", **slow) as running:
        running.execute(_BARE)
        url, by_hand = _opened(running), f"{_opened(running)}%20-c{LOCKS_SETTING}%3Dstreams"
        for writers in WRITERS:
            bare = partial(_pgbench, running.folder, running.url("postgres"), _INSERT, writers)
            ways: dict[str, Callable[[], float]] = {
                "events": partial(_stored, url, writers),
                "append_event() alone": partial(
                    _pgbench, running.folder, by_hand, _APPEND, writers
                ),
            }
            for what, ours in ways.items():
                turns = [(ours(), bare()) for _ in range(TURNS)]
                rate = median(events for events, _ in turns)
                yield Ratio(
                    f"{what}, {writers} writers ({rate:.0f} a second)",
                    "an equal insert by pgbench, as a rate",
                    median(events / inserts for events, inserts in turns),
                    "above 0.5" if writers == max(WRITERS) else "",
                )
        yield from _served(running.book())
