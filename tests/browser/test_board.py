"""The board on viewers' phones and on the other side's, with short and long games."""

import pytest
from playwright.sync_api import expect

from scorer.web.frame.language import COOKIE
from tests.browser.positions import SIDES, event, table
from tests.browser.probes import probe
from tests.browser.visual_checks import each_screen, expect_in_view
from tests.builders import LOST, NEXT, WON
from tests.sampling import mostly_slow, slow

pytestmark = pytest.mark.shared_phone

SCREENS = [(360, 740), (390, 844)]
TURNS = ["gewinnt 0", "gewinnt 1"]
ASKED = {
    "first round": ["bieten 0 3"],
    "long game": [*TURNS * 4, "gewinnt 0", "bieten 0 3"],
    "play or give away": [*TURNS * 5, "gewinnt 1 4"],
}


def new_table_with_events(server, rules, events, *names, **head):
    """Create a table with these events and names of sides, and return its keys."""
    sides = [{"name": name} for name in names]
    return server.table(rules, sides=sides, played=map(event, events), **head)


def expect_visible_without_overlap(page, query):
    """Assert that the screen shows each of these parts and that none overlaps another."""
    for screen in each_screen(page, SCREENS):
        expect_in_view(page.locator(query))
        assert probe(page, "covered", query) == [], screen


@pytest.mark.parametrize("events", mostly_slow(ASKED.values()), ids=ASKED)
def test_slate_is_visible_above_the_answer_buttons(phone, server, events):
    names = ("Sepp & Vroni", "Korbinian & Tom")
    key = new_table_with_events(server, "bayern", events, *names, answers=True)["opponent"]
    page = phone(f"/b/{key}")
    expect(page.locator(".seat-buttons .answer")).to_have_count(2)
    newest = ".slate-row:last-child, .slate-row:nth-last-child(2)"
    round_parts = (
        ".open-question, .round, .explanation, .rungs, .seat-buttons .no-raise, .seat-buttons .tap"
    )
    expect_visible_without_overlap(page, f"{newest}, {round_parts}")


@pytest.mark.parametrize(("last", "rows"), [(["bieten 1 3"], 1), (["gewinnt 0 3"], 3)])
def test_newest_rounds_on_a_wall_are_whole_above_question_and_result(phone, server, last, rows):
    """Also if players, marks of an earlier game and a state make the heads higher."""
    sides = [
        {"name": "Stammtisch", "players": ["Anna", "Bert"]},
        {"name": "Gäste", "players": ["Cilli", "Dora"]},
    ]
    before = [*("gewinnt 0", "gewinnt 0 3", "gewinnt 0", "gewinnt 0"), NEXT]
    running = ["gewinnt 1", "gewinnt 0", "gewinnt 0 3", "gewinnt 1", "gewinnt 0"]
    keys = server.table(
        "oberoesterreich", sides=sides, played=map(event, [*before, *running, *last])
    )
    page = phone(f"/b/{keys['viewer']}?big=1")
    slate = page.locator(".slate").first
    for screen in each_screen(page, [(1024, 768), (1280, 720), (1366, 768), (1920, 1080)]):
        frame, *lines = (one.bounding_box() for one in (slate, *slate.locator(".slate-row").all()))
        top = slate.locator(".rounds").bounding_box()["y"]
        assert lines[-1]["y"] + lines[-1]["height"] <= frame["y"] + frame["height"] - 8, screen
        assert lines[-rows]["y"] >= top - 1, screen


@pytest.mark.parametrize("events", mostly_slow(ASKED.values()), ids=ASKED)
def test_wall_on_a_phone_in_landscape_shows_the_newest_round(phone, server, events):
    keys = new_table_with_events(server, "bayern", events, "Sepp & Vroni", "Korbinian & Tom")
    page = phone(f"/b/{keys['viewer']}?big=1")
    slate = page.locator(".slate").first
    for screen in each_screen(page, [(844, 390), (740, 360), (667, 375)]):
        frame, line = slate.bounding_box(), slate.locator(".slate-row, .empty").last.bounding_box()
        assert line["y"] + line["height"] <= frame["y"] + frame["height"] - 8, screen
        expect_in_view(page.locator(".open-question, .round, .explanation b, .bar .title, .foot"))
        title, status = (
            page.locator(".title").bounding_box(),
            page.locator(".round-status").bounding_box(),
        )
        assert title["x"] + title["width"] <= status["x"], screen


