"""Phone layouts: buttons are visible, names are complete, charts are legible."""

import io
import re

import pytest
from PIL import Image, ImageChops
from playwright.sync_api import expect

from scorer.engine.rules.loading import REGIONS, rulebook
from scorer.engine.rules.ruleset import SWITCHES
from scorer.web.frame.language import COOKIE, LANGUAGES
from tests.browser.positions import NAMED, event, table, written
from tests.browser.probes import probe
from tests.browser.taps import start_table, win
from tests.browser.visual_checks import each_screen, expect_in_view, unfold
from tests.builders import LOST, SEATED, WON
from tests.sampling import slow

pytestmark = pytest.mark.shared_phone

SCREENS = {
    "small": {"width": 320, "height": 568},
    "phone": {"width": 390, "height": 844},
    "landscape": {"width": 844, "height": 390},
}
OVERLAPPING_HALVES = """() => {
  const boxes = [...document.querySelectorAll(".half")].map((half) => half.getBoundingClientRect());
  const apart = (a, b) =>
    a.bottom <= b.top || b.bottom <= a.top || a.right <= b.left || b.right <= a.left;
  return boxes.filter((box, n) => boxes.some((other, m) => m < n && !apart(box, other))).length;
}"""
TOP_EDGES = "buttons => buttons.map(b => Math.round(b.getBoundingClientRect().top))"


TEXTS_OFF_COLUMN = """() => {
  const width = document.documentElement.width.baseVal.value;
  const columns = [[50, width / 2], [width / 2, width - 50]];
  return [...document.querySelectorAll("text[text-anchor=start]")]
    .filter((text) => text.textContent.trim())
    .map((text) => [text.textContent, text.getBBox()])
    .filter(([, { x, width }]) => !columns.some(([left, right]) => x >= left && x + width <= right))
    .map(([text]) => text);
}"""


@pytest.mark.parametrize("shape", ["tall", "square"])
@pytest.mark.parametrize("region", ["oberoesterreich", *slow("trentino", "frankreich")])
def test_picture_keeps_each_note_in_its_column(phone, server, region, shape):
    raised = [
        {"do": "bieten", "side": 1},
        {"do": "gehen", "side": 0},
        {"do": "bieten", "side": 0},
        {"do": "gehen", "side": 1},
    ]
    key = server.table(region, sides=SEATED, played=raised)["viewer"]
    page = phone(f"/b/{key}/sheet.svg?shape={shape}")
    assert page.evaluate(TEXTS_OFF_COLUMN) == []


@pytest.mark.parametrize("name", ["raised", "krank", *slow("fresh", "decision")])
def test_buttons_of_a_round_are_visible(phone, server, name):
    page = phone(f"/t/{table(server, name, NAMED)['scorer']}", viewport=SCREENS["small"])
    expect_in_view(page.locator("#pad button, .tools .tool:visible"))
    assert page.locator(".bar .title a").evaluate("node => node.scrollWidth <= node.clientWidth")
    # The reasons of the round's value move no button.
    why, buttons = page.locator(".explanation"), page.locator("#pad button, .tools .tool:visible")
    places = buttons.evaluate_all(TOP_EDGES)
    why.locator("> summary").click()
    expect(why.locator("li").first).to_be_in_viewport(ratio=1)
    assert buttons.evaluate_all(TOP_EDGES) == places
    page.set_viewport_size(SCREENS["phone"])
    page.get_by_role("link", name="Mehr").click()
    expect_in_view(page.locator(".sum"))


