"""Pages against a bare Flask answer, and one drawing for all who watch."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from flask import Flask

from bench.measure import Ratio, ratio
from scorer import create_app
from scorer.engine import read_head

WATCHERS = 200


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        app = create_app({"DATABASE": str(Path(folder) / "x.db"), "RATE_LIMITS": False})
        bare = Flask("bare")
        bare.add_url_rule("/", "hello", lambda: "hello")
        tables = app.extensions["tables"]
        keys = tables.create(read_head({"watten": 1, "rules": "bayern"}))
        client, hello = app.test_client(), bare.test_client()
        for name, path in (
            ("the writer's page", f"/t/{keys['scorer']}"),
            ("the board", f"/b/{keys['viewer']}"),
            ("the start page", "/"),
        ):
            yield ratio(name, partial(client.get, path), "a bare answer", lambda: hello.get("/"))
        stream = f"/b/{keys['viewer']}/stream"

        def each(draw: Callable[[], None]) -> None:
            for _ in range(WATCHERS):
                draw()

        def first() -> None:
            answer = client.get(stream, buffered=False)
            messages = iter(answer.response)
            next(messages), next(messages)
            answer.close()

        def drawn() -> None:
            app.extensions["once"]._made.clear()
            first()

        yield ratio(
            f"a board's news to {WATCHERS} watchers",
            partial(each, first),
            "drawing it for each",
            partial(each, drawn),
            aim="below 1",
        )
        app.extensions["tables"].store.close()
