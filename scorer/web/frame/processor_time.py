"""Each request's own processor time, spent from what its address may use in a minute.

A request that finds nothing left is refused before its work begins. Only what records something is
not: its requests are counted, and an evening goes on.
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


class Stopwatch:
    """Processor time of one greenlet or thread; `pause` while another one runs."""

    __slots__ = ("_since", "_used")

    def __init__(self) -> None:
        self._used, self._since = 0.0, time.thread_time()

    def pause(self) -> None:
        self._used += time.thread_time() - self._since

    def resume(self) -> None:
        self._since = time.thread_time()

    def take(self) -> float:
        """Seconds since the last call."""
        self.pause()
        self.resume()
        used, self._used = self._used, 0.0
        return used


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
        paying = payer.get()
        if paying is None or request.endpoint in _FREE:
            return
        if not may_record(current_app.view_functions.get(request.endpoint or "")):
            paying.ask()

    app.wsgi_app = Metered(app, app.wsgi_app)  # type: ignore[method-assign]


@dataclass(frozen=True, slots=True)
class Address:
    """Pays for the requests of an address."""

    who: str
    limits: RateLimiter

    def ask(self) -> None:
        self.limits.ask_time(self.who)

    def spend(self, seconds: float) -> None:
        self.limits.spend_time(self.who, seconds)


class Metered:
    """WSGI middleware that measures."""

    def __init__(self, app: Flask, inner: Any) -> None:
        self._app, self._inner = app, inner

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        limits: RateLimiter | None = self._app.extensions["limits"]
        if limits is None:
            return self._inner(environ, start_response)  # type: ignore[no-any-return]
        address = Address(network(environ.get("REMOTE_ADDR", "")), limits)
        watch, here = Stopwatch(), _current()
        token, _running[here] = payer.set(address), watch
        try:
            body = self._inner(environ, start_response)
        finally:
            payer.reset(token)
            del _running[here]
            address.spend(watch.take())
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
        watch, here = Stopwatch(), _current()
        _running[here] = watch
        try:
            return next(self._parts)
        finally:
            del _running[here]
            self._address.spend(watch.take())

    def close(self) -> None:
        getattr(self._body, "close", lambda: None)()
