"""Detects that another program overwrote the database file in place (`cp backup.db bummerl.db`).

In WAL mode SQLite writes the file itself only at checkpoints, and notes them in the WAL index
(https://sqlite.org/walformat.html, "The WAL-Index File Format"). A file that changed without a
new checkpoint was written by another program.
"""

from __future__ import annotations

import errno
import glob
import os
import secrets
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from scorer.store import Unavailable
from scorer.store.atomic_file import ENDING, REASONS, make_own, to_disk

_INDEX: Final = 136
"""Bytes at the start of the index: two copies of its header, then the checkpoint state."""
_SALTS: Final = slice(32, 40)
_BACKFILLED: Final = slice(96, 100)
_ATTEMPTED: Final = slice(128, 132)
_PIECE: Final = 4096
_PIECES: Final = 1024
"""Least number of evenly spread pieces of a large file that are compared. A file under 8 MiB is
compared whole."""
LOG_ASIDE: Final = "-wal.replaced"
"""Suffix under which the WAL of the last replaced database is kept: that database's newest entries
may be only there."""

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


class _Seen(NamedTuple):
    checkpoints: bytes
    written: tuple[int, int]
    """Modification time and size."""
    digest: int


class OverwriteDetector:
    """Detects writes of other programs into the file `path`.

    Keeps the file and its index open until the process ends: closing a descriptor of them would
    release the locks that SQLite holds in this process. Use it only in a process that serves one
    database until it ends, after connections are open.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._index = str(path), f"{path}-shm"
        self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        self._held: tuple[Identity | None, int] | None = None
        self._seen: _Seen | None = None
        self.found = False

    def look(self) -> bool:
        """Whether this or an earlier call found the file overwritten.

        :raises Unavailable: "broken", the index cannot be examined
        """
        try:
            self.found = self.found or self._overwritten()
        except OSError:
            # Unreadable now: not proof of another file.
            return self.found
        return self.found

    def _overwritten(self) -> bool:
        checkpoints, written, seen = self._checkpoints(), self._written(), self._seen
        if checkpoints is None:
            return False
        if seen is not None and (checkpoints, written) == seen[:2]:
            return False
        digest = self._digest()
        if (checkpoints, written) != (self._checkpoints(), self._written()):
            # A checkpoint or a write is under way: decided at the next call.
            return False
        if seen is not None and checkpoints == seen.checkpoints and digest != seen.digest:
            return True
        self._seen = _Seen(checkpoints, written, digest)
        return False

    def _checkpoints(self) -> bytes | None:
        """Bytes that change with each checkpoint; None without an index, and during or after an
        unfinished checkpoint."""
        here = identity(self._index)
        if here is None:
            return None
        if self._held is None or self._held[0] != here:
            self._held = here, os.open(self._index, os.O_RDONLY | os.O_CLOEXEC)
        head = os.pread(self._held[1], _INDEX, 0)
        if len(head) < _INDEX or head[_BACKFILLED] != head[_ATTEMPTED]:
            return None
        return repr(here).encode() + head[_SALTS] + head[_BACKFILLED]

    def _written(self) -> tuple[int, int]:
        status = os.fstat(self._file)
        return status.st_mtime_ns, status.st_size

    def _digest(self) -> int:
        size = os.fstat(self._file).st_size
        step = max(_PIECE, size // _PIECES // _PIECE * _PIECE)
        digest = zlib.crc32(size.to_bytes(8, "big"))
        for at in range(0, size, step):
            digest = zlib.crc32(os.pread(self._file, _PIECE, at), digest)
        return digest


def make_way(
    path: Path, file: Identity | None, log: Identity | None, check: Callable[[Path], None] | None
) -> None:
    """Prepares opening the database at `path` after it replaced the one that was opened there.

    Moves the old WAL aside, because SQLite would apply it to the new file. An overwritten file
    is copied to a new inode, so that processes with the old one open cannot write into it.

    :param file: identity of the file that was opened
    :param log: identity of its WAL
    :param check: raises `Unavailable` for an incomplete database; None if the opened file was
        not overwritten
    :raises Unavailable: "replaced" if there is no file or it changes meanwhile; "full",
        "read-only" or "broken" if it cannot be written; or what `check` raises
    """
    with _alone(path.parent):
        here, its_log = identity(path), Path(f"{path}-wal")
        if here is None:
            raise Unavailable("replaced")
        try:
            if here == file:
                # Without `check` it is the opened file again, such as moved away and back.
                if check is not None:
                    _take_over(path, its_log, check)
            elif log is not None and identity(its_log) == log:
                _put_aside(path, its_log)
        except OSError as error:
            raise Unavailable(REASONS.get(error.errno or 0, "read-only")) from error


def _take_over(path: Path, log: Path, check: Callable[[Path], None]) -> None:
    copy = path.with_name(f"{path.name}.{secrets.token_hex(4)}{ENDING}")
    try:
        before = path.stat()
        make_own(copy)
        shutil.copyfile(path, copy)
        check(copy)
        to_disk(copy)
        after = path.stat()
        if (before.st_mtime_ns, before.st_size) != (after.st_mtime_ns, after.st_size):
            raise Unavailable("replaced")
        _put_aside(path, log)
        os.replace(copy, path)
        to_disk(path.parent)
    finally:
        for left in copy.parent.glob(f"{glob.escape(copy.name)}*"):
            left.unlink(missing_ok=True)


def _put_aside(path: Path, log: Path) -> None:
    if log.exists():
        os.replace(log, path.with_name(path.name + LOG_ASIDE))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    # Missing in Python for browsers, where only one process opens the file.
    import fcntl

    try:
        held = os.open(folder, os.O_RDONLY)
    except OSError as error:
        reason = "broken" if error.errno == errno.EIO else "replaced"
        raise Unavailable(reason) from error
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)
