"""Every page on every screen: nothing runs over, everything can be hit and read."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from scorer.engine.rules.loading import REGIONS
from scorer.web import asset_root
from scorer.web.frame.language import COOKIE, LANGUAGES
from tests.browser.sight import in_sight, unfold
from tests.browser.taps import new_table, win

pytestmark = pytest.mark.shared_phone

AXE = (Path(__file__).parent / "vendor" / "axe-core-4.14.1.min.js").read_text()
SCREENS = {
    "small": {"width": 320, "height": 568},
    "phone": {"width": 390, "height": 844},
    "landscape": {"width": 844, "height": 390},
    "laptop": {"width": 1280, "height": 800},
}
LONG = "Donaudampfschifffahrtsgesellschaftskapitän " * 2
DISPUTE = {"do": "strittig", "side": 0, "of": 4}
PROPOSAL = {"do": "vorschlag", "side": 0, "of": 0, "with": {"do": "gewinnt", "side": 1}}
EVENINGS = {
    "fresh": ("oberoesterreich", []),
    "raised": ("bayern", ["bieten 0 3", "bieten 1 4"]),
    "krank": ("oberoesterreich", ["gewinnt 0 7"]),
    "decision": ("suedtirol", ["gewinnt 0 16"]),
    "over": ("oberoesterreich", ["gewinnt 0 7", "gewinnt 1 2", "gewinnt 0"]),
    "second": (
        "oberoesterreich",
        [
            "gewinnt 0 7",
            "gewinnt 1 2",
            "gewinnt 0",
            {"do": "neues_spiel"},
            "gewinnt 1",
            "bieten 0 3",
            DISPUTE,
        ],
    ),
    "tricks": ("frankreich", ["bieten 0 5", "bleiben 1"]),
    "three": ("oberoesterreich", ["gewinnt 1 7", "gewinnt 2", "gewinnt 0"]),
    "asked": ("oberoesterreich", ["gewinnt 0", "gewinnt 1", PROPOSAL]),
}

NAMED = [
    {"name": "Maximiliane", "players": ["Anna", "Bert"]},
    {"name": "Bartholomäus", "players": ["Christl", "Dominik"]},
]


def event(text):
    if not isinstance(text, str):
        return text
    do, side, *stake = text.split()
    number = {"stake" if do == "gewinnt" else "to": int(stake[0])} if stake else {}
    return {"do": do, "side": int(side), **number}


SIDES = [
    {"name": LONG[:60].strip(), "players": ["Maximiliane-Theodora", "שרה"]},
    {"name": "<b>Die</b> 🂡🂡", "players": ["Bartholomäus", "X" * 60]},
]


def table(server, name, sides):
    """The keys of a new table in one of the positions."""
    rules, events = EVENINGS[name]
    if name == "three":
        sides = [*sides, {"name": "Zu dritt"}]
    keys = server.table(rules, sides=sides, dealer=sides[0]["name"], cut=name == "asked")
    for number, text in enumerate(events):
        status, answer = server.write(keys["scorer"], event(text), str(number))
        assert status == 201, answer
    return keys


@pytest.fixture(scope="session")
def tables(server):
    """A table in each of the positions, with names that take room."""
    found = {name: table(server, name, SIDES) for name in EVENINGS}
    found["over"]["group"] = regulars(server, found["over"]["scorer"])
    found["over"] |= preiswatten(server)
    return found


def preiswatten(server):
    """The keys of a tournament: one round played, one drawn, the pairs of a table in quarrel."""
    pairs = [{"name": f"{LONG[: 7 * n]} & {n}".strip()[:60], "club": "Ötz"} for n in range(1, 9)]
    body = {"name": LONG[:60].strip(), "rules": "bayern", "pairs": pairs, "rounds": 2, "seed": "x"}
    made = server.json("POST", "/api/tournaments", {**body, "games_per_round": 2})[1]
    director, games = made["director"], [[15, 8], [3, 15]]
    for number in (1, 2):
        drawn = server.json("POST", f"/api/tournaments/{director}/draw", {})[1]["tables"]
        for table in drawn if number == 1 else drawn[:1]:
            result = {"round": number, "table": table["table"], "games": games}
            server.json("POST", f"/api/tournaments/{director}/results", result)
    quarrel = {"round": 2, "table": drawn[1]["table"]}
    for key, said in (("scorer", games), ("opponent", games[::-1])):
        path = f"/api/tournaments/{drawn[1][key]}/results"
        server.json("POST", path, {**quarrel, "games": said})
    server.request(
        "POST", f"/p/{director}/prizes", [("token", "p"), ("lines", "300 €\nEin Ferkel")]
    )
    return {
        "director": director,
        "hall": made["viewer"],
        "signup": made["signup"],
        "entry": drawn[1]["scorer"],
        "other": drawn[1]["opponent"],
        "level": level(server),
    }


def level(server):
    """The director's key of a tournament played out: two pairs are level on the first place, four
    on the third and two on the seventh, whoever was drawn against whom."""
    names = [f"{LONG[:42]} & {LONG[:12]} {n}" for n in range(1, 9)]
    body = {"name": "Preiswatten", "rules": "bayern", "pairs": [{"name": name} for name in names]}
    made = server.json("POST", "/api/tournaments", {**body, "rounds": 1, "games_per_round": 2})[1]
    key, won, shared = made["director"], [[15, 8], [15, 3]], [[15, 8], [8, 15]]
    server.json("POST", f"/api/tournaments/{key}/draw", {})
    for number, games in enumerate((won, won, shared, shared), 1):
        result = {"round": 1, "table": number, "games": games}
        assert server.json("POST", f"/api/tournaments/{key}/results", result)[0] == 201
    standings = server.json("GET", f"/api/tournaments/{key}/standings")[1]["standings"]
    best, second, third, fourth, *_ = (line["pair"] for line in standings)
    for winner, loser, *table in ((third, fourth), (best, second, ("table", "1"))):
        form = [("token", f"d{winner}"), ("winner", winner), ("loser", loser), *table]
        assert server.request("POST", f"/p/{key}/decider", form)[0] == 303
    return key


def regulars(server, scorer):
    """The key of a group with one evening."""
    _, headers, _ = server.request("POST", "/regulars", [("name", LONG[:60])])
    group = headers["location"].rsplit("/", 1)[1]
    server.request("POST", "/regulars/evenings", [("group", group), ("table", scorer)])
    return group


PAGES = [
    ("/", "fresh"),
    ("/new?rules=suedtirol", "fresh"),
    ("/s", "fresh"),
    *[(f"/t/{{scorer}}{more}", "krank") for more in ("/share", "/seats", "/menu", "/more")],
    *[("/t/{scorer}", name) for name in EVENINGS],
    *[("/b/{viewer}", name) for name in ("fresh", "decision", "over")],
    ("/b/{viewer}/history", "over"),
    ("/b/{viewer}/look-back", "over"),
    ("/b/{viewer}?big=1", "krank"),
    ("/b/nothing", "fresh"),
    ("/b/{viewer}/rules", "fresh"),
    ("/b/{scorer}/round/1?mode=strike", "over"),
    ("/b/{viewer}/round/0", "krank"),
    ("/b/{viewer}/readings", "over"),
    ("/b/{scorer}/sheet", "over"),
    ("/b/{viewer}/sheet", "three"),
    ("/b/{viewer}/history", "three"),
    ("/b/{opponent}/round/0", "asked"),
    ("/b/{viewer}", "asked"),
    ("/g/{group}", "over"),
    ("/p/new", "fresh"),
    *[(f"/p/{{director}}{more}", "over") for more in ("", "/pairs", "/links", "/prizes")],
    *[(f"/p/{{director}}/{more}", "over") for more in ("settings", "season", "paper")],
    ("/p/{level}/deciders", "over"),
    *[(f"/p/{{hall}}/print/{what}", "over") for what in ("results", "by-table", "list", "cross")],
    *[(f"/p/{{hall}}/print/{what}", "over") for what in ("ways", "prizes", "certificates")],
    ("/p/{director}/match/2/2", "over"),
    ("/p/{director}/standings", "over"),
    ("/p/{hall}/find?name=a", "over"),
    ("/p/{hall}/hall", "over"),
    ("/p/{signup}/signup", "over"),
    ("/e/{entry}", "over"),
    ("/e/{other}", "over"),
    ("/e/{entry}/standings", "over"),
    ("/p/{hall}/print/standings", "over"),
    ("/p/{hall}/print/by-name", "over"),
    ("/p/{director}/print/slips", "over"),
    ("/b/{opponent}", "over"),
    ("/b/{viewer}/referee?table=H8&table=HA&schlag=8&trumpf=H", "fresh"),
    ("/referee?rules=trentino&ask=legal&schlag=O&trumpf=H&table=H7&hand=EO&hand=SA", "fresh"),
    ("/rules", "fresh"),
    ("/rules/oberoesterreich", "fresh"),
    ("/rules/suedtirol/gehen", "fresh"),
    ("/dialects", "fresh"),
    ("/q/", "fresh"),
    ("/b/{scorer}/codes", "over"),
]

# How far a page runs over, and what is too small on it.
# What a finger must hit: every control that is seen, except links inside a sentence and the
# small marks of rules, which stand in lines of text (WCAG 2.5.8 exempts both). And what is too
# thin for anybody: any link or button but one within a sentence, which is as high as its line. And
# what begins above the page, where nobody can scroll to.
MISFITS = """() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  // The whole pack stands on one screen: its cards are as high as a finger, and narrower.
  const narrow = (node) => (node.matches(".pick") ? 34 : 43.5);
  // A choice is as large as what is drawn of it, not as the label around it.
  const painted = (node) =>
    node.parentNode.querySelector(".choice > span") ?? node.closest("label") ?? node;
  const small = [
    ...document.querySelectorAll("button, summary, select, input"),
    ...document.querySelectorAll(":is(.bar, .foot, .mine, .back, .elsewhere, .ways) a"),
  ]
  .filter((node) => node.checkVisibility() && node.type !== "hidden" && !node.closest(".rule, .sr"))
  .map((node) => ({ node, box: painted(node).getBoundingClientRect() }))
  .filter(({ node, box }) => box.width && (box.height < 43.5 || box.width < narrow(node)))
  .map(({ node, box }) => `${node.outerHTML.slice(0, 80)} ${box.width}x${box.height}`);
  const flows = (node) => getComputedStyle(node).display === "inline";
  const block = (node) => (flows(node) ? block(node.parentElement) : node);
  const told = (node) => {
    const rest = block(node).cloneNode(true);
    rest.querySelectorAll("a, button, summary, details, .sr").forEach((part) => part.remove());
    return rest.textContent;
  };
  const within = (node) => flows(node) && /\\p{L}{2}/u.test(told(node));
  const thin = [...document.querySelectorAll("a[href], button, summary")]
    .filter((node) => node.checkVisibility() && !node.closest(".sr"))
    .map((node) => ({ node, box: node.getBoundingClientRect() }))
    .filter(({ box }) => box.width && Math.min(box.width, box.height) < 23.5)
    .filter(({ node }) => !within(node))
    .map(({ node, box }) => `${node.outerHTML.slice(0, 80)} ${box.width}x${box.height}`);
  const above = [...document.querySelectorAll("h1, a[href], button")]
    .filter((node) => node.checkVisibility() && !node.closest(".sr"))
    .filter((node) => node.getBoundingClientRect().top + scrollY < 0)
    .map((node) => node.outerHTML.slice(0, 80));
  return [Math.max(0, scrollWidth - clientWidth), small, thin, above];
}"""


def fits(page):
    for screen in SCREENS.values():
        page.set_viewport_size(screen)
        assert page.evaluate(MISFITS) == [0, [], [], []], screen


# Drawn lines and shades hide the ground from axe, which then says nothing of what stands on it.
JUDGE = f"""() => {{
  {AXE}
  const plain = new CSSStyleSheet();
  plain.replaceSync(".slate, .across {{ background-image: none; }}");
  document.adoptedStyleSheets = [plain];
}}"""
JUDGED = """async (rules) => {
  const asked = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const { violations } = await axe.run(asked);
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]);
}"""
# In the dark nothing else is different.
COLOURS = ["color-contrast", "link-in-text-block"]


def accessible(page):
    page.set_viewport_size(SCREENS["phone"])
    page.evaluate(JUDGE)
    for scheme, rules in (("light", None), ("dark", COLOURS)):
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        found = page.evaluate(JUDGED, rules)
        assert found == [], json.dumps(found, indent=1, ensure_ascii=False)


def test_in_the_dark_nothing_but_colours_is_different():
    styles = "".join(file.read_text() for file in (asset_root() / "static/css").glob("*.css"))
    dark = re.findall(r"prefers-color-scheme: dark\) {(.*?)^}", styles, re.MULTILINE | re.DOTALL)
    assert len(dark) == styles.count("prefers-color-scheme") == 1
    said = [line.strip() for line in dark[0].splitlines() if ";" in line]
    assert said
    assert [line for line in said if not re.fullmatch(r"--[\w-]+: #[0-9a-f]{6};", line)] == []


@pytest.mark.parametrize(("path", "name"), PAGES)
def test_nothing_runs_over_and_everything_can_be_hit_by_all(visitor, tables, path, name):
    visitor.goto(path.format(**tables[name]))
    fits(visitor)
    if unfold(visitor):
        fits(visitor)
    accessible(visitor)


@pytest.mark.parametrize("language", ["it", "fr", "en"])
def test_nothing_runs_over_the_smallest_phone_in_any_language(phone, server, tables, language):
    page = phone(viewport=SCREENS["small"])
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
    for path, name in PAGES:
        page.goto(path.format(**tables[name]))
        unfold(page)
        assert page.evaluate(MISFITS) == [0, [], [], []], path


# What has to be pushed aside to be read.
ASIDE = """() => [...document.querySelectorAll(".across")]
  .filter((part) => part.scrollWidth > part.clientWidth + 1)
  .map((part) => part.textContent)"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_standings_are_read_without_pushing_them_aside(phone, server, tables, language):
    page = phone(viewport=SCREENS["small"])
    page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
    for path in ("/p/{hall}/standings", "/e/{entry}/standings"):
        page.goto(path.format(**tables["over"]))
        assert page.evaluate(ASIDE) == []


