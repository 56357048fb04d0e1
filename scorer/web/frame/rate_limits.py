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

from scorer.store.shared_counters import Counts, FileCounts, open_counts
from scorer.web.frame.disk_reserve import require_room

P = ParamSpec("P")
R = TypeVar("R")


class RateLimit(NamedTuple):
    most: int
    """Requests, or an amount such as KiB."""
    seconds: int


class RequestKind(NamedTuple):
    """Requests with equal limits per address. Each view counts its own."""

    limits: tuple[RateLimit, ...]
    creates: bool = False
    """Whether they create a stream. They are also limited per /48 network and for everybody."""
    records: bool = False
    """Whether they may record something."""


_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
CREATE: Final = RequestKind((RateLimit(20, _MINUTE), RateLimit(200, _HOUR)), creates=True)
"""For a request that creates a table, a ledger or a tournament."""
GUESS_LIMITS: Final = (RateLimit(20, _MINUTE), RateLimit(200, _HOUR))
"""For requests with wrong keys or codes."""
WRITE: Final = RequestKind((RateLimit(240, _MINUTE),), records=True)
"""For a request that records something at a table or in a ledger."""
RUN_TOURNAMENT: Final = RequestKind((RateLimit(3000, _MINUTE),), records=True)
"""For a tournament: all its phones may share one address and send results at once."""

STORED_KIB: Final = (RateLimit(64 * 1024, _HOUR), RateLimit(256 * 1024, _DAY))
"""Kibibytes stored per address. A tournament of 256 pairs, all tables scored live from one address,
needs about 100 MiB."""
COSTLY: Final = RequestKind((RateLimit(120, _MINUTE),))
"""For a request that computes much and records nothing at a table."""
PROCESSOR_TIME: Final = (RateLimit(30 * 1000, _MINUTE),)
"""About 30 seconds a minute, in units of 1024 microseconds. A hall shares an address:
500 phones that load a page at once need a third of these 30 seconds."""
_BATCH_SIZE: Final = 64 * 1024
"""Amounts below this are counted in the process; then they are added to the shared count."""
_MAY_RECORD: Final = "_records"
"""Attribute of views that may record something."""
_MAX_ADDRESSES: Final = 4096
"""Maximum number of addresses with locally buffered amounts. For further addresses, amounts go to
the shared counter at once."""


def limited(kind: RequestKind) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Limit the requests of each address to a view. Views that create a stream are refused while
    the disk is nearly full.

    :raises TooManyRequests: 429, with Retry-After
    :raises Unavailable: "scarce"
    """

    def decorate(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def limited_view(*args: P.args, **kwargs: P.kwargs) -> R:
            limiter: RateLimiter | None = current_app.extensions["limits"]
            if kind.creates:
                require_room()
            if limiter is not None:
                own_limits = [(client_network(), kind.limits)]
                addresses = _addresses_with_limits(kind.limits) if kind.creates else own_limits
                for address, limits in addresses:
                    limiter.count(f"{request.endpoint} {address}", limits)
            return view(*args, **kwargs)

        setattr(limited_view, _MAY_RECORD, kind.records)
        return limited_view

    return decorate


def may_record(view: Callable[..., object] | None) -> bool:
    """Whether a view may record something."""
    return getattr(view, _MAY_RECORD, False)


_WRONG_WEIGHT: Final = 4
"""Weight of a key or code that never existed."""
_REVOKED_WEIGHT: Final = 1
"""Weight of a revoked key or code, which was not guessed."""


def count_wrong_keys(times: int = 1, *, revoked: bool = False) -> None:
    """Count unknown keys, over all endpoints.

    :param revoked: they were right once
    :raises TooManyRequests: 429, with Retry-After
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None and times:
        limiter.count(
            f"guess {client_network()}",
            _weighted_limits(GUESS_LIMITS),
            times * (_REVOKED_WEIGHT if revoked else _WRONG_WEIGHT),
        )


def count_code_guess() -> None:
    """Count a code as wrong before it is looked up; `uncount_code_guess` takes that back.

    :raises TooManyRequests: 429, with Retry-After
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None:
        for address, limits in _addresses_with_limits(GUESS_LIMITS):
            limiter.count(f"guess {address}", _weighted_limits(limits), _WRONG_WEIGHT)


def uncount_code_guess(*, revoked: bool = False) -> None:
    """Take back what `count_code_guess` counted.

    :param revoked: whether the code was valid before; such a code stays counted, with a lower
        weight
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None:
        for address, limits in _addresses_with_limits(GUESS_LIMITS):
            kept_weight = _REVOKED_WEIGHT if revoked else 0
            limiter.uncount(f"guess {address}", limits, _WRONG_WEIGHT - kept_weight)


def _weighted_limits(limits: tuple[RateLimit, ...]) -> tuple[RateLimit, ...]:
    return _scaled_limits(_WRONG_WEIGHT, limits)


