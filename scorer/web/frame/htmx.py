"""The one place that knows htmx: a fragment for its requests, a page for all others."""

from __future__ import annotations

from flask import Flask, Response, redirect
from htmx_flask import Htmx, request
from werkzeug.wrappers import Response as AnyResponse


def init_app(app: Flask) -> None:
    """Give requests their `htmx`, and tell caches that pages and fragments share addresses."""
    Htmx(app)

    @app.after_request
    def vary(response: Response) -> Response:
        response.vary.add("HX-Request")
        return response


def wants_fragment(part: str = "") -> bool:
    """Whether htmx asked, and not the browser itself.

    :param part: the id of what is to be drawn, where the page has several
    """
    asked = bool(request.htmx) and not request.htmx.history_restore_request
    return asked and part in ("", request.htmx.target)


def onward(url: str) -> AnyResponse:
    """Leads on to another page, which htmx would otherwise look for its fragment in."""
    if wants_fragment():
        return Response(status=204, headers={"HX-Redirect": url})
    return redirect(url, 303)
