"""The one place that knows htmx: a fragment for its requests, a page for all others."""

from __future__ import annotations

from typing import Any

from flask import Flask, Response, make_response, render_template
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


def page_or_fragment(page: str, fragment: str, **context: Any) -> Response:
    """Render `fragment` for htmx, else the `page` around it."""
    return make_response(render_template(fragment if wants_fragment() else page, **context))
