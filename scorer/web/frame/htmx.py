"""htmx: a fragment for its requests, a page for all others."""

from __future__ import annotations

from io import BytesIO
from urllib.parse import urlsplit

from flask import Flask, Response, current_app, redirect
from htmx_flask import Htmx, request
from werkzeug.wrappers import Response as AnyResponse


def init_app(app: Flask) -> None:
    """Add `request.htmx`, and `Vary`, as pages and fragments share URLs."""
    Htmx(app)

    @app.after_request
    def vary(response: Response) -> Response:
        response.vary.add("HX-Request")
        return response


def wants_fragment(part: str = "") -> bool:
    """Whether htmx asked for a fragment.

    :param part: id of the target element, where a page has several
    """
    by_htmx = bool(request.htmx) and not request.htmx.history_restore_request
    return by_htmx and part in ("", request.htmx.target)


def page_or_redirect(url: str) -> AnyResponse:
    """The response to an accepted POST: a redirect, but for htmx the page itself, as its script
    rejects redirected responses (`Bummerl-Method`).

    :param url: one of `url_for`
    """
    if not wants_fragment():
        return redirect(url, 303)
    path, query = urlsplit(url).path, urlsplit(url).query
    environ = {
        **{name: value for name, value in request.environ.items() if "CONTENT_" not in name},
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path.removeprefix(request.script_root),
        "QUERY_STRING": query,
        "wsgi.input": BytesIO(),
    }
    with current_app.request_context(environ):
        answer = current_app.preprocess_request() or current_app.dispatch_request()
        return current_app.make_response(answer)


def redirect_to(url: str) -> AnyResponse:
    """A redirect to another page; htmx loads it whole."""
    if wants_fragment():
        return Response(status=204, headers={"HX-Redirect": url})
    return redirect(url, 303)
