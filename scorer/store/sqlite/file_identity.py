"""Detects that the open database file was replaced."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from scorer.store import Unavailable
from scorer.store.sqlite.overwrite_detection import Identity, OverwriteDetector, identity, make_way


class FileIdentity:
    """The identity of the database file and its WAL.

    SQLite keeps writing into a file that was deleted or moved away, without an error.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._files = path, (str(path), f"{path}-wal")
        self._known: list[Identity | None] = [None, None]
        self._gone = False
        self._written = 0, 0
        self._overwriting: OverwriteDetector | None = None

    def guard(self) -> None:
        """Makes `check` detect overwriting in place, too."""
        self._overwriting = OverwriteDetector(self._path)
        self._overwriting.look()

    def fresh(self) -> None:
        """Forgets the WAL's identity; for the first connection, which may create a new WAL."""
        self._known[1] = None

    def check(self) -> None:
        """Checks that the file and the WAL are those that were opened.

        :raises Unavailable: "replaced", and from then on always
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
        """Prepares opening the file that lies there now.

        :param check: raises `Unavailable` for an incomplete database
        :raises Unavailable: "replaced" if there is none, or it cannot be written
        """
        overwritten = self._overwriting is not None and self._overwriting.found
        file, log = self._known
        make_way(self._path, file, log, check if overwritten else None)

    def rewritten(self) -> bool:
        """Whether the file itself was written since the last call: by a checkpoint or another
        program."""
        try:
            status = os.stat(self._files[0])
        except OSError:
            return True
        before, self._written = self._written, (status.st_mtime_ns, status.st_size)
        return before != self._written
