"""Common actions on pages: open a table, tap a button, decode a code."""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from PIL import Image
from playwright.sync_api import Locator, Page, expect

from tests.browser import camera

STORE = "import(document.querySelector('#outbox').dataset.storeUrl)"
"""JavaScript: the module that stores unsent taps."""
ENTRIES = f"{STORE}.then((store) => store.change((entries) => entries))"
"""JavaScript: the unsent entries of a phone."""
TAPPED = """() => {
  const button = document.querySelector(".tap.win.side-0");
  const body = new URLSearchParams(new FormData(button.form, button));
  return { url: button.form.getAttribute("hx-post"), body: String(body) };
}"""
"""JavaScript: the outbox's entry for a tap on this page."""


def path_of(url: str) -> str:
    """An address without its host, for a phone that reaches this machine by another name."""
    return re.sub(r"https?://[^/]+", "", url)


def new_table(page: Page, region: str = "oberoesterreich", start: str = "/") -> str:
    """Open a table on the start page and return the writer's key."""
    page.goto(start)
    page.locator(f"input[value={region}]").check()
    page.get_by_role("button", name="Los").click()
    page.wait_for_url(re.compile(r"/t/\w+$"))
    return page.url.rsplit("/", 1)[1]


def start_table(phone: Any, *, region: str = "oberoesterreich", **options: Any) -> tuple[Page, str]:
    """Open a table on a new phone, and return its page and the writer's key."""
    page = phone(**options)
    return page, new_table(page, region)


def tap(button: Locator) -> None:
    """Press Enter on a button. A changed button ignores fingers for a moment, but not keys."""
    button.press("Enter")


def win(page: Page, side: int, *, sums: tuple[int, ...] = ()) -> None:
    """Write a won round. With `sums`, wait until the page shows them and the tap is answered.

    The live stream may show the sums before the answer comes. Until then the page ignores a second
    press of the same button.
    """
    tap(page.locator(f".tap.win.side-{side}"))
    if sums:
        expect_sums(page, *sums)
        expect(page.locator("#table form.htmx-request")).to_have_count(0)


def middle_of(button: Locator) -> tuple[float, float]:
    box = button.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def undo(page: Page) -> None:
    tap(page.locator(".tools").get_by_role("button", name="Zurück"))


def expect_sums(page: Page, *points: int) -> None:
    """Wait until the page shows these sums."""
    expect(page.locator(".sum")).to_have_text([str(value) for value in points])


def animation_speed(page: Page) -> Callable[[float], Any]:
    """A function that sets the speed of the page's animations; 1 is normal."""
    tools = page.context.new_cdp_session(page)
    tools.send("Animation.enable")
    return lambda rate: tools.send("Animation.setPlaybackRate", {"playbackRate": rate})


def stop_clock(page: Page, at: datetime = datetime(2031, 1, 1)) -> None:
    """Stop the clock of all pages opened from now on. Only the test advances it."""
    page.clock.install(time=at)
    page.clock.pause_at(at + timedelta(seconds=1))


def scan_code(code: Locator) -> str:
    """Take a picture of a QR code on a page and return its text."""
    code.page.wait_for_load_state()
    [words] = camera.read(Image.open(io.BytesIO(code.screenshot())))
    return words
