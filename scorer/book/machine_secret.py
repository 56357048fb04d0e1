"""A secret of this machine, beside its database: what was lost is found again with it.

Whoever can read it and the database holds every tournament here; it is as private as the machine.
"""

from __future__ import annotations

import os
from pathlib import Path

from scorer.store.keys import mint


def machine_key(db: Path) -> str:
    """The secret beside a database, made at the first use; empty if it cannot be read or made."""
    file = db.with_name(f"{db.name}.key")
    try:
        if not _first_line(file):
            file.parent.mkdir(parents=True, exist_ok=True)
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            # Workers that start at once may each add a line: the first is the secret of all.
            with os.fdopen(handle, "w") as lines:
                lines.write(f"{mint()}\n")
        return _first_line(file)
    except OSError:
        return ""


def _first_line(file: Path) -> str:
    """Empty where there is none."""
    try:
        return next(iter(file.read_text().split()), "")
    except FileNotFoundError:
        return ""
