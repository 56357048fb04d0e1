"""Checks of what is visible on a screen; each takes a screenshot once."""

from __future__ import annotations

from playwright.sync_api import Locator, Page

from tests.browser.probes import probe


def unfold(page: Page) -> int:
    """Open what can be opened; how many there were."""
    return probe(page, "unfold")


def in_sight(parts: Locator) -> None:
    """There are some of these, and each is on the screen as a whole."""
    assert parts.count()
    assert probe(parts, "outOfSight") == []
