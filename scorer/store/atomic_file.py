"""Files that are complete or do not exist."""

from __future__ import annotations

import errno
import glob
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
"""Mode of every file that holds a score book or part of one: owner only."""


def make_own(path: Path) -> None:
    """Creates an empty file with mode `OWN`, whatever the umask; does nothing if it exists.

    SQLite gives the WAL and its index the mode of the database.

    :raises OSError: it cannot be created
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
    """A temporary file beside `target`, renamed to `target` after it is synced to disk.

    Its mode is `OWN`. A killed process leaves a file that ends in `ENDING`.

    :raises FileExistsError: `target` exists
    :raises Unavailable: the folder is not writable, or the disk is full
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
        # An incomplete database has its journal beside it.
        for left in unfinished.parent.glob(f"{glob.escape(unfinished.name)}*"):
            left.unlink(missing_ok=True)


def to_disk(path: Path) -> None:
    """Syncs a file or a folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
