"""Whole pages, against a minimal Flask response."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from flask import Flask

from bench.ratios import Ratio, ratio
from scorer import create_app
from scorer.engine import read_head


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
        app.extensions["tables"].store.close()
