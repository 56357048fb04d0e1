"""Waiting for other writers: however much is waited for, not longer together than once."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token

from scorer.store import Unavailable

_until: ContextVar[float | None] = ContextVar("until", default=None)
"""When whoever asks now stops waiting, on the monotonic clock."""


class bounded_wait:
    """All that waits in here waits no longer together than once.

    Entering it gives until when, on the monotonic clock. It is entered several times for each
    statement, which a generator would make dear.

    :param patience: seconds to wait, where nobody waits further out
    """

    __slots__ = ("_patience", "_token")

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._token: Token[float | None] | None = None

    def __enter__(self) -> float:
        until = _until.get()
        if until is None:
            until = time.monotonic() + self._patience
            self._token = _until.set(until)
        return until

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _until.reset(self._token)


@contextmanager
def excluded_from_wait() -> Iterator[None]:
    """What takes its time in here is no waiting: all waiting ends as much later."""
    begun = time.monotonic()
    try:
        yield
    finally:
        if (until := _until.get()) is not None:
            _until.set(until + time.monotonic() - begun)


@contextmanager
def taking_turn(turn: threading.Lock | threading.Semaphore, patience: float) -> Iterator[None]:
    """Hold a turn that only so many of a process have at once.

    :raises Unavailable: "locked", nobody gave it back in time
    """
    with bounded_wait(patience) as until:
        if not turn.acquire(timeout=max(0, until - time.monotonic())):
            raise Unavailable("locked")
        try:
            yield
        finally:
            turn.release()


def short_pause(longest: float = 0.010) -> None:
    """Let others come first; no two wait equally long, so they do not meet again.

    :param longest: in seconds
    """
    time.sleep(random.uniform(longest / 10, longest))
