"""Limits of open event streams per worker, in total and per address.

Each worker counts its own, unlike the rate limits, because descriptors and memory are per worker.
"""

from __future__ import annotations

import threading
from collections import Counter


class SseLimits:
    """The open event streams of one worker.

    >>> slots = SseLimits(3, 2)
    >>> [slots.take(who) for who in ("a", "a", "a", "b", "c")]
    [True, True, False, True, False]
    >>> slots.leave("a"); slots.take("c")
    True

    :param most: in all
    :param each: of one address
    """

    def __init__(self, most: int, each: int) -> None:
        self._most, self._each = most, each
        self._taken: Counter[str] = Counter()
        self._lock = threading.Lock()

    def take(self, who: str) -> bool:
        """Whether a stream may be opened; then `leave` must follow."""
        with self._lock:
            free = self._taken.total() < self._most and self._taken[who] < self._each
            if free:
                self._taken[who] += 1
            return free

    def leave(self, who: str) -> None:
        with self._lock:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]
