"""If the browser blocks storage, a page continues from memory and says so."""

import pytest
from playwright.sync_api import expect

from tests.browser.positions import PAGES, written
from tests.browser.taps import expect_sums, win
from tests.sampling import slow

# As in a private window.
BLOCKED = """IDBFactory.prototype.open = () => {
  throw new DOMException("The user denied permission to access the database.", "SecurityError");
};"""


def test_offline_tap_waits_in_page_without_storage(phone, server):
    # The notice is longest in Italian.
    page = phone(locale="it", viewport={"width": 320, "height": 568})
    page.add_init_script(BLOCKED)
    key = server.table()["scorer"]
    page.goto(f"/t/{key}")
    page.context.set_offline(True)
    win(page, 0)
    unkept = page.locator("#outbox [data-unkept]")
    expect(unkept).to_be_visible()
    expect(unkept).to_contain_text("browser")
    expect(unkept).to_be_in_viewport(ratio=1)
    page.context.set_offline(False)
    expect_sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()
    assert server.seq(key) == 1


ALL_BLOCKED = f"""{BLOCKED}
const get = () => {{ throw new DOMException("", "SecurityError"); }};
Object.defineProperties(window, {{ localStorage: {{ get }}, sessionStorage: {{ get }} }});
"""


@pytest.mark.slow
@pytest.mark.parametrize("pages", [slice(0, None, 4), *slow(slice(None))], ids=["some", "all"])
def test_no_script_fails_where_storage_is_blocked(phone, server, pages):
    """An error in a script fails the test by the `phone` fixture."""
    page = phone(fresh=True)
    page.add_init_script(ALL_BLOCKED)
    for path, name in PAGES[pages]:
        page.goto(path.format(**written(server)[name]))
        page.evaluate("() => Promise.resolve()")
