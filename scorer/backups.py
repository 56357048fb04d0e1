"""Keeps dated copies of a database: names them, deletes old ones, and restores one.

`Store.backup` makes the copy. How many are kept: `deploy/bummerl-backup.service`.
"""

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

_TIME_FORMAT: Final = "%Y-%m-%dT%H-%M-%S"
_BACKUP_NAME: Final = re.compile(r"bummerl-\d{4}(-\d\d){2}T\d\d(-\d\d){2}\.db")
_FILE_SUFFIXES: Final = ("", "-wal", "-shm")
"""Suffixes of a database's files."""


def dated_path(folder: Path, now: datetime) -> Path:
    """The path of a copy made now.

    >>> str(dated_path(Path("copies"), datetime(2026, 1, 6, 5)))
    'copies/bummerl-2026-01-06T05-00-00.db'
    """
    return folder / f"bummerl-{now:{_TIME_FORMAT}}.db"


def delete_old_copies(folder: Path, keep: int) -> None:
    """Delete all but the `keep` newest copies; other files stay."""
    copies = sorted(path for path in folder.iterdir() if _BACKUP_NAME.fullmatch(path.name))
    for old in copies[: max(len(copies) - keep, 0)]:
        old.unlink()


def restore_copy(copy: Path, db: Path, now: datetime) -> Path | None:
    """Replace the database at `db` by `copy`; return the path of the old one, or None.

    A running server opens the new one within seconds.

    :raises Unavailable: the copy is not a complete database of this release or older; nothing
        has changed
    """
    from scorer.store.sqlite import SqliteStore

    former = db.with_name(f"{db.name}.before-{now:{_TIME_FORMAT}}")
    new = db.with_name(f"{db.name}.restored-{now:{_TIME_FORMAT}}")
    with atomic_file(new) as unfinished:
        shutil.copyfile(copy, unfinished)
        # Checked and migrated first.
        with closing(SqliteStore(unfinished)) as book:
            if book.examine():
                raise Unavailable("damaged")
    has_old = db.exists()
    model = (db if has_old else db.parent).stat()
    if has_old:
        new.chmod(stat.S_IMODE(model.st_mode))
    if os.geteuid() == 0:
        # The server may run as another user.
        os.chown(new, model.st_uid, model.st_gid)
    # The WAL moves with its file: SQLite would apply it to another one.
    for suffix in _FILE_SUFFIXES:
        if (old := db.with_name(db.name + suffix)).exists():
            os.rename(old, former.with_name(former.name + suffix))
    os.rename(new, db)
    return former if has_old else None
