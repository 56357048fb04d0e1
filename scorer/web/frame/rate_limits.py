"""Rate limits by client address."""

from __future__ import annotations

import ipaddress
import math
import threading
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, NamedTuple, ParamSpec, TypeVar

from flask import Flask, current_app, has_request_context, request
from werkzeug.exceptions import TooManyRequests

from scorer.store.shared_counters import Counts, FileCounts, open_counts
from scorer.web.frame.sse_limits import SseLimits

P = ParamSpec("P")
R = TypeVar("R")


class RateLimit(NamedTuple):
    times: int
    seconds: int


_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
CREATE: Final = (RateLimit(20, _MINUTE), RateLimit(200, _HOUR))
GUESS: Final = (RateLimit(20, _MINUTE), RateLimit(200, _HOUR))
WRITE: Final = (RateLimit(240, _MINUTE),)
RUN: Final = (RateLimit(3000, _MINUTE),)
"""For a tournament: all its phones may share one address and send results at once."""

KEEP: Final = (RateLimit(64 * 1024, _HOUR), RateLimit(256 * 1024, _DAY))
"""Kibibytes stored per address. A tournament of 256 pairs, all tables scored live from one address,
needs about 100 MiB."""
WORK: Final = (RateLimit(1024, _MINUTE),)
"""Units of 1024 steps, each 10 to 20 microseconds. A tournament on one address uses a tenth."""
A_FOLD: Final = 8
A_QUESTION: Final = 200
_GRAIN: Final = 64 * 1024
"""Bytes or steps per address that a process collects before it adds them to the shared count."""
_ADDRESSES: Final = 4096
"""Addresses for which a process collects; with more, all amounts are shared at once."""


def limited(
    most: tuple[RateLimit, ...], what: str = ""
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Limit the requests of each address to a view.

    :param what: name of the counter; "" for the endpoint
    """

    def limit(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            limits: RateLimiter | None = current_app.extensions["limits"]
            if limits is not None:
                limits.count(f"{what or request.endpoint} {client()}", most)
            return view(*args, **kwargs)

        return counted

    return limit


GUESSES: Final = "guess"
"""Counter of unknown keys and codes, over all endpoints."""


def wrong_key(times: int = 1) -> None:
    """Count unknown keys.

    :raises TooManyRequests: 429, with Retry-After
    """
    limits: RateLimiter | None = current_app.extensions["limits"]
    if limits is not None and times:
        limits.count(f"{GUESSES} {client()}", GUESS, times)


def spend(what: str, size: int, most: tuple[RateLimit, ...]) -> None:
    """Count bytes or steps used by this request's address.

    :param what: name of the counter
    :param most: limits in units of 1024
    :raises TooManyRequests: 429, with Retry-After
    """
    limits: RateLimiter | None = current_app.extensions["limits"]
    if limits is not None:
        limits.spend(f"{what} {client()}", size, most)


def spend_work(steps: int) -> None:
    """Count computing steps that need no key; call it before the work.

    :raises TooManyRequests: 429, with Retry-After
    """
    spend("work", steps, WORK)


def spend_stored(size: int) -> None:
    """Count bytes that a request has stored; writes during GET or outside requests are free.

    :raises TooManyRequests: 429, with Retry-After
    """
    if has_request_context() and request.method not in ("GET", "HEAD"):
        spend("stored", size, KEEP)


def client() -> str:
    """The client's IPv4 address or IPv6 /64 network; "unknown" if there is none."""
    return _network(request.remote_addr or "")


# Up to four calls per request, 43 microseconds each for IPv6.
@lru_cache(maxsize=4096)
def _network(peer: str) -> str:
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = address.ipv4_mapped
    return str(address)


class RateLimiter:
    """Counters of requests and amounts.

    :param shared: counts shared by all processes of one database
    """

    def __init__(self, shared: Counts) -> None:
        self._shared, self._own = shared, FileCounts(":memory:")
        self._alone: dict[str, int] = {}
        """Amounts not yet added to the shared counts."""
        self._lock = threading.Lock()
        """Protects `_alone`; not held during queries."""

    def count(self, what: str, most: tuple[RateLimit, ...], amount: int = 1) -> None:
        """Count a request, or an amount.

        :raises TooManyRequests: 429, with Retry-After
        """
        for times, seconds in most:
            found, left = self._counted(f"{what} {seconds}", seconds, amount)
            if found > times:
                raise TooManyRequests(retry_after=max(1, math.ceil(left)))

    def spend(self, what: str, size: int, most: tuple[RateLimit, ...]) -> None:
        """Count bytes or steps; small amounts are collected first to save queries.

        :param most: limits in units of 1024
        :raises TooManyRequests: 429, with Retry-After
        """
        with self._lock:
            size += self._alone.pop(what, 0)
            if size < _GRAIN and len(self._alone) < _ADDRESSES:
                self._alone[what] = size
                return
        try:
            self.count(what, most, -(-size // 1024))
        except TooManyRequests:
            with self._lock:
                # The next amount is counted at once again.
                self._alone[what] = _GRAIN
            raise

    def _counted(self, key: str, seconds: int, amount: int) -> tuple[int, float]:
        try:
            return self._shared.count(key, seconds, amount)
        except self._shared.faults:
            # Without the shared counts, limit per process.
            return self._own.count(key, seconds, amount)


def init_app(app: Flask) -> None:
    config = app.config
    counting, most = config["RATE_LIMITS"], config["STREAMS"]
    app.extensions["limits"] = RateLimiter(open_counts(config["COUNTS"])) if counting else None
    app.extensions["slots"] = SseLimits(most, most // 2 if counting else most)
