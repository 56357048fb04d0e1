"""Two servers behind nginx on one PostgreSQL database; any of them may fail at any moment."""

import json
import os
import re
import signal
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from http.client import HTTPException
from pathlib import Path
from random import Random

import psycopg
import pytest

from scorer.book.table_event_limits import MAX_TABLE_EVENTS
from scorer.book.tables import Tables
from scorer.engine import read_head
from scorer.store import hash_chain
from scorer.store.database_url import open_store
from tests.builders import head_and_events
from tests.cluster import nginx
from tests.serving import PATIENCE_SECONDS, Server, free_port, serving
from tests.torture import repetitions

CONF = Path(__file__).parents[2] / "deploy" / "nginx.conf"
CRASHES = repetitions(4, 200)
PHONES = 4
NGINX = """
daemon off;
pid {folder}/nginx.pid;
{user}
worker_processes 1;
error_log {folder}/error.log;
events {{ worker_connections 512; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/bummerl.conf;
}}
"""


def _answers(port):
    with socket.socket() as asking:
        return asking.connect_ex(("127.0.0.1", port)) == 0


class Pair:
    """Two servers with nginx in front of them and one database."""

    def __init__(self, cluster, folder, stack, **environment):
        self.cluster, self.folder, self.stack = cluster, folder, stack
        self.environment = {"BUMMERL_PROXIES": "1", **environment}
        self.book = cluster.book()
        self.ports = [free_port(), free_port()]
        self.servers = [self._serve(port) for port in self.ports]
        self.port = free_port()
        self.front = Server(self.book, None, f"http://127.0.0.1:{self.port}")
        self._configure()
        self.proxy = stack.enter_context(self._proxy())

    def _serve(self, port):
        running = serving(self.book, workers=1, port=str(port), **self.environment)
        return self.stack.enter_context(running)

    def _configure(self):
        """Write nginx.conf of deploy/ with the ports of these servers."""
        text = CONF.read_text()
        for address, port in zip(("10.0.0.11", "10.0.0.12"), self.ports, strict=True):
            assert f"{address}:8000" in text
            text = text.replace(f"{address}:8000", f"127.0.0.1:{port}")
        text = text.replace("listen 80;", f"listen 127.0.0.1:{self.port};")
        (self.folder / "bummerl.conf").write_text(text)
        user = "user root;" if os.geteuid() == 0 else ""
        (self.folder / "nginx.conf").write_text(NGINX.format(folder=self.folder, user=user))

    @contextmanager
    def _proxy(self):
        program = nginx()
        assert program, "no nginx: tools/postgres.sh says what to install"
        command = [program, "-p", self.folder, "-c", "nginx.conf", "-e", self.folder / "error.log"]
        process = subprocess.Popen(command, start_new_session=True)
        try:
            while not _answers(self.port):
                assert process.poll() is None, (self.folder / "error.log").read_text()
            yield process
        finally:
            _kill(process)

    def fall(self, who):
        """Kill the database, nginx or a server, as a power failure would, and start it again."""
        if who == "database":
            self.cluster.restart(signal.SIGKILL)
        elif who == "nginx":
            _kill(self.proxy)
            self.proxy = self.stack.enter_context(self._proxy())
        else:
            _kill(self.servers[who].process)
            self.servers[who] = self._serve(self.ports[who])


def _kill(process):
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


@pytest.fixture
def running(cluster, tmp_path):
    with ExitStack() as stack:

        def start(**environment):
            return Pair(cluster, tmp_path, stack, **environment)

        yield start


def next_line(watch, wanted):
    """Read a stream to the next line that begins with `wanted`. Returns the lines before it."""
    before = []
    while not (line := watch.answer.readline().decode()).startswith(wanted):
        assert line, "the stream ended"
        before.append(line)
    return before


def test_two_servers_see_each_others_writes(running):
    pair = running(BUMMERL_RATE_LIMITS="on")
    here, there = pair.servers
    with closing(open_store(pair.book)) as store:
        keys = Tables(store).create(read_head({"watten": 1, "rules": "bayern"}))
    scorer, viewer = keys["scorer"], keys["viewer"]
    watch = there.watch(f"/b/{viewer}/stream")
    next_line(watch, "id: 0")
    for n in range(1, 4):
        assert here.write(scorer, {"do": "gewinnt", "side": 0}, f"n{n}")[0] == 201
        # The event arrives at once, and not only with the next heartbeat.
        assert not any("still here" in line for line in next_line(watch, f"id: {n}"))
    watch.close()
    # The other server recognises a tap that is sent again.
    assert there.write(scorer, {"do": "gewinnt", "side": 0}, "n3")[0] == 200
    assert there.write(scorer, {"do": "gewinnt", "side": 1}, "n3")[0] == 422
    # A code of one server opens at the other, and both count guesses together.
    status, headers, _ = there.request("GET", f"/s/{keys['code']}")
    assert status in (302, 303)
    assert viewer in headers["location"]
    asked = [pair.servers[n % 2].request("GET", "/s/ABCDEF")[0] for n in range(24)]
    # Each server alone has too few requests for a refusal.
    assert 429 in asked


