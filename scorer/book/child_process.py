"""Runs a function in a child process with bounded memory and time.

Input and output are bytes. The module that is run has `answer(request: bytes) -> bytes`. A client
has one process at a time and pays for its processor time.
"""

from __future__ import annotations

import importlib
import os
import struct
import subprocess
import sys
import time
from collections.abc import Hashable
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

import scorer
from scorer.book.fair_queue import FairQueue
from scorer.store.lock_timeout import excluded_from_wait

MAX_PROCESSES: Final = 2
"""Child processes of one worker; further calls wait."""
_WAIT_SECONDS: Final = 30.0
"""Seconds to wait for a free child process."""
_PACKAGE_PARENT: Final = str(Path(scorer.__file__).parent.parent)
_turns: Final = FairQueue(MAX_PROCESSES)
_CPU_SECONDS: Final = struct.Struct("d")
"""Before the answer: the seconds of processor time that it took."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a child process."""

    megabytes: int
    """Of address space."""
    seconds: int
    """Of CPU time; ten times as many of wall-clock time."""


class Payer(Protocol):
    """The client that a child process is charged to."""

    @property
    def address(self) -> Hashable:
        """Whose calls wait for each other."""

    def require_time_left(self) -> None:
        """Raise an error if there is nothing left to spend."""

    def spend(self, seconds: float) -> None:
        """Spend processor time."""


class Nobody:
    """Is never charged and never waits; for commands, and without rate limits."""

    @property
    def address(self) -> Hashable:
        return object()

    def require_time_left(self) -> None:
        pass

    def spend(self, seconds: float) -> None:
        pass


payer: Final[ContextVar[Payer]] = ContextVar("payer", default=Nobody())  # noqa: B039


class ChildFailed(Exception):
    """The child process exceeded a limit or crashed."""


def run(module: str, request: bytes, bounds: Bounds) -> bytes:
    """The output of a module's `answer`.

    :raises ChildFailed: it exceeded a limit or crashed
    :raises Unavailable: "locked", timeout waiting for a free child process
    """
    paths = [_PACKAGE_PARENT, *filter(None, [os.environ.get("PYTHONPATH")])]
    # OpenBLAS reserves memory for each CPU.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", __name__, module, str(bounds.megabytes), str(bounds.seconds)]
    charged = payer.get()
    # May take longer than the lock deadline.
    with excluded_from_wait(), _turns.turn(charged.address, _WAIT_SECONDS):
        charged.require_time_left()
        started = time.monotonic()
        try:
            completed = subprocess.run(
                command,
                input=request,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=env,
                timeout=10 * bounds.seconds,
                check=True,
            )
        except subprocess.SubprocessError as error:
            charged.spend(min(time.monotonic() - started, bounds.seconds))
            raise ChildFailed(module) from error
        charged.spend(*_CPU_SECONDS.unpack_from(completed.stdout))
    return completed.stdout[_CPU_SECONDS.size :]


def _main(module: str, megabytes: str, seconds: str) -> None:
    # Missing in Python for browsers.
    import resource

    max_bytes, max_seconds = int(megabytes) << 20, int(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (max_bytes, max_bytes))
    resource.setrlimit(resource.RLIMIT_CPU, (max_seconds, max_seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answer: bytes = importlib.import_module(module).answer(sys.stdin.buffer.read())
    sys.stdout.buffer.write(_CPU_SECONDS.pack(time.process_time()) + answer)


if __name__ == "__main__":
    _main(*sys.argv[1:])
