"""The phones of desk and helpers without a network: entries wait, and are sent once."""

import re
from contextlib import ExitStack

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCREEN
from tests.browser.unstable_network import lose_response, wait_for_held_route
from tests.sampling import slow
from tests.web.tournament.hall import PAIRS, Hall

pytestmark = pytest.mark.shared_phone
WAITS_FOR_ANSWER = " – gemerkt, bis die Frage geklärt ist"
WAITS = "#outbox span"
WIDE = {"width": 1280, "height": 800}
LINE_SCRIPTS = ["desk_tables", "desk_keys", "outbox_store"]
TWO_FRAMES = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture
def undrawn(server):
    return Hall(server, 8, games_per_round=2)


@pytest.fixture
def hall(undrawn):
    """A tournament after its first draw."""
    undrawn.draw()
    return undrawn


def results(hall):
    """The games that count in the first round, by table number."""
    tables = hall.tournament()["draws"][0]["tables"]
    return {table["table"]: table["games"] for table in tables if table["games"]}


def count_events(hall):
    """The number of recorded events."""
    return int(re.search(r'data-seq="(\d+)"', hall.page())[1])


def begin_second_round(hall):
    for number in (1, 2, 3, 4):
        hall.enter(1, number, (15, 8), (15, 8))
    hall.draw()


def open_desk(phone, hall, **options):
    """Open the desk on a laptop, or another screen, and return its page ready for typing."""
    page = phone(f"/p/{hall.key}", **{"viewport": WIDE, **options})
    expect(page.locator("#line[data-ready]")).to_be_attached()
    return page


def open_desk_with_stopped_clock(phone, hall):
    page = phone(fresh=True, viewport=WIDE)
    page.clock.install()
    page.goto(f"/p/{hall.key}")
    expect(page.locator("#line[data-ready]")).to_be_attached()
    page.clock.pause_at(page.evaluate("Date.now()") + 1000)
    return page


@pytest.mark.slow
def test_a_question_about_one_slip_does_not_hold_the_others(phone, hall):
    before = count_events(hall)
    page = open_desk(phone, hall)
    page.context.set_offline(True)
    page.keyboard.type("1 8 -3\n9 8 3\n3 0 2\n2\n4 4\n")
    # The page knows the tables, so it reports at once that there is no table 9.
    question = page.locator("#messages [data-asked]")
    expect(question.locator("[name=table]")).to_have_value("9")
    expect(page.locator("#queue li")).to_have_text(
        ["Tisch 1: 8 -3", "Tisch 3: 0 2", "Tisch 2: 4 4"]
    )
    expect(page.locator(WAITS)).to_contain_text("Tisch 1: 8 -3")
    page.context.set_offline(False)
    for number in (1, 2, 3):
        expect(page.locator(f"#table-{number}")).to_have_class("is-done")
    expect(page.locator("#queue li")).to_have_count(0)
    question.locator("[name=table]").fill("4")
    question.locator("[name=points]").press("Enter")
    expect(page.locator("#table-4")).to_have_class("is-done")
    expect(page.locator("#outbox")).to_be_hidden()
    first_two = {1: [[15, 8], [3, 15]], 2: [[15, 4], [15, 4]]}
    assert results(hall) == {**first_two, 3: [[15, 0], [15, 2]], 4: [[15, 8], [15, 3]]}
    assert count_events(hall) == before + 4


@pytest.mark.slow
@pytest.mark.parametrize("last", [*slow("desk_tables", "desk_keys"), "outbox_store"])
def test_entry_line_is_ready_after_all_scripts_load(phone, hall, last):
    """Once the line is ready, it needs no network."""
    page, routes = phone(), []
    page.route(f"**/{last}.js", lambda route: routes.append(route))
    with ExitStack() as loading:
        for script in {*LINE_SCRIPTS} - {last}:
            loading.enter_context(page.expect_response(f"**/{script}.js"))
        loading.enter_context(page.expect_request(f"**/{last}.js"))
        page.goto(f"/p/{hall.key}", wait_until="commit")
    page.evaluate(TWO_FRAMES)
    assert not page.locator("#line[data-ready]").count()
    for route in routes:
        route.continue_()
    expect(page.locator("#line[data-ready]")).to_be_attached()


