"""Waiting for other writers: however much is waited for, not longer together than once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scorer.store import Unavailable

_until: ContextVar[float | None] = ContextVar("until", default=None)
"""When whoever asks now stops waiting, on the monotonic clock."""


@contextmanager
def waiting(patience: float) -> Iterator[float]:
    """All that waits in here waits no longer together than once.

    :param patience: seconds to wait, where nobody waits further out
    :returns: until when, on the monotonic clock
    """
    until = _until.get()
    if until is not None:
        yield until
        return
    until = time.monotonic() + patience
    token = _until.set(until)
    try:
        yield until
    finally:
        _until.reset(token)


@contextmanager
def taking(turn: threading.Lock, patience: float) -> Iterator[None]:
    """Hold the turn that only one of a process has.

    :raises Unavailable: "locked", nobody gave it back in time
    """
    with waiting(patience) as until:
        if not turn.acquire(timeout=max(0, until - time.monotonic())):
            raise Unavailable("locked")
        try:
            yield
        finally:
            turn.release()


def a_moment(longest: float = 0.010) -> None:
    """Let others come first; no two wait equally long, so they do not meet again.

    :param longest: in seconds
    """
    time.sleep(random.uniform(longest / 10, longest))
