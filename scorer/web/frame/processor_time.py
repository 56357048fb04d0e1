"""Measures each request's processor time, and charges it to the client's address.

`PROCESSOR_TIME` in `rate_limits.py` is how much an address has in a minute.

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
from scorer.web.frame.rate_limits import RateLimiter, may_record, network_of

try:
    from greenlet import getcurrent as _current_greenlet  # type: ignore[import-untyped]
except ImportError:  # on a phone
    from threading import get_ident as _current_greenlet

_FREE_ENDPOINTS: Final = ("static", "other_release", "health.live", "health.ready")


@dataclass(frozen=True, slots=True)
class PayingAddress:
    """An address that is charged for its requests."""

    address: str
    limiter: RateLimiter

    def require_time_left(self) -> None:
        self.limiter.require_time_left(self.address)

    def spend(self, seconds: float) -> None:
        self.limiter.count_time(self.address, seconds)


class Stopwatch:
    """Context manager that charges an address for the processor time of the block, in its own
    greenlet."""

    __slots__ = ("_address", "_resumed_at", "_seconds")

    def __init__(self, address: PayingAddress) -> None:
        self._address, self._seconds = address, 0.0

    def __enter__(self) -> None:
        _running[_current_greenlet()] = self
        self.resume()

    def __exit__(self, *_: object) -> None:
        self.pause()
        del _running[_current_greenlet()]
        self._address.spend(self._seconds)

    def pause(self) -> None:
        self._seconds += time.thread_time() - self._resumed_at

    def resume(self) -> None:
        self._resumed_at = time.thread_time()


_running: Final[dict[Any, Stopwatch]] = {}
"""The watches of greenlets that answer a request."""


def watch_greenlets() -> None:
    """Pause the watch of each greenlet of this thread while others run."""
    from greenlet import settrace

    def on_switch(_event: str, greenlets: tuple[Any, Any]) -> None:
        paused, resumed = greenlets
        if (watch := _running.get(paused)) is not None:
            watch.pause()
        if (watch := _running.get(resumed)) is not None:
            watch.resume()

    settrace(on_switch)


def init_app(app: Flask) -> None:
    @app.before_request
    def require_time() -> None:
        view = current_app.view_functions.get(request.endpoint or "")
        if request.endpoint not in _FREE_ENDPOINTS and not may_record(view):
            payer.get().require_time_left()

    app.wsgi_app = TimeMeter(app, app.wsgi_app)  # type: ignore[method-assign]


class TimeMeter:
    """WSGI middleware that charges each request's processor time to its address."""

    def __init__(self, app: Flask, next_app: Any) -> None:
        self._app, self._next_app = app, next_app

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        limits: RateLimiter | None = self._app.extensions["limits"]
        if limits is None:
            return self._next_app(environ, start_response)  # type: ignore[no-any-return]
        address = PayingAddress(network_of(environ.get("REMOTE_ADDR", "")), limits)
        token = payer.set(address)
        try:
            with Stopwatch(address):
                body = self._next_app(environ, start_response)
        finally:
            payer.reset(token)
        # The server itself sends a file, which takes hardly any processor time.
        if isinstance(body, environ.get("wsgi.file_wrapper", ())):
            return body  # type: ignore[no-any-return]
        return _MeteredBody(body, address)


class _MeteredBody:
    """A response's parts; the time that making them takes is spent after each."""

    __slots__ = ("_address", "_body", "_parts")

    def __init__(self, body: Iterable[bytes], address: PayingAddress) -> None:
        self._body, self._parts, self._address = body, iter(body), address

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        with Stopwatch(self._address):
            return next(self._parts)

    def close(self) -> None:
        getattr(self._body, "close", lambda: None)()