def test_end_of_a_long_game_is_visible(phone, server):
    names = ("Marco & Anna", "Massimiliano & Giulia")
    keys = new_table_with_events(server, "trentino", [*TURNS * 6, "gewinnt 0 3"], *names)
    page = phone(f"/b/{keys['opponent']}", locale="it-IT")
    expect(page.locator(".confirm .button")).to_have_count(2)
    expect_visible_without_overlap(page, ".slate-row:last-child, .game-end, .confirm .button")


# The small texts beside sums that run out of their side's column.
BESIDE = """() => [...document.querySelectorAll(".points-left")].filter((left) => {
  const words = document.createRange();
  words.selectNodeContents(left);
  const [own, column] = [words, left.closest(".head")].map((part) => part.getBoundingClientRect());
  return own.right > column.right - 4;
}).map((left) => left.textContent)"""


@pytest.mark.parametrize("role", ["scorer", *slow("viewer")])
@pytest.mark.parametrize("last", [[], ["gewinnt 1 3"]], ids=["plain", "gespannt"])
def test_text_of_missing_points_is_not_cut_off(phone, server, role, last):
    events = [*TURNS * 4, "gewinnt 0 3", "gewinnt 1 3", *last]
    key = new_table_with_events(server, "bayern", events, "Noi", "Loro")[role]
    page = phone()
    page.context.add_cookies([{"name": COOKIE, "value": "it", "url": server.url}])
    page.goto(f"/{'t' if role == 'scorer' else 'b'}/{key}")
    for screen in each_screen(page, [*SCREENS, (320, 568)]):
        assert page.evaluate(BESIDE) == [], screen
        assert probe(page, "covered", ".sum, .points-left b") == [], screen


