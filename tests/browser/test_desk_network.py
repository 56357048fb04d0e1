"""Desk and helpers' phones without network: what can wait is sent once, nothing is lost."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.tournament.hall import PAIRS, Hall

WAITS = "#outbox span"


@pytest.fixture
def hall(server):
    return Hall(server, 8, games_per_round=2)


def results(hall):
    """The games that count, by table."""
    tables = hall.whole()["draws"][0]["tables"]
    return {table["table"]: table["games"] for table in tables if table["games"]}


def events(hall):
    """How many events are recorded."""
    return int(re.search(r'data-seq="(\d+)"', hall.page())[1])


def test_offline_points_keep_their_order(phone, hall):
    hall.draw()
    before = events(hall)
    page = phone(viewport={"width": 1280, "height": 800})
    page.goto(f"/p/{hall.key}?table=1")
    page.context.set_offline(True)
    table, points = page.get_by_label("Tisch, Nummer oder Name"), page.locator("[name=points]")
    for number, typed in (("1", "8 -3"), ("3", "0 2")):
        table.fill(number)
        points.fill(typed)
        points.press("Enter")
        expect(page.locator(WAITS)).to_contain_text(f"Tisch {number}: {typed}")
        # What was typed stays, and tapped again it is the same.
        expect(points).to_have_value(typed)
        points.press("Enter")
    # What has no points only asks for a table: that cannot wait, and takes no page away.
    points.fill("")
    points.press("Enter")
    expect(page.locator("#refused")).to_contain_text("„Eintragen“ braucht das Netz")
    page.locator("#refused button").click()
    page.context.set_offline(False)
    for number in (1, 3):
        expect(page.locator(f"#table-{number}")).to_have_class("is-done")
    expect(page.locator("#outbox")).to_be_hidden()
    expect(points).to_have_count(0)
    assert results(hall) == {1: [[15, 8], [3, 15]], 3: [[15, 0], [15, 2]]}
    assert events(hall) == before + 2


def test_an_offline_search_does_not_wait(phone, hall):
    hall.draw()
    page = phone()
    page.goto(f"/p/{hall.key}")
    page.context.set_offline(True)
    page.get_by_label("Tisch, Nummer oder Name").press("Enter")
    expect(page.locator("#refused")).to_contain_text("„Eintragen“ braucht das Netz")
    expect(page.locator("#outbox")).to_be_hidden()


def test_typing_survives_the_networks_return(phone, hall):
    hall.draw()
    page = phone(viewport={"width": 1280, "height": 800})
    page.goto(f"/p/{hall.key}?table=1")
    page.context.set_offline(True)
    points = page.locator("[name=points]")
    points.fill("8 3 1")
    points.press("Enter")
    expect(page.locator("#outbox")).to_be_visible()
    page.get_by_label("Tisch, Nummer oder Name").fill("2")
    points.fill("5 -")
    page.context.set_offline(False)
    # One game too many: the sentence says of which table, and stays.
    expect(page.locator("#refused")).to_contain_text("Tisch 1: 8 3 1")
    expect(points).to_have_value("5 -")
    assert results(hall) == {}


@pytest.mark.parametrize("lost", [False, True])
def test_an_offline_result_is_recorded_once(phone, hall, lost):
    hall.draw()
    before = events(hall)
    page = phone()
    page.goto(f"/p/{hall.key}/match/1/2")
    for side, points in (("a", ("15", "15")), ("b", ("2", "7"))):
        for box, value in zip(page.locator(f"[name={side}]").all(), points, strict=True):
            box.fill(value)

    def lose(route):
        route.fetch()
        route.abort("connectionreset")

    if lost:
        # It arrived, and its answer did not.
        page.route("**/match/1/2", lose, times=1)
    else:
        page.context.set_offline(True)
    page.get_by_role("button", name="Ergebnis eintragen").click()
    if not lost:
        expect(page.locator(WAITS)).to_contain_text("Tisch 2, Runde 1: 15:2 15:7")
        expect(page.locator("[name=b]").last).to_have_value("7")
        page.get_by_role("button", name="sperren").click()
        expect(page.locator("#refused")).to_contain_text("braucht das Netz")
        page.context.set_offline(False)
    # As with network, the desk comes next.
    expect(page.locator("#table-2")).to_have_class("is-done")
    assert results(hall) == {2: [[15, 2], [15, 7]]}
    assert events(hall) == before + 1


def test_each_offline_mark_is_sent_once(phone, hall):
    before = events(hall)
    page = phone()
    page.goto(f"/p/{hall.key}/pairs")
    page.context.set_offline(True)
    for pair, name in ((1, "bezahlt"), (1, "da"), (2, "bezahlt"), (3, "da"), (3, "da")):
        button = page.locator(f"#pair-{pair}").get_by_role("button", name=name)
        button.click()
        expect(button).to_have_attribute("data-waits", "")
    expect(page.locator(WAITS)).to_contain_text(f"{PAIRS[0]}: bezahlt, {PAIRS[0]}: da")
    # Another helper, who has network, is not undone by what was tapped before.
    hall.post("/pairs/2", "other", do="vermerk", mark="here")
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(page.locator("#counts")).to_have_text(re.compile(r"2 bezahlt ·\s+3 da"))
    expect(page.locator("#pair-2 [aria-pressed=true]")).to_have_count(2)
    assert events(hall) == before + 5


def test_a_loaded_page_can_keep_offline_taps(phone, hall):
    page = phone()
    held = []
    page.route("**/outbox_forms.js*", lambda route: held.append(route))
    with page.expect_request("**/outbox_forms.js*"):
        page.goto(f"/p/{hall.key}/pairs", wait_until="commit")
    page.wait_for_function("document.readyState != 'loading'")
    assert page.evaluate("document.readyState") == "interactive"
    held[0].continue_()
    page.wait_for_load_state("load")
    page.context.set_offline(True)
    page.locator("#pair-1").get_by_role("button", name="bezahlt").click()
    page.locator("#pair-2").get_by_role("button", name="bezahlt").click()
    expect(page.locator("#pair-2 [data-waits]")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()


def test_a_mark_without_answer_counts_once(phone, hall):
    before = events(hall)
    page = phone()
    page.goto(f"/p/{hall.key}/pairs")

    def lose(route):
        route.fetch()
        hall.post("/pairs/1", "other", do="vermerk", mark="here")
        route.abort("connectionreset")

    page.route("**/pairs/1", lose, times=1)
    page.locator("#pair-1").get_by_role("button", name="bezahlt").click()
    expect(page.locator("#pair-1 [aria-pressed=true]")).to_have_count(2)
    expect(page.locator("#refused")).to_be_hidden()
    assert events(hall) == before + 2


@pytest.mark.parametrize(
    ("path", "field", "button"),
    [
        ("", "text", "Anzeigen"),
        ("/pairs", "list", "Liste eintragen"),
        ("/settings", "name", "Speichern"),
        ("/prizes", "lines", "Speichern"),
    ],
)
def test_what_cannot_wait_says_so(phone, hall, path, field, button):
    page = phone()
    page.goto(f"/p/{hall.key}{path}")
    for summary in page.locator("summary").all():
        if summary.is_visible():
            summary.click()
    box = page.locator(f"[name={field}]").first
    box.fill("Wirtin; Wirt")
    page.context.set_offline(True)
    send = box.locator("xpath=ancestor::form").get_by_role("button", name=button)
    send.click()
    expect(page.locator("#refused")).to_contain_text(f"„{button}“ braucht das Netz")
    expect(box).to_have_value("Wirtin; Wirt")
    page.context.set_offline(False)
    # A page that is closed while it goes on to the next one can hang Chromium.
    with (
        page.expect_navigation(),
        page.expect_response(lambda answer: answer.request.method == "POST") as sent,
    ):
        send.click()
    assert sent.value.status in (200, 303)


def test_a_row_stays_under_the_finger(phone, server):
    hall = Hall(server, 23)
    page = phone()
    page.goto(f"/p/{hall.key}/pairs")
    row = page.locator("#pair-12")
    row.scroll_into_view_if_needed()
    before = row.bounding_box()["y"]
    for name, pressed in (("bezahlt", 1), ("da", 2)):
        row.get_by_role("button", name=name).click()
        expect(row.locator("[aria-pressed=true]")).to_have_count(pressed)
        assert row.bounding_box()["y"] == before
    expect(page.locator("#counts")).to_have_text(re.compile(r"1 bezahlt ·\s+1 da"))


def test_a_phone_has_boxes_a_laptop_a_line(phone, hall):
    hall.draw()
    page, laptop = phone(), phone(viewport={"width": 1280, "height": 800})
    for seen in (page, laptop):
        seen.goto(f"/p/{hall.key}?table=3")
    expect(laptop.locator("[name=points]")).to_be_focused()
    expect(laptop.locator(".line-form .boxes")).to_be_hidden()
    expect(page.locator("[name=points]")).to_be_hidden()
    for box, points in zip(page.locator(".boxes input").all(), (15, 8, 3, 15), strict=True):
        box.fill(str(points))
    page.context.set_offline(True)
    page.get_by_role("button", name="Eintragen").click()
    expect(page.locator(WAITS)).to_contain_text("Tisch 3: 15:8 3:15")
    page.context.set_offline(False)
    expect(page.locator("#table-3")).to_have_class("is-done")
    assert results(hall) == {3: [[15, 8], [3, 15]]}
