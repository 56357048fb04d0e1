"""Notices that another program wrote into the database file in place, as `cp backup.db bummerl.db`
does, and lets what lies there be a book of its own.

Under a write-ahead log SQLite writes the file itself only at checkpoints, and counts these in the
index beside it (https://sqlite.org/walformat.html, "The WAL-Index File Format"). So a file whose
time and bytes are others, while no checkpoint was counted, was written by somebody else.
"""

from __future__ import annotations

import errno
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
"""Bytes at the start of the index: two copies of its header, then the state of checkpoints."""
_SALTS: Final = slice(32, 40)
_BACKFILLED: Final = slice(96, 100)
_ATTEMPTED: Final = slice(128, 132)
_PIECE: Final = 4096
_PIECES: Final = 1024
"""How many of these of a file are compared, evenly spread: all of one of up to 4 MiB."""
LOG_ASIDE: Final = "-wal.replaced"
"""Under this ending the log of a book that was replaced is kept: its newest entries may be only
there."""

Identity = tuple[int, int]


def identity(file: Path | str) -> Identity | None:
    """Which file lies there, or None.

    :raises Unavailable: "broken", the disk does not say
    """
    try:
        status = os.stat(file)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        raise Unavailable("broken") from None
    return status.st_dev, status.st_ino


class _Seen(NamedTuple):
    """The file between two checkpoints."""

    checkpoints: bytes
    written: tuple[int, int]
    """When, and how large it was then."""
    digest: int


class Overwriting:
    """Looks whether anybody but SQLite writes into the file `path`.

    It holds the file and its index open until the process ends: closing any descriptor of them
    would release the locks that SQLite holds in this process. So it is for processes that serve
    one book to their end, and looks once connections are open.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._index = str(path), f"{path}-shm"
        self._file = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        self._held: tuple[Identity | None, int] | None = None
        self._seen: _Seen | None = None
        self.found = False

    def look(self) -> bool:
        """Whether somebody has, now or at an earlier look."""
        try:
            self.found = self.found or self._overwritten()
        except OSError:
            # What cannot be read now is not known to be another.
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
            # A checkpoint runs, or somebody is just writing: the next look tells.
            return False
        if seen is not None and checkpoints == seen.checkpoints and digest != seen.digest:
            return True
        self._seen = _Seen(checkpoints, written, digest)
        return False

    def _checkpoints(self) -> bytes | None:
        """What is another text after each checkpoint; None during one, and without an index."""
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
    """Let what lies at `path` be a book of its own, where another was opened there.

    The log of the old one is put aside, for SQLite would write it into the new one; a file that was
    overwritten gets another identity, so that nobody who has the old one open writes into it.

    :param file: the file that was opened
    :param log: its log
    :param check: raises `Unavailable` where a file is no whole book; None where the file that was
        opened was not overwritten
    :raises Unavailable: "replaced", there is none; or it cannot be written
    """
    with _alone(path.parent):
        here, its_log = identity(path), Path(f"{path}-wal")
        if here is None:
            raise Unavailable("replaced")
        try:
            if here == file:
                # Else it was put away and back: all of it is as it was.
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
        for left in copy.parent.glob(f"{copy.name}*"):
            left.unlink(missing_ok=True)


def _put_aside(path: Path, log: Path) -> None:
    if log.exists():
        os.replace(log, path.with_name(path.name + LOG_ASIDE))
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Only one process at a time is in here."""
    # Not every phone's Python has it; there nobody else serves the file.
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
