"""Waiting for other writers: however much is waited for, not longer together than once."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

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


def a_moment() -> None:
    """Let others come first; no two wait equally long, so they do not meet again."""
    time.sleep(random.uniform(0.001, 0.010))
