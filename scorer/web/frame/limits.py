"""How often one address may do what costs or guesses."""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, NamedTuple, ParamSpec, TypeVar

from flask import Flask, current_app, request
from werkzeug.exceptions import TooManyRequests

from scorer.store.counts import Counts, FileCounts, open_counts
from scorer.web.frame.slots import Slots

P = ParamSpec("P")
R = TypeVar("R")


class Most(NamedTuple):
    """So many times within so many seconds."""

    times: int
    seconds: int


_MINUTE: Final = 60
_HOUR: Final = 3600
CREATE: Final = (Most(20, _MINUTE), Most(200, _HOUR))
GUESS: Final = (Most(20, _MINUTE), Most(200, _HOUR))
WRITE: Final = (Most(240, _MINUTE),)
RUN: Final = (Most(3000, _MINUTE),)
"""For a tournament: all its phones may come from one address, and a round's results at once."""


def limited(most: tuple[Most, ...]) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let each address ask for a view so often and no more."""

    def limit(view: Callable[P, R]) -> Callable[P, R]:
        @wraps(view)
        def counted(*args: P.args, **kwargs: P.kwargs) -> R:
            limits: Limits | None = current_app.extensions["limits"]
            if limits is not None:
                limits.count(f"{request.endpoint} {client()}", most)
            return view(*args, **kwargs)

        return counted

    return limit


def client() -> str:
    """Whose request it is, as far as that can be told: an address, or the network of 2**64 that a
    home has with IPv6."""
    return _network(request.remote_addr or "")


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

    def count(self, what: str, most: tuple[Most, ...]) -> None:
        """Count a request.

        :raises TooManyRequests: 429, with the seconds to wait: it is one too many
        """
        for times, seconds in most:
            found, left = self._counted(f"{what} {seconds}", seconds)
            if found > times:
                raise TooManyRequests(retry_after=max(1, math.ceil(left)))

    def _counted(self, key: str, seconds: int) -> tuple[int, float]:
        try:
            return self._shared.count(key, seconds)
        except self._shared.faults:
            # Better counted alone than not at all, or than nobody served.
            return self._own.count(key, seconds)


def init_app(app: Flask) -> None:
    """Count, unless the settings say not to."""
    config = app.config
    counting, most = config["RATE_LIMITS"], config["STREAMS"]
    app.extensions["limits"] = Limits(open_counts(config["COUNTS"])) if counting else None
    app.extensions["slots"] = Slots(most, most // 2 if counting else most)
