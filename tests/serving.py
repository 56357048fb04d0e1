"""A real server over real HTTP, for tests."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, nullcontext
from html import unescape
from http.client import HTTPConnection, HTTPResponse
from itertools import count
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.parse import urlencode, urlsplit

from flask import Flask

from tests.pages import Page

ADDRESS_LINE = re.compile(r"(?:Bummerl is open at|On this machine:) (http://\S+)")


PATIENCE_SECONDS = 120
"""Seconds to wait for a server. A busy machine may be slow without any fault of the server."""

_idempotency_numbers = count()

Answer = tuple[int, dict[str, str], str]
"""Status, headers and text."""


class Client:
    """Requests to Bummerl, in this process or in another."""

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Send a request. A dict body becomes JSON, and a list of pairs becomes a form."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if isinstance(body, list):
            body = urlencode(body)
            fields.setdefault("Content-Type", "application/x-www-form-urlencoded")
        elif isinstance(body, dict):
            body = json.dumps(body)
            fields.setdefault("Content-Type", "application/json")
        return self.send_request(method, path, body, fields)

    def send_request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        raise NotImplementedError

    def json(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, Any]:
        status, _, text = self.request(method, path, body, **headers)
        return status, json.loads(text)

    def page(self, path: str, status: int = 200, language: str = "de", **headers: str) -> Page:
        """The page at a path, after any redirects. The test fails if it has another status."""
        actual_status, response_headers, text = self.request(
            "GET", path, Accept_Language=language, **headers
        )
        if actual_status == 303:
            return self.page(response_headers["location"], status, language, **headers)
        assert actual_status == status, text
        return Page(text)

    def submit(self, path: str, form: Iterable[tuple[str, Any]] = (), **headers: str) -> str:
        """Send a form that must be accepted. Returns the address to which it redirects."""
        status, response_headers, text = self.request("POST", path, list(form), **headers)
        assert status == 303, text
        return response_headers["location"]

    def submit_refused(
        self, path: str, form: Iterable[tuple[str, Any]], status: int = 422, **headers: str
    ) -> Page:
        """Send a form that must be refused with this status. Returns the German page."""
        actual_status, _, text = self.request(
            "POST", path, list(form), Accept_Language="de", **headers
        )
        assert actual_status == status, text
        return Page(text)

    def table(
        self, rules: str = "oberoesterreich", *, played: Iterable[Any] = (), **head: Any
    ) -> dict[str, Any]:
        """Create a table and play events. Returns its keys, links and state before the events."""
        status, made = self.json("POST", "/api/tables", {"watten": 1, "rules": rules, **head})
        assert status == 201, made
        self.play(made["scorer"], *played)
        return made

    def write(self, key: str, event: dict[str, Any], token: str, **headers: str) -> tuple[int, Any]:
        path = f"/api/tables/{key}/events"
        return self.json("POST", path, event, Idempotency_Key=token, **headers)

    def play(self, key: str, *events: dict[str, Any]) -> None:
        """Write events, all of which the table must accept."""
        for event in events:
            status, answer = self.write(key, event, f"played {next(_idempotency_numbers)}")
            assert status == 201, answer

    def state(self, key: str) -> Any:
        return self.json("GET", f"/api/tables/{key}")[1]["state"]

    def seq(self, key: str) -> int:
        return self.json("GET", f"/api/tables/{key}")[1]["seq"]

    def record(self, key: str) -> Any:
        return self.json("GET", f"/api/tables/{key}/record")[1]

    def new_tournament(self, **settings: Any) -> dict[str, str]:
        """Create a tournament, by default with four pairs, and return its keys by role."""
        pairs = [{"name": f"P{n}"} for n in range(4)]
        given = {"name": "Preis", "rules": "bayern", "seed": "x", "pairs": pairs, **settings}
        status, keys = self.json("POST", "/api/tournaments", given)
        assert status == 201, keys
        return keys

    def draw(self, key: str, **body: Any) -> list[dict[str, Any]]:
        """Draw a round, and return its tables with their links."""
        status, drawn = self.json("POST", f"/api/tournaments/{key}/draw", body)
        assert status == 201, drawn
        return drawn["tables"]

    def tournament(self, key: str) -> Any:
        """The API's JSON of a tournament."""
        return self.json("GET", f"/api/tournaments/{key}")[1]


