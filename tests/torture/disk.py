"""A disk that fails on command, beneath SQLite's own files.

SQLite accesses its files through a table of functions, its VFS. This module registers a copy of the
default VFS whose reads, writes, truncations and syncs can fail. ctypes passes the functions to
SQLite, so no compiler is needed. Run as a program, it serves Bummerl on such a disk.
"""

from __future__ import annotations

import ctypes
import json
import os
import runpy
import sys
from collections.abc import Callable
from ctypes import POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

# Loads the SQLite library that the app uses.
import scorer.store.sqlite.driver  # noqa: F401

IOERR = 10
ERRORS = {
    "ENOSPC": 13,
    "EIO read": IOERR | 1 << 8,
    "EIO write": IOERR | 3 << 8,
    "EIO sync": IOERR | 4 << 8,
    "EIO truncate": IOERR | 6 << 8,
}
"""SQLite's codes for errors of the operating system."""
FAULTS = "BUMMERL_FAULTS"
"""The environment variable with the path of the file that describes a server's fault."""


@dataclass(frozen=True)
class Fault:
    """A fault of a disk, which lasts until the disk is healed."""

    does: str
    """`read`, `write`, `truncate` or `sync`."""
    ends: str = ""
    """The ending of the names of the affected files."""
    after: int = 0
    """The number of such operations that succeed before the fault."""
    error: str = "EIO"
    """`EIO` or `ENOSPC`."""
    short: bool = False
    """Whether half of the data is still written."""


class Disk:
    """The disk of this process."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        # How many operations of the fault's kind there were.
        self.met = 0
        self._names: dict[int, str] = {}

    def fails(self, fault: Fault | None) -> None:
        """Fail in this way from now on. None heals the disk."""
        self.fault, self.met = fault, 0

    def opened(self, file: int, name: str) -> None:
        """Remember the name of an opened file."""
        self._names[file] = name

    def answer(self, does: str, file: int) -> Fault | None:
        """The fault of an operation on a file, or None if the operation succeeds."""
        fault = self.fault
        if fault is None or fault.does != does:
            return None
        if not self._names.get(file, "").endswith(fault.ends):
            return None
        self.met += 1
        return fault if self.met > fault.after else None


class TheirDisk(Disk):
    """The disk of a server. The file `fault_file` describes its fault."""

    def __init__(self, fault_file: Path) -> None:
        super().__init__()
        self._fault_file, self._read = fault_file, ""

    def answer(self, does: str, file: int) -> Fault | None:
        text = self._fault_file.read_text() if self._fault_file.exists() else ""
        if text != self._read:
            self._read = text
            self.fails(Fault(**json.loads(text)) if text else None)
        return super().answer(does, file)


def write_fault(fault_file: Path, fault: Fault | None) -> None:
    """Let a server's disk fail, or heal it."""
    unfinished = fault_file.with_name("unfinished")
    unfinished.write_text(json.dumps(asdict(fault)) if fault else "")
    unfinished.replace(fault_file)


class _Methods(Structure):
    """`sqlite3_io_methods`, with names for the members that this module uses."""

    _fields_ = [
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", c_void_p),
        ("truncate", c_void_p),
        ("sync", c_void_p),
        ("others", c_void_p * 13),
    ]


class _File(Structure):
    """`sqlite3_file`, with its first member only."""

    _fields_ = [("methods", POINTER(_Methods))]


class _Vfs(Structure):
    """`sqlite3_vfs`."""

    _fields_ = [
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("next", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", c_void_p),
        ("others", c_void_p * 15),
    ]


# SQLite keeps reading the name at its address, so the name must not become a Python string.
_OPEN = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p)
_MOVE = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_CUT = ctypes.CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = ctypes.CFUNCTYPE(c_int, c_void_p, c_int)


def install(disk: Disk) -> Callable[[], None]:
    """Put every file that SQLite opens from now on onto `disk`. Returns a function to undo this."""
    own = sys.modules.get("pysqlite3._sqlite3") or sys.modules["_sqlite3"]
    library = ctypes.CDLL(own.__file__)
    library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    library.sqlite3_vfs_find.argtypes = [c_char_p]
    library.sqlite3_vfs_register.argtypes = [POINTER(_Vfs), c_int]
    library.sqlite3_vfs_unregister.argtypes = [POINTER(_Vfs)]
    usual = library.sqlite3_vfs_find(None)
    ours = _Vfs()
    ctypes.memmove(ctypes.byref(ours), usual, ctypes.sizeof(_Vfs))
    tables: dict[int, _Methods] = {}
    held: list[Any] = [ours, tables]

    def opened(_: int, name: int | None, file: int, flags: int, out: int) -> int:
        code: int = _OPEN(usual.contents.open)(
            ctypes.addressof(usual.contents), name, file, flags, out
        )
        head = _File.from_address(file)
        if not code and head.methods:
            disk.opened(file, ctypes.string_at(name).decode() if name else "")
            at = ctypes.addressof(head.methods.contents)
            if at not in tables:
                tables[at] = _failing(disk, head.methods.contents, held)
            head.methods = ctypes.pointer(tables[at])
        return code

    held.append(_OPEN(opened))
    ours.name, ours.open = b"failing", ctypes.cast(held[-1], c_void_p)
    library.sqlite3_vfs_register(ctypes.byref(ours), 1)
    _INSTALLED.append(held)

    def undo() -> None:
        library.sqlite3_vfs_unregister(ctypes.byref(ours))
        library.sqlite3_vfs_register(usual, 1)

    return undo


_INSTALLED: list[Any] = []
"""Objects that SQLite points to until the process ends."""


def _failing(disk: Disk, usual: _Methods, held: list[Any]) -> _Methods:
    """A copy of the function table `usual` with functions that fail if the disk does."""
    ours = _Methods()
    ctypes.memmove(ctypes.byref(ours), ctypes.byref(usual), ctypes.sizeof(_Methods))
    read, write = _MOVE(usual.read), _MOVE(usual.write)
    truncate, sync = _CUT(usual.truncate), _SYNC(usual.sync)

    def code(does: str, fault: Fault) -> int:
        return ERRORS["ENOSPC" if fault.error == "ENOSPC" else f"EIO {does}"]

    def reads(file: int, buffer: int, count: int, at: int) -> int:
        fault = disk.answer("read", file)
        return code("read", fault) if fault else read(file, buffer, count, at)

    def writes(file: int, buffer: int, count: int, at: int) -> int:
        fault = disk.answer("write", file)
        if fault is None:
            return write(file, buffer, count, at)
        if fault.short:
            write(file, buffer, count // 2, at)
        return code("write", fault)

    def truncates(file: int, size: int) -> int:
        fault = disk.answer("truncate", file)
        return code("truncate", fault) if fault else truncate(file, size)

    def syncs(file: int, flags: int) -> int:
        fault = disk.answer("sync", file)
        return code("sync", fault) if fault else sync(file, flags)

    for name, kind, made in (
        ("read", _MOVE, reads),
        ("write", _MOVE, writes),
        ("truncate", _CUT, truncates),
        ("sync", _SYNC, syncs),
    ):
        held.append(kind(made))
        setattr(ours, name, ctypes.cast(held[-1], c_void_p))
    return ours


if __name__ == "__main__":
    install(TheirDisk(Path(os.environ[FAULTS])))
    runpy.run_module("scorer", run_name="__main__", alter_sys=True)
