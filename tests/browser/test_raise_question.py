"""A raise, and the decision to play near the target, are asked in the same way on every screen."""

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, legal, replay, rules_of
from scorer.web.frame.language import COOKIE
from tests.browser.positions import SIDES, event
from tests.browser.probes import probe
from tests.browser.visual_checks import each_screen
from tests.sampling import mostly_slow, slow

pytestmark = pytest.mark.shared_phone

WE_AND_THEY = [{"name": "Wir"}, {"name": "Die"}]
NAMED = [{"name": "", "players": ["Hansl", "Ferdl"]}, {"name": "", "players": ["Mitzi", "Resi"]}]
# Positions with a question to the other side, which can also answer on its own phone.
QUESTIONS = {
    "raised": ("oberoesterreich", WE_AND_THEY, ["gewinnt 0 3", "bieten 0 3"]),
    "may not raise": ("oberoesterreich", NAMED, ["gewinnt 1 7", "gewinnt 0 2", "bieten 0 3"]),
    "gespannt": ("bayern", WE_AND_THEY, ["gewinnt 0 4", "gewinnt 1 13"]),
    "gestrichen": ("suedtirol", NAMED, ["gewinnt 0 4", "gewinnt 1 16"]),
    "words": ("trentino", WE_AND_THEY, ["gewinnt 1 2", "bieten 0 3"]),
}
SCREENS = [(320, 568), (360, 740), (390, 844), (820, 1180), (568, 320), (844, 390), (1024, 768)]
LOOKS = ["upright", "flat", "big", "own"]


def open_question(page, server, look, name, language="de"):
    """Open a page that asks one of the questions in one of the looks."""
    rules, sides, events = QUESTIONS[name]
    keys = server.table(rules, sides=sides, answers=True, played=map(event, events))
    for cookie, value in ((COOKIE, language), (look, "1")):
        page.context.add_cookies([{"name": cookie, "value": value, "url": server.url}])
    page.goto(f"/b/{keys['opponent']}" if look == "own" else f"/t/{keys['scorer']}")
    expect(page.locator(".tap.stay")).to_have_count(1)


def bounding_boxes(page, query):
    return probe(page.locator(query), "boxes")


def bottom_edge(box):
    return box["y"] + box["height"]


def rotate_box(box, height):
    """A box of the far half, turned around as its reader sees it."""
    return {**box, "x": -box["x"] - box["width"], "y": height - bottom_edge(box)}


@pytest.mark.parametrize("look", [*LOOKS[:2], *slow(*LOOKS[2:])])
@pytest.mark.parametrize(
    "name", ["raised", *slow("gespannt", "may not raise", "gestrichen", "words")]
)
def test_question_has_the_same_layout_on_every_screen(phone, server, look, name):
    page = phone()
    open_question(page, server, look, name)
    for where in each_screen(page, SCREENS):
        width, height = where
        # On a phone that lies flat, the far half asks the other side.
        place = ".half.far " if look == "flat" else ""
        parts = (".asks", ".tap.stay", ".tap.fold", ".tap.raise")
        found = [bounding_boxes(page, place + part) for part in parts]
        if look == "flat":
            found = [[rotate_box(box, height) for box in kind] for kind in found]
        [asks], [stays], [goes], raises = found
        # Staying is left, two thirds wide, and folding right, on one line with room between.
        assert abs(stays["y"] - goes["y"]) < 1.5, where
        assert stays["height"] >= 43.5, where
        between = goes["x"] - stays["x"] - stays["width"]
        assert 19 < between <= 24.5, where
        assert 1.8 < stays["width"] / goes["width"] < 2.2, where
        # Raises are below and wider. The question is above, or beside if the screen is low.
        for box in raises:
            assert bottom_edge(stays) + 7 <= box["y"], where
            assert box["width"] > stays["width"], where
        if look != "flat" or width < height:
            assert bottom_edge(asks) <= stays["y"], where


@pytest.mark.slow
@pytest.mark.parametrize("look", [*LOOKS[:1], *slow(*LOOKS[1:])])
@pytest.mark.parametrize("name", ["raised", *slow("gespannt", "words", "gestrichen")])
def test_question_and_its_buttons_are_not_cut_off(phone, server, look, name):
    page = phone()
    for language in ("de", "it", "fr", "en"):
        open_question(page, server, look, name, language)
        for screen in each_screen(page, SCREENS):
            where = (language, *screen)
            whole = ".asks, .answer > *, .raise > *, .tools .tool > span"
            assert probe(page, "ending", whole) == [], where
            assert probe(page, "crowded", ".tap, .tools .tool, .side-column .chip") == [], where
            if look != "own":
                assert probe(page, "cut", ".tap, .tools .tool") == [], where


