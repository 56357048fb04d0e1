"""A secret of this machine, beside its database: what was lost is found again with it.

Whoever can read it and the database holds every tournament here; it is as private as the machine.
"""

from __future__ import annotations

import os
from pathlib import Path

from scorer.store.keys import mint


def machine_key(db: Path) -> str:
    """The secret beside a database, made at the first use; empty if it cannot be written."""
    file = db.with_name(f"{db.name}.key")
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return file.read_text().strip()
    except OSError:
        return ""
    with os.fdopen(handle, "w") as new:
        new.write(mint())
    return file.read_text().strip()