@pytest.mark.slow
def test_desk_row_opens_its_table_offline(phone, hall):
    """A link that needs the network shows a notice instead of the browser's error page."""
    page = open_desk(phone, hall, viewport=SCREEN)
    page.context.set_offline(True)
    page.locator("#table-2 a").click()
    expect(page.locator("#opened [name=table]")).to_have_value("2")
    page.get_by_role("link", name="Paare", exact=True).click()
    expect(page.locator("#refused")).to_contain_text("„Paare“ braucht das Netz")
    assert page.url.endswith(f"/p/{hall.key}")


@pytest.mark.slow
def test_open_question_is_not_replaced_by_responses(phone, hall):
    """If a response replaced it, the director would answer another question than was read."""
    hall.enter(1, 1, (15, 2), (15, 3))
    page = open_desk(phone, hall)
    page.context.set_offline(True)
    page.keyboard.type("3 0 2\n1 8 -3\n9 8 3\n")
    asked = page.locator("#messages [data-asked]")
    expect(asked.locator("[name=table]")).to_have_value("9")
    question = asked.element_handle()
    page.context.set_offline(False)
    # Now table 3 is recorded, and table 1 is refused.
    expect(page.locator("#table-3")).to_have_class("is-done")
    expect(page.locator("#outbox")).to_be_hidden()
    assert question.evaluate("form => form.isConnected")
    asked.locator("[data-leave]").click()
    expect(page.locator("#messages .notice")).to_contain_text("Tisch 1 hat ein Ergebnis")
    expect(asked.locator("[name=reason]")).to_be_visible()
    assert results(hall) == {1: [[15, 2], [15, 3]], 3: [[15, 0], [15, 2]]}


@pytest.mark.slow
def test_open_question_survives_a_page_change(phone, hall):
    hall.enter(1, 1, (15, 8), (15, 8))
    page = open_desk(phone, hall)
    page.keyboard.type("1 3 3\n2 4 4\n1 5 5\n")
    question = page.locator("#messages [data-asked]")
    expect(question.locator("[name=reason]")).to_be_visible()
    expect(page.locator("#table-2")).to_have_class("is-done")
    page.goto(f"/p/{hall.key}/pairs")
    # Other tournaments show it, too, so it names its own.
    name = hall.tournament()["name"]
    expect(page.locator("#refused")).to_contain_text(re.compile(f"{name}.*: Tisch 1: 3 3"))
    # Its button leads to the question.
    page.locator("#refused button").click()
    page.wait_for_url(f"**/p/{hall.key}")
    expect(question.locator("[name=table]")).to_have_value("1")
    # The second slip of table 1 waits for the answer about the first.
    expect(page.locator("#queue li")).to_have_text([f"Tisch 1: 5 5{WAITS_FOR_ANSWER}"])
    expect(page.locator("#refused")).to_be_hidden()
    table_2 = [[15, 4], [15, 4]]
    assert results(hall) == {1: [[15, 8], [15, 8]], 2: table_2}
    question.locator("[name=reason]").fill("verlesen")
    question.locator("[name=reason]").press("Enter")
    expect(question.locator("[name=points]")).to_have_value("5 5")
    assert results(hall) == {1: [[15, 3], [15, 3]], 2: table_2}


@pytest.mark.slow
def test_enter_opens_the_question_or_the_next_table(phone, hall):
    """An Enter that a trembling finger repeats opens neither."""
    hall.enter(1, 1, (15, 8), (15, 8))
    page = open_desk_with_stopped_clock(phone, hall)
    line, opened = page.locator("#line [name=entry]"), page.locator("#opened form")
    expect(page.locator("#hint")).to_contain_text("Tisch 2")
    page.keyboard.type("1 3 3\n\n")
    expect(page.locator("#messages [data-asked]")).to_be_visible()
    page.keyboard.type("\n")
    expect(line).to_be_focused()
    expect(opened).to_have_count(0)
    page.clock.run_for(600)
    page.keyboard.type("\nverlesen\n")
    expect(page.locator("#messages [data-written='1']")).to_contain_text("2:0 für")
    expect(line).to_be_focused()
    page.clock.run_for(600)
    page.keyboard.type("\n")
    expect(opened.locator("[name=table]")).to_have_value("2")
    page.keyboard.press("Escape")
    expect(opened).to_have_count(0)
    expect(line).to_be_focused()
    assert results(hall) == {1: [[15, 3], [15, 3]]}


