"""Desk and helpers' phones without network: what can wait is sent once, nothing is lost."""

import re

import pytest
from playwright.sync_api import expect

from tests.web.tournament.hall import PAIRS, Hall

WAITS = "#outbox span"
WIDE = {"width": 1280, "height": 800}


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


def test_offline_slips_keep_their_order(phone, hall):
    hall.draw()
    before = events(hall)
    page = phone(viewport=WIDE)
    page.goto(f"/p/{hall.key}")
    expect(page.locator("#line[data-ready]")).to_be_attached()
    page.context.set_offline(True)
    for typed in ("1 8 -3", "9 8 3", "3 0 2", "2\n4 4"):
        page.keyboard.type(f"{typed}\n")
    # What the page knows it says at once: there is no table 9.
    asked = page.locator("#told [data-asked]")
    expect(asked.locator("[name=table]")).to_have_value("9")
    expect(page.locator("#queue li")).to_have_text(
        ["Tisch 1: 8 -3", "Tisch 3: 0 2", "Tisch 2: 4 4"]
    )
    expect(page.locator(WAITS)).to_contain_text("Tisch 1: 8 -3")
    page.context.set_offline(False)
    expect(page.locator("#table-1")).to_have_class("is-done")
    # What was typed after a slip that is asked about waits for the answer.
    expect(page.locator("#queue li")).to_have_count(2)
    assert list(results(hall)) == [1]
    asked.locator("[name=table]").fill("4")
    asked.locator("[name=points]").press("Enter")
    for number in (2, 3, 4):
        expect(page.locator(f"#table-{number}")).to_have_class("is-done")
    expect(page.locator("#outbox")).to_be_hidden()
    assert results(hall) == {
        1: [[15, 8], [3, 15]],
        2: [[15, 4], [15, 4]],
        3: [[15, 0], [15, 2]],
        4: [[15, 8], [15, 3]],
    }
    assert events(hall) == before + 4


def test_a_row_opens_its_table_offline(phone, hall):
    """No link of the desk leads to the browser's error page."""
    hall.draw()
    page = phone()
    page.goto(f"/p/{hall.key}")
    expect(page.locator("#line[data-ready]")).to_be_attached()
    page.context.set_offline(True)
    page.locator("#table-2 a").click()
    expect(page.locator("#opened [name=table]")).to_have_value("2")
    page.get_by_role("link", name="Paare", exact=True).click()
    expect(page.locator("#refused")).to_contain_text("„Paare“ braucht das Netz")
    assert page.url.endswith(f"/p/{hall.key}")


def test_an_open_question_outlives_its_page(phone, hall):
    hall.draw()
    hall.enter(1, 1, (15, 8), (15, 8))
    page = phone(viewport=WIDE)
    page.goto(f"/p/{hall.key}")
    expect(page.locator("#line[data-ready]")).to_be_attached()
    page.keyboard.type("1 3 3\n2 4 4\n")
    asked = page.locator("#told [data-asked]")
    expect(asked.locator("[name=reason]")).to_be_visible()
    page.goto(f"/p/{hall.key}/pairs")
    expect(page.locator("#refused")).to_contain_text("Tisch 1: 3 3")
    page.goto(f"/p/{hall.key}")
    expect(asked.locator("[name=table]")).to_have_value("1")
    expect(page.locator("#queue li")).to_have_text(["Tisch 2: 4 4"])
    expect(page.locator("#refused")).to_be_hidden()
    assert results(hall) == {1: [[15, 8], [15, 8]]}
    # Sent once more it is asked in full.
    asked.locator("[name=points]").press("Enter")
    asked.locator("[name=reason]").fill("verlesen")
    asked.locator("[name=reason]").press("Enter")
    expect(page.locator("#table-2")).to_have_class("is-done")
    assert results(hall) == {1: [[15, 3], [15, 3]], 2: [[15, 4], [15, 4]]}


