"""Common actions on pages: open a table, tap a button, decode a code."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from PIL import Image
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import camera


def new_table(page: Page, region: str = "oberoesterreich", start: str = "/") -> str:
    """Opens a table on the start page and returns the writer's key."""
    page.goto(start)
    page.locator(f"input[value={region}]").check()
    page.get_by_role("button", name="Los").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    return page.url.rsplit("/", 1)[1]


def tap(button: Locator) -> None:
    """Presses Enter on a button. A changed button ignores fingers for a moment, but not keys."""
    button.press("Enter")


def win(page: Page, side: int) -> None:
    tap(page.locator(f".tap.win.side-{side}"))


def undo(page: Page) -> None:
    tap(page.locator(".tools").get_by_role("button", name="Zurück"))


def expect_sums(page: Page, *points: int) -> None:
    """Waits until the page shows these sums."""
    expect(page.locator(".sum")).to_have_text([str(value) for value in points])


def hold_outbox_request(page: Page, path: str) -> list[Route]:
    """Aborts the requests of taps to `path`, and holds the first request of the outbox.

    The returned list receives the held route, which the test continues.
    """
    kept: list[Route] = []

    def hold(route: Route) -> None:
        if route.request.method != "POST":
            route.continue_()
        elif route.request.resource_type == "xhr":
            route.abort()
        elif kept:
            route.continue_()
        else:
            kept.append(route)

    page.route(path, hold)
    return kept


def wait_for_held_route(page: Page, waiting: list[Route]) -> Route:
    """Waits until `waiting` contains a held route, and returns the first."""
    while not waiting:
        page.evaluate("new Promise(requestAnimationFrame)")
    return waiting[0]


def animation_speed(page: Page) -> Callable[[float], Any]:
    """A function that sets the speed of the page's animations; 1 is normal."""
    tools = page.context.new_cdp_session(page)
    tools.send("Animation.enable")
    return lambda rate: tools.send("Animation.setPlaybackRate", {"playbackRate": rate})


def stop_clock(page: Page, at: datetime = datetime(2031, 1, 1)) -> None:
    """Stops the clock of all pages opened from now on. Only the test advances it."""
    page.clock.install(time=at)
    page.clock.pause_at(at + timedelta(seconds=1))


def scan_code(code: Locator) -> str:
    """Takes a picture of a QR code on a page and returns its text."""
    code.page.wait_for_load_state()
    picture = Image.open(io.BytesIO(code.screenshot()))
    [words] = camera.read(picture)
    return words
