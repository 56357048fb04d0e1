"""A secret key in a file beside the database, under which lost director's keys can be recovered.

Together with the database it opens every tournament of this machine, so only the owner may read it.
"""

from __future__ import annotations

import os
from pathlib import Path

from scorer.store.keys import mint


def recovery_secret(db: Path) -> str:
    """The secret, created at first use; '' if the file cannot be read or written."""
    file = db.with_name(f"{db.name}.key")
    try:
        if not _first_line(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            # Workers that start at once may each add a line; the first one counts.
            with os.fdopen(handle, "w") as lines:
                lines.write(f"{mint()}\n")
        return _first_line(file)
    except OSError:
        return ""


def _first_line(file: Path) -> str:
    """'' if there is no file."""
    try:
        return next(iter(file.read_text().split()), "")
    except FileNotFoundError:
        return ""
