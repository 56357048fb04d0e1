"""Runs Bummerl's commands in this process or in a shell."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from typing import Any

from click.testing import CliRunner

from scorer.cli import main
from tests.serving import PATIENCE_SECONDS


class Done(subprocess.CompletedProcess[bytes]):
    """A command that has ended."""

    @property
    def text(self) -> str:
        """All that it printed."""
        return (self.stdout + self.stderr).decode()

    @property
    def json(self) -> Any:
        return json.loads(self.stdout)


class _Piped(io.BytesIO):
    """Standard input of a command, with the name that a shell's has."""

    name = "<stdin>"


def _stdin_bytes(given: Any) -> bytes:
    return given if isinstance(given, bytes) else json.dumps(given).encode()


def bummerl(*arguments: object, given: Any = b"", status: int = 0, **environment: str) -> Done:
    """Run a command in this process, as a new one would take almost a second. The test fails if the
    command exits with another status."""
    words = [str(argument) for argument in arguments]
    done = CliRunner(env=environment).invoke(main, words, input=_Piped(_stdin_bytes(given)))
    if not isinstance(done.exception, SystemExit | None):
        raise done.exception
    assert done.exit_code == status, done.output
    return Done(words, done.exit_code, done.stdout_bytes, done.stderr_bytes)


def shell(*arguments: object, given: Any = b"", status: int = 0) -> Done:
    """Run a command in a new process, as a shell does."""
    command = [sys.executable, "-m", "scorer", *map(str, arguments)]
    done = subprocess.run(
        command, input=_stdin_bytes(given), capture_output=True, timeout=PATIENCE_SECONDS
    )
    assert done.returncode == status, done.stderr
    return Done(command, done.returncode, done.stdout, done.stderr)
