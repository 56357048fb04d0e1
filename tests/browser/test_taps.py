"""Common tasks take few taps; only the other side's phone shows the other side's answers."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.paper import open_as_pdf, overlapping_texts, texts
from tests.browser.taps import expect_sums, tap, win
from tests.sampling import mostly_slow

pytestmark = pytest.mark.shared_phone

PLAYERS = [["Anna", "Bert"], ["Cilli", "Dora"]]
SIDES = [{"name": "Stammtisch", "players": PLAYERS[0]}, {"name": "Gäste", "players": PLAYERS[1]}]


def button(side, kind):
    return f".tap.{kind}.side-{side}"


def open_new_table(server, page, *events, rules="oberoesterreich", **head):
    """Create a table with these events, open it on the writer's page and return its keys."""
    keys = server.table(rules, sides=SIDES, played=events, **head)
    page.goto(f"/t/{keys['scorer']}")
    return keys


def won(side, stake=None):
    return {"do": "gewinnt", "side": side, **({"stake": stake} if stake else {})}


def test_new_table_and_first_round_take_two_taps(phone):
    page = phone("/")
    tap(page.get_by_role("button", name="Los"))
    win(page, 0, sums=(2, 0))


WIN = button(0, "win")
RAISE = [button(1, "raise"), ".tap.answer:has-text('bleiben')", WIN]
STRIKE = ".side-column.side-1 .tap.own-strike:has-text('streichen')"
MISDEAL = ["#more", ".panel .offence:has-text('Vergeben') .side-0"]
# The position, the buttons to tap, and the points then.
ROUNDS = {
    "plain": ("oberoesterreich", [], [WIN], (2, 0)),
    "raised": ("oberoesterreich", [], RAISE, (3, 0)),
    "unrecorded 3": ("oberoesterreich", [], [".side-column.side-1 .raised-wins button"], (0, 3)),
    "streichen": ("oberoesterreich", [won(0, 7), won(1)], [STRIKE, ".notice button"], (7, 0)),
    "gespannt, played and won": ("bayern", [won(0, 13)], [WIN], (16, 0)),
    "gespannt, given": ("bayern", [won(0, 13)], [".answer:last-child"], (13, 2)),
    "the four, played and won": ("suedtirol", [won(0, 16)], [WIN], (20, 0)),
    "misdeal": ("oberoesterreich", [], MISDEAL, (0, 2)),
}
PLAYS = {"bayern": "spielen", "suedtirol": "halten"}


@pytest.mark.parametrize("name", mostly_slow(ROUNDS, 3))
def test_round_takes_the_expected_taps(phone, server, name):
    rules, events, taps, points = ROUNDS[name]
    page = phone()
    open_new_table(server, page, *events, rules=rules)
    for selector in taps:
        tap(page.locator(selector).first)
        expect(page.locator("#panel > *" if selector == "#more" else "#table")).to_have_count(1)
    expect_sums(page, *points)
    if name.endswith("played and won"):
        # One tap takes back all events of one tap, and the button names them.
        undo = page.locator(".tools").get_by_role("button", name="Zurück")
        expect(undo).to_contain_text(PLAYS[rules])
        tap(undo)
        expect(page.locator(button(0, "answer"))).to_have_count(2)
        expect_sums(page, events[0]["stake"], 0)
        tap(page.get_by_role("button", name="wiederherstellen"))
        expect_sums(page, *points)


def test_old_round_is_corrected_with_three_taps(phone, server):
    page = phone()
    open_new_table(server, page, won(0), won(0))
    tap(page.locator(".slate-row a").first)
    tap(page.locator("#correction .names .side-1"))
    tap(page.get_by_role("button", name="So war’s"))
    expect_sums(page, 2, 2)
    # News and the row report the correction. Undo takes back the correction, not the round.
    expect(page.locator(".news")).to_contain_text("Runde 1 wurde berichtigt")
    expect(page.locator(".slate-row").first).to_contain_text("berichtigt")
    undo = page.locator(".tools").get_by_role("button", name="Zurück")
    expect(undo).to_contain_text("Berichtigung")
    tap(undo)
    expect_sums(page, 4, 0)
    tap(page.get_by_role("button", name="wiederherstellen"))
    expect_sums(page, 2, 2)


def test_running_table_is_one_tap_from_the_start_page(phone, server):
    page = phone()
    keys = open_new_table(server, page, won(0))
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("link", name="Startseite").click()
    tap(page.locator(".go-on").get_by_role("link", name="Weiter"))
    page.wait_for_url(re.compile(keys["scorer"]))


