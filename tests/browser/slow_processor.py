"""Slows down a browser with its workers, which DevTools cannot do, by pausing its processes."""

import os
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

TURN = 0.04
"""Seconds of one period of work and rest."""


@contextmanager
def slow_down(browser: int, times: int) -> Iterator[None]:
    """Let the descendants of a browser process run 1/`times` of the time (Linux only)."""
    over = Event()

    def rest() -> None:
        while not over.wait(TURN / times):
            resting = list(_below(browser))
            _tell(resting, signal.SIGSTOP)
            over.wait(TURN - TURN / times)
            _tell(resting, signal.SIGCONT)

    thread = Thread(target=rest)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _below(process: int) -> Iterator[int]:
    for path in Path(f"/proc/{process}/task").glob("*/children"):
        with suppress(OSError):
            for child in path.read_text().split():
                yield int(child)
                yield from _below(int(child))


def _tell(processes: Iterable[int], word: signal.Signals) -> None:
    for process in processes:
        with suppress(ProcessLookupError):
            os.kill(process, word)
