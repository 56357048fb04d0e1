"""The one place that knows htmx: a fragment for its requests, a page for all others."""

from __future__ import annotations

from flask import Flask, Response
from htmx_flask import Htmx, request


def init_app(app: Flask) -> None:
    """Give requests their `htmx`, and tell caches that pages and fragments share addresses."""
    Htmx(app)

    @app.after_request
    def vary(response: Response) -> Response:
        response.vary.add("HX-Request")
        return response


def wants_fragment() -> bool:
    """Whether htmx asked, and not the browser itself."""
    return bool(request.htmx) and not request.htmx.history_restore_request
