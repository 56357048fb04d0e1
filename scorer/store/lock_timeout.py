"""One deadline for all waits for locks in a request."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from typing import Final

from scorer.store import Unavailable

LOCK_SECONDS: Final = 5.0
"""Seconds that a request waits for other writers, if nothing else is set."""

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)
"""The current deadline on the monotonic clock."""


class bounded_wait:
    """Context manager: all waits for locks inside share one deadline, which it returns.

    The deadline is on the monotonic clock. A nested block uses the outer deadline. This is a class,
    because a generator is slower and each statement enters several of these blocks.

    :param patience: seconds until the deadline
    """

    __slots__ = ("_patience", "_token")

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._token: Token[float | None] | None = None

    def __enter__(self) -> float:
        deadline = _deadline.get()
        if deadline is None:
            deadline = time.monotonic() + self._patience
            self._token = _deadline.set(deadline)
        return deadline

    def __exit__(self, *_: object) -> None:
        if self._token is not None:
            _deadline.reset(self._token)


@contextmanager
def excluded_from_wait() -> Iterator[None]:
    """Exclude this block from the lock deadline: move it by the time the block takes."""
    started = time.monotonic()
    try:
        yield
    finally:
        if (deadline := _deadline.get()) is not None:
            _deadline.set(deadline + time.monotonic() - started)


@contextmanager
def hold_lock(lock: threading.Lock | threading.Semaphore, patience: float) -> Iterator[None]:
    """Hold a lock or semaphore.

    :raises Unavailable: "locked", timeout
    """
    with bounded_wait(patience) as deadline:
        if not lock.acquire(timeout=max(0, deadline - time.monotonic())):
            raise Unavailable("locked")
        try:
            yield
        finally:
            lock.release()


def short_pause(longest: float = 0.010) -> None:
    """Sleep a random time, so that two waiters do not meet again.

    :param longest: in seconds
    """
    time.sleep(random.uniform(longest / 10, longest))