@pytest.mark.parametrize("raiser", ["Bartholomäus & Kreszenz", "Hinterstoisserfamilie"])
def test_fold_button_shows_the_words_of_a_name_whole(phone, server, raiser):
    sides = [{"name": "Xaver & Vroni"}, {"name": raiser}]
    key = server.table("oberoesterreich", sides=sides, played=[{"do": "bieten", "side": 1}])[
        "scorer"
    ]
    page = phone(f"/t/{key}")
    for _ in each_screen(page, [(320, 640), (360, 740), (390, 844)]):
        name = page.locator(".fold .receiver > bdi")
        assert name.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_panel_more_begins_below_an_open_question(phone, server):
    page = phone(viewport={"width": 320, "height": 640})
    open_question(page, server, "upright", "raised")
    page.locator("#more").click()
    heading = page.locator("#panel h3").first
    expect(heading).to_be_in_viewport()
    expect(page.locator("#panel .chip").first).to_be_in_viewport(ratio=1)
    expect(page.locator(".tap.stay")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("name", mostly_slow(QUESTIONS, 2))
def test_newest_round_is_visible_during_a_question(phone, server, name):
    page = phone(viewport={"width": 320, "height": 568})
    open_question(page, server, "upright", name)
    expect(page.locator(".writer-table .slate-row").last).to_be_in_viewport(ratio=1)
    assert probe(page, "halved") == []


@pytest.mark.slow
@pytest.mark.parametrize("height", [550, 844, *slow(568, 640, 740)])
def test_dealer_question_does_not_cover_the_slate(phone, server, height):
    """The dealer is unknown, because the evening was continued from paper."""
    key = server.table("bayern", sides=NAMED, start={"points": [13, 4]})["scorer"]
    page = phone(f"/t/{key}", viewport={"width": 320, "height": height})
    expect(page.locator(".tap.stay")).to_be_visible()
    [slate] = bounding_boxes(page, ".slate")
    for asked in bounding_boxes(page, ".deals"):
        assert bottom_edge(slate) <= asked["y"]
    assert probe(page, "crowded", ".tap, .tools .tool, .cutters .chip") == []


def test_question_states_the_raise_before_it_asks(phone, server):
    page = phone()
    open_question(page, server, "upright", "raised")
    assert page.locator(".asks").inner_text().split() == ["Wir", "bieten", "3.", "Die:", "Bleibts?"]
    spoken = "Wir 3, Die 0; Wir bieten 3; Die: Bleibts?"
    expect(page.locator("[data-spoken]")).to_have_attribute("data-spoken", spoken)


LOW_SCREENS = [(390, 664), (320, 568), (360, 640)]
LONG = [SIDES[0] | {"players": []}, {"name": "Die lustigen Watterbuam vom Stammtisch"}]
SQUEEZED = """halves => halves.flatMap(half => {
  const box = (part) => part.getBoundingClientRect();
  const card = half.querySelector(".plate"), edge = box(card);
  const seen = [".name", ".sum", ".side-state"].map(part => card.querySelector(part))
    .filter(part => part.checkVisibility() && box(part).width);
  const before = (one, other) => box(one).right <= box(other).left + 1;
  const apart = (one, other) => before(one, other) || before(other, one);
  return [
    ...seen.filter(part => box(part).top < edge.top - 1 || box(part).bottom > edge.bottom + 1),
    ...seen.filter(part => seen.some(other => part !== other && !apart(part, other))),
    ...[...half.querySelectorAll(".answer, .raise, .win")].filter(part => box(part).height < 43.5),
    ...parseFloat(getComputedStyle(card.querySelector(".sum")).fontSize) < 24 ? [card] : [],
  ].map(part => part.className);
})"""


@pytest.mark.slow
@pytest.mark.parametrize("asked", [0, 1])
@pytest.mark.parametrize("region", REGIONS)
def test_flat_question_squeezes_no_half(phone, server, region, asked):
    """Names, sums and states stay whole and apart, and every button is as high as a finger."""
    rules, page = rules_of(region), phone()
    page.context.add_cookies([{"name": "flat", "value": "1", "url": server.url}])
    for near in (0, rules.target - (rules.near or 2)):
        start = {"points": [near * (side == asked) for side in range(2)]}
        head = {"sides": LONG, "dealer": LONG[0]["name"], "start": start}
        key = server.table(region, **head)["scorer"]
        state = replay({"watten": 1, "rules": region, **head, "events": []})[0].state
        raises = [one for one in legal(state) if one.do == "bieten" and one.side != asked]
        if raises:
            server.play(key, raises[0].to_json())
        page.goto(f"/t/{key}")
        if raises or state.decision:
            expect(page.locator(".answers")).to_have_count(1)
        for screen in each_screen(page, LOW_SCREENS):
            found = page.locator("#table.asking .half").evaluate_all(SQUEEZED)
            assert found == [], (near, screen)


EVENTS = "found => [...new Set(found.map(button => button.value))].sort()"
ROUNDS = {
    **QUESTIONS,
    "fresh": ("oberoesterreich", WE_AND_THEY, []),
    "krank": ("oberoesterreich", WE_AND_THEY, ["gewinnt 0 7", "gewinnt 1 2"]),
    "tricks": ("frankreich", WE_AND_THEY, ["bieten 0 5", "bleiben 1"]),
    "over": ("oberoesterreich", NAMED, ["gewinnt 0 7", "gewinnt 0"]),
}


@pytest.mark.parametrize(
    "name",
    ["fresh", "gespannt", *slow(*(name for name in ROUNDS if name not in ("fresh", "gespannt")))],
)
def test_flat_page_has_the_same_buttons_as_upright(phone, server, name):
    """The tables have a dealer, because the flat page asks who cut first only behind "more"."""
    rules, sides, events = ROUNDS[name]
    page, found = phone(), []
    dealer = sides[0]["name"] or sides[0]["players"][0]
    key = server.table(rules, sides=sides, dealer=dealer, played=map(event, events))["scorer"]
    for flat in ("", "1"):
        page.context.add_cookies([{"name": "flat", "value": flat, "url": server.url}])
        page.goto(f"/t/{key}")
        found.append(page.locator("#table button[name=event]:visible").evaluate_all(EVENTS))
        assert page.locator("#table a[href*='/menu'], #table a[href*='/share']").count() >= 2
    assert found[0] == found[1]
    if name == "over":
        expect(page.locator(".half .game-end h2")).to_have_count(2)
        expect(page.locator(".half .tap.main")).to_have_count(2)


CONTRASTS = """strokes => strokes.map(sum => {
  const light = (colour) => {
    const [r, g, b] = colour.match(/[\\d.]+/g).map(Number).map(part => part / 255)
      .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const half = sum.closest(".half"), on = sum.closest(".plate") ? half.querySelector(".win") : null;
  const ground = getComputedStyle(on ?? document.body).backgroundColor;
  const [low, high] = [light(getComputedStyle(sum, "::after").backgroundColor), light(ground)]
    .sort((one, other) => one - other);
  return (high + 0.05) / (low + 0.05);
})"""


@pytest.mark.parametrize("region", ["oberoesterreich", "bayern"])
def test_stroke_near_the_target_stands_out_on_a_flat_phone(phone, server, region):
    start = {"points": [rules_of(region).target - 2, 0]}
    key = server.table(region, sides=NAMED, start=start)["scorer"]
    page = phone()
    page.context.add_cookies([{"name": "flat", "value": "1", "url": server.url}])
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        page.goto(f"/t/{key}")
        found = page.locator(".half .near .sum").evaluate_all(CONTRASTS)
        assert len(found) == 2 and min(found) >= 3, scheme


@pytest.mark.parametrize("look", ["upright", "big"])
@pytest.mark.parametrize("name", ["Anna & Bert", "Maximilian-Josef & Ferdinand"])
def test_question_leaves_the_sums_large_in_landscape(phone, server, look, name):
    """The question is beside the slate, so it takes no room from it."""
    page = phone(viewport={"width": 844, "height": 390})
    page.context.add_cookies([{"name": look, "value": "1", "url": server.url}])
    key = server.table("bayern", sides=[{"name": name}, {"name": "Resi & Franz"}])["scorer"]
    sizes = []
    for played, answers in (("gewinnt 0 3", 0), ("bieten 0 3", 1)):
        server.play(key, event(played))
        page.goto(f"/t/{key}")
        expect(page.locator(".tap.stay")).to_have_count(answers)
        sizes.append(bounding_boxes(page, ".sum")[0]["height"])
    assert sizes[1] >= sizes[0] > 60