def test_reads_are_answered_while_a_write_waits(running):
    pair = running()
    server, key = pair.servers[0], pair.servers[0].table()["scorer"]
    with psycopg.connect(pair.book) as elsewhere, ThreadPoolExecutor(1) as phone:
        elsewhere.execute("lock table events in share mode")
        answer = phone.submit(server.write, key, {"do": "gewinnt", "side": 0}, "n1")
        # The only worker answers other requests while the tap waits for the lock.
        while not waits_for_a_lock(elsewhere):
            assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 0
        assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 0
        elsewhere.rollback()
        assert answer.result()[0] == 201


def waits_for_a_lock(connection):
    """Whether any connection waits for a lock."""
    sql = "select 1 from pg_locks where not granted"
    return connection.execute(sql).fetchall()


class Writer(threading.Thread):
    """A phone that repeats each tap until it is answered. It opens a new table if one is full."""

    def __init__(self, front, number, stop):
        super().__init__()
        self.front, self.number, self.stop = front, number, stop
        # The key of each table, and what it acknowledged.
        self.tables, self.trouble = [], None
        # Failed attempts, except the app's own 503.
        self.failures = 0
        self.sit_down()

    def sit_down(self):
        head = {"watten": 1, "rules": "bayern"}
        status, made = self.patient(self.front.json, "POST", "/api/tables", head)
        assert status == 201, made
        self.tables.append((made["scorer"], []))

    @property
    def count(self):
        return sum(len(acknowledged) for _, acknowledged in self.tables)

    def patient(self, ask, *given):
        end = time.monotonic() + PATIENCE_SECONDS
        while True:
            assert time.monotonic() < end
            try:
                answer = ask(*given)
                if not isinstance(answer, tuple) or answer[0] < 500:
                    return answer
                self.failures += answer[0] != 503
            except (OSError, HTTPException, json.JSONDecodeError):
                # No connection, a connection that was cut, or an error page of nginx.
                self.failures += 1
            time.sleep(0.02)

    def run(self):
        try:
            while not self.stop.is_set():
                self.tap({"do": "gewinnt", "side": 0})
                self.tap({"do": "korrektur", "of": self.tables[-1][1][-1] - 1, "with": []})
                if len(self.tables[-1][1]) > MAX_TABLE_EVENTS - 2:
                    self.sit_down()
        except BaseException as error:
            self.trouble = error

    def tap(self, event):
        key, acknowledged = self.tables[-1]
        name = f"{self.number} {len(acknowledged)}"
        status, answer = self.patient(self.front.write, key, event, name)
        assert status in (200, 201), answer
        acknowledged.append(answer["seq"])


def test_cluster_restart_retries_until_it_starts(cluster, monkeypatch):
    start, tries = cluster._try_to_start, []
    with psycopg.connect(cluster.url("postgres")) as connection:
        left = connection.info.backend_pid
        os.kill(left, signal.SIGSTOP)

        def start_and_count():
            tries.append(start())
            if len(tries) == 1:
                os.kill(left, signal.SIGCONT)
            return tries[-1]

        monkeypatch.setattr(cluster, "_try_to_start", start_and_count)
        cluster.restart(signal.SIGKILL)
    assert (tries[0], tries[-1]) == (False, True)


def test_acknowledged_writes_survive_crashes(running):
    pair, stop = running(), threading.Event()
    writers = [Writer(pair.front, number, stop) for number in range(PHONES)]
    for writer in writers:
        writer.start()
    rng = Random(CRASHES)
    order = [0, 1, "database", "nginx"]
    try:
        for fall in range(CRASHES):
            who = order[fall] if fall < len(order) else rng.choice(order)
            pair.fall(who)
            # All writers record more before the next failure.
            counts = [writer.count for writer in writers]
            while any(
                writer.count < count + 3 and writer.is_alive()
                for writer, count in zip(writers, counts, strict=True)
            ):
                time.sleep(0.02)
            if fall == 0:
                # The other server was up, so no request failed.
                assert not any(writer.failures for writer in writers)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert [writer.trouble for writer in writers if writer.trouble] == []
    for key, acknowledged in (table for writer in writers for table in writer.tables):
        path = f"/api/tables/{key}/record"
        status, record = pair.front.json("GET", path)
        assert status == 200
        # The record has each tap once, at the acknowledged number, and nothing else.
        assert acknowledged == list(range(1, len(record["events"]) + 1))
        assert hash_chain.first_broken_entry(*head_and_events(record)) is None
    log = (pair.folder / "error.log").read_text()
    # A killed nginx may still hold its port for a moment, and the next one tries again.
    assert not re.search(r"\[(emerg|alert|crit)\](?!.*Address already in use)", log), log