def test_enter_leads_to_the_question_or_the_next_table(phone, hall):
    """By keys alone; an Enter that trembles does neither."""
    hall.draw()
    hall.enter(1, 1, (15, 8), (15, 8))
    page = phone(viewport=WIDE)
    page.clock.install()
    page.goto(f"/p/{hall.key}")
    line, opened = page.locator("#line [name=entry]"), page.locator("#opened form")
    expect(page.locator("#line[data-ready]")).to_be_attached()
    expect(page.locator("#hint")).to_contain_text("Tisch 2")
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    page.keyboard.type("1 3 3\n\n")
    expect(page.locator("#told [data-asked]")).to_be_visible()
    page.keyboard.type("\n")
    expect(line).to_be_focused()
    expect(opened).to_have_count(0)
    page.clock.run_for(600)
    page.keyboard.type("\nverlesen\n")
    expect(page.locator("#told [data-written='1']")).to_contain_text("2:0 für")
    expect(line).to_be_focused()
    page.clock.run_for(600)
    page.keyboard.type("\n")
    expect(opened.locator("[name=table]")).to_have_value("2")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(line).to_be_focused()
    assert results(hall) == {1: [[15, 3], [15, 3]]}


def test_a_trembling_enter_answers_nothing(phone, hall):
    hall.draw()
    page = phone(viewport=WIDE)
    page.clock.install()
    page.goto(f"/p/{hall.key}")
    expect(page.locator("#line[data-ready]")).to_be_attached()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    # At 1 nobody stands by the rules.
    page.keyboard.type("1 1 3\n")
    yes = page.locator("#told button[name=sure]")
    expect(yes).to_be_visible()
    page.clock.run_for(600)
    page.keyboard.type("\n\n\n")
    expect(yes).to_be_focused()
    assert results(hall) == {}
    page.clock.run_for(600)
    page.keyboard.type("\n")
    expect(page.locator("#told [data-written='1']")).to_be_visible()
    assert results(hall) == {1: [[15, 1], [15, 3]]}


def test_two_desks_overwrite_nothing(phone, hall):
    """Both type the same tables at once: one result counts, the other is asked about."""
    hall.draw()
    desks = [phone(viewport=WIDE) for _ in range(2)]
    for desk in desks:
        desk.goto(f"/p/{hall.key}")
        expect(desk.locator("#line[data-ready]")).to_be_attached()
    for number in (1, 2, 3, 4):
        for points, desk in enumerate(desks, 3):
            desk.keyboard.type(f"{number} {points} {points}\n")
    asked = 0
    for desk in desks:
        question = desk.locator("#told [data-asked]")
        for _ in range(4):
            expect(desk.locator("#queue:empty, #told [data-asked]").first).to_be_attached()
            if not question.count():
                break
            asked += 1
            token = question.locator("[name=token]").input_value()
            question.locator("[data-leave]").click()
            expect(desk.locator(f"#told [value='{token}']")).to_have_count(0)
    assert asked == 4
    assert len(results(hall)) == 4


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
    page, laptop = phone(), phone(viewport=WIDE)
    for seen in (page, laptop):
        seen.goto(f"/p/{hall.key}?table=3")
        expect(seen.locator("#line[data-ready]")).to_be_attached()
    expect(laptop.locator("#opened [name=points]")).to_be_focused()
    expect(laptop.locator("#opened .boxes")).to_be_hidden()
    expect(page.locator("#opened [name=points]")).to_be_hidden()
    for box, points in zip(page.locator("#opened .boxes input").all(), (15, 8, 3, 15), strict=True):
        box.fill(str(points))
    page.context.set_offline(True)
    page.locator("#opened").get_by_role("button", name="Eintragen").click()
    expect(page.locator(WAITS)).to_contain_text("Tisch 3: 15:8 3:15")
    page.context.set_offline(False)
    expect(page.locator("#table-3")).to_have_class("is-done")
    assert results(hall) == {3: [[15, 8], [3, 15]]}
