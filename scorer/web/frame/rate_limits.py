"""Rate limits by client address."""

from __future__ import annotations

import ipaddress
import math
import threading
import time
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps
from typing import Final, NamedTuple, ParamSpec, TypeVar, cast

from flask import Flask, current_app, g, has_request_context, request
from werkzeug.exceptions import TooManyRequests

from scorer.store import Unavailable
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
RUN_TOURNAMENT: Final = (RateLimit(3000, _MINUTE),)
"""For a tournament: all its phones may share one address and send results at once."""

STORED_KIB: Final = (RateLimit(64 * 1024, _HOUR), RateLimit(256 * 1024, _DAY))
"""Kibibytes stored per address. A tournament of 256 pairs, all tables scored live from one address,
needs about 100 MiB."""
COSTLY: Final = (RateLimit(120, _MINUTE),)
"""For a request that computes much and records nothing at a table."""
PROCESSOR_TIME: Final = (RateLimit(30 * 1000, _MINUTE),)
"""Units of 1024 microseconds of processor time: half of one processor. A hall shares an address:
500 phones that load a page at once need a third of it."""
_BATCH_SIZE: Final = 64 * 1024
"""Bytes or microseconds of an address that a process collects before it adds them to the shared
count."""
_MAY_RECORD: Final = "_records"
"""Attribute of views that may record something."""
_MAX_ADDRESSES: Final = 4096
"""Most addresses with locally buffered amounts; beyond that, amounts go to the shared counter
immediately."""


