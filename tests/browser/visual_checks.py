"""Checks of what is visible on a screen; each takes a screenshot once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from playwright.sync_api import Locator, Page

from tests.browser.probes import probe


def each_screen(page: Page, sizes: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Give the page each size in turn, and yield it."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        yield width, height


def unfold(page: Page) -> int:
    """Open everything on the page that can be opened, and return how many were opened."""
    return probe(page, "unfold")


def expect_in_view(parts: Locator) -> None:
    """Assert that there are such parts and that each is whole on the screen."""
    assert parts.count()
    assert probe(parts, "outOfSight") == []
