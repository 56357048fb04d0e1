"""A small tournament: a director, two tables, phones of both pairs, and printed sheets."""

import itertools
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import SCREEN
from tests.browser.paper import open_as_pdf, texts
from tests.browser.probes import probe
from tests.browser.taps import (
    ENTRIES,
    animation_speed,
    middle_of,
    path_of,
    scan_code,
    stop_clock,
    win,
)
from tests.browser.unstable_network import hold_outbox_request, wait_until
from tests.browser.visual_checks import each_screen
from tests.sampling import slow
from tests.web.tournament.hall import PAIRS, Hall

pytestmark = pytest.mark.shared_phone

GAMES = [(15, 8), (12, 15)]
LAPTOP = {"width": 1280, "height": 800}


CLUBS = ("Ranshofen", "Ranshofen", "Braunau", "Braunau")


@pytest.fixture
def director(phone, server):
    """The director's laptop on the desk page of four pairs, after the first draw."""
    named = zip(PAIRS, CLUBS, strict=True)
    pairs = [{"players": pair.split(" & "), "club": club} for pair, club in named]
    hall = Hall(server, pairs=pairs, games_per_round=2)
    hall.draw()
    return phone(f"/p/{hall.key}", viewport=LAPTOP)


def open_first_slip(director, phone, **options):
    """A pair's phone on the page of the first code on the director's slips."""
    director.get_by_role("link", name="Tischzettel").click()
    code = director.locator(".slip").first.locator(".qr").first
    return phone(path_of(scan_code(code)), **options)


def create_tournament(page):
    """Create a tournament of the same pairs by the director's forms, up to its first draw."""
    page.goto("/")
    page.get_by_role("link", name="Ein Preiswatten leiten").click()
    page.get_by_label("Name", exact=True).fill("Preiswatten beim Wirt")
    page.get_by_label("Regeln").select_option("bayern")
    page.get_by_text("Runden und Spiele").click()
    page.get_by_label("Spiele je Runde").fill("2")
    page.get_by_role("button", name="Weiter zu den Paaren").click()
    lines = [";".join((*pair.split(" & "), club)) for pair, club in zip(PAIRS, CLUBS, strict=True)]
    page.get_by_label("Eine Zeile je Paar").fill("\n".join(lines))
    page.get_by_role("button", name="Liste eintragen").click()
    page.get_by_role("button", name="So eintragen").click()
    expect(page.get_by_role("heading", name="4 Paare")).to_be_visible()
    page.get_by_role("link", name="Leitung").click()
    page.get_by_role("button", name="Erste Runde auslosen").click()
    expect(page.locator(".matches > li")).to_have_count(2)


def menu_link(page, name):
    """The link of this name in the director's menu, which is unfolded if necessary."""
    tabs = page.get_by_role("navigation", name="Turnier")
    link = tabs.get_by_role("link", name=name)
    expect(tabs).to_be_visible()
    if not link.is_visible():
        tabs.locator("summary").click()
    return link


@pytest.mark.slow
def test_closed_director_menu_takes_two_lines(phone, server):
    """The open one has all links."""
    page = phone(viewport={"width": 320, "height": 844}, java_script_enabled=False)
    hall = Hall(server, 4, rounds=1)
    for round_drawn in (False, True):
        if round_drawn:
            hall.draw()
        page.goto(f"/p/{hall.key}")
        tabs = page.get_by_role("navigation", name="Turnier")
        assert tabs.bounding_box()["height"] < 3 * 44
        tabs.locator("summary").click()
        expect(tabs.get_by_role("link")).to_have_count(10)
        assert probe(page, "overflow") == 0
    # A page of the closed menu marks it, and shows its own name.
    page.goto(f"/p/{hall.key}/settings")
    expect(page.locator(".tabs summary")).to_have_attribute("aria-current", "true")
    expect(page.locator(".tabs + h2")).to_have_text("Einstellungen")


def enter_result(page, games):
    boxes = page.locator(".boxes input:is([name=a], [name=b])").all()
    for box, points in zip(boxes, itertools.chain(*games), strict=True):
        box.fill(str(points))
    page.get_by_role("button", name="Ergebnis eintragen").click()


