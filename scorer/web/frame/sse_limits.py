"""How many live pages a worker holds, in all and for one address; the rest is the writers'.

Each worker counts its own, unlike the rate limits, because what runs out is its own: descriptors
and memory, which no other worker can lend. No address holds more than its share of any worker, so
none holds more than that share of all of them; and all together hold at most as many as there are
workers times what each can.
"""

from __future__ import annotations

import os
import threading
from collections import Counter


def streams() -> int:
    """How many live pages a worker holds, as whoever runs it says."""
    return int(os.environ.get("BUMMERL_STREAMS", "5000"))


class SseLimits:
    """The live pages of one worker.

    >>> slots = Slots(3, 2)
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
        """Whether there is one more for this address; it is to be left again then."""
        with self._lock:
            free = self._taken.total() < self._most and self._taken[who] < self._each
            if free:
                self._taken[who] += 1
            return free

    def leave(self, who: str) -> None:
        """Give back what `take` gave this address."""
        with self._lock:
            self._taken[who] -= 1
            if not self._taken[who]:
                del self._taken[who]
