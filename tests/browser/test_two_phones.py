"""Two phones, two tabs or two taps record a round once, and all of them show it."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.taps import (
    animation_speed,
    expect_sums,
    middle_of,
    new_table,
    start_table,
    undo,
    win,
)
from tests.browser.unstable_network import wait_until
from tests.builders import WON
from tests.sampling import mostly_slow, slow

pytestmark = pytest.mark.shared_phone


def test_round_tapped_on_two_phones_is_recorded_once(phone):
    one = phone()
    two = phone(f"/t/{new_table(one)}", java_script_enabled=False)
    expect_sums(two, 0, 0)
    win(one, 0, sums=(2, 0))
    # The other phone still shows the old state, and taps the same round.
    win(two, 0)
    expect(two.get_by_role("alert")).to_contain_text("schneller")
    expect_sums(two, 2, 0)
    win(two, 1, sums=(2, 2))
    expect_sums(one, 2, 2)


def test_writers_see_each_other_live(phone):
    one = phone()
    two = phone(f"/t/{new_table(one)}")
    win(one, 0)
    expect_sums(two, 2, 0)
    undo(two)
    # Either phone may be updated first.
    expect_sums(one, 0, 0)
    expect_sums(two, 0, 0)
    win(two, 1)
    expect_sums(one, 0, 2)


NAMES = [{"name": "Anna"}, {"name": "Bert"}]


def expect_seq(page, seq):
    expect(page.locator("#table")).to_have_attribute("data-seq", str(seq))


SPOTS = {"win": "gewinnt", "raise": "bieten", "answer": "bleiben"}


@pytest.mark.parametrize("script", [True, *slow(False)], ids=["scripts", "plain"])
@pytest.mark.parametrize("spot", ["raise", *slow("win", "answer")])
def test_repeated_tap_is_recorded_once(phone, server, spot, script):
    page = phone(has_touch=True, java_script_enabled=script)
    pace = animation_speed(page)
    # A trembling finger taps again at once, or when the result is shown. Without scripts the result
    # is a new page, and a test would wait forever for a touch between two pages.
    for late in (False, True) if script else (True,):
        before = [{"do": "bieten", "side": 1}] if spot == "answer" else []
        key = server.table(sides=NAMES, played=before)["scorer"]
        pace(1)
        page.goto(f"/t/{key}")
        button = page.locator(f".tap.{spot}.side-0").first
        if script:
            expect(page.locator("html.has-tap-guard")).to_have_count(1)
        else:
            # A new page ignores taps for a moment too.
            button.click(trial=True)
        at = middle_of(button)
        # From now on the moment without taps is longer than a busy machine's delays.
        expect(page.locator(".parity-0, .parity-1").first).to_have_css(
            "animation-duration", "0.65s"
        )
        pace(0.005)
        page.touchscreen.tap(*at)
        if late:
            expect_seq(page, len(before) + 1)
            page.wait_for_load_state()
        page.touchscreen.tap(*at)
        expect_seq(page, len(before) + 1)
        done = server.record(key)["events"][len(before) :]
        assert [event["do"] for event in done] == [SPOTS[spot]], late


ANSWERED = [
    *(("upright", "bleiben"), ("flat", "gehen")),
    *(("upright", "gehen"), ("flat", "bleiben"), ("own", "gehen")),
]


@pytest.mark.parametrize(("look", "do"), mostly_slow(ANSWERED))
def test_late_second_tap_on_an_answer_is_ignored(phone, server, look, do):
    """At first only undo accepts a tap. Later no button is where the answer was."""
    page = phone(has_touch=True)
    page.context.add_cookies([{"name": look, "value": "1", "url": server.url}])
    pace = animation_speed(page)
    keys = server.table(sides=NAMES, played=[{"do": "bieten", "side": 0}], answers=True)
    if look == "own":
        # The first visit claims the seat, which arrives as news. The second visit gets no news.
        with page.expect_response("**/hold"):
            page.goto(f"/b/{keys['opponent']}")
    page.goto(f"/b/{keys['opponent']}" if look == "own" else f"/t/{keys['scorer']}")
    answer = page.locator(".answer", has_text=do)
    # A new page ignores taps for a moment too.
    wait_until(page, "() => !document.getAnimations().some((one) => one.playState === 'running')")
    at = middle_of(answer)
    pace(0.005)
    page.touchscreen.tap(*at)
    expect(answer).to_have_count(0)
    replaced = page.locator(".buttons-replaced")
    if look != "own":
        expect(replaced).to_have_css("animation-duration", "1.5s")
        expect(page.locator(".tap.win").first).to_have_css("pointer-events", "none")
        expect(page.locator(".undo").first).to_have_css("pointer-events", "auto")
        win = page.locator(".tap.win").first.bounding_box()
        page.touchscreen.tap(win["x"] + 20, win["y"] + 20)
    page.touchscreen.tap(*at)
    pace(1)
    if look != "own":
        expect(page.locator(".tap.win").first).to_have_css("pointer-events", "auto")
    page.touchscreen.tap(*at)
    server.play(keys["scorer"], WON)
    expect(page.locator(".side-0 .sum").first).to_have_text("3" if do == "bleiben" else "4")
    done = [event["do"] for event in server.record(keys["scorer"])["events"]]
    assert [what for what in done if what != "uebernahme"] == ["bieten", do, "gewinnt"]


@pytest.mark.slow
def test_tap_on_another_button_is_recorded(phone, server):
    key = server.table(sides=NAMES)["scorer"]
    page = phone(f"/t/{key}", has_touch=True)
    expect(page.locator("html.has-tap-guard")).to_have_count(1)
    # Nobody has tapped on this page yet, so it accepts taps at once.
    animation_speed(page)(0.005)
    one, other = (page.locator(f".tap.win.side-{side}") for side in (0, 1))
    box = one.bounding_box()
    beside = box["width"] / 2 - 30, box["height"] / 2
    one.tap(position={"x": beside[0], "y": beside[1]})
    expect_sums(page, 2, 0)
    one.tap(position={"x": beside[0] + 30, "y": beside[1]})
    other.tap()
    expect_sums(page, 2, 2)
    # After an entry from another phone, a tap cannot be meant for the new state, so it is ignored.
    server.play(key, WON)
    expect_sums(page, 4, 2)
    other.tap()
    expect_seq(page, 3)
    page.goto("about:blank")
    page.go_back()
    expect(page.locator("html.has-tap-guard")).to_have_count(1)
    other.tap()
    expect_sums(page, 4, 4)
    assert server.seq(key) == 4


@pytest.mark.slow
def test_key_held_down_is_recorded_once(phone):
    page, _ = start_table(phone)
    page.locator(".tap.win").first.focus()
    page.keyboard.down("Enter")
    expect_sums(page, 2, 0)
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.reload()
    expect_sums(page, 2, 0)


@pytest.mark.slow
def test_tap_during_a_resend_is_recorded_after_it(phone):
    page, key = start_table(phone)
    path = f"**/t/{key}/events"
    page.route(path, lambda route: route.abort())
    win(page, 0)
    expect(page.locator("#outbox")).to_be_visible()
    page.goto(f"/b/{key}")
    page.unroute(path)
    again = []
    page.route(path, lambda route: again.append(route), times=1)
    with page.expect_request(path):
        page.go_back()
    expect_sums(page, 0, 0)
    win(page, 1)
    expect(page.locator(".tap.win.side-1")).to_have_attribute("data-waits", "")
    again[0].continue_()
    expect_sums(page, 2, 2)
    expect(page.locator("#outbox, #refused").filter(visible=True)).to_have_count(0)


def test_opened_details_stay_open_on_updates(phone):
    writer = phone()
    reader = phone(f"/b/{new_table(writer)}")
    reader.locator("#round-value > summary").click()
    expect(reader.locator("#round-value ul")).to_be_visible()
    win(writer, 0)
    expect_sums(reader, 2, 0)
    expect(reader.locator("#round-value ul")).to_be_visible()


def open_more_and_type(page, key):
    """Open "more" on a table's page, type points and choose a Schlag."""
    page.goto(f"/t/{key}")
    page.locator("#more").click()
    page.get_by_label("Punkte").fill("7")
    page.get_by_label("Schlag").select_option(label="Unter")


