"""Response headers that identify this server's responses and mark them as final or not.

A phone removes a queued event only after a final response to its own POST. A response of a proxy or
captive portal lacks these headers, and after a redirect the method differs; the phone then sends
again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from flask import Flask

from scorer.web.frame.request_checks import CHECK_ERROR

HEADER: Final = "Bummerl-Answer"
METHOD: Final = "Bummerl-Method"
"""Method of the request: XMLHttpRequest cannot see whether it was redirected."""
FINAL: Final = "final"
AGAIN: Final = "again"
TEMPORARY_STATUSES: Final = frozenset({405, 408, 425, 429})
"""Statuses below 500 after which the same request may still succeed."""


def init_app(app: Flask) -> None:
    next_app = app.wsgi_app

    def add_headers(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start_with_headers(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if not any(name.lower() == HEADER.lower() for name, _ in headers):
                mark = answer_mark(int(status[:3]), environ.get(CHECK_ERROR))
                headers = [*headers, (HEADER, mark)]
            headers = [*headers, (METHOD, environ["REQUEST_METHOD"])]
            return start_response(status, headers, *error)

        return next_app(environ, start_with_headers)

    app.wsgi_app = add_headers  # type: ignore[method-assign]


def answer_mark(status: int, check_error: str | None = None) -> str:
    """`FINAL` or `AGAIN`.

    :param check_error: the error code of `request_checks`, if any

    >>> [answer_mark(status) for status in (200, 404, 408, 413, 503)]
    ['final', 'final', 'again', 'final', 'again']
    >>> answer_mark(403, "unknown-host")
    'again'
    """
    temporary = (
        status >= 500 or status in TEMPORARY_STATUSES or check_error not in (None, "too-large")
    )
    return AGAIN if temporary else FINAL
