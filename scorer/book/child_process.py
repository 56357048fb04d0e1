"""Work in a process of its own, whose memory and time are bounded.

What is asked and answered are bytes. A module that answers has `answer(asked: bytes) -> bytes`.
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
from scorer.store.lock_deadline import excluded_from_wait, taking_turn

AT_ONCE: Final = 2
"""Child processes of one worker; who asks for more waits."""
_PATIENCE: Final = 30.0
"""Seconds to wait for one of them to end."""
_HOME: Final = str(Path(scorer.__file__).parent.parent)
_turns: Final = threading.BoundedSemaphore(AT_ONCE)


@dataclass(frozen=True, slots=True)
class Bounds:
    """What a child process may take."""

    megabytes: int
    """Of address space."""
    seconds: int
    """Of processor time; of the clock ten times as many."""


class ChildFailed(Exception):
    """A child process that gave no answer: it took too much, or broke."""


def run(module: str, asked: bytes, bounds: Bounds) -> bytes:
    """What `answer` of a module returns.

    :raises ChildFailed: it took more than it may, or broke
    :raises Unavailable: "locked", others keep all child processes busy
    """
    paths = [_HOME, *filter(None, [os.environ.get("PYTHONPATH")])]
    # A library for matrices reserves memory for each processor.
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", __name__, module, str(bounds.megabytes), str(bounds.seconds)]
    # On a busy machine it takes longer than anybody waits for other writers.
    with excluded_from_wait(), taking_turn(_turns, _PATIENCE):
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
    # No phone has it, and none comes here.
    import resource

    space, time = int(megabytes) << 20, int(seconds)
    resource.setrlimit(resource.RLIMIT_AS, (space, space))
    resource.setrlimit(resource.RLIMIT_CPU, (time, time))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    answered: bytes = importlib.import_module(module).answer(sys.stdin.buffer.read())
    sys.stdout.buffer.write(answered)


if __name__ == "__main__":
    _main(*sys.argv[1:])