@pytest.mark.slow
@pytest.mark.parametrize("side", ["Wir", "Franz Xaver & Annamirl"])
def test_first_hint_is_whole_on_every_screen(phone, server, side):
    """A line of the empty slate is shown whole or not at all; the buttons show whole names."""
    sides = [{"name": side}, {"name": "Die"}]
    page = phone(f"/t/{server.table('bayern', sides=sides)['scorer']}")
    heights = [(390, 844), (390, 740), (375, 667), (390, 664), (360, 660), (360, 640)]
    for _ in each_screen(page, [*heights, (375, 553), (320, 568), (320, 500), (568, 320)]):
        rounds = page.locator(".slate .rounds").bounding_box()
        lines = [line.bounding_box() for line in page.locator(".slate .empty > *").all()]
        shown = [line for line in lines if line["x"] < rounds["x"] + rounds["width"]]
        for line in shown:
            assert rounds["y"] <= line["y"] + 1
            assert line["y"] + line["height"] <= rounds["y"] + rounds["height"] + 1
        assert lines[0] in shown or page.viewport_size["height"] == 500
        info = page.locator(".round-info")
        assert info.inner_text().strip() or info.bounding_box()["height"] < 1
        if page.viewport_size["height"] >= 500:
            assert probe(page, "ending", ".win .who") == []


@pytest.mark.parametrize("name", ["krank", *slow("decision")])
def test_long_names_do_not_move_buttons(phone, server, name):
    page = phone(viewport=SCREENS["small"])
    places = {"small": [], "phone": []}
    for first, second in (
        ("Anna", "Bert"),
        ("Christina Hinterberger", "Bartholomäus Oberhuber"),
        ("Maximiliane-Theodora Hinterberger-Obermoser", "Bert"),
        ("Donaudampfschifffahrtsgesellschaftskapitän", "Maximiliane-Theodora & Bartholomäus"),
    ):
        key = table(server, name, [{"name": first}, {"name": second}])["scorer"]
        page.goto(f"/t/{key}")
        for screen in ("small", "phone"):
            page.set_viewport_size(SCREENS[screen])
            assert page.evaluate("() => document.documentElement.scrollHeight - innerHeight") <= 0
            assert probe(page, "ending", ".head .name, .win .who") == []
            buttons = page.locator("#pad :is(.win, .raise, .chip)")
            places[screen].append(buttons.evaluate_all(TOP_EDGES))
    for seen in places.values():
        for tops in zip(*seen, strict=True):
            # Rounding can move a button by one pixel.
            assert max(tops) - min(tops) <= 1


def test_large_figures_cut_no_usual_name(phone, server):
    names = [{"name": "Franz & Maria"}, {"name": "Michael & Anna"}]
    key = server.table(sides=names, played=[WON])["scorer"]
    page = phone(f"/t/{key}", fresh=True)
    page.context.add_cookies([{"name": "big", "value": "1", "url": page.url}])
    page.reload()
    expect(page.locator(".writer-table.big")).to_be_attached()
    for screen in each_screen(page, [(320, 568), (360, 740), (390, 844), (844, 390)]):
        assert probe(page, "ending", ".head .name, .win .who") == [], screen


@pytest.mark.parametrize("part", [".sum", *slow(".running-total", ".win .gain")])
def test_large_slate_has_larger_figures(phone, server, part):
    page = phone(f"/t/{server.table(sides=NAMED, played=[WON])['scorer']}")
    size, screens = "e => parseFloat(getComputedStyle(e).fontSize)", [(820, 1180), (1280, 800)]
    small = page.locator(part).first.evaluate(size)
    for screen in each_screen(page, screens):
        assert page.locator(part).first.evaluate(size) > 1.3 * small, screen


def test_low_screen_shows_the_last_round_after_an_undo(phone, server):
    undo = {"do": "korrektur", "of": 2, "with": None}
    sides = [{"name": "Anna & Sepp"}, {"name": "Maximilian & Toni"}]
    keys = server.table(
        rules="bayern", sides=sides, dealer="Anna & Sepp", played=[WON, WON, WON, undo]
    )
    page = phone(f"/t/{keys['scorer']}", viewport=SCREENS["small"])
    expect(page.locator(".undone")).to_be_visible()
    expect(page.locator(".rounds li").last).to_be_in_viewport(ratio=1)


def test_low_screen_shows_what_an_undo_took_back_from_three_sides(phone, server):
    undo = {"do": "korrektur", "of": 0, "with": None}
    sides = [{"name": name} for name in ("Anna", "Berta", "Cilli")]
    key = server.table("oberoesterreich", sides=sides, played=[WON, undo])["scorer"]
    page = phone(f"/t/{key}", viewport=SCREENS["small"])
    expect(page.locator(".undone")).to_be_in_viewport(ratio=1)
    page.locator(".redo").click()
    expect(page.locator(".slate-rows .slate-row")).to_have_count(1)


