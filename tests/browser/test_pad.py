"""Positions of the writer's buttons, and what replaces a button that disappears."""

import json
import random

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, apply, legal, position, replay, rules_of
from scorer.engine.scoring.events import parse
from scorer.web.frame.language import COOKIE, LANGUAGES
from tests.browser.positions import EVENINGS, event, table
from tests.browser.probes import probe
from tests.browser.taps import animation_speed, expect_sums, middle_of, tap
from tests.browser.visual_checks import each_screen, expect_in_view
from tests.builders import LOST, NEXT, RAISED, SEATED, WON
from tests.sampling import mostly_slow, slow

pytestmark = pytest.mark.shared_phone

# Three upright phones, a small one, and that one on its side. Between them the columns only widen.
SCREENS = [(390, 844), (375, 667), (390, 740), (320, 568), (568, 320)]
PLAY_EVENTS = ("bieten", "bleiben", "gehen", "gewinnt", "streichen")
SIDES = ["Maria & Resi", "Sepp & Hans"]
NAMED = [{"name": "", "players": name.split(" & ")} for name in SIDES]


def overlaps_any(button, places):
    """Whether a button overlaps one of these places, apart from the edges."""
    own = button["box"]
    return own["width"] > 0 and any(
        min(own["right"], place["right"]) - max(own["left"], place["left"]) > 4
        and min(own["bottom"], place["bottom"]) - max(own["top"], place["top"]) > 4
        for place in places
    )


def changes_points(state, tapped):
    """Whether the events of a button change the points."""
    events, after = json.loads(tapped), state
    for one in events if isinstance(events, list) else [events]:
        after = apply(after, parse(one))
    return after.points != state.points


def play_evenings(server, region, **head):
    """Play three evenings near the target; yield keys and record at each new position."""
    rules, rng, seen = rules_of(region), random.Random(f"{region}5"), []
    near = rules.target - (rules.near or 2)
    head |= {"watten": 1, "rules": region, "sides": NAMED}
    for _ in range(3):
        record = head | {"start": {"points": [near - 2, near - 6]}, "events": []}
        keys = server.json("POST", "/api/tables", record)[1]
        for _ in range(14):
            state = replay(record)[0].state
            if state.winner is not None:
                break
            if position(state) not in seen:
                seen.append(position(state))
                yield keys, record
            chosen = rng.choice([e for e in legal(state) if e.do in PLAY_EVENTS]).to_json()
            server.play(keys["scorer"], chosen)
            record["events"].append(chosen)


# The region whose evenings are shortest is tested in every display mode, the others only upright.
QUICKEST = "frankreich"
OTHERS = [region for region in REGIONS if region != QUICKEST]
MODES = [
    (QUICKEST, "upright"),
    *((region, "upright") for region in OTHERS),
    *((QUICKEST, "flat"), (QUICKEST, "big")),
]


@pytest.mark.parametrize(("region", "mode"), mostly_slow(MODES))
def test_scoring_button_never_replaces_answer_or_raise(phone, server, region, mode):
    """No button writes points where an answer was, or where a side could raise before."""
    page = phone()
    page.context.add_cookies([{"name": mode, "value": "1", "url": server.url}])
    raise_places, answer_places, scoring_buttons, checked_places = {}, {}, [], 0
    for keys, record in play_evenings(server, region):
        state = replay(record)[0].state
        page.goto(f"/t/{keys['scorer']}")
        raising = {e.side for e in legal(state) if e.do == "bieten"}
        for screen in each_screen(page, SCREENS):
            assert probe(page, "overflow") == 0, (screen, record["events"])
            buttons = probe(page, "buttons", ".side-column button, .answer")
            for button in buttons:
                if button["answers"]:
                    answer_places.setdefault(screen, []).append(button["box"])
                elif changes_points(state, button["value"]):
                    scoring_buttons.append((screen, button, list(record["events"])))
                if button["raises"]:
                    raise_places.setdefault((screen, button["column"]), []).append(button["box"])
            for side in {0, 1} - raising:
                places = raise_places.get((screen, SIDES[side]), [])
                checked_places += len(places)
                for button in buttons:
                    wrote = overlaps_any(button, places) and changes_points(state, button["value"])
                    assert not wrote, (screen, record["events"], button)
    assert checked_places
    for screen, button, events in scoring_buttons:
        assert not overlaps_any(button, answer_places[screen]), (screen, events, button)


