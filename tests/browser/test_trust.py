"""Claims of the other side's link, confirmations and hashes, on real phones."""

import re

import pytest
from playwright.sync_api import expect

from tests.builders import WON

pytestmark = pytest.mark.shared_phone

HAS_SEEN_TWO = """() =>
  Object.values(JSON.parse(localStorage.getItem("bummerl-witness"))).some((it) => it.number === 2)
"""
FORGE_SEEN_HASH = """() => {
  const all = JSON.parse(localStorage.getItem("bummerl-witness"));
  for (const one of Object.values(all)) one.witness = "ffff";
  localStorage.setItem("bummerl-witness", JSON.stringify(all));
}"""


@pytest.mark.slow
def test_only_one_phone_at_a_time_holds_the_other_seat(server, phone):
    keys = server.table(played=[WON] * 5)
    writer, cilli, dora = phone(), phone(), phone()
    writer.goto(f"/t/{keys['scorer']}/share")
    link = writer.get_by_text(f"/b/{keys['opponent']}")
    expect(link).to_be_attached()
    # Opening the link claims the seat.
    cilli.goto(f"/b/{keys['opponent']}")
    expect(cilli.locator("#seat-claim")).to_have_attribute("data-seat-claim", "here")
    writer.reload()
    expect(link).not_to_be_attached()
    dora.goto(f"/b/{keys['opponent']}")
    expect(dora.locator("#seat-claim")).to_have_attribute("data-seat-claim", "elsewhere")
    dora.locator("#seat-claim").get_by_role("button").click()
    expect(dora.locator("#seat-claim")).to_have_attribute("data-seat-claim", "here")
    expect(cilli.locator("[data-took-over]")).to_be_visible()
    expect(cilli.locator("#seat-claim")).to_have_attribute("data-seat-claim", "elsewhere")
    expect(cilli.locator(".confirm")).to_have_count(0)
    dora.locator(".confirm").get_by_role("button").click()
    writer.goto(f"/b/{keys['viewer']}/history")
    expect(writer.locator("[data-confirmed=phone]")).to_be_visible()


def open_watched_board(server, phone):
    """The keys of a table with one round, and a phone's page that shows its board."""
    keys = server.table(played=[WON])
    watcher = phone(f"/b/{keys['viewer']}")
    expect(watcher.locator("[data-entry='1']")).to_be_attached()
    return keys, watcher


@pytest.mark.slow
def test_phone_compares_record_with_its_earlier_view(server, phone):
    keys, watcher = open_watched_board(server, phone)
    server.play(keys["scorer"], WON)
    expect(watcher.locator("[data-entry='2']")).to_be_attached()
    watcher.wait_for_function(HAS_SEEN_TWO)
    watcher.goto("/")
    server.play(keys["scorer"], WON)
    watcher.goto(f"/b/{keys['viewer']}/sheet")
    status = watcher.get_by_role("status")
    expect(status).to_have_attribute("data-seen", "held")
    expect(status).to_contain_text(re.compile(r"\b2\b.*\b3\b"))
    # As if this phone had seen a different record.
    watcher.evaluate(FORGE_SEEN_HASH)
    watcher.reload()
    expect(watcher.locator("[data-seen=missing]")).to_be_visible()


def test_sheet_stays_unchanged_if_comparison_fails(server, phone):
    keys, watcher = open_watched_board(server, phone)
    watcher.route("**/sheet?seen=*", lambda route: route.fulfill(status=503, body="Busy"))
    with watcher.expect_response("**/sheet?seen=*"):
        watcher.goto(f"/b/{keys['viewer']}/sheet")
    watcher.evaluate("fetch(location.href)")
    expect(watcher.locator("#seen")).to_have_count(1)
