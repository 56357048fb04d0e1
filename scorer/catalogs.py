"""Compiles the language files: each `.po` to the `.mo` beside it.

`python -m scorer.catalogs FILE.po ...` compiles those that changed.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po


def compile_catalog(po: Path) -> None:
    """Write the `.mo` beside a `.po` unless it is up to date."""
    with po.open("rb") as source:
        catalog = read_po(source)
    # Babel writes the build time: a fixed one makes builds reproducible.
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    mo = po.with_suffix(".mo")
    if not mo.is_file() or mo.read_bytes() != compiled.getvalue():
        mo.write_bytes(compiled.getvalue())


if __name__ == "__main__":
    for name in sys.argv[1:]:
        compile_catalog(Path(name))