@pytest.mark.slow
def test_repeated_enter_does_not_answer_a_question(phone, hall):
    page = open_desk_with_stopped_clock(phone, hall)
    # The rules do not allow a game that ends with 1 point, so the page asks.
    page.keyboard.type("1 1 3\n")
    yes = page.locator("#messages button[name=sure]")
    expect(yes).to_be_visible()
    page.clock.run_for(600)
    page.keyboard.type("\n\n\n")
    expect(yes).to_be_focused()
    assert results(hall) == {}
    page.clock.run_for(600)
    page.keyboard.type("\n")
    expect(page.locator("#messages [data-written='1']")).to_be_visible()
    assert results(hall) == {1: [[15, 1], [15, 3]]}


def test_two_desks_do_not_overwrite_results(phone, hall):
    """Both type results of the same tables. One counts, and the page asks about the other."""
    desks = [open_desk(phone, hall) for _ in range(2)]
    for number in (1, 2, 3, 4):
        for points, desk in enumerate(desks, 3):
            desk.keyboard.type(f"{number} {points} {points}\n")
    asked = 0
    for desk in desks:
        question = desk.locator("#messages [data-asked]")
        for _ in range(4):
            expect(desk.locator("#queue:empty, #messages [data-asked]").first).to_be_attached()
            if not question.count():
                break
            asked += 1
            token = question.locator("[name=token]").input_value()
            question.locator("[data-leave]").click()
            expect(desk.locator(f"#messages [value='{token}']")).to_have_count(0)
    assert asked == 4
    assert len(results(hall)) == 4


@pytest.mark.parametrize("lost", [*slow(False), True])
def test_an_offline_result_is_recorded_once(phone, hall, lost):
    before = count_events(hall)
    page = phone(f"/p/{hall.key}/match/1/2")
    boxes = page.locator("[name=a], [name=b]").all()
    for box, value in zip(boxes, ("15", "2", "15", "7"), strict=True):
        box.fill(value)
    if lost:
        # The request arrives, but its response is lost.
        page.route("**/match/1/2", lose_response, times=1)
    else:
        page.context.set_offline(True)
    page.get_by_role("button", name="Ergebnis eintragen").click()
    if not lost:
        expect(page.locator(WAITS)).to_contain_text("Tisch 2, Runde 1: 15:2 15:7")
        expect(page.locator("[name=b]").last).to_have_value("7")
        page.get_by_role("button", name="sperren").click()
        expect(page.locator("#refused")).to_contain_text("braucht das Netz")
        page.context.set_offline(False)
    # The desk opens next, as it does online.
    expect(page.locator("#table-2")).to_have_class("is-done")
    assert results(hall) == {2: [[15, 2], [15, 7]]}
    assert count_events(hall) == before + 1


@pytest.mark.slow
def test_each_offline_mark_is_sent_once(phone, undrawn):
    before = count_events(undrawn)
    page = phone(f"/p/{undrawn.key}/pairs")
    page.context.set_offline(True)
    for pair, name in ((1, "bezahlt"), (1, "da"), (2, "bezahlt"), (3, "da"), (3, "da")):
        button = page.locator(f"#pair-{pair}").get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_have_attribute("data-waits", "")
    expect(page.locator(WAITS)).to_contain_text(f"{PAIRS[0]}: bezahlt, {PAIRS[0]}: da")
    # Earlier offline taps do not undo the mark of another helper who is online.
    undrawn.post("/pairs/2", "other", do="vermerk", mark="here")
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()
    expect(page.locator("#counts")).to_have_text(re.compile(r"2 bezahlt ·\s+3 da"))
    expect(page.locator("#filters")).to_contain_text("nicht bezahlt 6")
    expect(page.locator("#pair-2 [aria-pressed=true]")).to_have_count(2)
    assert count_events(undrawn) == before + 5


