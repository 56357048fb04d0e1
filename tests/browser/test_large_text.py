"""Text of twice the size, on screens from a small phone to a laptop: the slate shrinks, and buttons
stay whole."""

from functools import cache

import pytest
from playwright.sync_api import expect

from scorer.web.frame.language import COOKIE
from tests.browser.conftest import PATIENCE_MS, launch_browser
from tests.browser.find_chromium import find_shell
from tests.browser.positions import event
from tests.browser.probes import probe
from tests.browser.visual_checks import each_screen
from tests.sampling import mostly_slow, slow

pytestmark = pytest.mark.shared_phone

SMALL = {"width": 320, "height": 568}
SCREENS = [(320, 568), (390, 844), (844, 390), (1024, 600), (1366, 768)]
SIDES = [{"players": ["Anna", "Maximiliane"]}, {"players": ["Cilli", "Bartholomäus"]}]
EVENINGS = {
    "who cuts": ("oberoesterreich", [], None),
    "raised": ("bayern", ["bieten 0 3", "bieten 1 4"], "Anna"),
    "krank": ("oberoesterreich", ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 1"], "Anna"),
    "asked": ("suedtirol", ["gewinnt 0 16"], "Anna"),
    "tricks": ("frankreich", ["bieten 0 5", "bleiben 1"], "Anna"),
    "over": ("oberoesterreich", ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 0"], "Anna"),
}


@pytest.fixture(scope="module")
def large(playwright, server):
    """A page in a Chromium with twice the usual font size."""
    with launch_browser(playwright, find_shell(), "--blink-settings=defaultFontSize=32") as browser:
        page = browser.new_page(base_url=server.url, locale="de-AT")
        page.set_default_timeout(PATIENCE_MS)
        yield page
        page.close()


@cache
def table_at_position(server, name):
    """The keys of a table in one of the positions. Tests do not write on it."""
    rules, events, dealer = EVENINGS[name]
    head = {"dealer": dealer} if dealer else {}
    return server.table(rules, played=map(event, events), sides=SIDES, **head)


@pytest.mark.parametrize("look", ["", *slow("flat", "big")])
@pytest.mark.parametrize("name", mostly_slow(EVENINGS, 3))
def test_large_text_cuts_off_no_button(large, server, name, look):
    keys = table_at_position(server, name)
    large.context.clear_cookies()
    if look:
        large.context.add_cookies([{"name": look, "value": "1", "url": server.url}])
    large.goto(f"/t/{keys['scorer']}")
    whole = ".tap, .side-column .chip, .tools .tool, .sum"
    if name != "who cuts":
        whole += ", .round-status .round, .round-status .explanation > summary"
    for screen in each_screen(large, SCREENS):
        assert probe(large, "cut", whole) == [], screen
        assert probe(large, "halved") == [], screen
        assert probe(large, "broken") == [], screen


@pytest.mark.slow
@pytest.mark.parametrize("name", ["raised", "krank", "over"])
def test_large_text_breaks_no_word_on_the_board(large, server, name):
    large.goto(f"/b/{table_at_position(server, name)['viewer']}")
    for screen in each_screen(large, SCREENS):
        assert probe(large, "cut", ".sum") == [], screen
        assert probe(large, "broken") == [], screen


JUDGED = "/b/{viewer}/referee?table=H8&table=HA&schlag=8&trumpf=H"
PAGES = [
    *("/", "/s", "/new?rules=oberoesterreich", "/p/new", "/rules", JUDGED),
    *(f"/t/{{scorer}}/{page}" for page in ("menu", "more", "seats", "share")),
    *(f"/b/{{viewer}}/{page}" for page in ("history", "readings", "rules", "referee")),
    *(f"/b/{{scorer}}/{page}" for page in ("round/0", "round/1?mode=strike", "sheet")),
]
# Pages whose longest words are in another language than German.
LONGEST_TRANSLATIONS = {"/b/{viewer}/rules": "it", "/b/{scorer}/round/1?mode=strike": "fr"}


@pytest.mark.slow
@pytest.mark.parametrize("path", PAGES)
def test_no_word_is_broken_on_a_page(large, phone, server, path):
    over = table_at_position(server, "over")
    language = LONGEST_TRANSLATIONS.get(path, "de")
    large.set_viewport_size(SMALL)
    for page, letters in ((phone(viewport=SMALL), "plain"), (large, "large")):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(path.format(**over))
        assert probe(page, "broken") == [], letters
        assert probe(page, "overflow") == 0, letters


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/new?rules=oberoesterreich", JUDGED])
def test_sticky_bars_cover_less_than_a_sixth_of_a_page(large, phone, server, path):
    found = []
    for page in (large, phone()):
        page.goto(path.format(**table_at_position(server, "over")))
        for _ in each_screen(page, SCREENS):
            for part in (0, 0.5, 1):
                page.evaluate("part => scrollTo(0, part * document.body.scrollHeight)", part)
                found += probe(page, "stuck")
    # On most screens the button that continues is in a sticky bar.
    assert 0 < max(found) < 1 / 6


TWICE = "document.documentElement.style.fontSize = '200%'"
STANDS = {
    "dealer": ["gewinnt 0 4", "gewinnt 1 5"],
    "taken back": ["gewinnt 0", "bieten 1 3", {"do": "korrektur", "of": 1, "with": None}],
    "over": ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 0 8"],
}


@pytest.mark.slow
@pytest.mark.parametrize("events", STANDS.values(), ids=STANDS)
def test_doubled_text_hides_no_content(phone, server, events):
    keys = server.table("trentino", sides=SIDES, dealer="Maximiliane", played=map(event, events))
    page = phone(viewport={"width": 360, "height": 740})
    page.context.add_cookies([{"name": COOKIE, "value": "it", "url": server.url}])
    page.goto(f"/t/{keys['scorer']}")
    page.evaluate(TWICE)
    assert probe(page, "cutBelow", ".round-info, .heads, .tool > span, .news") == []
    assert probe(page, "halved") == []
    assert probe(page, "covered", ".slate, .round-info, .pad") == []
    expect(page.locator(".slate-row").last).to_be_in_viewport(ratio=1)
    page.locator("#more").scroll_into_view_if_needed()
    expect(page.locator("#more")).to_be_in_viewport(ratio=1)
    page.goto("/")
    page.evaluate(TWICE)
    assert probe(page, "covered", ".seat") == []
