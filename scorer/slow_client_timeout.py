"""Ends requests of clients that send or receive too slowly."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import Any, Final

import gevent  # type: ignore[import-untyped]
from werkzeug.exceptions import RequestTimeout

SEND: Final = 30.0
"""Timeout of sending a response, in seconds."""

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


class SlowClientTimeout:
    """WSGI middleware: `body` seconds to receive the request body, `SEND` to send the response."""

    def __init__(self, app: App, body: float) -> None:
        self._app, self._body = app, body

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        environ["wsgi.input"] = _Timed(environ["wsgi.input"], time.monotonic() + self._body)
        if (connection := environ.get("gunicorn.socket")) is not None:
            connection.settimeout(SEND)
        return self._app(environ, start_response)


class _Timed:
    """A request body that must be received by `until`.

    :raises RequestTimeout: it was not
    """

    def __init__(self, body: Any, until: float) -> None:
        self._body, self._until = body, until

    def _wait(self, read: Callable[..., bytes], *size: int) -> bytes:
        with gevent.Timeout(max(0.001, self._until - time.monotonic()), RequestTimeout()):
            return read(*size)

    def read(self, *size: int) -> bytes:
        return self._wait(self._body.read, *size)

    def readline(self, *size: int) -> bytes:
        return self._wait(self._body.readline, *size)

    def __iter__(self) -> Any:
        return iter(self.readline, b"")