@pytest.mark.parametrize("look", ["", "big"])
def test_buttons_of_both_sides_are_in_rows(phone, server, look):
    """Whatever the length of their names."""
    page = phone()
    page.context.add_cookies([{"name": look, "value": "1", "url": server.url}] if look else [])
    for other in ("Cilli", "Maximilian & Toni", "Bartholomäus & Kreszenz"):
        sides = [{"name": "Anna & Sepp"}, {"name": other}]
        page.goto(f"/t/{server.table(sides=sides)['scorer']}")
        for screen in each_screen(page, [(390, 844), (360, 640), (320, 568)]):
            for kind in (".raise", ".win"):
                tops = page.locator(f"#pad {kind}").evaluate_all(TOP_EDGES)
                assert len(tops) == 2 and abs(tops[0] - tops[1]) <= 1, (other, screen, kind)


def test_flat_page_of_three_sides_fits_low_screens(phone, server):
    sides = [{"name": name} for name in ("Anna", "Bernhard", "Christoph")]
    page = phone()
    page.context.add_cookies([{"name": "flat", "value": "1", "url": server.url}])
    over = [{**WON, "stake": 11}]
    # The third side sits out.
    raises = [[{"do": "bieten", "side": side}] for side in (0, 1)]
    # A side near the target is asked whether it plays.
    asked = [{**WON, "stake": 9}, LOST, {**WON, "stake": 4}]
    for played in ([], [WON], *raises, asked, over):
        rules = "bayern" if played == asked else "oberoesterreich"
        page.goto(f"/t/{server.table(rules, sides=sides, played=played)['scorer']}")
        for size in each_screen(page, [(390, 844), (360, 640), (320, 568), (844, 390)]):
            height = "() => document.documentElement.scrollHeight - innerHeight"
            # Only the end of a game may be scrolled, on a phone held sideways.
            assert page.evaluate(height) <= 0 or (played == over and size == (844, 390))
            assert page.evaluate(OVERLAPPING_HALVES) == 0, (played, size)
            ends = page.locator(".halves :is(.end, .game-end):visible")
            hidden = ends.evaluate_all("(ends) => ends.map((e) => e.scrollHeight - e.clientHeight)")
            assert size == (844, 390) or max(hidden, default=0) <= 1, (hidden, size)
            assert probe(page, "cutBelow", ".game-end") == []
            assert probe(page, "overflow") == 0
            if played != over:
                expect_in_view(page.locator(".half button:not(:disabled):visible"))
                # On an upright phone the two far halves share one button.
                undo = page.locator(".half .undo:visible")
                expect(undo).to_have_count(3 if size == (844, 390) else 2)


@pytest.mark.slow
def test_flat_page_rotates_the_far_half(phone):
    page, _ = start_table(phone)
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("button", name="Handy liegt in der Mitte").click()
    far, near = page.locator(".half.far"), page.locator(".half:not(.far)")
    for screen in ("phone", "landscape"):
        page.set_viewport_size(SCREENS[screen])
        expect(far).to_have_css("rotate", "180deg")
        expect(near).to_have_css("rotate", "none")
        assert far.bounding_box()["y"] < near.bounding_box()["y"]
        # Each half has the buttons of its own side, and both sums with its own first.
        for half, side in ((far, 1), (near, 0)):
            expect(half.locator(".tap.win")).to_have_count(1)
            expect(half.locator(f".tap.win.side-{side}")).to_be_in_viewport(ratio=1)
            expect(half.locator(f".tap.raise.side-{side}")).to_be_in_viewport(ratio=1)
            expect(half.locator(".sum")).to_have_count(2)
            expect(half.locator(".head").first).to_have_class(re.compile(f"side-{side}"))
        # No link lies below the coin, which lets taps through.
        coin = page.locator(".coin").bounding_box()
        for link in page.locator(".middle a").all():
            box = link.bounding_box()
            gaps = (
                box[at] - coin[at] - coin[size] for at, size in (("x", "width"), ("y", "height"))
            )
            gaps_before = (
                coin[at] - box[at] - box[size] for at, size in (("x", "width"), ("y", "height"))
            )
            assert max(*gaps, *gaps_before) >= 0
    win(page, 1)
    expect(far.locator(".sum")).to_have_text(["2", "0"])
    expect(near.locator(".sum")).to_have_text(["0", "2"])


