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

UNFINISHED_SUFFIX: Final = ".unfinished"
REASONS_BY_ERRNO: Final = {errno.ENOSPC: "full", errno.EDQUOT: "full", errno.EIO: "broken"}


OWNER_ONLY: Final = 0o600
"""Mode of every file that holds a score book or part of one: owner only."""


def create_owner_only(path: Path) -> None:
    """Create an empty file with mode `OWNER_ONLY`, whatever the umask; do nothing if it exists.

    SQLite gives the WAL and its index the mode of the database.

    :raises OSError: it cannot be created
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    except FileExistsError:
        return
    try:
        os.fchmod(descriptor, OWNER_ONLY)
    finally:
        os.close(descriptor)


@contextmanager
def atomic_file(target: Path) -> Iterator[Path]:
    """A temporary file beside `target`, renamed to `target` after it is synced to disk.

    Its mode is `OWNER_ONLY`. A killed process leaves a file that ends in `UNFINISHED_SUFFIX`.

    :raises FileExistsError: `target` exists at the start
    :raises Unavailable: the folder is not writable, or the disk is full
    """
    if target.exists():
        raise FileExistsError(target)
    unfinished = target.with_name(f"{target.name}.{secrets.token_hex(4)}{UNFINISHED_SUFFIX}")
    try:
        create_owner_only(unfinished)
        yield unfinished
        sync_to_disk(unfinished)
        os.rename(unfinished, target)
        sync_to_disk(target.parent)
    except OSError as error:
        raise Unavailable(REASONS_BY_ERRNO.get(error.errno or 0, "read-only")) from error
    finally:
        # An incomplete database has its journal beside it.
        for leftover in unfinished.parent.glob(f"{glob.escape(unfinished.name)}*"):
            leftover.unlink(missing_ok=True)


def sync_to_disk(path: Path) -> None:
    """Sync a file or a folder to disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