def printed_sheet_texts(page, path):
    """The texts of each printed page, one piece of text a line.

    Spaces are removed, because closely set letters have gaps within words too.
    """
    return [
        "\n".join("".join(text.words.split()) for text in texts(sheet))
        for sheet in open_as_pdf(page, path)
    ]


def test_tournament_runs_from_form_to_prizes(phone):
    director = phone(viewport=LAPTOP)
    create_tournament(director)
    desk = path_of(director.url)
    director.goto(f"{desk}/print/slips")
    slip = director.locator(".slip").first
    first, second = phone(), phone(java_script_enabled=False)
    for page, code in zip((first, second), slip.locator(".qr").all(), strict=True):
        page.goto(path_of(scan_code(code)))
    enter_result(first, GAMES)
    expect(first.locator("#match[data-status=entered]")).to_be_visible()
    second.reload()
    second.get_by_role("button", name="Das stimmt").click()
    expect(second.locator("#match[data-status=done]")).to_be_visible()
    expect(first.locator("#match[data-status=done]")).to_be_visible()
    director.goto(desk)
    expect(director.locator("#table-1")).to_have_class("is-done")

    # The pairs of the other table report different results. The desk shows it at once and decides.
    director.goto(f"{desk}/print/slips")
    codes = [scan_code(code) for code in director.locator(".slip").nth(1).locator(".qr").all()]
    director.goto(desk)
    for page, code, games in zip((first, second), codes, (GAMES, GAMES[::-1]), strict=True):
        page.goto(path_of(code))
        enter_result(page, games)
    expect(director.locator("#table-2")).to_have_class("is-amber")
    expect(first.get_by_role("button", name="Die anderen haben recht")).to_be_visible()
    director.locator("#table-2 a").click()
    expect(director.get_by_role("button", name="Das gilt")).to_have_count(2)
    director.get_by_text("Anderes Ergebnis eintragen").click()
    enter_result(director, [(15, 0), (15, 2)])
    expect(director.locator("#table-2")).to_have_class("is-done")

    director.get_by_role("link", name="Rangliste").click()
    expect(director.locator(".ranking tbody tr")).to_have_count(4)
    director.goto(f"{desk}/prizes")
    director.get_by_label("1. Platz", exact=True).fill("300 €")
    director.get_by_label("2. Platz", exact=True).fill("Ein Ferkel")
    director.get_by_role("button", name="Speichern").click()
    expect(director.get_by_role("status").filter(visible=True).first).to_be_visible()
    (prizes,) = printed_sheet_texts(director, f"{desk}/print/prizes")
    assert re.search(r"^1\n(.+\n)+300€\n2\n(.+\n)+EinFerkel", prizes, re.MULTILINE)
    (names,) = printed_sheet_texts(director, f"{desk}/print/by-name")
    players = re.findall(r"^([A-Z][a-z]+)\n(?=\d|gegen)", names, re.MULTILINE)
    assert players == ["Anna", "Bert", "Cilli", "Dora", "Emil", "Fanny", "Gustl", "Hias"]


def test_guest_page_shows_results_live(director, phone):
    desk = path_of(director.url)
    menu_link(director, "Links und QR-Codes").click()
    guest = phone(path_of(scan_code(director.locator(".qr").first)))
    expect(guest.get_by_text("Tisch 1 und 2")).to_be_visible()
    director.goto(f"{desk}/match/1/1")
    enter_result(director, GAMES)
    expect(guest.get_by_text("Runde 1 Tisch 2")).to_be_visible()
    guest.get_by_label("Wo sitze ich?").fill("anna")
    guest.get_by_role("button", name="Suchen").click()
    expect(guest.locator(".big-number")).to_have_text(re.compile(r"[12]"))


