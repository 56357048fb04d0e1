"""Headers on every answer: they say that it is this server's, whether it is final, and to what.

What waits on a phone is dropped only on a final answer to its own POST. Whatever answers in the
server's place (a proxy, the page a guest signs in on) sends no such header; where it leads back to
one of this server's pages, that page answers a GET. So the phone sends again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from flask import Flask

from scorer.web.frame.request_gate import WRONG

HEADER: Final = "Bummerl-Answer"
METHOD: Final = "Bummerl-Method"
"""The method of the request that is answered: scripts do not see whether they were redirected."""
FINAL: Final = "final"
AGAIN: Final = "again"
PASSING: Final = frozenset({405, 408, 425, 429})
"""Statuses under 500 of a request that was cut off, came too early or often, or was changed on its
way; the same request may yet be taken."""


def init_app(app: Flask) -> None:
    """Mark all answers, those of errors too."""
    inner = app.wsgi_app

    def marked(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *error: Any) -> Any:
            if not any(name.lower() == HEADER.lower() for name, _ in headers):
                mark = answer_mark(int(status[:3]), environ.get(WRONG))
                headers = [*headers, (HEADER, mark)]
            headers = [*headers, (METHOD, environ["REQUEST_METHOD"])]
            return start_response(status, headers, *error)

        return inner(environ, start)

    app.wsgi_app = marked  # type: ignore[method-assign]


def answer_mark(status: int, wrong: str | None = None) -> str:
    """`FINAL` or `AGAIN`.

    :param wrong: what the gate found wrong with the request

    >>> [answer_mark(status) for status in (200, 404, 408, 413, 503)]
    ['final', 'final', 'again', 'final', 'again']
    >>> answer_mark(403, "unknown-host")
    'again'
    """
    passing = status >= 500 or status in PASSING or wrong not in (None, "too-large")
    return AGAIN if passing else FINAL