def test_flat_page_squeezes_no_half_of_three_sides(phone, server):
    sides = [{"name": "Wir"}, {"name": "Die"}, {"name": "Ihr"}]
    page = phone()
    page.context.add_cookies([{"name": "flat", "value": "1", "url": server.url}])
    page.goto(f"/t/{server.table(sides=sides)['scorer']}")
    for screen in each_screen(page, [(320, 568), (360, 640), (390, 844)]):
        plates = page.locator(".half .plate")
        assert plates.count() == 3
        assert all(plate.bounding_box()["height"] >= 44 for plate in plates.all()), screen


def test_taken_back_entry_is_readable_on_a_flat_page(phone, server):
    undo = {"do": "korrektur", "of": 0, "with": None}
    page = phone()
    page.context.add_cookies([{"name": "flat", "value": "1", "url": server.url}])
    page.goto(f"/t/{server.table(played=[WON, undo])['scorer']}")
    for screen in each_screen(page, [(844, 390), (667, 375), (390, 844), (320, 568)]):
        expect_in_view(page.locator(".undone, .redo"))
        size = page.locator(".undone").evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        assert size >= 13, screen
        box = page.locator(".redo").bounding_box()
        assert min(box["width"], box["height"]) >= 44, (screen, box)


def test_flat_page_names_both_other_sides(phone, server):
    names = ["Hansl", "Maximilian-Alexander", "Sepp"]
    sides = [{"name": name, "players": [name]} for name in names]
    page = phone()
    page.context.add_cookies([{"name": "flat", "value": "1", "url": server.url}])
    page.goto(f"/t/{server.table(sides=sides, dealer='Hansl')['scorer']}")
    for screen in each_screen(page, [(390, 844), (844, 390)]):
        shown = page.locator(".other-sides .name")
        assert shown.count() == 6
        for name in shown.all():
            # Only a long name is cut.
            width, needed = name.evaluate("e => [e.clientWidth, e.scrollWidth]")
            assert width >= min(needed, 60), (screen, name.text_content())
            expect_in_view(name)


def test_big_board_on_a_phone_shows_the_newest_round(phone, server):
    sides = [{"name": "Anna & Sepp", "players": ["Anna", "Sepp"]}, {"name": "Maximilian & Toni"}]
    key = server.table("bayern", sides=sides, dealer="Anna", played=[WON, LOST] * 3)["viewer"]
    page = phone(f"/b/{key}?big=1")
    for screen in each_screen(page, [(844, 390), (320, 568), (390, 844)]):
        expect_in_view(page.locator(".sum, .slate-row:last-child .running-total"))
        scrolls = page.evaluate("document.documentElement.scrollHeight > innerHeight")
        assert not scrolls, screen