PAGE_MARGINS = """() => {
  const { page } = getComputedStyle(document.querySelector("main"));
  return [...document.styleSheets].flatMap(({ cssRules }) => [...cssRules])
    .filter(({ selectorText }) => selectorText === page).map(({ style }) => style.margin);
}"""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["print/slips", *slow("print/list", "links", "match/1/1")])
def test_desk_sheets_print_without_page_margin(director, path):
    """Browsers print the address in the margin, so these pages have no margin."""
    director.goto(f"{director.url}/{path}")
    director.emulate_media(media="print")
    margins = director.evaluate(PAGE_MARGINS)
    director.emulate_media(media="null")
    assert margins == ["0px"]


@pytest.mark.slow
@pytest.mark.parametrize("path", ["hall", *slow("print/standings", "print/by-name", "print/ways")])
def test_public_page_redirects_to_the_visitors_address(director, path):
    key = director.url.rpartition("/")[2]
    director.goto(f"/p/{key}/{path}")
    assert key not in director.url
    if path != "hall":
        # The desk's own browser can return to the desk.
        director.get_by_role("link", name="Zurück").click()
        assert director.url.endswith(f"/p/{key}")


def test_desk_list_texts_keep_distance_from_edges(phone, server):
    """The list has no page margin, but its texts keep a distance from the edges."""
    sheets = open_as_pdf(phone(), f"/p/{Hall(server, 120).key}/print/list")
    assert len(sheets) > 1
    for sheet in sheets:
        edges = [(text.left, text.bottom, text.right, text.top) for text in texts(sheet)]
        left, bottom, right, top = zip(*edges, strict=True)
        width, height = sheet.get_size()
        # Points: 20 of them are 7 mm.
        assert min(left) > 20 and max(right) < width - 20
        assert min(bottom) > 20 and max(top) < height - 20