def limited(limits: tuple[RateLimit, ...]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Limit the requests of each address to a view. Views that create a stream are refused while
    the disk is nearly full.

    :raises TooManyRequests: 429, with Retry-After
    :raises Unavailable: "scarce"
    """

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def limited_view(*args: P.args, **kwargs: P.kwargs) -> R:
            limiter: RateLimiter | None = current_app.extensions["limits"]
            if limits is CREATE:
                _require_room()
            if limiter is not None:
                own_limits = [(client(), limits)]
                peers = _peers_with_limits(limits) if limits is CREATE else own_limits
                for peer, peer_limits in peers:
                    limiter.count(f"{request.endpoint} {peer}", peer_limits)
            return view(*args, **kwargs)

        setattr(limited_view, _MAY_RECORD, limits in (WRITE, RUN_TOURNAMENT))
        return limited_view

    return decorate


def _require_room() -> None:
    """:raises Unavailable: "scarce", too little disk is free for new streams"""
    free = current_app.extensions["tables"].store.free_disk_share()
    if free < current_app.config["RESERVE"] / 100:
        raise Unavailable("scarce")


def may_record(view: Callable[..., object] | None) -> bool:
    """Whether a view is limited by the number of its requests, as those are that record something
    at a table or in a tournament."""
    return getattr(view, _MAY_RECORD, False)


STALE: Final = 1
_WRONG_WEIGHT: Final = 4
"""Weights of a revoked key or code, and of one that never existed. A revoked key weighs less,
because it was not guessed."""


def wrong_key(times: int = 1, *, stale: bool = False) -> None:
    """Count unknown keys, over all endpoints.

    :param stale: they were right once
    :raises TooManyRequests: 429, with Retry-After
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None and times:
        limiter.count(
            f"guess {client()}",
            _weighted_limits(GUESS),
            times * (STALE if stale else _WRONG_WEIGHT),
        )


def count_code() -> None:
    """Count a code as wrong before it is looked up, together with unknown keys.

    :raises TooManyRequests: 429, with Retry-After
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None:
        for peer, limits in _peers_with_limits(GUESS):
            limiter.count(f"guess {peer}", _weighted_limits(limits), _WRONG_WEIGHT)


def code_was_right(weight: int = 0) -> None:
    """Count a code as `weight` instead: 0, or `STALE`."""
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None:
        for peer, limits in _peers_with_limits(GUESS):
            limiter.give_back(f"guess {peer}", limits, _WRONG_WEIGHT - weight)


def _weighted_limits(limits: tuple[RateLimit, ...]) -> tuple[RateLimit, ...]:
    return _scaled_limits(_WRONG_WEIGHT, limits)


def spend(counter: str, size: int, limits: tuple[RateLimit, ...]) -> None:
    """Count bytes used by this request's address.

    :param counter: name of the counter
    :param limits: limits in units of 1024
    :raises TooManyRequests: 429, with Retry-After
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None:
        limiter.spend(f"{counter} {client()}", size, limits)


def spend_stored(size: int) -> None:
    """Count bytes that a request stores; writes during GET or outside requests are free.

    :raises TooManyRequests: 429, with Retry-After
    """
    if has_request_context() and request.method not in ("GET", "HEAD"):
        g.has_stored = True
        spend("stored", size, STORED_KIB)


def has_stored() -> bool:
    """Whether this request has begun to store something."""
    return "has_stored" in g


def client() -> str:
    """The client's IPv4 address or IPv6 /64 network; "unknown" if there is none."""
    return network(request.remote_addr or "")


# Up to five calls per request, 43 microseconds each for IPv6.
@lru_cache(maxsize=4096)
def network(peer: str) -> str:
    """The IPv4 address or IPv6 /64 network of an address; "unknown" if it is none."""
    try:
        address = ipaddress.ip_address(peer)
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = address.ipv4_mapped
    return str(address)


NETWORK_FACTOR: Final = 5
"""How many times as much as one /64 network a /48 may have, which one customer often has whole."""
EVERYBODY_FACTOR: Final = 50
"""How many times as much as one address all may have together."""


def _peers_with_limits(
    limits: tuple[RateLimit, ...],
) -> Iterator[tuple[str, tuple[RateLimit, ...]]]:
    """The client, its /48 network and everybody, with their limits.

    :param limits: the limits of one address
    """
    peer = client()
    yield peer, limits
    if ":" in peer:
        yield (
            str(ipaddress.ip_network(peer).supernet(new_prefix=48)),
            _scaled_limits(NETWORK_FACTOR, limits),
        )
    yield "everybody", _scaled_limits(EVERYBODY_FACTOR, limits)


def _scaled_limits(factor: int, limits: tuple[RateLimit, ...]) -> tuple[RateLimit, ...]:
    return tuple(RateLimit(factor * limit.times, limit.seconds) for limit in limits)


class RateLimiter:
    """Counters of requests and amounts.

    :param shared: counts shared by all processes of one database
    """

    def __init__(self, shared: Counts) -> None:
        self._shared, self._local = shared, FileCounts(":memory:")
        self._pending: dict[str, int] = {}
        """Amounts not yet added to the shared counts."""
        self._blocked_until: dict[str, float] = {}
        """Until when nothing is computed for an address, by the monotonic clock."""
        self._lock = threading.Lock()
        """Protects `_pending` and `_blocked_until`; not held during queries."""

    def count(self, counter: str, limits: tuple[RateLimit, ...], amount: int = 1) -> None:
        """Count a request, or an amount.

        :raises TooManyRequests: 429, with Retry-After
        """
        for times, seconds in limits:
            total, seconds_left = self._add_amount(f"{counter} {seconds}", seconds, amount)
            if total > times:
                raise TooManyRequests(retry_after=max(1, math.ceil(seconds_left)))

    def give_back(self, counter: str, limits: tuple[RateLimit, ...], amount: int) -> None:
        for _, seconds in limits:
            self._add_amount(f"{counter} {seconds}", seconds, -amount)

    def spend(self, counter: str, size: int, limits: tuple[RateLimit, ...]) -> None:
        """Count bytes or microseconds; small amounts are collected first to save queries.

        :param limits: limits in units of 1024
        :raises TooManyRequests: 429, with Retry-After
        """
        with self._lock:
            size += self._pending.pop(counter, 0)
            if size < _BATCH_SIZE and len(self._pending) < _MAX_ADDRESSES:
                self._pending[counter] = size
                return
        try:
            self.count(counter, limits, -(-size // 1024))
        except TooManyRequests:
            with self._lock:
                # The next amount is counted at once again.
                self._pending[counter] = _BATCH_SIZE
            raise

    def spend_time(self, peer: str, seconds: float) -> None:
        """Count processor time; if it was too much, `require_time_left` raises from now on."""
        try:
            self.spend(f"time {peer}", int(seconds * 1_000_000), PROCESSOR_TIME)
        except TooManyRequests as error:
            now = time.monotonic()
            with self._lock:
                if len(self._blocked_until) >= _MAX_ADDRESSES:
                    self._blocked_until = {
                        blocked: end for blocked, end in self._blocked_until.items() if end > now
                    }
                self._blocked_until[peer] = now + cast(int, error.retry_after)

    def require_time_left(self, peer: str) -> None:
        """Check that processor time is left.

        :raises TooManyRequests: 429, with Retry-After
        """
        seconds_left = self._blocked_until.get(peer, 0.0) - time.monotonic()
        if seconds_left > 0:
            raise TooManyRequests(retry_after=math.ceil(seconds_left))

    def _add_amount(self, key: str, seconds: int, amount: int) -> tuple[int, float]:
        try:
            return self._shared.count(key, seconds, amount)
        except self._shared.errors:
            # Without the shared counts, limit per process.
            return self._local.count(key, seconds, amount)


def init_app(app: Flask) -> None:
    config = app.config
    is_limited, streams = config["RATE_LIMITS"], config["STREAMS"]
    app.extensions["limits"] = RateLimiter(open_counts(config["COUNTS"])) if is_limited else None
    app.extensions["slots"] = SseLimits(streams, streams // 2 if is_limited else streams)
