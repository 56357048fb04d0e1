"""Limits of open event streams per worker, in total and per address.

Each worker counts its own, unlike the rate limits, because descriptors and memory are per worker.
"""

from __future__ import annotations

import threading
from collections import Counter

from flask import Flask


class SseLimits:
    """The open event streams of one worker.

    >>> slots = SseLimits(3, 2)
    >>> [slots.try_reserve(address) for address in ("a", "a", "a", "b", "c")]
    [True, True, False, True, False]
    >>> slots.release("a"); slots.try_reserve("c")
    True

    :param max_streams: in all
    :param max_per_address: of one address
    """

    def __init__(self, max_streams: int, max_per_address: int) -> None:
        self._max_streams, self._max_per_address = max_streams, max_per_address
        self._open_streams: Counter[str] = Counter()
        self._lock = threading.Lock()

    def try_reserve(self, address: str) -> bool:
        """Reserve a stream of an address, and return whether there was room; if so, `release` must
        follow."""
        with self._lock:
            allowed = (
                self._open_streams.total() < self._max_streams
                and self._open_streams[address] < self._max_per_address
            )
            if allowed:
                self._open_streams[address] += 1
            return allowed

    def release(self, address: str) -> None:
        with self._lock:
            self._open_streams[address] -= 1
            if not self._open_streams[address]:
                del self._open_streams[address]


def init_app(app: Flask) -> None:
    """One address may open half of the streams, and all without rate limits."""
    streams, is_limited = app.config["STREAMS"], app.config["RATE_LIMITS"]
    app.extensions["sse_limits"] = SseLimits(streams, streams // 2 if is_limited else streams)
