"""What building the package takes: the language files compiled, pages and static files taken in."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


def compile_language(po: Path) -> None:
    """Write the `.mo` beside a `.po`, unless it is there already."""
    with po.open("rb") as source:
        catalog = read_po(source)
    # Babel writes the hour of the build into the file: a fixed one makes two builds the same.
    catalog.creation_date = catalog.revision_date = datetime(2026, 1, 1, tzinfo=UTC)
    compiled = BytesIO()
    write_mo(compiled, catalog)
    mo = po.with_suffix(".mo")
    if not mo.is_file() or mo.read_bytes() != compiled.getvalue():
        mo.write_bytes(compiled.getvalue())


class BuildHook(BuildHookInterface[Any]):
    """Runs before a wheel is built, and before an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for po in Path(self.root).glob("scorer/translations/*/LC_MESSAGES/*.po"):
            compile_language(po)
        # An editable install finds these beside the package; copies of them would only grow old.
        if version != "editable":
            build_data["force_include"] |= {
                "templates": "scorer/templates",
                "static": "scorer/static",
            }
            # What `bummerl pocket` built goes along where it is named: 12 MB, for who wants them.
            if pocket := os.environ.get("BUMMERL_WITH_POCKET"):
                build_data["force_include"][pocket] = "scorer/pocket/served"