@pytest.mark.slow
def test_loaded_page_queues_offline_taps(phone, undrawn):
    page = phone()
    routes = []
    page.route("**/outbox_forms.js*", lambda route: routes.append(route))
    with page.expect_request("**/outbox_forms.js*"):
        page.goto(f"/p/{undrawn.key}/pairs", wait_until="commit")
    page.wait_for_function("document.readyState != 'loading'")
    assert page.evaluate("document.readyState") == "interactive"
    routes[0].continue_()
    page.wait_for_load_state("load")
    page.context.set_offline(True)
    for pair in (1, 2):
        page.locator(f"#pair-{pair}").get_by_role("button", name="bezahlt", exact=True).click()
    expect(page.locator("#pair-2 [data-waits]")).to_have_count(1)
    page.context.set_offline(False)
    expect(page.locator("#outbox")).to_be_hidden()


@pytest.mark.slow
def test_mark_with_lost_response_counts_once(phone, undrawn):
    before = count_events(undrawn)
    page = phone(f"/p/{undrawn.key}/pairs")

    def overtake(route):
        route.fetch()
        undrawn.post("/pairs/1", "other", do="vermerk", mark="here")
        route.abort("connectionreset")

    page.route("**/pairs/1", overtake, times=1)
    page.locator("#pair-1").get_by_role("button", name="bezahlt", exact=True).click()
    expect(page.locator("#pair-1 [aria-pressed=true]")).to_have_count(2)
    expect(page.locator("#refused")).to_be_hidden()
    assert count_events(undrawn) == before + 2


@pytest.mark.slow
@pytest.mark.parametrize("is_lost", [*slow(False), True])
@pytest.mark.parametrize("taps", [("bezahlt", "da"), ("bezahlt", "bezahlt", "da", "da")])
def test_mark_tapped_before_the_response_counts(phone, undrawn, taps, is_lost):
    """It counts even if the answer to the first mark, which the server has recorded, is lost."""
    page, routes = phone(), []
    page.goto(f"/p/{undrawn.key}/pairs")
    page.route("**/pairs/1", lambda route: routes.append(route), times=1)
    # A finger taps whether the button accepts it or not. On a busy machine, single calls could take
    # longer than the app waits for the response.
    page.locator("#pair-1").evaluate(
        """(pair, names) => names.forEach((name) =>
            [...pair.querySelectorAll("button")].find((one) => one.innerText === name).click())""",
        taps,
    )
    first = wait_for_held_route(page, routes)
    lose_response(first) if is_lost else first.continue_()
    expect(page.locator("#pair-1 [aria-pressed=true]")).to_have_count(2)
    expect(page.locator("#counts")).to_have_text(re.compile(r"1 bezahlt ·\s+1 da"))
    page.reload()
    expect(page.locator("#pair-1 [aria-pressed=true]")).to_have_count(2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "field", "button"),
    [
        ("", "text", "Anzeigen"),
        *slow(("/pairs", "list", "Liste eintragen")),
        *slow(("/settings", "name", "Speichern"), ("/prizes", "lines", "Speichern")),
    ],
)
def test_online_only_form_reports_missing_network(phone, undrawn, path, field, button):
    page = phone(f"/p/{undrawn.key}{path}")
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
    # Closing a page during a navigation can hang Chromium.
    with (
        page.expect_navigation(),
        page.expect_response(lambda answer: answer.request.method == "POST") as sent,
    ):
        send.click()
    assert sent.value.status in (200, 303)


@pytest.mark.slow
def test_list_follows_the_name_while_it_is_typed(phone, server):
    hall = Hall(server, pairs=[{"name": name} for name in ("Anna & Bert", "Egger & Huber")])
    page = phone(f"/p/{hall.key}/pairs")
    page.locator("#find").press_sequentially("egg")
    expect(page.locator("#pair-1")).to_have_count(0)
    page.locator("#pair-2").get_by_role("button", name="bezahlt", exact=True).click()
    expect(page.locator("#pair-2 [aria-pressed=true]")).to_have_count(1)
    page.locator("#find").fill("")
    expect(page.locator("#pair-1")).to_be_visible()


