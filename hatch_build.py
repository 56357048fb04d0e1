"""What building the package takes: the language files compiled, pages and static files taken in."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class BuildHook(BuildHookInterface[Any]):
    """Runs before a wheel is built, and before an editable install."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        # A build takes this very checkout's; it is not on the path of the tools that build.
        sys.path.insert(0, self.root)
        from scorer.catalogs import compile_catalog

        for po in Path(self.root).glob("scorer/translations/*/LC_MESSAGES/*.po"):
            compile_catalog(po)
        # An editable install finds these beside the package; copies of them would only grow old.
        if version != "editable":
            build_data["force_include"] |= {
                "templates": "scorer/templates",
                "static": "scorer/static",
            }
            # What `bummerl pocket` built goes along where it is named: 12 MB, for who wants them.
            if pocket := os.environ.get("BUMMERL_WITH_POCKET"):
                build_data["force_include"][pocket] = "scorer/pocket/served"
