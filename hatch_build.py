"""Compiles the language files and takes templates/ and static/ into a build of the package."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface[Any]):
    """Runs before a wheel is built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # The tools that build do not have this checkout on their path.
        sys.path.insert(0, self.root)
        from scorer.catalogs import compile_catalog

        for po in Path(self.root).glob("scorer/translations/*/LC_MESSAGES/*.po"):
            compile_catalog(po)
        build_data["force_include"] |= {"templates": "scorer/templates", "static": "scorer/static"}
        # The bundle that `bummerl pocket` built goes along if it is named: it adds 12 MB.
        if pocket := os.environ.get("BUMMERL_WITH_POCKET"):
            build_data["force_include"][pocket] = "scorer/pocket/served"