@pytest.mark.slow
def test_marking_a_pair_does_not_move_its_row(phone, server):
    page = phone(f"/p/{Hall(server, 23).key}/pairs")
    row = page.locator("#pair-12")
    row.scroll_into_view_if_needed()
    before = row.bounding_box()["y"]
    for name, pressed in (("bezahlt", 1), ("da", 2)):
        row.get_by_role("button", name=name, exact=True).click()
        expect(row.locator("[aria-pressed=true]")).to_have_count(pressed)
        assert row.bounding_box()["y"] == before
    expect(page.locator("#counts")).to_have_text(re.compile(r"1 bezahlt ·\s+1 da"))


@pytest.mark.slow
def test_phone_shows_boxes_and_laptop_shows_a_line(phone, hall):
    page, laptop = (phone(f"/p/{hall.key}?table=3", viewport=size) for size in (SCREEN, WIDE))
    for seen in (page, laptop):
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


@pytest.mark.slow
def test_delete_key_takes_back_the_newest_entry(phone, hall):
    """Pressing the key again takes back nothing else."""
    page = open_desk_with_stopped_clock(phone, hall)
    page.keyboard.type("1 8 -3\n2 4 4\n")
    # Too soon after Enter the key counts as a slip of the finger.
    page.keyboard.press("Delete")
    expect(page.locator("#table-2")).to_have_class("is-done")
    expect(page.locator("#hint")).to_contain_text("Entf nimmt Tisch 2 zurück")
    page.clock.run_for(600)
    page.keyboard.press("Delete")
    expect(page.locator("#messages [data-notice=taken-back]")).to_contain_text("Tisch 2")
    expect(page.locator("#table-2")).to_have_class("is-open")
    expect(page.locator("#hint")).to_have_text("Enter öffnet Tisch 2")
    for _ in range(3):
        page.clock.run_for(800)
        page.keyboard.press("Delete")
    page.keyboard.type("2 5 5\n")
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    assert results(hall) == {1: [[15, 8], [3, 15]], 2: [[15, 5], [15, 5]]}


@pytest.mark.slow
def test_result_taken_back_by_the_delete_key_can_be_kept(phone, hall):
    page = open_desk_with_stopped_clock(phone, hall)
    page.keyboard.type("2 4 4\n")
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    page.clock.run_for(600)
    page.keyboard.press("Delete")
    page.get_by_role("button", name="Doch behalten").click()
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    assert results(hall) == {2: [[15, 4], [15, 4]]}


@pytest.mark.slow
def test_phones_show_no_hint_about_the_delete_key(phone, hall):
    page = phone(f"/p/{hall.key}", fresh=True, has_touch=True, is_mobile=True)
    expect(page.locator("#line[data-ready]")).to_be_attached()
    page.locator("#line [name=entry]").fill("2 4 4")
    page.locator("#line").get_by_role("button").click()
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    expect(page.locator("#hint")).to_have_text("Enter öffnet Tisch 3")


@pytest.mark.slow
def test_delete_in_an_edited_line_takes_nothing_back(phone, hall):
    page = open_desk_with_stopped_clock(phone, hall)
    page.keyboard.type("1 8 -3\n")
    expect(page.locator("#messages [data-written='1']")).to_be_visible()
    page.clock.run_for(600)
    page.keyboard.type("22")
    page.keyboard.press("Home")
    for _ in range(4):
        page.keyboard.press("Delete")
    expect(page.locator("#line [name=entry]")).to_have_value("")
    page.keyboard.type("2 4 4\n")
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    assert list(results(hall)) == [1, 2]


@pytest.mark.slow
def test_arrow_keys_reach_the_last_entries(phone, hall):
    page = open_desk(phone, hall)
    page.keyboard.type("1 8 3\n2 8 3\n3 8 3\n")
    expect(page.locator("[data-entered='3']")).to_be_visible()
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    expect(page.locator("[data-entered='2'] button")).to_be_focused()
    # News such as another desk's entry does not move the focus.
    hall.enter(1, 4, (15, 2), (15, 2))
    expect(page.locator("[data-entered='4']")).to_be_visible()
    expect(page.locator("[data-entered='2'] button")).to_be_focused()
    page.keyboard.press("Delete")
    expect(page.locator("#table-2")).to_have_class("is-open")
    expect(page.locator("#line [name=entry]")).to_be_focused()
    # Text that is typed while a row has the focus goes into the line.
    page.keyboard.press("ArrowDown")
    page.keyboard.type("2 8 3\n")
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    assert list(results(hall)) == [1, 2, 3, 4]


