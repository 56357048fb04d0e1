"""Taps made before the previous tap is answered: each is recorded as its button said, or refused
visibly."""

import pytest
from playwright.sync_api import expect

from tests.browser.taps import ENTRIES, expect_sums
from tests.browser.unstable_network import wait_for_held_route
from tests.builders import WON
from tests.sampling import slow


@pytest.fixture
def pad(phone, server):
    """A function that opens a table and holds the request of the next tap.

    It returns the page, a list that receives the held route, and a function that returns the kinds
    of the events recorded since.
    """

    def open_pad(*events):
        key = server.table(sides=[{"name": "Anna"}, {"name": "Bert"}], played=events)["scorer"]
        page, waiting = phone(f"/t/{key}", has_touch=True), []
        page.evaluate(
            "import(document.querySelector('#outbox').dataset.queuedTapsUrl).then(() => null)"
        )
        # Ends the animations during which changed buttons ignore taps.
        page.evaluate("document.getAnimations().forEach((one) => one.finish())")

        def hold(route):
            if route.request.method == "POST" and not waiting:
                waiting.append(route)
            else:
                route.continue_()

        page.route("**/events", hold)

        def recorded_kinds():
            return [event["do"] for event in server.record(key)["events"][len(events) :]]

        return page, waiting, recorded_kinds

    return open_pad


def button(page, kind, side):
    return page.locator(f".tap.{kind}.side-{side}").first


def tap_early(button):
    """Tap while a response is pending, and wait until the tap is stored."""
    button.tap()
    expect(button).to_have_attribute("data-waits", "")
    button.page.evaluate(ENTRIES)


def expect_only_raise(page, waiting, recorded_kinds):
    """Assert that only the raise is recorded, and that no refused tap is reported."""
    wait_for_held_route(page, waiting).continue_()
    expect(page.locator("#table")).to_have_attribute("data-seq", "1")
    assert recorded_kinds() == ["bieten"]
    expect(page.locator("#refused")).to_be_hidden()


@pytest.mark.parametrize("focus", ["kept", *slow("lost")])
def test_tap_on_another_button_waits_and_counts(pad, focus):
    page, waiting, recorded_kinds = pad()
    button(page, "win", 0).tap()
    tap_early(button(page, "win", 1))
    if focus == "lost":
        page.evaluate("document.activeElement.blur()")
    wait_for_held_route(page, waiting).continue_()
    expect_sums(page, 2, 2)
    assert recorded_kinds() == ["gewinnt", "gewinnt"]
    expect(page.locator("#refused")).to_be_hidden()
    expect(page.locator("[data-waits]")).to_have_count(0)


def test_waiting_taps_keep_their_order(pad):
    page, waiting, recorded_kinds = pad()
    button(page, "win", 0).tap()
    for kind in ("win", "raise"):
        tap_early(button(page, kind, 1))
    wait_for_held_route(page, waiting).continue_()
    expect(page.locator("#table")).to_have_attribute("data-seq", "3")
    assert recorded_kinds() == ["gewinnt", "gewinnt", "bieten"]
    expect_sums(page, 2, 2)


OTHERWISE = {
    # After the raise the other side cannot take the round, but must answer.
    "gone": ([], "raise", ".tap.win.side-1", "Bert +2", ["bieten"]),
    # Undo would now take back another event.
    "changed": ([WON], "win", ".tools .tool", "Zurück", ["gewinnt"]),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", OTHERWISE)
def test_tap_on_a_changed_button_is_reported(pad, name):
    events, first, second, what, done = OTHERWISE[name]
    page, waiting, recorded_kinds = pad(*events)
    button(page, first, 0).tap()
    tap_early(page.locator(second).first)
    wait_for_held_route(page, waiting).continue_()
    notice = page.locator("#refused")
    expect(notice).to_contain_text(what)
    assert recorded_kinds() == done
    # The notice remains until somebody closes it.
    page.reload()
    expect(notice).to_contain_text(what)
    notice.get_by_role("button").click()
    expect(notice).to_be_hidden()


@pytest.mark.slow
def test_tap_behind_a_failed_tap_is_reported(pad):
    page, waiting, recorded_kinds = pad()
    button(page, "win", 0).tap()
    tap_early(button(page, "win", 1))
    wait_for_held_route(page, waiting).abort()
    expect(page.locator("#refused")).to_contain_text("Bert +2")
    # The first tap is sent again automatically, and no tap waits anymore.
    expect_sums(page, 2, 0)
    assert recorded_kinds() == ["gewinnt"]
    expect(page.locator("[data-waits]")).to_have_count(0)


@pytest.mark.slow
def test_reload_reports_waiting_taps(pad):
    page, *_ = pad()
    button(page, "win", 0).tap()
    tap_early(button(page, "win", 1))
    page.reload()
    expect(page.locator("#refused")).to_contain_text("Bert +2")


@pytest.mark.slow
def test_second_key_press_is_ignored(pad):
    page, waiting, recorded_kinds = pad()
    one = button(page, "raise", 0)
    one.press("Enter")
    one.press("Enter")
    expect_only_raise(page, waiting, recorded_kinds)


@pytest.mark.slow
def test_second_tap_on_neighbour_button_is_ignored(pad):
    page, waiting, recorded_kinds = pad()
    one, other = (button(page, kind, 0).bounding_box() for kind in ("raise", "win"))
    across, end = one["x"] + one["width"] / 2, one["y"] + one["height"]
    assert other["y"] - end < 30
    page.touchscreen.tap(across, end - 5)
    page.touchscreen.tap(across, other["y"] + 5)
    expect_only_raise(page, waiting, recorded_kinds)


HOLD_STORE = """() => new Promise((held) => {
  const opening = indexedDB.open("bummerl-outbox");
  opening.onsuccess = () => {
    const store = opening.result.transaction("entries", "readwrite").objectStore("entries");
    const spin = () => (held(), window.isReleased || (store.count().onsuccess = spin));
    spin();
  };
})"""
"""JavaScript: keeps the store of all pages busy until `isReleased`."""
STARTED = "import(document.querySelector('script[src*=\"/outbox.js\"]').src).then(() => null)"
"""JavaScript: waits until the outbox has started."""


def test_a_tap_before_the_outbox_has_started_is_sent_once(pad):
    """An early tap is not taken for one that an earlier page left."""
    page, waiting, recorded_kinds = pad()
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate(HOLD_STORE)
    page.reload()
    button(page, "win", 0).tap()
    route = wait_for_held_route(page, waiting)
    other.evaluate("isReleased = true")
    page.evaluate(STARTED)
    assert [bool(entry["since"]) for entry in page.evaluate(ENTRIES)] == [True]
    expect(page.locator("#outbox")).to_be_hidden()
    route.continue_()
    expect_sums(page, 2, 0)
    assert recorded_kinds() == ["gewinnt"]


def test_more_opens_after_the_pending_response(pad):
    page, waiting, recorded_kinds = pad()
    button(page, "win", 0).tap()
    tap_early(page.locator("#more"))
    wait_for_held_route(page, waiting).continue_()
    expect_sums(page, 2, 0)
    expect(page.locator("#panel > *")).to_have_count(1)
    assert recorded_kinds() == ["gewinnt"]
