"""Limits the time a request waits for database locks, over all its transactions."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Flask


def init_app(app: Flask) -> None:
    inner = app.wsgi_app

    def waits_once(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with app.extensions["tables"].store.waiting():
            return inner(environ, start_response)

    app.wsgi_app = waits_once  # type: ignore[method-assign]