@pytest.mark.slow
def test_entry_is_taken_back_offline_by_a_tap(phone, hall):
    """The queue keeps its order: one table is recorded, then another is taken back."""
    hall.enter(1, 3, (15, 2), (15, 2))
    page = open_desk(phone, hall, viewport=SCREEN)
    page.context.set_offline(True)
    page.locator("#line [name=entry]").fill("1 8 3")
    page.locator("#line").get_by_role("button").click()
    button = page.locator("[data-entered='3'] button")
    button.click()
    button.click()
    expect(page.locator("#queue li")).to_have_text(["Tisch 1: 8 3", "Tisch 3: wird zurückgenommen"])
    page.context.set_offline(False)
    expect(page.locator("#table-1")).to_have_class("is-done")
    expect(page.locator("#table-3")).to_have_class("is-open")
    expect(page.locator("#queue li")).to_have_count(0)
    assert list(results(hall)) == [1]


@pytest.mark.slow
def test_slip_of_an_earlier_round_is_corrected_by_the_keyboard(phone, hall):
    begin_second_round(hall)
    page = open_desk_with_stopped_clock(phone, hall)
    page.keyboard.type("R1 2 -12 11\n")
    question = page.locator("#messages [data-asked]")
    reason = question.locator("[name=reason]")
    expect(reason).to_be_visible()
    page.clock.run_for(600)
    page.keyboard.press("Enter")
    expect(reason).to_be_focused()
    page.keyboard.type("verlesen\n")
    expect(page.locator("#messages [data-written='2']")).to_contain_text("Runde 1")
    # Table 2 of which round the key would take back.
    expect(page.locator("#hint")).to_contain_text("Tisch 2 (R1)")
    assert hall.tournament()["draws"][0]["tables"][1]["games"] == [[12, 15], [15, 11]]


@pytest.mark.slow
def test_enter_selects_the_number_of_an_unknown_table(phone, hall):
    page = open_desk_with_stopped_clock(phone, hall)
    page.keyboard.type("9 12 8\n")
    table = page.locator("#messages [data-asked] [name=table]")
    expect(table).to_have_value("9")
    page.clock.run_for(600)
    page.keyboard.press("Enter")
    expect(table).to_be_focused()
    page.clock.run_for(600)
    page.keyboard.type("2\n")
    expect(page.locator("#table-2")).to_have_class("is-done")
    assert results(hall)[2] == [[15, 12], [15, 8]]


@pytest.mark.slow
def test_waiting_slips_are_shown_in_another_tab(phone, hall):
    page = open_desk(phone, hall)
    for typed in ("9 12 8", "9 3 3", "10 1 1"):
        page.locator("#line [name=entry]").fill(typed)
        page.keyboard.press("Enter")
    expect(page.locator("#queue li")).to_have_count(2)
    again, desk = page.context.new_page(), page.url
    page.goto("about:blank")
    again.goto(desk)
    expect(again.locator("#messages [data-asked] [name=table]")).to_have_value("9")
    expect(again.locator("#queue li")).to_have_count(2)


@pytest.mark.slow
def test_pairs_are_typed_one_after_another(phone, server):
    key = server.new_tournament(pairs=[])["director"]
    page = phone(f"/p/{key}/pairs")
    page.locator("#one [name=player]").first.focus()
    for first, second in (("Anna Huber", "Bert Moser"), ("Cilli Gruber", "Dora Wimmer")):
        page.keyboard.type(first)
        page.keyboard.press("Tab")
        page.keyboard.type(second)
        page.keyboard.press("Enter")
        expect(page.locator("[data-newest]")).to_contain_text(first)
        expect(page.locator("#one [name=player]").first).to_be_focused()
    names = [pair["name"] for pair in server.tournament(key)["pairs"]]
    assert names == ["Anna Huber & Bert Moser", "Cilli Gruber & Dora Wimmer"]


