"""Calls the probes of probes.js by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

PROBES = (Path(__file__).parent / "probes.js").read_text()
NAMES = ", ".join(re.findall(r"^(?:async )?function\*? (\w+)", PROBES, re.MULTILINE))
INSTALL = f"globalThis.probes = (() => {{ {PROBES}\nreturn {{ {NAMES} }}; }})(); null"


def probe(where: Page | Locator, name: str, *given: Any) -> Any:
    """What a probe finds on a page, or in the elements of a locator.

    :param given: the probe's arguments
    """
    page = where.page if isinstance(where, Locator) else where
    # Each page gets the script once: most of a sweep's time went into sending it with each call.
    if not page.evaluate("'probes' in globalThis"):
        page.evaluate(INSTALL)
    if isinstance(where, Locator):
        return where.evaluate_all("(nodes, name) => probes[name](nodes)", name)
    return page.evaluate("([name, given]) => probes[name](...given)", [name, list(given)])
