"""The core of the offline app in Firefox and WebKitGTK: `make browsers`."""

import os

import pytest

from scorer.web.frame.public_address import lan_address
from tests.browser.other_browsers import firefox, webkit
from tests.browser.test_pocket import MEMORY, bundle_folder, bundle_parts, snapshot_name, unstable
from tests.browser.unstable_network import SEND, UnstableServer, expect_valid_record

__all__ = ["bundle_folder", "bundle_parts", "unstable"]

pytestmark = pytest.mark.skipif(
    "OTHER_BROWSERS" not in os.environ, reason="make browsers runs it where they are installed"
)
STANDS = "document.documentElement.dataset"
SUMS = "[...document.querySelectorAll('.sum')].map(sum => sum.textContent.trim()).join()"


@pytest.mark.parametrize("launch", [firefox, webkit])
def test_evening_continues_without_network(unstable, tmp_path, launch):
    with launch(tmp_path) as browser:
        browser.goto(unstable.server.url)
        browser.tap("[data-pocket-do=prepare]")
        browser.until(f"{STANDS}.pocket === 'ready'")
        unstable.disconnect()
        browser.goto(unstable.server.url)
        browser.tap("input[value=bayern]")
        browser.tap("#new button.primary")
        browser.tap(".tap.win.side-0")
        browser.until(f"{SUMS} === '2,0'")
        url = browser.run("return location.href")
        browser.goto(url)
        browser.until(f"{SUMS} === '2,0'")
        unstable.connect()
        browser.run(SEND)
        browser.until(f"{STANDS}.unsent === '0'")
    assert expect_valid_record(unstable.server.record(url.rsplit("/", 1)[1])).points == (2, 0)


@pytest.mark.parametrize("launch", [firefox, webkit])
def test_open_page_works_offline_over_plain_http(bundle_folder, tmp_path, launch):
    # Browsers trust a network address of their own machine no more than any other.
    unstable = UnstableServer(tmp_path / "bummerl.db", bundle_folder, host=lan_address())
    with launch(tmp_path) as browser:
        browser.goto(unstable.server.url)
        browser.tap("[data-pocket-do=prepare]")
        browser.until(f"{STANDS}.pocket === 'ready'")
        assert not browser.run("return Boolean(navigator.serviceWorker)")
        browser.tap("input[value=bayern]")
        browser.tap("#new button.primary")
        browser.until(f"{SUMS} === '0,0' && {STANDS}.pocket === 'ready'")
        browser.tap(".tap.win.side-0")
        browser.until(f"{SUMS} === '2,0'")
        unstable.disconnect()
        for points in (2, 4):
            browser.until("!document.querySelector('.unsent')")
            browser.tap(".tap.win.side-1")
            browser.until(f"{SUMS} === '2,{points}'")
        url = browser.run("return location.href")
        # A new page uploads it. Its worker starts from the memory snapshot of the previous one.
        kept = (
            f"({MEMORY})('{snapshot_name(bundle_folder)}').then(kept => {{ window.memory = kept }})"
        )
        browser.until(f"{kept} && window.memory === 'bytes'")
        unstable.connect()
        browser.goto(url)
        browser.until(f"{STANDS}.unsent === '0'")
        browser.until(f"{kept} && window.memory === 'bytes'")
    assert expect_valid_record(unstable.server.record(url.rsplit("/", 1)[1])).points == (2, 4)
    unstable.close()