@pytest.mark.slow
def test_taking_back_an_earlier_round_needs_consent(phone, hall):
    begin_second_round(hall)
    page = open_desk(phone, hall)
    page.get_by_text("Zuletzt eingetragen").click()
    page.locator("[data-entered='4'] button").click()
    question = page.locator("#messages [data-asked]")
    expect(question).to_contain_text("Runde 1, Tisch 4")
    # A slip of another table does not wait for the answer.
    page.keyboard.type("1 3 3\n")
    expect(page.locator("#table-1")).to_have_class("is-done")
    question.get_by_role("button", name="Ja").click()
    expect(page.locator("#messages [data-notice]")).to_contain_text("zurückgenommen")
    draws = hall.tournament()["draws"]
    assert [len([t for t in d["tables"] if t["games"]]) for d in draws] == [3, 1]


@pytest.mark.slow
def test_keys_typed_outside_the_line_reach_it(phone, hall):
    page = open_desk(phone, hall)
    page.locator("h1").click()
    page.keyboard.type("1 8 3\n")
    expect(page.locator("#messages [data-written='1']")).to_be_visible()


def test_opened_table_shows_each_name_once_and_one_dash(phone, server):
    """Long names, too, whose spaces do not break."""
    names = ["Alexandra Hofstätter-Mitterlehner", "Christine Egger", "Bert Untersberger", "Dora Au"]
    hall = Hall(server, 2, pairs=[{"players": names[:2]}, {"players": names[2:]}])
    hall.draw()
    page = open_desk(phone, hall)
    page.keyboard.type("1\n")
    expect(page.locator("#opened .at")).to_be_visible()
    assert page.locator("#opened .at").inner_text().count("–") == 1


@pytest.mark.slow
def test_a_final_has_its_own_number_of_games(phone, server):
    """The final is drawn elsewhere while the desk is open."""
    hall = Hall(server, 4, rounds=1, games_per_round=1, finals={"best": 2, "games": 3})
    hall.play()
    page, tablet = open_desk(phone, hall), open_desk(phone, hall, viewport=SCREEN)
    hall.draw()
    for seen in (page, tablet):
        expect(seen.locator("#live [data-games='3'] li")).to_have_count(1)
    tablet.locator("#table-1 a").click()
    # A match of the previous round still has one game.
    page.keyboard.type("R1 2\n")
    expect(page.locator("#opened .boxes tbody tr")).to_have_count(1)
    page.keyboard.press("Escape")
    page.keyboard.type("1 8\n")
    expect(page.locator("#messages [role=alert]")).to_contain_text("3 Spiele")
    page.locator("#messages [name=points]").fill("8 3 3")
    page.locator("#messages [name=points]").press("Enter")
    expect(page.locator("#table-1")).to_have_class("is-done")
    assert hall.tournament()["draws"][1]["tables"][0]["games"] == [[15, 8], [15, 3], [15, 3]]


HUBERS = ["Huber & Ott", "Huber & Berg", "Lang & Wolf", "Moser & Eder"]


@pytest.fixture
def two_hubers(server):
    """A tournament of three tables, two of which the name Huber fits."""
    names = [*HUBERS, "Fuchs & Haas", "Reh & Lux"]
    hall = Hall(server, pairs=[{"name": name} for name in names], games_per_round=2)
    hall.draw()
    return hall


def test_ambiguous_name_offers_a_choice_of_tables(phone, two_hubers):
    """Points typed before the choice go to the chosen table, or the page asks for a table."""
    page = open_desk(phone, two_hubers)
    page.keyboard.type("huber\n8 3")
    opened = page.locator("#opened")
    expect(opened).to_contain_text("passt zu mehreren Tischen")
    rows = opened.locator("li")
    expect(rows).to_have_count(2)
    numbers = [row.get_attribute("data-table") for row in rows.all()]
    rows.last.click()
    expect(opened.locator("[name=table]")).to_have_value(numbers[-1])
    expect(opened.locator("[name=points]")).to_have_value("8 3")
    opened.locator("[name=points]").press("Enter")
    expect(page.locator(f"#messages [data-written='{numbers[-1]}']")).to_be_visible()
    page.keyboard.type("huber\n4 4\n")
    question = page.locator("#messages [data-asked]")
    expect(page.locator("#messages [role=alert]")).to_contain_text("passt zu mehreren Tischen")
    question.locator("[name=table]").fill(f"Tisch {numbers[0]}.")
    question.locator("[name=table]").press("Enter")
    expect(page.locator(f"#messages [data-written='{numbers[0]}']")).to_be_visible()
    first, last = map(int, numbers)
    assert results(two_hubers) == {first: [[15, 4], [15, 4]], last: [[15, 8], [15, 3]]}


