"""Files that are there whole or not at all."""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from scorer.store import Unavailable

ENDING: Final = ".unfinished"
REASONS: Final = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EIO: "broken"}


OWN: Final = 0o600
"""The rights of every file that holds a score book, or a part of one: its owner's alone."""


def make_own(path: Path) -> None:
    """An empty file that only its owner may read and write, whatever the umask; not if it exists.

    SQLite gives the log and the index beside a database the rights of the database.

    :raises OSError: it cannot be made
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWN)
    except FileExistsError:
        return
    try:
        os.fchmod(descriptor, OWN)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_file(target: Path) -> Iterator[Path]:
    """A new file to write beside `target`, which becomes `target` once it is on the disk.

    Only its owner may read it. What a killed process leaves behind says by its name that it is
    unfinished.

    :raises FileExistsError: `target` is there already
    :raises Unavailable: its folder cannot be written, or is full
    """
    if target.exists():
        raise FileExistsError(target)
    unfinished = target.with_name(f"{target.name}.{secrets.token_hex(4)}{ENDING}")
    try:
        make_own(unfinished)
        yield unfinished
        to_disk(unfinished)
        os.rename(unfinished, target)
        to_disk(target.parent)
    except OSError as error:
        raise Unavailable(REASONS.get(error.errno or 0, "read-only")) from error
    finally:
        # A database that was not written to its end has its journal beside it.
        for left in unfinished.parent.glob(f"{unfinished.name}*"):
            left.unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Write what the system holds of a file, or of a folder, to its disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