@pytest.mark.slow
def test_sheets_break_between_rows(phone, server):
    hall = Hall(server, pairs=[{"name": f"Paar {n:03}"} for n in range(1, 257)], games_per_round=3)
    hall.draw()
    page, desk = phone(viewport=LAPTOP), f"/p/{hall.key}"
    kinds = (("standings", 1, "Diff."), ("by-name", 2, "gegen"), ("by-table", 1, "Tisch"))
    for what, each, head in kinds:
        sheets = printed_sheet_texts(page, f"{desk}/print/{what}")
        assert len(sheets) > 1
        found = []
        for number, text in enumerate(sheets, 1):
            assert f"{number}/{len(sheets)}" in text
            assert head in text.replace("ﬀ", "ff")
            found += re.findall(r"Paar(\d{3})", text)
        assert sorted(found) == sorted(f"{n:03}" for n in range(1, 257) for _ in range(each))
    results, signup = printed_sheet_texts(page, f"{desk}/links")
    assert "Ergebnisse" in results and "Anmelden" in signup
    slips = printed_sheet_texts(page, f"{desk}/print/slips")
    assert len(slips) == -(-128 // 8)
    tables = [int(n) for text in slips for n in re.findall(r"^Tisch\n(\d+)$", text, re.MULTILINE)]
    assert tables == list(range(1, 129))


def test_hall_screen_advances_its_pages_by_itself(phone, server):
    pairs = [{"name": f"Paar {n:02}"} for n in range(1, 57)]
    screen = f"/p/{server.new_tournament(name='Preiswatten', pairs=pairs)['viewer']}/hall"
    page = phone(fresh=True, viewport={"width": 1920, "height": 1080})
    stop_clock(page)
    page.goto(screen)
    rows = page.locator(".hall-table tbody tr")
    expect(rows).to_have_count(28)
    expect(rows.last).to_be_in_viewport(ratio=1)
    size = rows.first.locator("th").evaluate("node => parseFloat(getComputedStyle(node).fontSize)")
    assert size >= 1080 / 30
    page.clock.fast_forward(15_000)
    page.wait_for_url(re.compile("page=1"))
    expect(rows).to_have_count(28)
    page.get_by_role("link", name="Anhalten").click()
    expect(page.locator("[data-following$='still=1&page=1']")).to_be_attached()
    plain = phone(screen, fresh=True, java_script_enabled=False)
    refresh = plain.locator("meta[http-equiv=refresh]").get_attribute("content")
    assert refresh.endswith("page=1")


def test_results_are_typed_without_a_mouse(director):
    """Table and points are typed on one line or on two, and the line keeps the focus."""
    director.goto(path_of(director.url))
    for table, between in (("2", "\n"), ("1", " ")):
        expect(director.locator("#line [name=entry]")).to_be_focused()
        director.keyboard.type(f"{table}{between}8-12")
        if between == "\n":
            # The result is displayed below the line before it is entered, as no box shows it.
            expect(director.locator("#opened .read")).to_have_text(re.compile(r"^15:8, 12:15$"))
        director.keyboard.type("\n")
        expect(director.locator(f"#table-{table}")).to_have_class("is-done")
        expect(director.locator("#messages [data-written]")).to_have_attribute(
            "data-written", table
        )
    # New results do not move the rows.
    expect(director.locator("#live .matches .number")).to_have_text(["1", "2"])
    # The newest entry is taken back by its button.
    director.locator(".newest li").first.get_by_role("button").click()
    expect(director.locator("#table-1")).to_have_class("is-open")
    expect(director.locator("#messages [data-notice=taken-back]")).to_be_visible()


@pytest.mark.parametrize("has_network", [True, False])
def test_name_that_nobody_has_stays_on_the_line(director, phone, has_network):
    page = phone(path_of(director.url), viewport={"width": 390, "height": 844})
    line = page.locator("#line [name=entry]")
    expect(page.locator("#line")).to_have_attribute("data-ready", "")
    page.context.set_offline(not has_network)
    line.fill("Zwirbelhuber")
    line.press("Enter")
    expect(page.locator("#opened .notice")).to_be_visible()
    expect(line).to_have_value("Zwirbelhuber")
    expect(line).to_be_focused()


def test_called_places_of_a_category_have_a_heading(phone, server):
    pairs = [{"name": name, "category": "Damen"} for name in PAIRS]
    hall = Hall(server, pairs=pairs, ceremony=True)
    prizes = {"lines": "Ferkel\nSpeck", "category": "Damen", "category-lines": "Blumen"}
    hall.send("/prizes", consolation="", once=1, **prizes)
    for _ in range(2):
        hall.play()
    for _ in range(3):
        called = hall.page().one(id="prize-giving").all("input", name="called")
        hall.send("/settings", called=called[0]["value"], do="call")
    page = phone(f"/p/{hall.keys['viewer']}/standings")
    heading = page.get_by_role("heading", name="Damen")
    for _ in each_screen(page, [(320, 568), (390, 844)]):
        expect(page.locator(".calls li")).to_have_count(3)
        expect(heading).to_be_visible()
        assert probe(page, "broken") == []


def test_offline_result_is_sent_when_online_again(director, phone):
    page = open_first_slip(director, phone)
    page.context.set_offline(True)
    enter_result(page, GAMES)
    expect(page.locator("#outbox")).to_contain_text("Ergebnis eintragen")
    expect(page.get_by_role("button", name="Ergebnis eintragen")).to_be_visible()
    # A result that is typed again offline replaces the first.
    enter_result(page, [(15, 8), (15, 1)])
    page.context.set_offline(False)
    # The rules do not allow 1 point, so the page asks, and the typed result stays in its boxes.
    expect(page.locator("#match").get_by_role("alert")).to_be_visible()
    expect(page.locator("#match button[name=sure]")).to_be_visible()
    expect(page.locator(".boxes input[name=b]").last).to_have_value("1")
    enter_result(page, GAMES)
    expect(page.locator("#match[data-status=entered]")).to_be_visible()


@pytest.mark.slow
def test_result_retyped_while_sending_counts(director, phone):
    page = open_first_slip(director, phone)
    page.context.set_offline(True)
    enter_result(page, GAMES)
    expect(page.locator("#outbox")).to_be_visible()
    kept = hold_outbox_request(page, "**/e/*")
    with page.expect_request(lambda request: request.method == "POST"):
        page.context.set_offline(False)
    enter_result(page, [(15, 8), (15, 3)])
    wait_until(page, f"async () => (await {ENTRIES}).some(({{ body }}) => body.endsWith('b=3'))")
    with page.expect_response(lambda answer: answer.request.method == "POST"):
        kept[0].continue_()
    expect(page.locator("#match")).to_contain_text("15:8, 15:3")
    expect(page.locator("#outbox")).to_be_hidden()


@pytest.mark.slow
def test_notice_of_refused_result_stays_until_closed(director, phone):
    desk = path_of(director.url)
    page = open_first_slip(director, phone, fresh=True)
    live = page.get_by_role("link", name="Live mitschreiben").get_attribute("href")
    page.context.set_offline(True)
    enter_result(page, GAMES)
    expect(page.locator("#outbox")).to_be_visible()
    page.route("**/e/*", lambda route: route.abort())
    page.context.set_offline(False)
    page.goto(live)
    director.goto(f"{desk}/match/1/1")
    enter_result(director, [(15, 0), (15, 2)])
    expect(director.locator("#table-1")).to_have_class("is-done")
    expect(page.get_by_role("button", name="Jetzt senden")).to_be_visible()
    # From now on the moment without taps is longer than a busy machine's delays.
    pace = animation_speed(page)
    pace(0.005)
    page.unroute("**/e/*")
    page.get_by_role("button", name="Jetzt senden").dispatch_event("click")
    refused = page.locator("#refused")
    expect(refused).to_be_visible()
    text = refused.inner_text()
    # A second tap on "Jetzt senden" hits the button that would close the notice unread.
    page.mouse.click(*middle_of(refused.get_by_role("button")))
    expect(refused).to_have_text(text, use_inner_text=True)
    pace(1)
    refused.get_by_role("button").click()
    expect(refused).to_be_hidden()


@pytest.mark.slow
@pytest.mark.parametrize("is_offline", [True, *slow(False)])
def test_refusal_notice_survives_live_updates(phone, server, is_offline):
    """The desk enters the result before the pair. Later the page shows another table's result."""
    hall = Hall(server)
    first, second = hall.draw()
    page = phone()
    if is_offline:
        page.goto(f"/e/{first['scorer']}")
        page.context.set_offline(True)
    else:
        # The network lets no news through.
        page.route("**/stream", lambda route: route.abort())
        page.goto(f"/e/{first['scorer']}")
        assert hall.enter(1, 1, (15, 0))[0] == 201
    enter_result(page, [(15, 3)])
    if is_offline:
        expect(page.locator("#outbox")).to_be_visible()
        assert hall.enter(1, 1, (15, 0))[0] == 201
        page.context.set_offline(False)
    refused = page.locator("#refused")
    expect(refused).to_contain_text("Tisch")
    text = refused.inner_text()
    for table in (second, first):
        page.goto(f"/e/{table['scorer']}")
        expect(refused).to_have_text(text, use_inner_text=True)
    page.unroute("**/stream")
    page.reload()
    assert hall.enter(1, 2, (15, 8))[0] == 201
    expect(page.locator(".ranking, #match").first).to_be_visible()
    expect(refused).to_have_text(text, use_inner_text=True)
    refused.get_by_role("button").click()
    # Closing the notice also deletes it from the phone.
    expect(refused).to_be_hidden()
    page.reload()
    expect(page.locator("#match")).to_be_visible()
    expect(refused).to_be_hidden()


@pytest.mark.slow
def test_phones_show_that_the_draw_was_undone(director, phone):
    desk = path_of(director.url)
    director.get_by_role("link", name="Tischzettel").click()
    expect(director.locator(".qr")).to_have_count(4)
    slips = [path_of(scan_code(code)) for code in director.locator(".qr").all()]
    entry, live = phone(slips[0]), phone(slips[0].replace("/e/", "/t/"))
    expect(live.locator("#table")).to_be_visible()
    director.goto(desk)
    director.get_by_text("Diese Auslosung von Hand ändern").click()
    director.get_by_label("Nr.").first.fill("1")
    director.get_by_label("Nr.").nth(1).fill("2")
    director.get_by_role("button", name="Tauschen").first.click()
    expect(entry.locator("main.error")).to_be_visible()
    expect(live.locator("[data-gone]")).to_be_visible()
    director.get_by_text("Diese Auslosung zurücknehmen").click()
    with director.expect_navigation():
        director.get_by_role("button", name="Zurücknehmen", exact=True).click()
    entry.goto(slips[2])
    expect(entry.locator("main.error")).to_be_visible()


@pytest.mark.slow
def test_director_runs_a_tournament_on_a_phone(phone, server):
    """Cover one table for six pairs, prizes, a decider, the published page and the season."""
    last = Hall(server, 6)
    hall = Hall(server, 6, rounds=1)
    page, desk = phone(), f"/p/{hall.key}"

    def open_from_menu(name):
        # The navigation includes the page's style sheets.
        with page.expect_navigation():
            menu_link(page, name).click()
        assert probe(page, "overflow") == 0, name

    def save():
        with page.expect_navigation():
            page.get_by_role("button", name="Speichern").click()

    page.goto(desk)
    open_from_menu("Einstellungen")
    page.get_by_text("Tische im Saal").click()
    page.get_by_label("Anzahl (0 = nach Bedarf)").fill("1")
    save()
    open_from_menu("Preise")
    page.get_by_label("1. Platz", exact=True).fill("300 €")
    page.get_by_label("Trostpreis").fill("Ein Ferkel")
    page.locator("[name=to]").select_option(label="den Vorletzten")
    save()
    open_from_menu("Leitung")
    page.get_by_role("button", name="Erste Runde auslosen").click()
    for table in (2, 3):
        expect(page.locator(f"#table-{table}")).to_contain_text(f"{table}. Durchgang")
    for table in (1, 2, 3):
        assert hall.enter(1, table, (15, 8))[0] == 201

    open_from_menu("Stechen")
    winner, loser = sorted((hall.order()[2], hall.order()[0]))
    game = page.locator(f"[data-game='{winner}-{loser}']")
    game.get_by_role("button", name="Stechen bis").click()
    game.get_by_role("link", name="Zu diesem Tisch").click()
    for points in (2, 4, 5):
        win(page, 0, sums=(points, 0))
    page.goto(f"{desk}/deciders")
    expect(page.get_by_role("button", name="Zurücknehmen")).to_be_visible()
    open_from_menu("Rangliste")
    expect(page.locator(".ranking tbody tr").first).to_contain_text("durch Stechen")
    assert hall.order()[0] == winner

    page.goto(desk)
    open_from_menu("Drucken und Dateien")
    with page.expect_download() as download:
        page.get_by_role("link", name="Seite zum Veröffentlichen").click()
    published = Path(download.value.path()).read_text()
    assert all(there in published for there in ("15:8", "300 €", "Ein Ferkel", "durch Stechen"))

    page.goto(desk)
    open_from_menu("Serie")
    page.get_by_label("Die Links der anderen Turniere").fill(f"{server.url}/p/{last.key}")
    page.get_by_label("Wertung").select_option(label="Gewonnene Spiele, zusammengezählt")
    save()
    expect(page.locator(".ranking thead th")).to_have_count(5)
    expect(page.locator(".ranking tbody tr")).to_have_count(6)
    page.wait_for_load_state()
    assert probe(page, "overflow") == 0


def test_desk_row_shows_each_number_beside_its_name(phone, server):
    names = ("Maximiliane-Theodora Hinterberger & Bert", "Anna & Bartholomäus Oberhuber-Mitterer")
    hall = Hall(server, 4, pairs=[{"name": f"{names[n % 2]} {n}"} for n in range(4)])
    drawn = [[[str(pair), True] for pair in table["pairs"]] for table in hall.draw()]
    page = phone(f"/p/{hall.key}")
    for screen in each_screen(page, [(320, 568), (1280, 568)]):
        assert (probe(page, "numbered"), probe(page, "overflow")) == (drawn, 0), screen


def test_live_update_keeps_typed_points(phone, server):
    [table] = Hall(server, 2, games_per_round=2).draw()
    page = phone(f"/e/{table['scorer']}")
    box = page.locator(".boxes [name=b]").first
    box.fill("8")
    sent = [("token", "b"), ("a", "15"), ("b", "2"), ("a", "15"), ("b", "4")]
    assert server.request("POST", f"/e/{table['opponent']}", sent)[0] == 303
    expect(page.locator(".proposal .verdict")).to_be_visible()
    expect(box).to_have_value("8")
    expect(box).to_be_focused()


PLACE_OF_TABS = """() => {
  const links = [...document.querySelectorAll(".tabs a")];
  const boxes = links.map((link) => link.getBoundingClientRect());
  const rows = new Set(boxes.map(({ top }) => Math.round(top))).size;
  return [rows, Math.round(boxes[0].left), document.querySelector(".tabs").clientWidth];
}"""


@pytest.mark.slow
def test_tabs_have_one_place_on_all_director_pages(phone, server):
    hall = Hall(server, 4, rounds=1)
    hall.draw()
    page, places = phone(viewport={"width": 1280, "height": 720}), set()
    for path in ("", "/pairs", "/standings", "/paper", "/deciders", "/prizes", "/settings"):
        page.goto(f"/p/{hall.key}{path}")
        places.add(tuple(page.evaluate(PLACE_OF_TABS)))
    [(rows, _, _)] = places
    assert rows == 1


def test_first_entry_does_not_move_the_tables(phone, server):
    hall = Hall(server, 12)
    hall.draw()
    page = phone(f"/p/{hall.key}")
    for _ in each_screen(page, [(390, 844), (1280, 720)]):
        before = page.locator("#table-1").bounding_box()["y"]
        table = 1 + page.locator("[data-entered]").count()
        assert hall.enter(1, table, (15, 8))[0] == 201
        expect(page.locator(f"[data-entered='{table}']")).to_be_visible()
        assert page.locator("#table-1").bounding_box()["y"] == before


def test_headings_of_the_entries_do_not_overlap(phone, server):
    hall = Hall(server, 8)
    hall.draw()
    for table in (1, 2):
        assert hall.enter(1, table, (15, 8))[0] == 201
    page = phone(f"/p/{hall.key}", viewport={"width": 320, "height": 568})
    newest, earlier = (page.locator(f".newest {tag}").bounding_box() for tag in ("h3", "summary"))
    assert newest["x"] + newest["width"] <= earlier["x"]


NAMES_LEFT = "sides => sides.map((side) => side.getBoundingClientRect().left)"


@pytest.mark.slow
def test_names_of_a_table_start_below_each_other(phone, server):
    pairs = [{"name": f"Johann Huber {n} & Christian Mayr {n}"} for n in range(12)]
    hall = Hall(server, pairs=pairs)
    hall.draw()
    page = phone(f"/p/{hall.key}")
    lefts = page.locator(".many .side").evaluate_all(NAMES_LEFT)
    assert len(lefts) == 12 and max(lefts) - min(lefts) < 0.1


def test_entry_line_is_hidden_until_a_draft_is_released(phone, server):
    hall = Hall(server)
    hall.send("/draw", draft=1, round=1)
    page = phone(f"/p/{hall.key}")
    expect(page.locator("#line")).to_be_hidden()
    hall.send("/release", round=1)
    expect(page.locator("#line")).to_be_visible()


@pytest.mark.parametrize("draft", [False, True])
def test_refused_swap_is_told_beside_its_form(phone, server, draft):
    """The form keeps what was typed, on a laptop and on a phone."""
    hall = Hall(server)
    hall.send("/draw", round=1, **({"draft": 1} if draft else {}))
    for viewport in ({"width": 1280, "height": 800}, SCREEN):
        page = phone(f"/p/{hall.key}", fresh=True, viewport=viewport)
        page.get_by_text("von Hand ändern").click()
        fields = page.locator("form:has([name=what][value=pairs])")
        fields.locator("[name=first]").fill("Anna & Bert")
        fields.locator("[name=second]").fill("Niemand")
        fields.get_by_role("button").click()
        expect(fields.get_by_role("alert")).to_be_in_viewport()
        expect(fields.get_by_role("alert")).to_contain_text("Niemand")
        expect(fields.locator("[name=first]")).to_be_focused()
        expect(fields.locator("[name=first]")).to_have_value("Anna & Bert")
        expect(page.get_by_role("alert")).to_have_count(1)