def test_question_shows_the_present_state_of_its_tables(phone, two_hubers):
    page = open_desk(phone, two_hubers)
    page.keyboard.type("huber 8 3\n")
    rows = page.locator("#messages .matches li")
    expect(rows).to_have_count(2)
    table = rows.last.get_attribute("data-table")
    row = page.locator(f"#messages .matches [data-table='{table}']")
    expect(row).to_contain_text("offen")
    assert two_hubers.enter(1, int(table), (15, 3), (15, 2))[0] == 201
    expect(row).to_contain_text("fertig")
    expect(rows).to_have_count(2)


def test_points_after_a_name_are_those_of_its_pair(phone, server):
    """Of a table's second pair, too, whether the name fits one table or has to be asked about."""
    seconds = [table["pairs"][1] for table in Hall(server, 8, seed="x").draw()]
    names = [f"Paar {'ABCDEFGH'[n]}" for n in range(8)]
    for at in (0, 1):
        names[seconds[at] - 1] = f"Huber {['Anna', 'Bert'][at]}"
    hall = Hall(server, pairs=[{"name": name} for name in names], seed="x", games_per_round=2)
    tables = hall.draw()
    assert [table["pairs"][1] for table in tables] == seconds
    page = open_desk(phone, hall)
    written = page.locator("#messages [data-written]")
    for typed, table in (
        (f"p{seconds[2]} 8 -3", 3),
        (f"{names[seconds[3] - 1]} 8 -3", 4),
        ("huber 8 -3", 1),
        ("huber 8 -3", 2),
    ):
        page.keyboard.type(f"{typed}\n")
        question = page.locator("#messages [data-asked]")
        if typed.startswith("huber"):
            if table == 1:
                page.locator("#messages li[data-table='1']").click()
            else:
                # Enter on the empty line leads to the field for the table.
                expect(question).to_be_visible()
                while page.evaluate("document.activeElement.name") != "table":
                    page.keyboard.press("Enter")
                page.keyboard.press("Control+A")
                page.keyboard.type("2\n")
        expect(written).to_have_attribute("data-written", str(table))
    assert results(hall) == {number: [[8, 15], [15, 3]] for number in (1, 2, 3, 4)}


@pytest.mark.slow
def test_phone_asks_for_the_table_before_points(phone, server):
    hall = Hall(server, pairs=[{"name": name} for name in HUBERS], seed="x")
    hall.draw()
    page = open_desk(phone, hall, viewport=SCREEN)
    page.locator("#line [name=entry]").fill("er")
    page.locator("#line").get_by_role("button").click()
    rows = page.locator("#opened li")
    expect(rows).to_have_count(2)
    expect(page.locator("#opened form")).to_be_hidden()
    rows.first.click()
    expect(page.locator("#opened .boxes tbody tr")).to_have_count(1)
    expect(page.locator("#opened .boxes input").first).to_be_visible()


@pytest.mark.slow
def test_table_with_two_matches_offers_a_choice(phone, server):
    """The page offers the choice offline and online."""
    hall = Hall(server, 8, hall={"count": 2}, games_per_round=1)
    hall.draw()
    page = open_desk(phone, hall)
    page.context.set_offline(True)
    page.keyboard.type("2 8\n")
    choice = page.locator("#messages li")
    expect(choice).to_have_count(2)
    expect(page.locator("#messages [role=alert]")).to_contain_text("passt zu mehreren Tischen")
    second = choice.last.get_attribute("data-table")
    choice.last.click()
    page.context.set_offline(False)
    expect(page.locator(f"#messages [data-written='{second}']")).to_be_visible()
    page.keyboard.type("Tisch 2\n")
    page.locator("#opened li").first.click()
    page.keyboard.type("3\n")
    expect(page.locator("#messages [data-written='2']")).to_be_visible()
    assert results(hall) == {2: [[15, 3]], int(second): [[15, 8]]}