@pytest.mark.parametrize("region", [QUICKEST, *slow(*OTHERS)])
def test_other_sides_raise_position_is_not_reused(phone, server, region):
    page = phone()
    raise_places, checked_places = {}, 0
    for keys, record in play_evenings(server, region, answers=True):
        page.goto(f"/b/{keys['opponent']}")
        for screen in each_screen(page, SCREENS):
            places = raise_places.setdefault(screen, [])
            buttons = probe(page, "buttons", ".seat-buttons .raise, .seat-buttons button")
            others = [button for button in buttons if not button["raises"]]
            checked_places += len(others) * len(places)
            reused = [button for button in others if overlaps_any(button, places)]
            assert reused == [], (screen, record["events"])
            places += [button["box"] for button in buttons if button["raises"]]
    assert checked_places


def test_new_question_ignores_taps_at_first(phone, server):
    keys = server.table(sides=NAMED, answers=True)
    page = phone(f"/b/{keys['opponent']}")
    set_speed = animation_speed(page)
    set_speed(0)
    server.play(keys["scorer"], RAISED)
    asked = page.locator(".seat-buttons", has_text="gehen")
    expect(asked).to_have_css("pointer-events", "none")
    set_speed(1)
    expect(asked).to_have_css("pointer-events", "auto")


def test_forbidden_raise_is_entered_as_a_penalty(phone, server):
    page = phone(f"/t/{server.table(sides=NAMED, played=[{**WON, 'stake': 7}])['scorer']}")
    expect(page.locator(".side-column.side-0 .no-raise")).to_contain_text("krank")
    expect(page.locator('.side-column [value*="strafe"]')).to_have_count(0)
    page.locator("#more").click()
    locked = page.locator("#panel .offence", has_text="Trotz Verbot geboten")
    tap(locked.get_by_role("button"))
    expect_sums(page, 7, 2)
    expect(page.locator(".tools").get_by_role("button", name="Zurück")).to_contain_text("Verbot")


def test_browser_back_closes_the_more_panel_first(phone, server):
    page = phone("/rules")
    table = f"{server.url}/t/{server.table(sides=NAMED)['scorer']}"
    page.goto(table)
    more, panel = page.locator("#more"), page.locator("#panel > *")
    for _ in range(2):
        more.click()
        expect(panel).to_have_count(1)
        expect(more).to_have_attribute("aria-expanded", "true")
        page.go_back()
        expect(panel).to_have_count(0)
        expect(more).to_have_attribute("aria-expanded", "false")
        assert page.url == table
    more.click()
    # A tap in the panel closes it too, and leaves nothing in the browser's history.
    tap(page.locator("#panel .offence", has_text="Vergeben").locator(".side-0"))
    expect_sums(page, 0, 2)
    expect(panel).to_have_count(0)
    for count in (1, 0):
        more.click()
        expect(panel).to_have_count(count)
    page.go_back()
    page.wait_for_url("**/rules")


@pytest.mark.parametrize("size", [(320, 568), (390, 844), (844, 390), (1280, 800)], ids=str)
def test_button_of_more_stays_under_the_finger(phone, server, size):
    page = phone(f"/t/{server.table(sides=NAMED, played=[WON, LOST])['scorer']}")
    page.set_viewport_size({"width": size[0], "height": size[1]})
    more, panel = page.locator("#more"), page.locator("#panel > *")
    set_speed = animation_speed(page)
    set_speed(0)
    place = middle_of(more)
    page.mouse.click(*place)
    expect(panel).to_have_count(1)
    assert middle_of(more) == place
    # The second tap of a trembling finger leaves it open, and a later tap closes it.
    page.mouse.click(*place)
    expect(panel).to_have_count(1)
    set_speed(1)
    more.click()
    expect(panel).to_have_count(0)


