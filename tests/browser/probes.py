"""Calls the probes of probes.js by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, Page

PROBES = (Path(__file__).parent / "probes.js").read_text()


def probe(where: Page | Locator, name: str, *given: Any) -> Any:
    """What a probe finds on a page, given these; or in the elements of a locator."""
    if isinstance(where, Locator):
        return where.evaluate_all(f"(nodes) => {{ {PROBES}\nreturn {name}(nodes); }}")
    return where.evaluate(f"(given) => {{ {PROBES}\nreturn {name}(...given); }}", list(given))
