"""The file a process has opened, and whether it still is that file."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from scorer.store import Unavailable
from scorer.store.sqlite.overwrite_detection import Identity, Overwriting, identity, make_way


class FileIdentity:
    """Where the database lies: the file and the log beside it.

    SQLite goes on writing into a file that was deleted or put aside, and would call it recorded.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._files = path, (str(path), f"{path}-wal")
        self._known: list[Identity | None] = [None, None]
        self._gone = False
        self._written = 0, 0
        self._overwriting: Overwriting | None = None

    def guard(self) -> None:
        """From now on `check` notices, too, that the file was overwritten."""
        self._overwriting = Overwriting(self._path)
        self._overwriting.look()

    def fresh(self) -> None:
        """Nothing is open: who opens next may find a log of another name."""
        self._known[1] = None

    def check(self) -> None:
        """What was opened is still there.

        :raises Unavailable: "replaced", and so for the rest of the process
        """
        for at, file in enumerate(self._files):
            here = identity(file)
            if self._known[at] is None:
                self._known[at] = here
            elif here != self._known[at]:
                self._gone = True
        if self._overwriting is not None and self._overwriting.look():
            self._gone = True
        if self._gone:
            raise Unavailable("replaced")

    def make_way(self, check: Callable[[Path], None]) -> None:
        """Let what lies there now be opened as a book of its own.

        :param check: raises `Unavailable` where a file is no whole book
        :raises Unavailable: "replaced", there is none; or it cannot be written
        """
        overwritten = self._overwriting is not None and self._overwriting.found
        file, log = self._known
        make_way(self._path, file, log, check if overwritten else None)

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
