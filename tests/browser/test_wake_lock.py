"""The screen of a phone stays on if its switch is on."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import launch_browser
from tests.browser.find_chromium import find_chromium

SEEN = """how => {
  Object.defineProperty(document, "visibilityState", { value: how, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
# Switches on and off before the wake lock is granted, and waits until it must have been.
AT_ONCE = """async () => {
  const button = document.querySelector("[data-awake]");
  button.click();
  button.click();
  await navigator.wakeLock.request("screen").then((lock) => lock.release());
}"""


@pytest.fixture(scope="module")
def chromium(playwright):
    """A full Chromium. The headless shell has no screen to keep on."""
    with launch_browser(playwright, find_chromium()) as browser:
        yield browser


def expect_awake_state(page, now):
    expect(page.locator("[data-awake]")).to_have_attribute("data-awake-now", now)


@pytest.mark.slow
def test_the_writers_screen_stays_on(phone, server):
    keys = server.table()
    page = phone(f"/t/{keys['scorer']}")
    expect_awake_state(page, "on")
    # Another tab or a call ends the wake lock. A page that is visible again requests a new one.
    page.evaluate(SEEN, "hidden")
    expect_awake_state(page, "off")
    page.evaluate(SEEN, "visible")
    expect_awake_state(page, "on")
    # Its switch is in the menu.
    page.get_by_role("link", name="Menü").click()
    switch = page.get_by_role("button", name="Bildschirm bleibt an", pressed=True)
    switch.click()
    expect_awake_state(page, "off")
    page.go_back()
    # Neither an entry from elsewhere nor a reload changes the choice.
    server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, "1")
    expect(page.locator(".sum").first).to_have_text("2")
    expect_awake_state(page, "off")
    page.reload()
    expect_awake_state(page, "off")
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("button", name="Bildschirm bleibt an", pressed=False).click()
    expect_awake_state(page, "on")
    page.goto(f"/t/{keys['scorer']}")
    expect_awake_state(page, "on")


@pytest.mark.slow
def test_wall_keeps_screen_on_and_board_has_a_switch(phone, server):
    keys = server.table()
    page = phone(f"/b/{keys['viewer']}")
    expect_awake_state(page, "off")
    page.evaluate(AT_ONCE)
    expect_awake_state(page, "off")
    page.locator("[data-awake]").click()
    expect_awake_state(page, "on")
    page.goto(f"/b/{keys['viewer']}?big=1")
    expect_awake_state(page, "on")
