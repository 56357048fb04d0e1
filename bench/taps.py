"""A tap against a bare Flask view that commits one equally durable row and answers as many bytes.

Both are asked through WSGI in this process, so no server stands between what is compared.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from flask import Flask, request

from bench.measure import Ratio, ratio
from scorer import create_app
from scorer.engine import read_head

MANY = 20


class Phone:
    """Sends requests to an application, as a phone's browser would."""

    def __init__(self, app: Flask) -> None:
        self._app, self.cookie = app, f"phone={'a' * 26}"

    def post(self, path: str, body: bytes, kind: str, **headers: str) -> bytes:
        """The body of the answer.

        :param kind: the media type of what is sent
        """
        environ: dict[str, Any] = {
            "REQUEST_METHOD": "POST",
            "PATH_INFO": path,
            "SERVER_NAME": "127.0.0.1",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "REMOTE_ADDR": "127.0.0.1",
            "CONTENT_TYPE": kind,
            "CONTENT_LENGTH": str(len(body)),
            "HTTP_COOKIE": self.cookie,
            "HTTP_ACCEPT_LANGUAGE": "de",
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
    """A view that commits a row and answers so much."""
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
    """A table whose rounds are tapped, at its page and at its API."""

    def __init__(self, folder: Path) -> None:
        self.app = create_app({"DATABASE": str(folder / "x.db"), "RATE_LIMITS": False})
        self.tables = self.app.extensions["tables"]
        keys = self.tables.create(read_head({"watten": 1, "rules": "oberoesterreich"}))
        self.key = keys["scorer"]
        self.stream = self.tables.store.find(self.key).stream
        self.phone, self.names = Phone(self.app), itertools.count()
        self.phone.cookie += f"; tables={self.key}"

    def _next(self) -> tuple[str, int, int]:
        """The next event, how many there are, and a name for it."""
        table, number = self.tables.reading(self.stream), next(self.names)
        over = table.evening.state.winner is not None
        event = {"do": "neues_spiel"} if over else {"do": "gewinnt", "side": number % 2}
        return json.dumps(event), table.seq, number

    def tap(self) -> bytes:
        """A round, and the page as it stands then."""
        event, seq, number = self._next()
        form = urlencode({"event": event, "seq": seq, "token": f"tap{number}"}).encode()
        kind = "application/x-www-form-urlencoded"
        return self.phone.post(f"/t/{self.key}/events", form, kind, hx_request="true")

    def append(self) -> bytes:
        """The same for a program."""
        event, _, number = self._next()
        path, kind = f"/api/tables/{self.key}/events", "application/json"
        return self.phone.post(path, event.encode(), kind, idempotency_key=str(number))


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = Table(folder)
        for what, do, aim in (
            ("a tap with the page redrawn", table.tap, ""),
            ("a recorded event at the API", table.append, "at most 1.4"),
        ):
            phone = Phone(bare(folder / f"{do.__name__}.db", do().decode()))

            def ours(do: Callable[[], bytes] = do) -> None:
                for _ in range(MANY):
                    do()

            def theirs(phone: Phone = phone) -> None:
                for _ in range(MANY):
                    phone.post("/", b'{"do":"gewinnt","side":0}', "application/json")

            yield ratio(what, ours, "a bare durable view of as many bytes", theirs, aim=aim)
        table.tables.store.close()
