"""The security headers of every response; its policy allows no inline code."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response, request

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
    app.after_request(add_headers)


def add_headers(response: Response) -> Response:
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
