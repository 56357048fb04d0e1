"""Measures how long the offline app takes on a phone four times slower: `make pocket-slow`.

It needs a machine that does nothing else.
"""

import os
from time import perf_counter

import pytest

from tests.browser.slow_processor import slow_down
from tests.browser.taps import expect_sums, new_table, win
from tests.browser.test_pocket import bundle_folder, bundle_parts, phone, unstable
from tests.browser.unstable_network import expect_app_state, reconnect_and_upload

__all__ = ["bundle_folder", "bundle_parts", "phone", "unstable"]

pytestmark = pytest.mark.skipif(
    "SLOW_PHONE" not in os.environ, reason="make pocket-slow measures it on a quiet machine"
)
# Milliseconds from a tap until the page shows its result.
TAP = """() => new Promise((done) => {
  const began = performance.now();
  const shown = () => done(performance.now() - began);
  document.body.addEventListener("htmx:afterSettle", shown, { once: true });
  document.querySelector(".tap.win.side-0").click();
})"""


def test_slow_phone_starts_offline_app_within_12_s(unstable, phone):
    key = new_table(phone.page)
    unstable.disconnect()
    win(phone.page, 0, sums=(2, 0))
    phone.kill()
    phone.start()
    page = phone.page
    with slow_down(phone.process(), 4):
        began = perf_counter()
        page.goto(f"/t/{key}")
        expect_app_state(page, "offline", 1)
        start_seconds = perf_counter() - began
        tap_milliseconds = page.evaluate(TAP)
    expect_sums(page, 4, 0)
    reconnect_and_upload(unstable, page)
    print(f"ready after {start_seconds:.1f} s, first tap answered after {tap_milliseconds:.0f} ms")
    assert start_seconds < 12
    assert tap_milliseconds < 500
