"""A dead network, a sleeping phone, a server that goes and comes."""

from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from tests.browser.taps import held, new_table, sums, tap, win

# Another page of this phone has sent the same tap, while this one waited for the answer.
ANOTHER = """() => {
  const own = window.fetch;
  window.fetch = async (...asked) => {
    const answer = await own(...asked);
    localStorage.removeItem("bummerl-unsent");
    return answer;
  };
}"""

COUNT = "tapped = 0; document.body.addEventListener('htmx:beforeRequest', () => tapped++)"


def test_a_tap_without_network_is_kept_and_sent_once(phone, server):
    page = phone()
    key = new_table(page)
    page.context.set_offline(True)
    win(page, 0)
    expect(page.locator("#outbox")).to_be_visible()
    expect(page.locator("#outbox")).to_contain_text("Noch nicht gesendet")
    # Nothing else can be tapped meanwhile, by key neither: it could only be judged after this.
    expect(page.locator(".tap.win.side-1")).to_have_css("pointer-events", "none")
    page.evaluate(COUNT)
    win(page, 1)
    assert page.evaluate("tapped") == 0
    page.evaluate(ANOTHER)
    page.context.set_offline(False)
    sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()
    assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 1


def test_an_unsent_tap_survives_closing_the_page(phone, server):
    page = phone()
    key = new_table(page)
    page.context.set_offline(True)
    win(page, 1)
    expect(page.locator("#outbox")).to_be_visible()
    again = page.context.new_page()
    page.close()
    again.context.set_offline(False)
    again.goto(f"/t/{key}")
    sums(again, 0, 2)
    expect(again.locator("#outbox")).to_be_hidden()
    assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 1


def test_an_answer_that_never_came_back_is_not_written_twice(phone, server):
    page = phone()
    key = new_table(page)

    def lose(route):
        route.fetch()
        route.abort("connectionreset")

    page.route("**/events", lose, times=1)
    win(page, 0)
    sums(page, 2, 0)
    expect(page.locator("#outbox")).to_be_hidden()
    assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 1


def test_a_tap_overtaken_while_unsent_is_told_so(phone, server):
    page = phone()
    key = new_table(page)
    page.context.set_offline(True)
    win(page, 0)
    expect(page.locator("#outbox")).to_be_visible()
    assert server.write(key, {"do": "gewinnt", "side": 1}, "other")[0] == 201
    page.context.set_offline(False)
    sums(page, 0, 2)
    # What waits is sent again every few seconds until a network is really there.
    expect(page.get_by_role("alert").filter(has_text="schneller")).to_be_visible()
    expect(page.locator("#table")).to_have_count(1)


def test_a_tap_behind_one_that_is_on_its_way_is_sent_right_after_it(phone):
    page = phone()
    page.clock.install()
    new_table(page)
    # What happens now happens at once, not by a later look.
    page.clock.pause_at(datetime.now() + timedelta(days=1))
    kept = held(page, "**/events")
    win(page, 0)
    expect(page.locator("#outbox")).to_be_visible()
    with page.expect_request("**/events"):
        tap(page.locator("#outbox button"))
    # Another page of this phone has sent it too.
    page.evaluate("localStorage.removeItem('bummerl-unsent')")
    with page.expect_event("requestfailed"):
        win(page, 1)
    kept[0].continue_()
    sums(page, 2, 0)
    expect(page.get_by_role("alert").filter(has_text="schneller")).to_be_visible()
    expect(page.locator("#outbox")).to_be_hidden()


@pytest.mark.parametrize("path", ["t", "b"])
def test_a_page_that_was_offline_shows_the_present(phone, server, path):
    page = phone()
    key = server.table()["scorer"]
    page.goto(f"/{path}/{key}")
    sums(page, 0, 0)
    page.context.set_offline(True)
    assert server.write(key, {"do": "gewinnt", "side": 1}, "while away")[0] == 201
    page.context.set_offline(False)
    sums(page, 0, 2)


def test_a_table_is_opened_where_browsers_know_plain_http_only(phone, server):
    # As in a house's own network: this name counts as any other machine's.
    page = phone(base_url=server.url.replace("127.0.0.1", "bummerl.local"))
    key = new_table(page)
    win(page, 0)
    sums(page, 2, 0)
    assert server.json("GET", f"/api/tables/{key}")[1]["seq"] == 1


def test_a_tap_does_not_wait_for_a_look_that_is_on_its_way(phone):
    page = phone()
    key = new_table(page)
    page.route(f"**/t/{key}", lambda _: None)
    with page.expect_request(f"**/t/{key}"):
        page.evaluate("document.body.dispatchEvent(new Event('resume'))")
    win(page, 0)
    sums(page, 2, 0)