@pytest.mark.slow
@pytest.mark.parametrize("name", ["disputed", "over"])
def test_big_board_has_large_letters(phone, server, name):
    guests = {"name": "Gäste", "players": ["Cilli", "Dora"]}
    key = table(server, name, [{"name": "", "players": ["Anna", "Bert"]}, guests])["viewer"]
    page = phone()
    for path, screens in (("?big=1", ((1920, 1080), (1280, 720))), ("", ((844, 390), (1366, 768)))):
        page.goto(f"/b/{key}{path}")
        for screen in each_screen(page, screens):
            assert probe(page, "faint") == [], (path, screen)
            expect_in_view(page.locator(".sum, .open-question, .game-end h2, .loss"))
            # If there is room, the previous game is beside the running one.
            if path and name == "disputed":
                expect(page.locator(".before")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_ledger_cells_do_not_run_off_the_screen(phone, server):
    page = phone(f"/g/{written(server)['over']['group']}")
    unfold(page)
    expect(page.locator(".going li").last).to_be_visible()
    for screen in each_screen(page, [(320, 844), (390, 844)]):
        assert probe(page, "beyond") == [], screen
    # A heading keeps away from the text above it.
    [(above, below)] = page.evaluate(
        """() => [...document.querySelectorAll('.debts ~ h2')].map(one => [
            one.previousElementSibling.getBoundingClientRect().bottom,
            one.getBoundingClientRect().top])"""
    )
    assert below - above > 12


@pytest.mark.slow
def test_reduced_motion_disables_transitions(phone):
    page, _ = start_table(phone, reduced_motion="reduce")
    expect(page.locator(".tap.win").first).to_have_css("transition-duration", "0s")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "path"), [("three", "sheet"), ("over", "look-back")])
def test_chart_labels_do_not_overlap(phone, server, name, path):
    page = phone(f"/b/{written(server)[name]['viewer']}/{path}")
    expect(page.locator(".chart text").first).to_be_visible()
    assert probe(page, "covered", ".chart text") == []


def test_seats_show_whole_names(phone):
    page = phone("/", viewport={"width": 360, "height": 740})
    seats = page.locator(".seat input:not([type=radio]):visible")
    for name in ("Giocatore", "Massimiliano"):
        for seat in seats.all():
            seat.fill(name)
        assert probe(page, "wider", ".seat input:not([type=radio])") == []
    assert probe(page, "covered", ".seat, .wood") == []
    assert page.get_by_role("link", name="scannen").bounding_box()["height"] >= 44


@pytest.mark.slow
def test_start_bar_covers_no_list_of_tables(phone, server):
    """The bar sticks only while the names of its form are on the screen."""
    page = phone(f"/t/{server.table(sides=SEATED, played=[WON] * 5)['scorer']}")
    page.goto("/")
    for screen in each_screen(page, [(375, 667), (320, 640), (390, 844)]):
        page.evaluate("scrollTo(0, 0)")
        table = page.locator("[data-listed=tables] .go-on").bounding_box()
        bar = page.locator(".go .primary").bounding_box()
        assert bar["y"] >= table["y"] + table["height"], screen
        assert probe(page, "coveredBy", ".go", "[data-listed=tables]") == [], screen
    page.locator(".counts-of").scroll_into_view_if_needed()
    expect(page.locator(".go .primary")).to_be_in_viewport()


@pytest.mark.parametrize("region", ["bayern", *slow(*(one for one in REGIONS if one != "bayern"))])
def test_start_page_fits_with_all_house_rules_of_the_last_table(phone, server, region):
    rules = rulebook(region)["rules"]
    changed = {name: rules[name]["or"][0] for name in SWITCHES if rules[name].get("or")}
    page = phone(f"/t/{server.table(region, set=changed)['scorer']}")
    for language in LANGUAGES:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto("/")
        assert page.locator(".targets:visible [type=checkbox]").count() > 10
        for screen in each_screen(page, [(320, 568), (390, 844), (820, 1180)]):
            assert probe(page, "overflow") == 0, (language, screen)


def test_house_rule_choices_are_not_cut_off(phone):
    page = phone("/new?rules=oberoesterreich")
    page.get_by_text("Alle anderen Hausregeln").click()
    assert page.locator("select").count() > 20
    assert probe(page, "cutChoices") == []
    own = page.locator(".regional:visible")
    expect(own).to_have_count(0)
    page.locator("#set-schneider").select_option(index=1)
    expect(own).to_have_count(1)


def test_error_page_has_a_short_title_and_advice(phone):
    page = phone("/t/nobodyhasthiskeyatall", viewport=SCREENS["small"])
    what = page.get_by_role("heading", level=1)
    assert what.bounding_box()["height"] < SCREENS["small"]["height"] / 5
    expect(what.locator("+ p")).not_to_be_empty()