def test_dealer_can_be_named_after_the_first_round(phone, server):
    page = phone(f"/t/{server.table(sides=SEATED, played=[WON])['scorer']}")
    page.get_by_role("link", name="Wer gibt?").click()
    page.locator("#panel").get_by_role("button", name="Cilli", exact=True).click()
    expect(page.locator(".procedure").first).to_contain_text("Cilli gibt")
    expect(page.get_by_role("link", name="Wer gibt?")).to_have_count(0)


@pytest.mark.parametrize("name", mostly_slow(EVENINGS, 3))
def test_more_is_shown_in_every_position(phone, server, name):
    page = phone(f"/t/{table(server, name, NAMED)['scorer']}")
    page.locator("#more").click()
    expect(page.locator("#panel > *")).to_have_count(1)
    for screen in each_screen(page, [(320, 568), (390, 844), (844, 390), (820, 1180)]):
        expect_in_view(page.locator("#more"))
        assert probe(page, "overprinted") == [], screen


def test_slate_beside_more_shows_whole_heads(phone, server):
    names = [{"players": ["Franz Xaver", "Annamirl"]}, {"players": ["Maria", "Sepp"]}]
    start = {"points": [13, 0], "bummerl": [2, 0]}
    page = phone(f"/t/{server.table('bayern', sides=names, start=start)['scorer']}")
    page.locator("#more").click()
    expect(page.locator("#panel > *")).to_have_count(1)
    for screen in each_screen(page, [(390, 844), (375, 667), (320, 844)]):
        assert probe(page, "cut", ".head :is(.name, .sum, .side-state)") == [], screen


LEFT = "buttons => buttons.map(b => Math.round(b.getBoundingClientRect().left))"


@pytest.mark.slow
def test_more_panel_keeps_each_side_in_its_column(phone, server):
    page = phone()
    for region in REGIONS:
        page.goto(f"/t/{server.table(region, sides=NAMED)['scorer']}")
        page.locator("#more").click()
        expect(page.locator("#panel > *")).to_have_count(1)
        for width, _ in each_screen(page, [(320, 844), (390, 844)]):
            both = [page.locator(f"#panel .tap.side-{side}") for side in (0, 1)]
            ours, theirs = (buttons.evaluate_all(LEFT) for buttons in both)
            assert len(ours) == len(theirs) > 0
            assert len(set(ours)) == len(set(theirs)) == 1
            assert ours[0] < width / 2 - 1 < theirs[0]


def test_long_name_does_not_overflow_undo_button(phone, server):
    page = phone(viewport={"width": 320, "height": 640})
    long = [{"name": "Die lustigen Watterbuam vom Stammtisch"}, {"name": "X" * 60}]
    key = server.table(sides=long)["scorer"]
    for played, word in (("bieten 0 3", "bietet 3"), ("gehen 1", "+2")):
        server.play(key, event(played))
        page.goto(f"/t/{key}")
        button = page.locator(".tools").get_by_role("button", name="Zurück")
        did = button.locator(".did")
        expect(did).to_have_text(word)
        box, own = button.bounding_box(), did.bounding_box()
        assert own["x"] + own["width"] <= box["x"] + box["width"]
        assert own["y"] + own["height"] <= box["y"] + box["height"]
    # If the end of the name is cut off, so is the colon after it.
    expect(page.locator(".did", has_text=":")).to_have_count(0)


