"""Ends requests of clients that send or receive too slowly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import gevent  # type: ignore[import-untyped]
from werkzeug.exceptions import RequestTimeout

SEND_SECONDS: Final = 30.0
"""Timeout of each write to the client, in seconds."""

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


class SlowClientTimeout:
    """WSGI middleware: limits the seconds of receiving a request body and of sending a response."""

    def __init__(self, app: App, body_seconds: float) -> None:
        self._app, self._body_seconds = app, body_seconds

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ["wsgi.input"] = _TimedBody(
            environ["wsgi.input"], time.monotonic() + self._body_seconds
        )
        if (connection := environ.get("gunicorn.socket")) is not None:
            connection.settimeout(SEND_SECONDS)
        return self._app(environ, start_response)


class _TimedBody:
    """A request body that must be received by `deadline`.

    :raises RequestTimeout: it was not
    """

    def __init__(self, body: Any, deadline: float) -> None:
        self._body, self._deadline = body, deadline

    def _wait(self, read: Callable[..., bytes], *size: int) -> bytes:
        with gevent.Timeout(max(0.001, self._deadline - time.monotonic()), RequestTimeout()):
            return read(*size)

    def read(self, *size: int) -> bytes:
        return self._wait(self._body.read, *size)

    def readline(self, *size: int) -> bytes:
        return self._wait(self._body.readline, *size)

    def __iter__(self) -> Any:
        return iter(self.readline, b"")