@pytest.mark.parametrize("name", ["fresh", "raised", "krank", "decision"])
def test_the_taps_of_a_round_are_in_sight_on_the_smallest_phone(phone, server, name):
    key = table(server, name, NAMED)["scorer"]
    page = phone(viewport=SCREENS["small"])
    page.goto(f"/t/{key}")
    in_sight(page.locator("#pad button, .tools .tool:visible"))
    assert page.locator(".bar .title a").evaluate("node => node.scrollWidth <= node.clientWidth")
    why = page.locator(".worth")
    why.locator("> summary").click()
    expect(why.locator("li").first).to_be_in_viewport(ratio=1)
    page.set_viewport_size(SCREENS["phone"])
    page.get_by_role("link", name="Mehr").click()
    in_sight(page.locator(".sum"))


# What ends in an ellipsis.
ENDING = """(query) => [...document.querySelectorAll(query)]
  .filter((node) => node.scrollWidth > node.clientWidth
    || node.scrollHeight > node.clientHeight + 1)
  .map((node) => node.textContent)"""


PLACES = "buttons => buttons.map(b => Math.round(b.getBoundingClientRect().top))"


@pytest.mark.parametrize("name", ["krank", "decision"])
def test_a_long_name_stands_whole_and_the_buttons_stay_where_they_are(phone, server, name):
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
            assert page.evaluate(ENDING, ".head .name, .win .who") == []
            buttons = page.locator("#pad :is(.win, .raise, .chip)")
            places[screen].append(buttons.evaluate_all(PLACES))
    for seen in places.values():
        for tops in zip(*seen, strict=True):
            # Rounding alone moves by one.
            assert max(tops) - min(tops) <= 1


