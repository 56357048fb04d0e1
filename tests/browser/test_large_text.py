"""Twice the letters, and every screen between a small phone and a laptop: the slate gives way, and
what is tapped stays whole."""

import pytest
from playwright.sync_api import expect

from scorer.web.frame.language import COOKIE
from tests.browser.chromium import find_shell
from tests.browser.conftest import PATIENCE, launched
from tests.browser.test_layout import COVERED, event

SCREENS = {
    "small": {"width": 320, "height": 568},
    "phone": {"width": 390, "height": 844},
    "landscape": {"width": 844, "height": 390},
    "netbook": {"width": 1024, "height": 600},
    "laptop": {"width": 1366, "height": 768},
}
SIDES = [
    {"name": "", "players": ["Anna", "Maximiliane"]},
    {"name": "", "players": ["Cilli", "Bartholomäus"]},
]
EVENINGS = {
    "who cuts": ("oberoesterreich", [], None),
    "raised": ("bayern", ["bieten 0 3", "bieten 1 4"], "Anna"),
    "krank": ("oberoesterreich", ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 1"], "Anna"),
    "asked": ("suedtirol", ["gewinnt 0 16"], "Anna"),
    "tricks": ("frankreich", ["bieten 0 5", "bleiben 1"], "Anna"),
    "over": ("oberoesterreich", ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 0"], "Anna"),
}
# What is tapped or read from afar, and does not stand whole on the screen.
CUT = """(whole) => [...document.querySelectorAll(whole)]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }))
  .filter((node) => {
    const box = node.getBoundingClientRect();
    const frame = node.closest(".slate, .sums, .info")?.getBoundingClientRect();
    const { top, right, bottom } = frame ?? { top: 0, right: innerWidth, bottom: innerHeight };
    const cut = box.top < top - 1 || box.bottom > bottom + 1 || box.right > right + 1;
    return cut || (node.matches(".tap, .tool") && node.scrollHeight > node.clientHeight + 1);
  })
  .map((node) => node.outerHTML.slice(0, 120))"""
# Rows of which the slate shows a part.
HALVED = """() => [...document.querySelectorAll(".table .line")].filter((row) => {
  const { top } = row.closest(".scroll").getBoundingClientRect();
  const box = row.getBoundingClientRect();
  return box.top < top - 1 && box.bottom > top + 1;
}).map((row) => row.textContent)"""
# Words that stand on two lines; what has a hyphen may.
BROKEN = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const broken = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement.checkVisibility()) continue;
    for (const { 0: word, index } of node.data.matchAll(/[^\\s–-]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const boxes = [...range.getClientRects()].filter((box) => box.width);
      const lines = new Set(boxes.map((box) => Math.round(box.top)));
      // An address is no word.
      if (lines.size > 1 && !word.includes("/")) broken.push(word);
    }
  }
  return broken;
}"""


@pytest.fixture(scope="module")
def large(playwright, server):
    """A page in a Chromium whose reader wants letters twice as high."""
    with launched(playwright, find_shell(), "--blink-settings=defaultFontSize=32") as browser:
        page = browser.new_page(base_url=server.url, locale="de-AT")
        page.set_default_timeout(PATIENCE)
        yield page
        page.close()


def opened(server, name):
    """The keys of a table in one of the positions."""
    rules, events, dealer = EVENINGS[name]
    keys = server.table(rules, sides=SIDES, **({"dealer": dealer} if dealer else {}))
    for number, text in enumerate(events):
        assert server.write(keys["scorer"], event(text), str(number))[0] == 201
    return keys


@pytest.mark.parametrize("look", ["", "flat", "big"])
@pytest.mark.parametrize("name", EVENINGS)
def test_what_is_tapped_and_what_is_read_from_afar_stand_whole(large, server, name, look):
    keys = opened(server, name)
    large.context.clear_cookies()
    if look:
        large.context.add_cookies([{"name": look, "value": "1", "url": server.url}])
    large.goto(f"/t/{keys['scorer']}")
    whole = ".tap, .lane .chip, .tools .tool, .sum"
    if name != "who cuts":
        whole += ", .status .round, .status .worth > summary"
    for screen, size in SCREENS.items():
        large.set_viewport_size(size)
        assert large.evaluate(CUT, whole) == [], screen
        assert large.evaluate(HALVED) == [], screen
        assert large.evaluate(BROKEN) == [], screen


@pytest.mark.parametrize("name", ["raised", "krank", "over"])
def test_the_board_breaks_no_word(large, server, name):
    large.goto(f"/b/{opened(server, name)['viewer']}")
    for screen, size in SCREENS.items():
        large.set_viewport_size(size)
        assert large.evaluate(CUT, ".sum") == [], screen
        assert large.evaluate(BROKEN) == [], screen


JUDGED = "/b/{viewer}/referee?table=H8&table=HA&schlag=8&trumpf=H"
PAGES = [
    "/",
    "/s",
    "/new?rules=oberoesterreich",
    "/t/{scorer}/menu",
    "/t/{scorer}/more",
    "/t/{scorer}/seats",
    "/t/{scorer}/share",
    "/b/{viewer}/history",
    "/b/{viewer}/readings",
    "/b/{viewer}/rules",
    "/b/{scorer}/round/0",
    "/b/{scorer}/round/1?mode=strike",
    "/b/{scorer}/sheet",
    "/b/{viewer}/referee",
    JUDGED,
    "/p/new",
    "/rules",
]
# Where another language has the longest words.
LONGEST = {"/b/{viewer}/rules": "it", "/b/{scorer}/round/1?mode=strike": "fr"}
OVERFLOW = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"


@pytest.fixture(scope="module")
def over(server):
    """The keys of a table whose first game is over."""
    return opened(server, "over")


@pytest.mark.parametrize("path", PAGES)
def test_no_word_is_broken_and_nothing_runs_over(large, phone, server, over, path):
    small = phone(viewport=SCREENS["small"])
    large.set_viewport_size(SCREENS["small"])
    for page, letters in ((small, "plain"), (large, "large")):
        language = LONGEST.get(path, "de")
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(path.format(**over))
        assert page.evaluate(BROKEN) == [], letters
        assert page.evaluate(OVERFLOW) <= 0, letters


# How much of the screen each bar covers that stands where it does only because it sticks there.
STUCK = """() => [...document.querySelectorAll("main, main *")]
  .filter((node) => getComputedStyle(node).position === "sticky" && node.checkVisibility())
  .map((node) => {
    const stuck = node.getBoundingClientRect();
    node.style.position = "static";
    const { top } = node.getBoundingClientRect();
    node.style.position = "";
    return Math.abs(top - stuck.top) > 1 ? stuck.height / innerHeight : 0;
  })"""


@pytest.mark.parametrize("path", ["/", "/new?rules=oberoesterreich", JUDGED])
def test_no_bar_that_sticks_covers_a_sixth_of_the_screen(large, phone, over, path):
    found = []
    for page in (large, phone()):
        page.goto(path.format(**over))
        for size in SCREENS.values():
            page.set_viewport_size(size)
            for part in (0, 0.5, 1):
                page.evaluate("part => scrollTo(0, part * document.body.scrollHeight)", part)
                found += page.evaluate(STUCK)
    # On most screens the way on does stick.
    assert 0 < max(found) < 1 / 6


TWICE = "document.documentElement.style.fontSize = '200%'"
# What says how the game stands, and what of it is cut off where it stands.
HIDDEN = """() => [...document.querySelectorAll(".info, .heads, .tool > span, .news")]
  .filter((node) => node.scrollHeight > node.clientHeight + 1)
  .map((node) => node.textContent)"""
STANDS = {
    "dealer": ["gewinnt 0 4", "gewinnt 1 5"],
    "taken back": ["gewinnt 0", "bieten 1 3", {"do": "korrektur", "of": 1, "with": None}],
    "over": ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 0 8"],
}


@pytest.mark.parametrize("events", STANDS.values(), ids=STANDS)
def test_for_letters_twice_as_large_the_page_scrolls_and_hides_nothing(phone, server, events):
    keys = server.table("trentino", sides=SIDES, dealer="Maximiliane")
    for number, text in enumerate(events):
        assert server.write(keys["scorer"], event(text), str(number))[0] == 201
    page = phone(viewport={"width": 360, "height": 740})
    page.context.add_cookies([{"name": COOKIE, "value": "it", "url": server.url}])
    page.goto(f"/t/{keys['scorer']}")
    page.evaluate(TWICE)
    assert page.evaluate(HIDDEN) == []
    assert page.evaluate(HALVED) == []
    assert page.evaluate(COVERED, ".slate, .info, .pad") == []
    expect(page.locator(".line").last).to_be_in_viewport(ratio=1)
    page.locator("#more").scroll_into_view_if_needed()
    expect(page.locator("#more")).to_be_in_viewport(ratio=1)
    page.goto("/")
    page.evaluate(TWICE)
    assert page.evaluate(COVERED, ".seat") == []
