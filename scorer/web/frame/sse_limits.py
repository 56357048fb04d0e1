"""Limits of open event streams per worker, in total and per address.

Each worker counts its own, unlike the rate limits, because descriptors and memory are per worker.
"""

from __future__ import annotations

import threading
from collections import Counter

from flask import Flask


class SseLimits:
    """The open live pages of one worker, each with a stream of server-sent events.

    >>> slots = SseLimits(3, 2)
    >>> [slots.try_reserve(address) for address in ("a", "a", "a", "b", "c")]
    [True, True, False, True, False]
    >>> slots.release("a"); slots.try_reserve("c")
    True

    :param max_pages: in all
    :param max_per_address: of one address
    """

    def __init__(self, max_pages: int, max_per_address: int) -> None:
        self._max_pages, self._max_per_address = max_pages, max_per_address
        self._open_pages: Counter[str] = Counter()
        self._lock = threading.Lock()

    def try_reserve(self, address: str) -> bool:
        """Reserve a live page for an address; False if there is no room. If True, `release` must
        follow."""
        with self._lock:
            allowed = (
                self._open_pages.total() < self._max_pages
                and self._open_pages[address] < self._max_per_address
            )
            if allowed:
                self._open_pages[address] += 1
            return allowed

    def release(self, address: str) -> None:
        with self._lock:
            self._open_pages[address] -= 1
            if not self._open_pages[address]:
                del self._open_pages[address]


def init_app(app: Flask) -> None:
    """One address may open half of the live pages; without rate limits, all of them."""
    pages, is_limited = app.config["MAX_LIVE_PAGES"], app.config["RATE_LIMITS"]
    app.extensions["sse_limits"] = SseLimits(pages, pages // 2 if is_limited else pages)