@pytest.mark.slow
def test_unnamed_partner_is_called_partner_of_player(phone, server):
    key = server.table(sides=[{"players": ["Sepp"]}, {"players": ["Maria", "Resi"]}])["scorer"]
    page = phone(f"/t/{key}")
    seats = page.locator(".cutters .chip")
    expect(seats).to_have_text(["Sepp", "Maria", "Partner von Sepp", "Resi"])
    seats.filter(has_text="Partner").click()
    expect(page.get_by_role("heading", name="Namen und Plätze")).to_be_visible()
    page.goto(f"/t/{key}")
    page.get_by_role("button", name="Maria", exact=True).click()
    duties = "Maria gibt, Sepp hebt ab, Partner von Sepp sagt den Schlag und spielt aus"
    expect(page.locator(".procedure").first).to_have_text(duties)
    server.play(key, WON, WON)
    page.goto(f"/b/{key}/history")
    page.locator("details[id] summary.line-row").last.click()
    expect(page.locator(".round-details .quiet").last).to_contain_text("Geber: Partner von Sepp")


def test_dealer_question_is_optional_and_small(phone, server):
    """The answers are below the question and lower than a round's buttons; none is required."""
    key = server.table("oberoesterreich", sides=[{"name": "Wir"}, {"name": "Die"}])["scorer"]
    page = phone(f"/t/{key}")
    asked, first = page.locator(".deals .asked"), page.locator(".cutters .chip").first
    expect(asked).to_contain_text("freiwillig")
    question, answer = asked.bounding_box(), first.bounding_box()
    assert answer["y"] >= question["y"] + question["height"]
    assert 44 <= answer["height"] < page.locator(".tap.win").first.bounding_box()["height"]
    page.locator(".tap.win").first.press("Enter")
    expect_sums(page, 2, 0)


def test_long_names_leave_all_buttons_below_the_dealer_question(phone, server):
    """On phones, each name has one line there; it may be cut."""
    long_name = "Maximiliane-Theodora Hinterberger-Obermoser"
    sides = [{"players": ["Bartholomäus", long_name]}, {"players": [f"{long_name} 2", "Kreszenz"]}]
    page = phone(f"/t/{server.table(sides=sides)['scorer']}")
    for screen in each_screen(page, [(320, 568), (360, 640), (390, 844)]):
        expect_in_view(page.locator(".cutters .chip, .tap:visible, .tool:visible"))
        heights = {chip.bounding_box()["height"] for chip in page.locator(".cutters .chip").all()}
        assert len(heights) == 1, screen
        assert probe(page, "crowded", ".tap, .tools .tool, .cutters .chip") == [], screen


def test_player_names_appear_once_per_side(phone, server):
    named = [{"name": "Stammtisch", "players": ["Anna", "Bert"]}, NAMED[1]]
    page = phone(f"/t/{server.table(sides=named)['scorer']}")
    heads = page.locator(".heads .head")
    expect(heads.nth(0).locator(".players")).to_have_text("Anna · Bert")
    expect(heads.nth(1).locator(".name")).to_have_text("Sepp & Hans")
    expect(heads.nth(1).locator(".players")).to_have_count(0)


# The texts on the buttons for undo and redo.
UNDO_TEXTS = ".tool > span, .tool small, .tool .who"