LONG_GAMES = {
    "plain": TURNS * 6,
    "asked": [*TURNS * 3, "bieten 0 3"],
    "in dispute": [*TURNS * 4, {"do": "strittig", "side": 0, "of": 7}],
    "over": [*TURNS * 6, "gewinnt 0 3"],
}
# The number of rows that the slate shows in part, and of those that it shows whole.
ROWS = """() => {
  const [{ top, bottom: end }, frame] = [".scroll", ".slate"]
    .map((part) => document.querySelector(part).getBoundingClientRect());
  const bottom = Math.min(end, frame.bottom - 3);
  const rows = [...document.querySelectorAll(".slate:not(.before) .slate-row")]
    .map((row) => row.getBoundingClientRect());
  const halved = ({ top: from, bottom: to }) =>
    [top, bottom].some((edge) => from < edge - 1 && to > edge + 1);
  const whole = (row) => row.top > top - 1 && row.bottom < bottom + 1;
  return [rows.filter(halved).length, rows.filter(whole).length];
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", ["plain", "in dispute", *slow("asked", "over")])
def test_board_shows_no_half_rows(phone, server, name):
    names = ("Anna & Bert", "Cilli & Dora")
    keys = new_table_with_events(server, "bayern", LONG_GAMES[name], *names, answers=True)
    page = phone()
    phones = ((568, 320), (844, 390), (320, 568), (390, 700), (390, 844), (820, 600), (1366, 768))
    walls = ((390, 700), (390, 844), (820, 1180), (1024, 768), (1366, 768))
    for path, sizes in (
        (f"/b/{keys['viewer']}", phones),
        (f"/b/{keys['opponent']}", phones),
        (f"/b/{keys['viewer']}?big=1", walls),
    ):
        page.goto(path)
        for screen in each_screen(page, sizes):
            halved, whole = page.evaluate(ROWS)
            assert halved == 0 < whole, (path, screen)


IS_ONE_LINE = """sums => sums.map(sum =>
  sum.getBoundingClientRect().height < 1.5 * parseFloat(getComputedStyle(sum).fontSize))"""


@pytest.mark.parametrize("name", LONG_GAMES)
def test_slate_of_a_wall_fills_an_upright_screen(phone, server, name):
    names = ("Anna & Bert", "Cilli & Dora")
    keys = new_table_with_events(server, "bayern", LONG_GAMES[name], *names)
    page = phone(f"/b/{keys['viewer']}?big=1")
    for width, _ in each_screen(page, ((320, 568), (390, 844), (820, 1180))):
        assert page.locator(".slate").first.bounding_box()["width"] > 0.9 * width
        assert page.locator(".sum").evaluate_all(IS_ONE_LINE) == [True, True], width


@pytest.mark.parametrize("last", [[], ["bieten 1 3"], ["gewinnt 0 3"]])
def test_qr_code_on_wall_covers_no_text(phone, server, last):
    names = [{"name": name} for name in FORTY[:2]]
    played = map(event, ["gewinnt 0", "gewinnt 0", "gewinnt 0", *last])
    page = phone(f"/b/{server.table(sides=names, played=played)['viewer']}?big=1")
    screens = ((820, 1180), (1024, 600), (1280, 720), (1366, 768), (1920, 1080), (3840, 2160))
    for screen in each_screen(page, screens):
        expect(page.locator(".corner")).to_be_visible()
        assert probe(page, "coveredBy", ".corner", "#board") == [], screen


def test_wall_in_landscape_needs_no_scrolling(phone, server):
    keys = new_table_with_events(
        server, "bayern", LONG_GAMES[next(iter(LONG_GAMES))], "Anna", "Bert"
    )
    page = phone(f"/b/{keys['viewer']}?big=1")
    for screen in each_screen(page, ((1280, 720), (1366, 768), (1920, 1080), (3840, 2160))):
        over = page.evaluate("document.documentElement.scrollHeight - innerHeight")
        assert over == 0, screen


FORTY = (
    "Maximiliane-Theodora Hinterberger-Oberm.",
    "Bartholomäus Schwarzenbacher & Konstanze",
    "Donaudampfschifffahrtskapitänswitwenkass",
)


@pytest.mark.parametrize("count", [3, *slow(2)])
def test_names_of_forty_letters_are_not_cut_off(phone, server, count):
    sides = [{"name": name, "players": [name[:20], f"Resi {name[0]}."]} for name in FORTY[:count]]
    keys = server.table(sides=sides, played=map(event, ["gewinnt 0", "bieten 1 3"]))
    page = phone()
    for path, whole in (
        (f"/t/{keys['scorer']}", ".head .name, .players"),
        (f"/t/{keys['scorer']}/more", ".who, .to"),
        (f"/b/{keys['viewer']}", ".head .name, .players, .rungs .who"),
    ):
        page.goto(path)
        for screen in each_screen(page, ((320, 568), (390, 844), (568, 320), (844, 390))):
            assert probe(page, "ending", whole) == [], (path, screen)


@pytest.mark.parametrize("name", ["fresh", "disputed"])
def test_watched_board_fills_a_laptop(phone, server, name):
    page = phone(f"/b/{table(server, name, SIDES)['viewer']}")
    for width, _ in each_screen(page, [(1280, 800), (1024, 768)]):
        boxes = probe(page.locator("#board > .slate"), "boxes")
        assert len(boxes) == (2 if name == "disputed" else 1)
        assert max(box["right"] for box in boxes) > 0.97 * width
        assert min(box["left"] for box in boxes) < 0.03 * width


def test_board_shows_the_last_rounds_of_a_finished_game(phone, server):
    """Whoever confirms the game sees how it ended."""
    keys = server.table(rules="oberoesterreich", played=[WON, LOST] * 3 + [WON] * 2)
    page = phone()
    for role in ("opponent", "viewer"):
        page.goto(f"/b/{keys[role]}")
        for _, height in each_screen(page, SCREENS):
            rows = 4 if height > 800 else 2
            query = f".slate-row:nth-last-child(-n + {rows}), .game-end"
            expect_in_view(page.locator(query))
            assert probe(page, "covered", query) == []
