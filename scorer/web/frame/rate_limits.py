"""How often one address may do what costs or guesses."""

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


class Most(NamedTuple):
    """So many times within so many seconds."""

    times: int
    seconds: int


_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 24 * _HOUR
CREATE: Final = (Most(20, _MINUTE), Most(200, _HOUR))
GUESS: Final = (Most(20, _MINUTE), Most(200, _HOUR))
WRITE: Final = (Most(240, _MINUTE),)
RUN: Final = (Most(3000, _MINUTE),)
"""For a tournament: all its phones may come from one address, and a round's results at once."""

KEEP: Final = (Most(64 * 1024, _HOUR), Most(256 * 1024, _DAY))
"""Kibibytes that an address may have stored, whatever it sends; a hall of 256 pairs whose tables
are all scored live, all from one address, needs some 100 MiB."""
WORK: Final = (Most(1024, _MINUTE),)
"""Units of 1024 steps, each some 10 to 20 microseconds, that an address may have computed: a hall
whose phones all come from one asks a tenth."""
A_FOLD: Final = 8
"""Steps that folding one event takes."""
A_QUESTION: Final = 200
"""Steps that a page of the referee takes."""
_GRAIN: Final = 64 * 1024
"""Bytes or steps of one address that a process counts alone before it tells the others."""
_ADDRESSES: Final = 4096
"""Addresses whose amounts a process counts alone; more, and it tells the others of all."""


def limited(most: tuple[Most, ...], what: str = "") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let each address ask for a view so often and no more.

    :param what: under which name it is counted; "" for the view's own
    """

    def limit(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            limits: Limits | None = current_app.extensions["limits"]
            if limits is not None:
                limits.count(f"{what or request.endpoint} {client()}", most)
            return view(*args, **kwargs)

        return counted

    return limit


GUESSES: Final = "guess"
"""Under which name wrong keys and typed codes are counted, at whatever address."""


def wrong_key(times: int = 1) -> None:
    """Count keys that open nothing.

    :raises TooManyRequests: 429, with the seconds to wait: this address has tried too many
    """
    limits: Limits | None = current_app.extensions["limits"]
    if limits is not None and times:
        limits.count(f"{GUESSES} {client()}", GUESS, times)


def spend(what: str, size: int, most: tuple[Most, ...]) -> None:
    """Count bytes or steps that the address of this request uses up.

    :param what: what they are used for
    :param size: how many they are
    :param most: units of 1024, not times
    :raises TooManyRequests: 429, with the seconds to wait: there are too many
    """
    limits: Limits | None = current_app.extensions["limits"]
    if limits is not None:
        limits.spend(f"{what} {client()}", size, most)


def spend_work(steps: int) -> None:
    """Count steps of work that a request without any key of its own can cause; to be called before
    the work is done.

    :raises TooManyRequests: 429, with the seconds to wait: there are too many
    """
    spend("work", steps, WORK)


def spend_stored(size: int) -> None:
    """Count bytes that a request has stored; what the program notes by itself is not counted.

    :raises TooManyRequests: 429, with the seconds to wait: there are too many
    """
    if has_request_context() and request.method not in ("GET", "HEAD"):
        spend("stored", size, KEEP)


def client() -> str:
    """Whose request it is, as far as that can be told: an address, or the network of 2**64 that a
    home has with IPv6."""
    return _network(request.remote_addr or "")


# Asked up to four times a request; 43 microseconds each for IPv6, 1 in 20 of a tap.
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


class Limits:
    """Counts who asks for what.

    :param shared: where all who serve one book count together
    """

    def __init__(self, shared: Counts) -> None:
        self._shared, self._own = shared, FileCounts(":memory:")
        self._alone: dict[str, int] = {}
        """Amounts that the shared counts do not know of yet."""
        self._lock = threading.Lock()
        """Held while `_alone` is looked at, and nothing else is asked then."""

    def count(self, what: str, most: tuple[Most, ...], amount: int = 1) -> None:
        """Count a request, or an amount.

        :raises TooManyRequests: 429, with the seconds to wait: it is one too many
        """
        for times, seconds in most:
            found, left = self._counted(f"{what} {seconds}", seconds, amount)
            if found > times:
                raise TooManyRequests(retry_after=max(1, math.ceil(left)))

    def spend(self, what: str, size: int, most: tuple[Most, ...]) -> None:
        """Count bytes or steps; few are added up here first, so that a tap asks no database.

        :param most: units of 1024 within seconds
        :raises TooManyRequests: 429, with the seconds to wait: there are too many
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
                # So the next is counted with the others again.
                self._alone[what] = _GRAIN
            raise

    def _counted(self, key: str, seconds: int, amount: int) -> tuple[int, float]:
        try:
            return self._shared.count(key, seconds, amount)
        except self._shared.faults:
            # Better counted alone than not at all, or than nobody served.
            return self._own.count(key, seconds, amount)


def init_app(app: Flask) -> None:
    """Count, unless the settings say not to."""
    config = app.config
    counting, most = config["RATE_LIMITS"], config["STREAMS"]
    app.extensions["limits"] = Limits(open_counts(config["COUNTS"])) if counting else None
    app.extensions["slots"] = SseLimits(most, most // 2 if counting else most)
