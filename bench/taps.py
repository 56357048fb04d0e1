"""A tap, against a Flask view that commits one row with the same durability and returns as many
bytes.

Both are called through WSGI in this process; `served` measures both over HTTP.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol
from urllib.parse import urlencode

from flask import Flask, request

from bench.ratios import TURNS, Ratio, ratio
from scorer import create_app
from scorer.engine import Evening, read_head

HEAD = {"watten": 1, "rules": "oberoesterreich"}
MANY = 20
ROUNDS = (TURNS + 3) * MANY
"""More than are measured per table."""
FORM, JSON = "application/x-www-form-urlencoded", "application/json"


class Asks(Protocol):
    """A client, in this process or over HTTP."""

    def post(self, path: str, body: bytes, kind: str, **headers: str) -> bytes:
        """The body of the response.

        :param kind: the media type of the request
        """


class Phone:
    """A client in this process, with a browser's headers."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def post(self, path: str, body: bytes, kind: str, **headers: str) -> bytes:
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "HTTP_ACCEPT_LANGUAGE": "de",
            "CONTENT_TYPE": kind,
            "CONTENT_LENGTH": str(len(body)),
            "wsgi.input": BytesIO(body),
            "wsgi.errors": BytesIO(),
            "wsgi.url_scheme": "http",
            **{f"HTTP_{name.upper()}": value for name, value in headers.items()},
        }
        status = ""

        def start(line: str, *_: Any) -> Callable[[bytes], object]:
            nonlocal status
            status = line
            return lambda _: None

        answer = self._app.wsgi_app(environ, start)
        found = b"".join(answer)
        answer.close()  # type: ignore[attr-defined]
        assert status.startswith("20"), (status, found)
        return found


def bare(path: Path, answer: str) -> Flask:
    """A view that commits a row and returns `answer`."""
    app = Flask("bare")
    db = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    db.execute("pragma journal_mode=wal")
    db.execute("pragma synchronous=full")
    db.execute("create table events (n integer primary key, event text)")

    @app.post("/")
    def record() -> str:
        db.execute("insert into events (event) values (?)", (request.get_data(as_text=True),))
        return answer

    return app


class Table:
    """A table with a list of events to send to its page or API."""

    def __init__(self, key: str) -> None:
        self._key, self._sent = key, 0
        self._events: list[dict[str, Any]] = []
        played = Evening(read_head(HEAD))
        for number in range(ROUNDS):
            over = played.state.winner is not None
            event = {"do": "neues_spiel"} if over else {"do": "gewinnt", "side": number % 2}
            played.push(event)
            self._events.append(event)

    def _next(self) -> tuple[str, int]:
        self._sent += 1
        return json.dumps(self._events[self._sent - 1]), self._sent - 1

    def tap(self, phone: Asks) -> bytes:
        """Record a round; return the new page."""
        event, seq = self._next()
        form = urlencode({"event": event, "seq": seq, "token": f"tap{seq}"}).encode()
        cookie = f"phone={'a' * 26}; tables={self._key}"
        path = f"/t/{self._key}/events"
        return phone.post(path, form, FORM, hx_request="true", cookie=cookie)

    def append(self, phone: Asks) -> bytes:
        """Record a round through the API."""
        event, seq = self._next()
        path = f"/api/tables/{self._key}/events"
        return phone.post(path, event.encode(), JSON, idempotency_key=str(seq))


WHAT = {
    Table.tap: ("a tap with the page redrawn", ""),
    Table.append: ("a recorded event at the API", "at most 1.4"),
}
"""What is measured, and the aim."""


def bare_row(phone: Asks) -> bytes:
    return phone.post("/", b'{"do":"gewinnt","side":0}', JSON)


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        app = create_app({"DATABASE": str(folder / "x.db"), "RATE_LIMITS": False})
        tables, phone = app.extensions["tables"], Phone(app)

        def many(do: Callable[[Asks], bytes], phone: Asks) -> None:
            for _ in range(MANY):
                do(phone)

        for do, (what, aim) in WHAT.items():
            table = Table(tables.create(read_head(HEAD))["scorer"])
            ours = partial(do, table)
            theirs = Phone(bare(folder / f"{do.__name__}.db", ours(phone).decode()))
            yield ratio(
                what,
                partial(many, ours, phone),
                "a bare durable view of as many bytes",
                partial(many, bare_row, theirs),
                aim=aim,
            )
        tables.store.close()
