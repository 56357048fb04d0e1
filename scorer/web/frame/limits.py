"""How often one address may do what costs or guesses."""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from contextlib import ExitStack
from typing import Final

from flask import Flask, Response, g, request
from flask_limiter import Limiter

from scorer.web.frame.counts import address
from scorer.web.frame.slots import Slots


def client() -> str:
    """Whose request it is, as far as that can be told: an address, or the network of 2**64 that a
    home has with IPv6."""
    try:
        address = ipaddress.ip_address(request.remote_addr or "")
    except ValueError:
        return "unknown"
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            return str(ipaddress.ip_network((address, 64), strict=False))
        address = address.ipv4_mapped
    return str(address)


limiter = Limiter(client, headers_enabled=True, in_memory_fallback_enabled=True)

CREATE: Final = "20 per minute; 200 per hour"
GUESS: Final = "20 per minute; 200 per hour"
WRITE: Final = "240 per minute"
RUN: Final = "3000 per minute"
"""For a tournament: all its phones may come from one address, and a round's results at once."""


LONGEST: Final = 3600
"""Seconds of the longest window above; nobody is told to wait longer."""
JUMP: Final = 60.0
"""Seconds by which a clock that was set differs from one that only drifts."""


class Jumps:
    """Notices that the clock was set: what was counted by the old one would end who knows when.

    :param wall: the clock that may be set
    :param steady: one that cannot
    """

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall, self._steady = wall, steady
        self._ahead = wall() - steady()

    def noticed(self) -> bool:
        """Whether the clock was set since the last look."""
        before, self._ahead = self._ahead, self._wall() - self._steady()
        return abs(self._ahead - before) > JUMP


def init_app(app: Flask) -> None:
    """Count, unless the settings say not to."""
    jumps = Jumps(time.time, time.monotonic)

    @app.before_request
    def count_anew() -> None:
        if limiter.enabled and jumps.noticed():
            limiter.reset()

    @app.after_request
    def bounded(response: Response) -> Response:
        wait = response.headers.get("Retry-After", "")
        if wait.lstrip("-").isdecimal():
            response.headers["Retry-After"] = str(min(max(int(wait), 1), LONGEST))
        return response

    config = app.config
    config["RATELIMIT_ENABLED"] = config["RATE_LIMITS"]
    config["RATELIMIT_STORAGE_URI"] = address(config["COUNTS"])
    most = config["STREAMS"]
    app.extensions["slots"] = Slots(most, most // 2 if config["RATE_LIMITS"] else most)
    limiter.init_app(app)

    @app.before_request
    def wait_once() -> None:
        """However much a request records, it waits for a foreign lock no longer than once."""
        g.waiting = ExitStack()
        g.waiting.enter_context(app.extensions["tables"].store.waiting())

    @app.teardown_request
    def waited(_: BaseException | None) -> None:
        if "waiting" in g:
            g.pop("waiting").close()
