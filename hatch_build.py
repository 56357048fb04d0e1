"""Compiles the language files when the package is built, also for an editable install."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CompileLanguages(BuildHookInterface[Any]):
    """Writes a `.mo` beside each `.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for po in Path(self.root).glob("scorer/translations/*/LC_MESSAGES/*.po"):
            with po.open("rb") as source, po.with_suffix(".mo").open("wb") as target:
                write_mo(target, read_po(source))
