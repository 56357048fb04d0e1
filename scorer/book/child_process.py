"""Runs a function in a child process with bounded memory and time.

Input and output are bytes. The module that is run has `answer(asked: bytes) -> bytes`.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import scorer
from scorer.store.lock_deadline import acquired, excluded_from_wait

AT_ONCE: Final = 2
"""Child processes of one worker; further calls wait."""
_PATIENCE: Final = 30.0
"""Seconds to wait for a free child process."""
_HOME: Final = str(Path(scorer.__file__).parent.parent)
_turns: Final = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True, slots=True)
class Bounds:
    """Limits of a child process."""

    megabytes: int
    """Of address space."""
    seconds: int
    """Of CPU time; ten times as many of wall-clock time."""


class ChildFailed(Exception):
    """The child process exceeded a limit or crashed."""


def run(module: str, asked: bytes, bounds: Bounds) -> bytes:
    """The output of a module's `answer`.

    :raises ChildFailed: it exceeded a limit or crashed
    :raises Unavailable: "locked", timeout waiting for a free child process
    """
    paths = [_HOME, *filter(None, [os.environ.get("PYTHONPATH")])]
    # OpenBLAS reserves memory for each CPU.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", __name__, module, str(bounds.megabytes), str(bounds.seconds)]
    # May take longer than the lock deadline.
    with excluded_from_wait(), acquired(_turns, _PATIENCE):
        try:
            done = subprocess.run(
                command,
                input=asked,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=env,
                timeout=10 * bounds.seconds,
                check=True,
            )
        except subprocess.SubprocessError as error:
            raise ChildFailed(module) from error
    return done.stdout


def _main(module: str, megabytes: str, seconds: str) -> None:
    # Missing in Python for browsers.
    import resource

    space, time = int(megabytes) << 20, int(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    resource.setrlimit(resource.RLIMIT_CPU, (time, time))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answered: bytes = importlib.import_module(module).answer(sys.stdin.buffer.read())
    sys.stdout.buffer.write(answered)


if __name__ == "__main__":
    _main(*sys.argv[1:])