def _header_dict(headers: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Headers by name in lower case. Commas join several headers of one name."""
    found: dict[str, str] = {}
    for name, value in headers:
        known = found.get(name.lower(), "")
        found[name.lower()] = f"{known}, {value}" if known else value
    return found


class InProcessClient(Client):
    """An app in this process. Every request has `headers`."""

    def __init__(self, app: Flask, **headers: str) -> None:
        self.app, self.headers = app, headers

    def request(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        return super().request(method, path, body, **{**self.headers, **headers})

    def send_request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        client = self.app.test_client(use_cookies=False)
        with client.open(path, method=method, data=body, headers=headers) as answer:
            return answer.status_code, _header_dict(answer.headers.items()), answer.text


class Server(Client):
    """A running `bummerl serve`."""

    def __init__(
        self, db: Path | str, process: subprocess.Popen[str], url: str, printed: str = ""
    ) -> None:
        self.db, self.process, self.url, self.printed = db, process, url, printed

    def send_request(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Answer:
        connection = HTTPConnection(urlsplit(self.url).netloc, timeout=PATIENCE_SECONDS)
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            return answer.status, _header_dict(answer.getheaders()), answer.read().decode()
        finally:
            connection.close()

    def watch(self, path: str, **headers: str) -> EventStream:
        return EventStream(self.url + path, headers)

    def memory(self) -> int:
        """The memory of its processes in KB. A page that several share counts once."""
        return _memory(self.process.pid)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(timeout=PATIENCE_SECONDS)


def _memory(process: int) -> int:
    own = Path(f"/proc/{process}")
    [size] = re.findall(r"^Pss: +(\d+)", (own / "smaps_rollup").read_text(), re.MULTILINE)
    children = (own / f"task/{process}/children").read_text().split()
    return int(size) + sum(_memory(int(child)) for child in children)


class Phone:
    """A phone with its cookies."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.cookies: dict[str, str] = {}
        self.text = ""
        """The page it shows."""

    def _ask(self, method: str, path: str, body: Any = None, **headers: str) -> tuple[int, str]:
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = headers | ({"Cookie": cookie} if cookie else {})
        status, received, text = self.server.request(method, path, body, **sent)
        for name, value in re.findall(r"(\w+)=([^;,]+); Expires", received.get("set-cookie", "")):
            self.cookies[name] = value
        self.text = unescape(text)
        return status, self.text

    def open(self, path: str) -> str:
        """The page at `path`."""
        status, text = self._ask("GET", path)
        assert status == 200
        return text

    def send(self, path: str, form: list[tuple[str, str]], **headers: str) -> int:
        """Send a form, and return the status."""
        return self._ask("POST", path, form, **headers)[0]


class EventStream:
    """A stream of server-sent events, read one message at a time."""

    def __init__(self, url: str, headers: dict[str, str]) -> None:
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(url, headers=fields)
        self.answer: HTTPResponse = urllib.request.urlopen(request, timeout=PATIENCE_SECONDS)

    def next(self) -> dict[str, str]:
        """The fields of the next message with an event, or {} at the end of the stream."""
        fields: dict[str, str] = {}
        while line := self.answer.readline().decode():
            name, _, value = line.rstrip("\n").partition(": ")
            if not name and "event" in fields:
                return fields
            if name:
                fields[name] = fields[name] + "\n" + value if name in fields else value
        return {}

    def close(self) -> None:
        self.answer.close()

    def __enter__(self) -> EventStream:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_RESERVED: list[socket.socket] = []


def free_port() -> int:
    """A port that a server can use again after a restart.

    A socket stays bound to the port without listening, so the system gives the port to nobody else.
    A server and PostgreSQL can listen there all the same, because both set SO_REUSEADDR.
    """
    reserved = socket.socket()
    reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    reserved.bind(("127.0.0.1", 0))
    _RESERVED.append(reserved)
    return int(reserved.getsockname()[1])


@contextmanager
def serving(
    db: Path | str,
    *,
    workers: int = 2,
    host: str = "127.0.0.1",
    port: str = "0",
    log: IO[str] | None = None,
    program: str = "scorer",
    **environment: str,
):
    """Start a server, and stop it at the end. Without `port` it takes a free one.

    :param log: receives its standard error. Without it the test fails if the server logs an error.
    :param program: the module that serves
    """
    # Ignores a bundle that `make pocket` built here. A test that needs a bundle names it.
    settings = {"BUMMERL_RATE_LIMITS": "off", "BUMMERL_POCKET": os.devnull, **environment}
    command = [sys.executable, "-m", program, "serve", "--host", host, "--port", port]
    with log_without_errors() if log is None else nullcontext(log) as errors:
        process = subprocess.Popen(
            [*command, "--db", str(db), "--workers", str(workers)],
            env=os.environ | settings,
            stdout=subprocess.PIPE,
            stderr=errors,
            text=True,
            start_new_session=True,
        )
        assert process.stdout is not None
        try:
            printed = ""
            for line in process.stdout:
                printed += line
                if found := ADDRESS_LINE.search(line):
                    break
            else:
                raise AssertionError("the server did not start")
            yield Server(db, process, found[1], printed)
        finally:
            if process.poll() is None:
                process.terminate()
                try:
                    process.wait(timeout=PATIENCE_SECONDS)
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
            process.stdout.close()


@contextmanager
def log_without_errors() -> Iterator[IO[str]]:
    """A file for a server's log, which is copied to standard error. Fails if it has an error."""
    with TemporaryFile("w+") as log:
        try:
            yield log
        finally:
            log.seek(0)
            text = log.read()
            sys.stderr.write(text)
        assert "ERROR in" not in text, text


@contextmanager
def serving_with_offline_app(folder: Path, size: int) -> Any:
    """A server that offers phones an offline bundle of `size` bytes."""
    (folder / "bundle.json").write_text(json.dumps({"version": "0" * 12, "bytes": size}))
    with serving(folder / "bummerl.db", BUMMERL_POCKET=str(folder)) as running:
        yield running
