"""Copies of a score book in a folder, the oldest going, and the way back from one."""

from __future__ import annotations

import os
import re
import shutil
import stat
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Final

from scorer.store import Unavailable
from scorer.store.atomic_file import atomic_file

_DATED: Final = "%Y-%m-%dT%H-%M-%S"
_OURS: Final = re.compile(r"bummerl-\d{4}(-\d\d){2}T\d\d(-\d\d){2}\.db")
_PARTS: Final = ("", "-wal", "-shm")
"""The files of one database."""


def dated(folder: Path, now: datetime) -> Path:
    """The file in `folder` for the copy of this moment.

    >>> str(dated(Path("copies"), datetime(2026, 1, 6, 5)))
    'copies/bummerl-2026-01-06T05-00-00.db'
    """
    return folder / f"bummerl-{now:{_DATED}}.db"


def thin(folder: Path, keep: int) -> None:
    """Delete all but the `keep` newest copies; other files are left alone."""
    copies = sorted(path for path in folder.iterdir() if _OURS.fullmatch(path.name))
    for old in copies[: max(len(copies) - keep, 0)]:
        old.unlink()


def put_back(copy: Path, db: Path, now: datetime) -> Path | None:
    """Let `copy` be the database at `db`; returns where that which was there now lies.

    A server that still runs on the old file notices and records nothing more.

    :raises Unavailable: the copy is no whole score book of this release; nothing has changed
    """
    from scorer.store.sqlite import SqliteStore

    former = db.with_name(f"{db.name}.before-{now:{_DATED}}")
    new = db.with_name(f"{db.name}.restored-{now:{_DATED}}")
    with atomic_file(new) as unfinished:
        shutil.copyfile(copy, unfinished)
        # Looked at, and brought to this release, before it takes anything's place.
        with closing(SqliteStore(unfinished)) as book:
            if book.examine():
                raise Unavailable("damaged")
    there = db.exists()
    like = (db if there else db.parent).stat()
    if there:
        new.chmod(stat.S_IMODE(like.st_mode))
    if os.geteuid() == 0:
        # The server runs as somebody else, who is to write it.
        os.chown(new, like.st_uid, like.st_gid)
    # The log goes with its file: beside another it would be read into that.
    for part in _PARTS:
        if (old := db.with_name(db.name + part)).exists():
            os.rename(old, former.with_name(former.name + part))
    os.rename(new, db)
    return former if there else None
