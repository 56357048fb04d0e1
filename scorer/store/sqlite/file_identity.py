"""The file a process has opened, and whether it still is that file."""

from __future__ import annotations

import os
from pathlib import Path

from scorer.store import Unavailable

Identity = tuple[int, int]


class FileIdentity:
    """Where the database lies: the file and the log beside it.

    SQLite goes on writing into a file that was deleted or put aside, and would call it recorded.
    """

    def __init__(self, path: Path) -> None:
        self._files = str(path), f"{path}-wal"
        self._known: list[Identity | None] = [None, None]
        self._gone = False
        self._written = 0, 0

    def fresh(self) -> None:
        """Nothing is open: who opens next may find a log of another name."""
        self._known[1] = None

    def check(self) -> None:
        """What was opened is still there.

        :raises Unavailable: "replaced", and so for the rest of the process
        """
        for at, file in enumerate(self._files):
            identity = _identity(file)
            if self._known[at] is None:
                self._known[at] = identity
            elif identity != self._known[at]:
                self._gone = True
        if self._gone:
            raise Unavailable("replaced")

    def rewritten(self) -> bool:
        """Whether somebody wrote into the file itself since the last look.

        SQLite does when it clears its log; so does who copies an older book over it.
        """
        try:
            status = os.stat(self._files[0])
        except OSError:
            return True
        before, self._written = self._written, (status.st_mtime_ns, status.st_size)
        return before != self._written


def _identity(file: str) -> Identity | None:
    try:
        status = os.stat(file)
    except OSError:
        return None
    return status.st_dev, status.st_ino
