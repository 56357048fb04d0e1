"""Protection against cross-site requests (CSRF).

The forms' tokens are for forms that are sent twice: `resent_forms.py`.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from flask import Flask, abort, request


def init_app(app: Flask) -> None:
    app.before_request(require_same_origin)


def require_same_origin() -> None:
    """Refuse a write that a page of another origin made the browser send.

    Uses Sec-Fetch-Site, else Origin; a client that sends neither is no browser and has no cookies.
    So forms need no token against forgery.

    :raises Forbidden: 403
    """
    if request.method in ("GET", "HEAD", "OPTIONS"):
        return
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        if site not in ("same-origin", "none"):
            abort(403, "cross-site")
        return
    origin = request.headers.get("Origin")
    if origin is not None and urlsplit(origin).netloc != request.host:
        abort(403, "cross-site")
