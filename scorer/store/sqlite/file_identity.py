"""Detects that the open database file was moved, deleted or replaced."""

from __future__ import annotations

import os
from pathlib import Path

from scorer.store import Unavailable

Identity = tuple[int, int]


def identity(file: Path | str) -> Identity | None:
    """Device and inode of a file, or None if it does not exist.

    :raises Unavailable: "broken" if the file cannot be examined
    """
    try:
        status = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        raise Unavailable("broken") from None
    return status.st_dev, status.st_ino


class FileIdentity:
    """The identity of the database file and its WAL.

    SQLite keeps writing into a file that was deleted or moved away, without an error.
    """

    def __init__(self, path: Path) -> None:
        self._files = (str(path), f"{path}-wal")
        self._identities: list[Identity | None] = [None, None]
        self._written = 0, 0

    def forget_wal(self) -> None:
        """Forget the WAL's identity; for the first connection, which may create a new WAL."""
        self._identities[1] = None

    def check(self) -> None:
        """Check that the file and the WAL are those that were opened.

        :raises Unavailable: "replaced"
        """
        for index, file in enumerate(self._files):
            current = identity(file)
            if self._identities[index] is None:
                self._identities[index] = current
            elif current != self._identities[index]:
                raise Unavailable("replaced")

    def is_safe_to_open(self) -> bool:
        """Whether a new process may open the database that replaced the opened one.

        A database beside the opened one's WAL is not safe: SQLite would apply that WAL to it.
        """
        database, wal = (identity(file) for file in self._files)
        if database is None or [database, wal] == self._identities:
            return False
        return wal is None or wal != self._identities[1]

    def was_written(self) -> bool:
        """Whether the file itself was written since the last call: by a checkpoint or another
        program."""
        try:
            status = os.stat(self._files[0])
        except OSError:
            return True
        before, self._written = self._written, (status.st_mtime_ns, status.st_size)
        return before != self._written