@pytest.mark.slow
def test_words_beside_a_sum_are_not_broken(phone, server):
    page = phone(viewport=SCREENS["small"])
    for region in REGIONS:
        bid = 5 if region == "frankreich" else 3
        keys = server.table(region, played=map(event, (f"bieten 0 {bid}", "gehen 1")))
        page.goto(f"/b/{keys['viewer']}")
        assert page.locator(".cell small:not(:empty)").count() == 2, region
        assert probe(page, "torn", ".cell small:not(:empty)") == [], region


ACCENTED = [
    {"name": "Ödön", "players": ["Österl", "Änni"]},
    {"name": "Ëlsè Ÿ", "players": ["Élodie", "Ürfj"]},
    {"name": "Åjö", "players": ["Ĝg", "Ů"]},
]


@pytest.mark.slow
@pytest.mark.parametrize("sides", [2, 3])
def test_accented_letters_are_not_clipped(phone, server, sides):
    """This includes the dots of umlauts, the tips of shapes and slanted letters."""
    key = server.table(sides=ACCENTED[:sides], played=[WON])["scorer"]
    page = phone(device_scale_factor=2)
    for size in SCREENS.values():
        page.set_viewport_size(size)
        page.goto(f"/t/{key}")
        bound = take_picture(page)
        # Now these elements clip nothing.
        probe(page, "unbound", ".head *, .tap *")
        assert ImageChops.difference(bound, take_picture(page)).getbbox() is None, size


def take_picture(page):
    return Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")


# A game's tick that is on another line than its number, at any of these widths
LOST_TICKS = """game => { const [number, tick] = [".numbered h2", ".numbered > :not(h2)"]
  .map(one => game.querySelector(one).getBoundingClientRect());
  return tick.width === 0 || tick.top > number.bottom || tick.left < number.right; }"""


@pytest.mark.slow
def test_tick_of_a_game_stays_beside_its_number(phone, server):
    close = [event(f"gewinnt {side} 3") for side in (0, 1, 0, 1, 0, 1, 0, 1, 0)]
    sides = [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]
    made = server.table("bayern", sides=sides, played=[*close])
    page = phone(f"/b/{made['opponent']}")
    page.locator(".confirm button").click()
    expect(page.locator(".tick")).to_have_count(1)
    for language in LANGUAGES:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/b/{made['viewer']}/history")
        summary = page.locator(".game > summary")
        expect(summary.locator(".game-marks")).to_have_count(1)
        for width in range(320, 435, 5):
            page.set_viewport_size({"width": width, "height": 800})
            assert not summary.evaluate(LOST_TICKS), (language, width)


@pytest.mark.shared_phone
def test_rule_marks_stay_beside_their_sentence(phone, server):
    """At any width: a sentence may fill its line to the last pixel."""
    sides = [{"name": "Franz & Maria"}, {"name": "Sepp & Resi"}]
    keys = server.table(sides=sides, played=[{"do": "gewinnt", "side": 0}])
    page = phone(f"/b/{keys['viewer']}/round/0")
    outside = """() => [...document.querySelectorAll(".because > .rule")].some((mark) =>
      mark.getBoundingClientRect().left < mark.parentElement.getBoundingClientRect().left)"""
    for width in range(320, 430, 2):
        page.set_viewport_size({"width": width, "height": 600})
        assert not page.evaluate(outside), width


@pytest.mark.parametrize("path", ["/", "/new?rules=bayern"])
def test_focused_field_is_not_behind_the_start_bar(phone, path):
    page = phone(path, viewport=SCREENS["small"])
    unfold(page)
    bar = page.locator(".go").first
    fields = page.locator("main input:visible, main select:visible, main textarea:visible")
    for field in fields.all():
        if bar.evaluate("(bar, field) => bar.contains(field)", field.element_handle()):
            continue
        page.evaluate("scrollTo(0, 0)")
        field.focus()
        box, cover = field.bounding_box(), bar.bounding_box()
        is_above = box["y"] + min(box["height"], 20) <= cover["y"]
        is_below = box["y"] >= cover["y"] + cover["height"]
        assert is_above or is_below, field.get_attribute("name")
