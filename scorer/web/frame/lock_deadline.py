"""However much a request records, it waits for a foreign lock no longer than once."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from flask import Flask


def init_app(app: Flask) -> None:
    """Bound the waiting of all requests, each for itself."""
    asked = app.wsgi_app

    def waits_once(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        with app.extensions["tables"].store.waiting():
            return asked(environ, start_response)

    app.wsgi_app = waits_once  # type: ignore[method-assign]
