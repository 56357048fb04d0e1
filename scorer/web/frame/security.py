"""Security headers, and protection against cross-site requests (CSRF).

The forms' tokens are for forms that are sent twice: `resent_forms.py`.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import Flask, Response, abort, request

POLICY: Final = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "font-src 'self'",
        "img-src 'self' data:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS: Final = (
    ("Content-Security-Policy", POLICY),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Robots-Tag", "noindex"),
    ("Permissions-Policy", "camera=(), geolocation=(), microphone=()"),
)


def init_app(app: Flask) -> None:
    app.before_request(refuse_forged)
    app.after_request(guard)


def refuse_forged() -> None:
    """Refuse a write that another site made the browser send.

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


def guard(response: Response) -> Response:
    headers = response.headers
    present = {name.lower() for name, _ in headers}
    for name, value in HEADERS:
        if name.lower() not in present:
            headers.add(name, value)
    if request.is_secure:
        # Browsers take neither over plain HTTP.
        headers["Cross-Origin-Opener-Policy"] = "same-origin"
        headers["Strict-Transport-Security"] = "max-age=31536000"
    return response
