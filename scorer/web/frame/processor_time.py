"""Measures each request's processor time, and subtracts it from its address's minute.

If no time is left, a request is refused before its work begins. Requests that record entries are
limited by their number instead, so that an evening can continue.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from flask import Flask, current_app, request

from scorer.book.child_process import payer
from scorer.web.frame.rate_limits import RateLimiter, may_record, network

try:
    from greenlet import getcurrent as _current  # type: ignore[import-untyped]
except ImportError:  # on a phone
    from threading import get_ident as _current

_FREE: Final = ("static", "other_release", "health.live", "health.ready")


@dataclass(frozen=True, slots=True)
class Address:
    """Pays for the requests of an address."""

    who: str
    limits: RateLimiter

    def require_time_left(self) -> None:
        self.limits.ask_time(self.who)

    def spend(self, seconds: float) -> None:
        self.limits.spend_time(self.who, seconds)


class Stopwatch:
    """Context manager: an address pays for the processor time of the block in its own greenlet."""

    __slots__ = ("_address", "_since", "_used")

    def __init__(self, address: Address) -> None:
        self._address, self._used = address, 0.0

    def __enter__(self) -> None:
        _running[_current()] = self
        self.resume()

    def __exit__(self, *_: object) -> None:
        self.pause()
        del _running[_current()]
        self._address.spend(self._used)

    def pause(self) -> None:
        self._used += time.thread_time() - self._since

    def resume(self) -> None:
        self._since = time.thread_time()


_running: Final[dict[Any, Stopwatch]] = {}
"""The watches of greenlets that answer a request."""


def watch_greenlets() -> None:
    """Pauses the watch of each greenlet of this thread while others run."""
    from greenlet import settrace

    def switched(_event: str, greenlets: tuple[Any, Any]) -> None:
        before, after = greenlets
        if (watch := _running.get(before)) is not None:
            watch.pause()
        if (watch := _running.get(after)) is not None:
            watch.resume()

    settrace(switched)


def init_app(app: Flask) -> None:
    @app.before_request
    def ask() -> None:
        view = current_app.view_functions.get(request.endpoint or "")
        if request.endpoint not in _FREE and not may_record(view):
            payer.get().require_time_left()

    app.wsgi_app = Metered(app, app.wsgi_app)  # type: ignore[method-assign]


class Metered:
    """WSGI middleware that measures."""

    def __init__(self, app: Flask, inner: Any) -> None:
        self._app, self._inner = app, inner

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        limits: RateLimiter | None = self._app.extensions["limits"]
        if limits is None:
            return self._inner(environ, start_response)  # type: ignore[no-any-return]
        address = Address(network(environ.get("REMOTE_ADDR", "")), limits)
        token = payer.set(address)
        try:
            with Stopwatch(address):
                body = self._inner(environ, start_response)
        finally:
            payer.reset(token)
        if isinstance(body, environ.get("wsgi.file_wrapper", ())):
            return body  # type: ignore[no-any-return]
        return _MeteredBody(body, address)


class _MeteredBody:
    """A response's parts; the time that making them takes is spent after each."""

    __slots__ = ("_address", "_body", "_parts")

    def __init__(self, body: Iterable[bytes], address: Address) -> None:
        self._body, self._parts, self._address = body, iter(body), address

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with Stopwatch(self._address):
            return next(self._parts)

    def close(self) -> None:
        getattr(self._body, "close", lambda: None)()