@pytest.mark.parametrize("news", ["stream", *slow("resume")])
def test_points_typed_in_more_panel_survive_updates(phone, server, news):
    page, drawn = phone(fresh=True), []
    key = server.table()["scorer"]
    page.on("request", lambda one: one.url.endswith("/more") and drawn.append(one))
    if news == "resume":
        page.route("**/stream", lambda route: route.abort())
    open_more_and_type(page, key)
    server.play(key, WON, {"do": "ansage", "schlag": "8", "trumpf": "H"})
    if news == "resume":
        page.evaluate("document.body.dispatchEvent(new Event('resume'))")
    expect_sums(page, 2, 0)
    # The untouched choice shows the other phone's value, the changed one keeps its own.
    expect(page.get_by_label("Trumpf")).to_have_value("H")
    expect(page.get_by_label("Schlag")).to_have_value("U")
    points = page.get_by_label("Punkte")
    expect(points).to_have_value("7")
    expect(page.locator("#more")).to_have_attribute("aria-expanded", "true")
    # The buttons of the panel are as new as the table.
    expect(page.locator("#panel [name=seq]").first).to_have_value("2")
    page.locator(".offence", has=points).get_by_role("button").first.press("Enter")
    expect_sums(page, 2, 7)
    expect(page.locator("#panel > *")).to_have_count(0)
    # The panel is loaded when it is opened, and once for each entry.
    assert len(drawn) <= 3


def test_overtaken_entry_keeps_its_typed_points(phone, server):
    page = phone()
    key = server.table()["scorer"]
    open_more_and_type(page, key)

    def write_first(route):
        server.play(key, WON)
        route.continue_()

    page.route("**/events", write_first, times=1)
    button = page.locator(".offence", has=page.get_by_label("Punkte")).get_by_role("button").first
    button.press("Enter")
    expect(page.get_by_role("alert").filter(has_text="schneller")).to_be_in_viewport()
    expect(page.get_by_label("Punkte")).to_have_value("7")
    expect(page.locator("#panel [name=seq]").first).to_have_value("1")
    button.press("Enter")
    expect_sums(page, 2, 7)


@pytest.mark.slow
def test_tables_are_remembered_on_the_phone(phone):
    page, key = start_table(phone, region="bayern")
    win(page, 0, sums=(2, 0))
    page.goto("/")
    mine = page.locator(".mine li")
    expect(mine).to_have_count(1)
    expect(mine.locator("b")).to_have_text(["2", "0"])
    mine.get_by_role("link").click()
    page.wait_for_url(re.compile(f"/t/{key}$"))
    page.go_back()
    mine.get_by_role("button").click()
    expect(mine).to_have_count(0)
    page.goto(f"/t/{key}")
    expect_sums(page, 2, 0)
