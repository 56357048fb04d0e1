"""Where the browser keeps nothing, a page goes on from memory and says so."""

import pytest
from playwright.sync_api import expect

from tests.browser.taps import sums, win

# As in a private window.
BLOCKED = """IDBFactory.prototype.open = () => {
  throw new DOMException("The user denied permission to access the database.", "SecurityError");
};"""
LOCALES = {"de": "Browser", "en": "browser", "it": "browser", "fr": "navigateur"}


@pytest.mark.parametrize("language", LOCALES)
def test_a_tap_waits_in_the_page_which_says_so(phone, server, language):
    page = phone(locale=language, viewport={"width": 320, "height": 568})
    page.add_init_script(BLOCKED)
    key = server.table()["scorer"]
    page.goto(f"/t/{key}")
    page.context.set_offline(True)
    win(page, 0)
    unkept = page.locator("#outbox [data-unkept]")
    expect(unkept).to_be_visible()
    expect(unkept).to_contain_text(LOCALES[language])
    expect(unkept).to_be_in_viewport(ratio=1)
    page.context.set_offline(False)
    sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()
    assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 1