def count_bytes(counter: str, size: int, limits: tuple[RateLimit, ...]) -> None:
    """Count bytes used by this request's address.

    :param counter: name of the counter
    :param limits: limits in KiB
    :raises TooManyRequests: 429, with Retry-After
    """
    limiter: RateLimiter | None = current_app.extensions["limits"]
    if limiter is not None:
        limiter.count_in_batches(f"{counter} {client_network()}", size, limits)


def count_stored_bytes(size: int) -> None:
    """Count bytes that a request stores; writes during GET or outside requests are free.

    :raises TooManyRequests: 429, with Retry-After
    """
    if has_request_context() and request.method not in ("GET", "HEAD"):
        g.has_stored = True
        count_bytes("stored", size, STORED_KIB)


def has_stored() -> bool:
    """Whether this request has begun to store something."""
    return "has_stored" in g


def client_network() -> str:
    """The client's IPv4 address or IPv6 /64 network; "unknown" if there is none."""
    return network_of(request.remote_addr or "")


# Up to five calls per request, 43 microseconds each for IPv6.
@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """The IPv4 address or IPv6 /64 network of an address; "unknown" if it is none."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return "unknown"
    if isinstance(parsed, ipaddress.IPv6Address):
        if parsed.ipv4_mapped is None:
            return str(ipaddress.ip_network((parsed, 64), strict=False))
        parsed = parsed.ipv4_mapped
    return str(parsed)


NETWORK_FACTOR: Final = 5
"""A /48 network, which often belongs to one customer, may have this many times the limit of a
/64."""
EVERYBODY_FACTOR: Final = 50
"""All addresses together may have this many times the limit of one."""


def _addresses_with_limits(
    limits: tuple[RateLimit, ...],
) -> Iterator[tuple[str, tuple[RateLimit, ...]]]:
    """The client, its /48 network and everybody, with their limits.

    :param limits: the limits of one address
    """
    address = client_network()
    yield address, limits
    if ":" in address:
        yield (
            str(ipaddress.ip_network(address).supernet(new_prefix=48)),
            _scaled_limits(NETWORK_FACTOR, limits),
        )
    yield "everybody", _scaled_limits(EVERYBODY_FACTOR, limits)


def _scaled_limits(factor: int, limits: tuple[RateLimit, ...]) -> tuple[RateLimit, ...]:
    return tuple(RateLimit(factor * limit.most, limit.seconds) for limit in limits)


class RateLimiter:
    """Counters of requests and amounts.

    :param shared: counts shared by all processes of one database
    """

    def __init__(self, shared: Counts) -> None:
        self._shared, self._local = shared, FileCounts(":memory:")
        self._pending: dict[str, int] = {}
        """Amounts not yet added to the shared counts."""
        self._blocked_until: dict[str, float] = {}
        """Monotonic time until which an address's requests are refused."""
        self._lock = threading.Lock()
        """Protects `_pending` and `_blocked_until`; not held during queries."""

    def count(self, counter: str, limits: tuple[RateLimit, ...], amount: int = 1) -> None:
        """Count a request, or an amount.

        :raises TooManyRequests: 429, with Retry-After
        """
        for most, seconds in limits:
            total, seconds_left = self._add_amount(f"{counter} {seconds}", seconds, amount)
            if total > most:
                raise TooManyRequests(retry_after=max(1, math.ceil(seconds_left)))

    def uncount(self, counter: str, limits: tuple[RateLimit, ...], amount: int) -> None:
        """Take back an amount that `count` counted."""
        for _, seconds in limits:
            self._add_amount(f"{counter} {seconds}", seconds, -amount)

    def count_in_batches(self, counter: str, amount: int, limits: tuple[RateLimit, ...]) -> None:
        """Count bytes or microseconds; small amounts are collected first to save queries.

        :param limits: limits in KiB or units of 1024 microseconds
        :raises TooManyRequests: 429, with Retry-After
        """
        with self._lock:
            amount += self._pending.pop(counter, 0)
            if amount < _BATCH_SIZE and len(self._pending) < _MAX_ADDRESSES:
                self._pending[counter] = amount
                return
        try:
            self.count(counter, limits, -(-amount // 1024))
        except TooManyRequests:
            with self._lock:
                # The next amount goes to the shared counter at once.
                self._pending[counter] = _BATCH_SIZE
            raise

    def count_time(self, address: str, seconds: float) -> None:
        """Count processor time. After too much, `require_time_left` raises for a while."""
        try:
            self.count_in_batches(f"time {address}", int(seconds * 1_000_000), PROCESSOR_TIME)
        except TooManyRequests as error:
            now = time.monotonic()
            with self._lock:
                if len(self._blocked_until) >= _MAX_ADDRESSES:
                    self._blocked_until = {
                        blocked: end for blocked, end in self._blocked_until.items() if end > now
                    }
                self._blocked_until[address] = now + cast(int, error.retry_after)

    def require_time_left(self, address: str) -> None:
        """Check that processor time is left.

        :raises TooManyRequests: 429, with Retry-After
        """
        seconds_left = self._blocked_until.get(address, 0.0) - time.monotonic()
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
    is_limited = config["RATE_LIMITS"]
    app.extensions["limits"] = RateLimiter(open_counts(config["COUNTS"])) if is_limited else None