def test_lying_flat_turns_the_far_side_round(phone):
    page = phone()
    new_table(page)
    page.get_by_role("link", name="Menü").click()
    page.get_by_role("button", name="flach").click()
    far, near = page.locator(".half.far"), page.locator(".half:not(.far)")
    for screen in ("phone", "landscape"):
        page.set_viewport_size(SCREENS[screen])
        expect(far).to_have_css("rotate", "180deg")
        expect(near).to_have_css("rotate", "none")
        assert far.bounding_box()["y"] < near.bounding_box()["y"]
        # Each half has its own side's buttons and both sums, its own the first.
        for half, side in ((far, 1), (near, 0)):
            expect(half.locator(".tap.win")).to_have_count(1)
            expect(half.locator(f".tap.win.side-{side}")).to_be_in_viewport(ratio=1)
            expect(half.locator(f".tap.raise.side-{side}")).to_be_in_viewport(ratio=1)
            expect(half.locator(".sum")).to_have_count(2)
            expect(half.locator(".head").first).to_have_class(re.compile(f"side-{side}"))
    win(page, 1)
    expect(far.locator(".sum")).to_have_text(["2", "0"])
    expect(near.locator(".sum")).to_have_text(["0", "2"])


FAINT = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const faint = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const { parentElement: box } = node;
    if (!node.data.trim() || box.closest(".sr") || !box.checkVisibility()) continue;
    const size = parseFloat(getComputedStyle(box).fontSize);
    if (size < innerHeight * 0.03 - 0.1) faint.push(`${node.data.trim()} ${size}`);
  }
  return faint;
}"""


@pytest.mark.parametrize("name", ["second", "over"])
def test_nothing_on_a_wall_or_a_board_on_its_side_is_too_small_to_read(phone, server, name):
    sides = [
        {"name": "", "players": ["Anna", "Bert"]},
        {"name": "Gäste", "players": ["Cilli", "Dora"]},
    ]
    key = table(server, name, sides)["viewer"]
    page = phone()
    for path, screens in (("?big=1", ((1920, 1080), (1280, 720))), ("", ((844, 390), (1366, 768)))):
        page.goto(f"/b/{key}{path}")
        for width, height in screens:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(FAINT) == [], (path, width)
            in_sight(page.locator(".sum, .open, .moment h2, .drawn"))
            # Where there is room the game before stands beside the running one.
            if path and name == "second":
                expect(page.locator(".before")).to_be_in_viewport(ratio=1)


BEYOND = """() => [...document.querySelectorAll(".ledger :is(th, td)")]
  .filter((cell) => cell.getBoundingClientRect().right > innerWidth)
  .map((cell) => cell.textContent)"""


@pytest.mark.parametrize("width", [320, 390])
def test_nothing_of_a_ledger_is_cut_on_a_phone(phone, tables, width):
    page = phone(viewport={"width": width, "height": 844})
    page.goto(f"/g/{tables['over']['group']}")
    unfold(page)
    expect(page.locator(".skills").last.locator("td").last).to_be_visible()
    assert page.evaluate(BEYOND) == []


def test_calm_where_motion_is_unwanted(phone):
    page = phone(reduced_motion="reduce")
    new_table(page)
    expect(page.locator(".tap.win").first).to_have_css("transition-duration", "0s")


COVERED = """(query) => {
  const boxes = [...document.querySelectorAll(query)].map((node) => [
    node.textContent.trim(), node.getBoundingClientRect(),
  ]);
  const { left, right } = document.querySelector("main").getBoundingClientRect();
  const out = boxes.filter(([, box]) => box.left < left || box.right > right);
  const over = boxes.filter(([, a], at) => boxes.slice(at + 1).some(([, b]) =>
    a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom));
  return [...out, ...over].map(([text]) => text);
}"""


@pytest.mark.parametrize(
    ("path", "name"), [("/b/{viewer}/sheet", "three"), ("/b/{viewer}/look-back", "over")]
)
def test_the_words_of_a_chart_stand_whole_and_apart_on_an_upright_phone(phone, tables, path, name):
    page = phone()
    page.goto(path.format(**tables[name]))
    expect(page.locator(".chart text").first).to_be_visible()
    assert page.evaluate(COVERED, ".chart text") == []


WIDER = """(inputs) => inputs.filter((input) => input.scrollWidth > input.clientWidth)
  .map((input) => input.value)"""


def test_the_seats_of_a_new_table_show_whole_names_on_a_narrow_phone(phone):
    page = phone(viewport={"width": 360, "height": 740})
    page.goto("/")
    seats = page.locator(".seat input:not([type=radio])")
    for name in ("Giocatore", "Massimiliano"):
        for seat in seats.all():
            seat.fill(name)
        assert seats.evaluate_all(WIDER) == []
    assert page.evaluate(COVERED, ".seat, .wood") == []
    scans = page.get_by_role("link", name="scannen")
    assert scans.bounding_box()["height"] >= 44


CUT_CHOICES = """(selects) => selects.filter((select) => {
  const style = getComputedStyle(select);
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = style.font;
  const arrow = 16;
  const room = select.clientWidth - arrow - parseFloat(style.paddingLeft);
  return [...select.options].some((option) => pen.measureText(option.text).width > room);
}).map((select) => select.name)"""


def test_what_a_house_rule_can_be_stands_whole(phone):
    page = phone()
    page.goto("/new?rules=oberoesterreich")
    page.get_by_text("Alle anderen Hausregeln").click()
    choices = page.locator("select")
    assert choices.count() > 20
    assert choices.evaluate_all(CUT_CHOICES) == []


def test_what_went_wrong_is_the_heading_and_what_to_do_stands_below(phone):
    page = phone(viewport=SCREENS["small"])
    page.goto("/t/nobodyhasthiskeyatall")
    what = page.get_by_role("heading", level=1)
    assert what.bounding_box()["height"] < SCREENS["small"]["height"] / 5
    expect(what.locator("+ p")).not_to_be_empty()


TORN = """(notes) => notes.flatMap((note) => {
  const pen = document.createElement("canvas").getContext("2d");
  pen.font = getComputedStyle(note).font;
  return note.textContent.split(/\\s+/)
    .filter((word) => pen.measureText(word).width > note.getBoundingClientRect().width + 1);
})"""


def test_no_word_beside_a_sum_is_torn_or_cut_on_the_smallest_phone(phone, server):
    page = phone(viewport=SCREENS["small"])
    for region in REGIONS:
        keys = server.table(region)
        bid = 5 if region == "frankreich" else 3
        for number, text in enumerate((f"bieten 0 {bid}", "gehen 1")):
            assert server.write(keys["scorer"], event(text), str(number))[0] == 201
        page.goto(f"/b/{keys['viewer']}")
        notes = page.locator(".cell small:not(:empty)")
        assert notes.count() == 2, region
        assert notes.evaluate_all(TORN) == [], region