@pytest.mark.slow
@pytest.mark.parametrize("taken", ["bieten 1 5", "bleiben 1"])
def test_redo_text_is_not_cut_off(phone, server, taken):
    undo = {"do": "korrektur", "of": 2, "with": None}
    played = [*map(event, ("bieten 1 3", "bieten 0 4", taken)), undo]
    keys = server.table("trentino", sides=[{"name": "Noi"}, {"name": "Loro"}], played=played)
    page = phone()
    for language in ("de", "it", "fr"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/t/{keys['scorer']}")
        for screen in each_screen(page, SCREENS):
            assert probe(page, "ending", UNDO_TEXTS) == [], (language, screen)


LONG = [{"name": "Maximiliane-Theodora Hinterberger-Obermoser"}, {"name": "Bert"}]
ALMOST = [{**WON, "stake": 7}, LOST, LOST]
DISPUTE = {"do": "strittig", "side": 0, "of": 2}
CORRECTED = {"do": "korrektur", "of": 2, "with": {**LOST, "stake": 3}}
DISPUTED = {
    "who may give points up": [*ALMOST, DISPUTE],
    "called settled": [*ALMOST, DISPUTE, CORRECTED],
    "raised": [LOST, LOST, WON, DISPUTE, event("bieten 1 3")],
    "second game": [*ALMOST, WON, NEXT, *ALMOST, {**DISPUTE, "of": 7}],
}
ALWAYS_IN_VIEW = (
    ".dispute, .dispute .button, .slate-row:last-child, .sum, .tap:visible, .tool:visible"
)


@pytest.mark.parametrize("mode", ["upright", *slow("big")])
@pytest.mark.parametrize("events", mostly_slow(DISPUTED.values(), 2), ids=DISPUTED)
def test_dispute_banner_is_visible(phone, server, events, mode):
    """The newest round is in sight too, on low screens and with long names."""
    key = server.table(sides=LONG, played=events)["scorer"]
    page = phone()
    page.context.add_cookies([{"name": mode, "value": "1", "url": server.url}])
    for language in ("de", "it", "fr"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/t/{key}")
        for _ in each_screen(page, SCREENS):
            expect_in_view(page.locator(ALWAYS_IN_VIEW))
            expect(page.locator(".dispute > a")).to_have_count(1)
            assert probe(page, "cutBelow", ".dispute > a") == []


def test_dispute_is_whole_where_the_dealer_is_known(phone, server):
    key = server.table(sides=NAMED, dealer="Maria", played=[WON, LOST, WON, DISPUTE])["scorer"]
    page = phone()
    for language in ("de", "it", "fr"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/t/{key}")
        for screen in each_screen(page, SCREENS):
            expect_in_view(page.locator(ALWAYS_IN_VIEW))
            assert probe(page, "cutBelow", ".dispute > a") == [], screen
            assert page.locator(".dispute").bounding_box()["width"] > 130, screen


PROPOSAL = {"do": "vorschlag", "side": 1, "of": 2, "with": {**LOST, "stake": 3}}
THEIR_DISPUTE = {**DISPUTE, "side": 1}
BANNERS = {
    "called settled": [("opponent", THEIR_DISPUTE), ("scorer", CORRECTED)],
    "settled by the writer": [
        ("opponent", THEIR_DISPUTE),
        ("scorer", {**DISPUTE, "do": "geklaert"}),
    ],
    "after the game": [("opponent", THEIR_DISPUTE), ("scorer", CORRECTED), ("scorer", WON)],
    "proposed": [("opponent", PROPOSAL)],
}


@pytest.mark.parametrize("names", [LONG, NAMED])
def test_proposal_is_whole_and_waits_for_the_answer_to_a_raise(phone, server, names):
    keys = server.table(sides=names, played=ALMOST)
    server.play(keys["opponent"], PROPOSAL)
    page = phone(f"/t/{keys['scorer']}")
    for _ in each_screen(page, SCREENS):
        expect_in_view(
            page.locator(".dispute, .dispute .button, .sum, .tap:visible, .tool:visible")
        )
        assert probe(page, "cutBelow", ".dispute > a") == []
    server.play(keys["scorer"], event("bieten 1 3"))
    expect(page.locator(".answer").first).to_be_visible()
    expect(page.locator("[data-proposal]")).to_be_visible()
    expect(page.locator("[data-proposal] .button")).to_have_count(0)


MARGINS = """buttons => buttons.map(button => {
  const [own, frame] = [button, button.closest(".dispute")].map(one => one.getBoundingClientRect());
  const [above, below] = [own.top - frame.top, frame.bottom - own.bottom];
  return Math.min(above, below, own.left - frame.left, frame.right - own.right);
})"""
GAPS = """banners => banners.map(banner => {
  const before = banner.previousElementSibling.getBoundingClientRect();
  return before.height ? banner.getBoundingClientRect().top - before.bottom : 8;
})"""


@pytest.mark.slow
@pytest.mark.parametrize("events", BANNERS.values(), ids=BANNERS)
def test_banner_has_space_around_its_button(phone, server, events):
    keys = server.table(played=ALMOST)
    for role, one in events:
        server.play(keys[role], one)
    page, buttons = phone(), 0
    for path in (f"/b/{keys['opponent']}", f"/t/{keys['scorer']}"):
        page.goto(path)
        for _ in each_screen(page, [(320, 844), (390, 844)]):
            margins = page.locator(".dispute .button").evaluate_all(MARGINS)
            assert all(margin >= 6 for margin in margins)
            buttons += len(margins)
            gaps = page.locator(".dispute").evaluate_all(GAPS)
            assert all(gap >= 8 for gap in gaps)
    assert buttons


BOXES = "buttons => buttons.map(button => button.getBoundingClientRect().toJSON())"
# Events that let the other side bid or answer, and events that end this.
ENDED = {
    "won": ([], ["gewinnt 0 3"]),
    "gone": (["bieten 0", "bieten 1", "bieten 0"], ["gehen 1"]),
}


@pytest.mark.slow
@pytest.mark.parametrize(("before", "after"), ENDED.values(), ids=ENDED)
def test_former_answer_position_accepts_no_tap(phone, server, before, after):
    page = phone()
    head = {"sides": LONG, "answers": True, "start": {"points": [6, 0]}}
    for screen in each_screen(page, SCREENS):
        keys = server.table(**head, played=map(event, before))
        page.goto(f"/b/{keys['opponent']}")
        # Until it speaks for its side, the page shows one button more.
        expect(page.locator("[data-seat-claim=here]")).to_be_visible()
        places = page.locator(".seat-buttons .tap").evaluate_all(BOXES)
        assert places
        server.play(keys["scorer"], *map(event, after))
        expect(page.locator(".seat-buttons")).to_have_count(0)
        assert probe(page, "takes", places) == [], screen


FINISHED_GAMES = {
    "bayern": ["gewinnt 0 7", "gewinnt 0 9"],
    "oberoesterreich": ["gewinnt 0 8", "gewinnt 0"],
}


@pytest.mark.parametrize(
    ("sides", "rounds"),
    [
        (["Maximilian & Ferdinand", "Rosalinde & Franz"], ["gewinnt 0 7", "gewinnt 0 2"]),
        (["Hansl", "Mitzi", "Sepp"], ["gewinnt 0 7", "gewinnt 1 4", "gewinnt 2", "gewinnt 0 2"]),
    ],
    ids=["two sides", "three sides"],
)
def test_end_of_a_game_is_whole_in_landscape(phone, server, sides, rounds):
    named = [{"name": name, "players": name.split(" & ")} for name in sides]
    keys = server.table("oberoesterreich", sides=named, played=map(event, rounds))
    page = phone()
    for language in LANGUAGES:
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/t/{keys['scorer']}")
        for screen in each_screen(page, [(844, 390), (667, 375), (568, 320)]):
            assert probe(page, "cutBelow", ".round-info, .game-end") == [], (language, screen)
            for word in page.locator(".side-state").all():
                assert word.evaluate("e => e.scrollWidth <= e.clientWidth"), (language, screen)


@pytest.mark.parametrize("region", FINISHED_GAMES)
def test_reasons_of_the_result_are_read_whole(phone, server, region):
    """They are offered on the first screen, and no bar covers them once they are open."""
    page, low_screens = phone(), [(390, 664), (320, 568), (390, 740)]
    played = map(event, FINISHED_GAMES[region])
    page.goto(f"/t/{server.table(region, sides=NAMED, played=played)['scorer']}")
    for _ in each_screen(page, low_screens):
        expect_in_view(page.locator(".game-end .explanation > summary"))
    page.locator(".game-end .explanation > summary").click()
    for _ in each_screen(page, low_screens):
        page.locator(".game-end li").last.scroll_into_view_if_needed()
        expect_in_view(page.locator(".game-end li").last)
        assert probe(page, "cut", ".game-end li") == []
        edges = page.locator("main > .round-info").evaluate("e => e.scrollHeight - e.clientHeight")
        assert edges <= 1