@pytest.mark.slow
def test_players_swap_seats_with_two_taps(phone, server):
    page = phone()
    keys = open_new_table(server, page, won(0))
    page.goto(f"/t/{keys['scorer']}/seats")
    for seat in ("00", "10"):
        tap(page.locator(f".seat-{seat} [data-swap]"))
    page.wait_for_url(re.compile(rf"/t/{keys['scorer']}$"))
    expect(page.locator(".players")).to_have_text(["Cilli · Bert", "Anna · Dora"])
    expect_sums(page, 2, 0)


@pytest.mark.slow
def test_items_removed_from_start_page_can_be_restored(phone, server):
    page = phone()
    open_new_table(server, page)
    page.goto(f"/p/{server.new_tournament(name='Beim Wirt')['director']}")
    page.goto("/")
    page.get_by_text("Spielt ihr öfter miteinander?").click()
    name = page.get_by_label("Name eures Stammtischs")
    # The field does not capitalise the name as it would a code.
    expect(name).to_have_css("text-transform", "none")
    name.fill("Donnerstag")
    page.get_by_role("button", name="Stammtischbuch anlegen").click()
    page.goto("/")
    expect(page.locator(".mine li")).to_have_count(3)
    for name in ("Stammtisch", "Beim Wirt", "Donnerstag"):
        item = page.locator(".mine li", has=page.get_by_text(name, exact=True))
        item.get_by_role("button").click()
        expect(item).to_have_count(0)
        page.get_by_role("button", name="Zurücklegen").click()
        expect(item).to_have_count(1)
    expect(page.locator(".mine li")).to_have_count(3)


def test_other_side_answers_on_its_own_phone(phone, server):
    writer, other, watcher = phone(), phone(), phone()
    keys = open_new_table(server, writer, {"do": "bieten", "side": 0}, answers=True)
    for page, key in ((other, keys["opponent"]), (watcher, keys["viewer"])):
        page.goto(f"/b/{key}")
        # The viewer's board shows who is asked in large letters, the other side's over its buttons.
        asked = page.locator(".open-question.side-1" if page == watcher else ".seat-buttons .asks")
        expect(asked).to_contain_text("Gäste")
    expect(watcher.locator("button.tap")).to_have_count(0)
    expect(other.locator(".seat-buttons .tap.side-0")).to_have_count(0)
    other.locator(".seat-buttons").get_by_role("button", name="bleiben").click()
    expect(writer.locator(".asks, .tap.answer")).to_have_count(0)
    expect(watcher.locator(".open-question")).to_have_count(0)
    last = server.record(keys["viewer"])["events"][-1]
    assert (last["do"], last["side"]) == ("bleiben", 1)
    assert last["by"].startswith("opponent")


def test_other_phones_see_a_neutral_name_instead_of_we(phone, server):
    keys = server.table(sides=[{"name": "Wir"}, {"name": "Die", "players": ["Cilli", "Dora"]}])
    page = phone(f"/t/{keys['scorer']}")
    expect(page.locator(".name")).to_have_text(["Wir", "Die"])
    for role in ("viewer", "opponent"):
        page.goto(f"/b/{keys[role]}")
        expect(page.locator(".name")).to_have_text(["Partei 1", "Cilli & Dora"])


GAME = [won(0), won(1), won(0), won(1), won(0), won(0), won(0)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("count", "pages", "letters"), [(1, 1, 12), (2, 1, 12), (4, 1, 10), (7, 1, 8), (15, 2, 8)]
)
def test_games_print_on_few_pages_in_the_largest_letters(phone, server, count, pages, letters):
    """Letters are in points."""
    games = []
    for number in range(count):
        games += [*GAME[:6], *([won(0)] if number % 3 else [won(1), won(0)]), {"do": "neues_spiel"}]
    key = server.table(sides=SIDES)["scorer"]
    for number, event in enumerate(games[:-1]):
        server.write(key, event, str(number))
    page = phone()
    sheets = list(open_as_pdf(page, f"/b/{key}/sheet"))
    assert len(sheets) == pages
    page.emulate_media(media="print")
    expect(page.locator(".paper-sheet")).to_have_css("font-size", f"{letters / 0.75:g}px")
    heads = [text for sheet in sheets for text in texts(sheet) if "Spiel" in text.words]
    assert (len({round(head.left, -1) for head in heads}) >= 2) == (count > 1)
    # No heading overlaps a line of the previous game.
    assert [overlapping_texts(sheet) for sheet in sheets] == [[]] * len(sheets)
