"""Positions of the writer's buttons, and what replaces a button that disappears."""

import json
import random

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS, apply, legal, load, position, replay
from scorer.engine.scoring.events import parse
from scorer.web.frame.language import COOKIE
from tests.browser.positions import EVENINGS, table
from tests.browser.probes import probe
from tests.browser.taps import animation_speed, expect_sums, tap
from tests.browser.visual_checks import expect_in_view
from tests.slow import slow

pytestmark = pytest.mark.shared_phone

# The largest phone, the smallest, and that on its side. Between them the columns only widen.
SCREENS = [
    {"width": 390, "height": 844},
    {"width": 320, "height": 568},
    {"width": 568, "height": 320},
]
PLAYED = ("bieten", "bleiben", "gehen", "gewinnt", "streichen")
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
    events = json.loads(tapped)
    after = state
    for event in events if isinstance(events, list) else [events]:
        after = apply(after, parse(event))
    return after.points != state.points


def play_evenings(server, region, **head):
    """Plays three evenings near the target; yields keys and record at each new position."""
    rules, draw, seen = load(region), random.Random(f"{region}5"), []
    near = rules.target - (rules.near or 2)
    head |= {"watten": 1, "rules": region, "sides": NAMED}
    for _ in range(3):
        record = head | {"start": {"points": [near - 2, near - 6]}, "events": []}
        keys = server.json("POST", "/api/tables", record)[1]
        for number in range(14):
            state = replay(record)[0].state
            if state.winner is not None:
                break
            if position(state) not in seen:
                seen.append(position(state))
                yield keys, record
            event = draw.choice([e for e in legal(state) if e.do in PLAYED]).to_json()
            assert server.write(keys["scorer"], event, str(number))[0] == 201
            record["events"].append(event)


# The regions with the fewest and the most buttons. Only the latter is tested in every look.
EXTREMES = ["oberoesterreich", "frankreich"]
BETWEEN = [region for region in REGIONS if region not in EXTREMES]
LOOKS = [
    *((region, "upright") for region in EXTREMES),
    *slow(*((region, "upright") for region in BETWEEN)),
    ("frankreich", "flat"),
    *slow(("frankreich", "big")),
]


@pytest.mark.parametrize(("region", "look"), LOOKS)
def test_scoring_button_never_replaces_answer_or_raise(phone, server, region, look):
    """No button writes points where an answer was, or where a side could raise before."""
    page = phone()
    page.context.add_cookies([{"name": look, "value": "1", "url": server.url}])
    stood, tried = {}, 0
    answered, written = {}, []
    for keys, record in play_evenings(server, region):
        state = replay(record)[0].state
        page.goto(f"/t/{keys['scorer']}")
        raising = {event.side for event in legal(state) if event.do == "bieten"}
        for screen in SCREENS:
            page.set_viewport_size(screen)
            buttons = probe(page, "buttons", ".side-column button, .answer")
            for button in buttons:
                if button["answers"]:
                    answered.setdefault(tuple(screen.values()), []).append(button["box"])
                elif changes_points(state, button["value"]):
                    written.append((tuple(screen.values()), button, list(record["events"])))
                if button["raises"]:
                    name = (*screen.values(), button["column"])
                    stood.setdefault(name, []).append(button["box"])
            for side in {0, 1} - raising:
                places = stood.get((*screen.values(), SIDES[side]), [])
                tried += len(places)
                for button in buttons:
                    wrote = overlaps_any(button, places) and changes_points(state, button["value"])
                    assert not wrote, (screen, record["events"], button)
    assert tried
    for screen, button, events in written:
        assert not overlaps_any(button, answered[screen]), (screen, events, button)


@pytest.mark.parametrize("region", [*EXTREMES, *slow(*BETWEEN)])
def test_other_sides_raise_position_is_not_reused(phone, server, region):
    page = phone()
    stood, tried = {}, 0
    for keys, record in play_evenings(server, region, answers=True):
        page.goto(f"/b/{keys['opponent']}")
        for screen in SCREENS:
            page.set_viewport_size(screen)
            places = stood.setdefault(tuple(screen.values()), [])
            buttons = probe(page, "buttons", ".own .raise, .own button")
            others = [button for button in buttons if not button["raises"]]
            tried += len(others) * len(places)
            found = [button for button in others if overlaps_any(button, places)]
            assert found == [], (screen, record["events"])
            places += [button["box"] for button in buttons if button["raises"]]
    assert tried


def test_new_question_ignores_taps_at_first(phone, server):
    page = phone()
    keys = server.table("oberoesterreich", sides=NAMED, answers=True)
    page.goto(f"/b/{keys['opponent']}")
    set_speed = animation_speed(page)
    set_speed(0)
    assert server.write(keys["scorer"], {"do": "bieten", "side": 0}, "0")[0] == 201
    asked = page.locator(".own", has_text="gehen")
    expect(asked).to_have_css("pointer-events", "none")
    set_speed(1)
    expect(asked).to_have_css("pointer-events", "auto")


def test_forbidden_raise_is_entered_as_a_penalty(phone, server):
    page = phone()
    keys = server.table("oberoesterreich", sides=NAMED)
    assert server.write(keys["scorer"], {"do": "gewinnt", "side": 0, "stake": 7}, "1")[0] == 201
    page.goto(f"/t/{keys['scorer']}")
    expect(page.locator(".side-column.side-0 .refused")).to_contain_text("krank")
    expect(page.locator('.side-column [value*="strafe"]')).to_have_count(0)
    page.locator("#more").click()
    locked = page.locator("#panel .offence", has_text="Trotz Verbot geboten")
    tap(locked.get_by_role("button"))
    expect_sums(page, 7, 2)
    expect(page.locator(".tools").get_by_role("button", name="Zurück")).to_contain_text("Strafe")


def test_browser_back_closes_the_more_panel_first(phone, server):
    page = phone()
    page.goto("/rules")
    keys = server.table("oberoesterreich", sides=NAMED)
    table = f"{server.url}/t/{keys['scorer']}"
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


@pytest.mark.parametrize("name", EVENINGS)
def test_no_text_overlaps_while_more_is_open(phone, server, name):
    page = phone()
    page.goto(f"/t/{table(server, name, NAMED)['scorer']}")
    page.locator("#more").click()
    expect(page.locator("#panel > *")).to_have_count(1)
    for width, height in ((320, 568), (390, 844), (844, 390), (820, 1180)):
        page.set_viewport_size({"width": width, "height": height})
        assert probe(page, "overprinted") == [], (width, height)


def test_more_panel_keeps_each_side_in_its_column(phone, server):
    page = phone()
    for region in REGIONS:
        keys = server.table(region, sides=NAMED)
        page.goto(f"/t/{keys['scorer']}")
        page.locator("#more").click()
        expect(page.locator("#panel > *")).to_have_count(1)
        for width in (320, 390):
            page.set_viewport_size({"width": width, "height": 844})
            ours, theirs = (
                page.locator(f"#panel .tap.side-{side}").evaluate_all(
                    "buttons => buttons.map(b => Math.round(b.getBoundingClientRect().left))"
                )
                for side in (0, 1)
            )
            assert len(ours) == len(theirs) > 0
            assert len(set(ours)) == len(set(theirs)) == 1
            assert ours[0] < width / 2 - 1 < theirs[0]


def test_long_name_does_not_overflow_undo_button(phone, server):
    page = phone(viewport={"width": 320, "height": 640})
    long = [{"name": "Die lustigen Watterbuam vom Stammtisch"}, {"name": "X" * 60}]
    keys = server.table("oberoesterreich", sides=long)
    events = [{"do": "bieten", "side": 0, "to": 3}, {"do": "gehen", "side": 1}]
    for number, (event, word) in enumerate(zip(events, ("bietet 3", "+2"), strict=True)):
        assert server.write(keys["scorer"], event, str(number))[0] == 201
        page.goto(f"/t/{keys['scorer']}")
        button = page.locator(".tools").get_by_role("button", name="Zurück")
        did = button.locator(".did")
        expect(did).to_have_text(word)
        box, own = button.bounding_box(), did.bounding_box()
        assert own["x"] + own["width"] <= box["x"] + box["width"]
        assert own["y"] + own["height"] <= box["y"] + box["height"]
    # If the end of the name is cut off, so is the colon after it.
    expect(page.locator(".did", has_text=":")).to_have_count(0)


def test_unnamed_partner_is_called_partner_of_player(phone, server):
    page = phone()
    sides = [{"name": "", "players": ["Sepp"]}, {"name": "", "players": ["Maria", "Resi"]}]
    key = server.table("oberoesterreich", sides=sides)["scorer"]
    page.goto(f"/t/{key}")
    seats = page.locator(".cutters .chip")
    expect(seats).to_have_text(["Sepp", "Maria", "Partner von Sepp", "Resi"])
    seats.filter(has_text="Partner").click()
    expect(page.get_by_role("heading", name="Namen und Plätze")).to_be_visible()
    page.goto(f"/t/{key}")
    page.get_by_role("button", name="Maria", exact=True).click()
    expect(page.locator(".procedure").first).to_have_text(
        "Maria gibt, Sepp hebt ab, Partner von Sepp sagt den Schlag und spielt aus"
    )
    for number in range(2):
        server.write(key, {"do": "gewinnt", "side": 0}, str(number))
    page.goto(f"/b/{key}/history")
    page.locator("details[id] summary.line-row").last.click()
    expect(page.locator(".opened .quiet").last).to_contain_text("Geber: Partner von Sepp")


def test_dealer_question_is_optional_and_small(phone, server):
    """The answers are beside the question and lower than a round's buttons; none is required."""
    page = phone()
    key = server.table("oberoesterreich", sides=[{"name": "Wir"}, {"name": "Die"}])["scorer"]
    page.goto(f"/t/{key}")
    asked, first = page.locator(".deals .asked"), page.locator(".cutters .chip").first
    expect(asked).to_contain_text("muss nicht sein")
    question, answer = asked.bounding_box(), first.bounding_box()
    assert answer["x"] >= question["x"] + question["width"]
    assert 44 <= answer["height"] < page.locator(".tap.win").first.bounding_box()["height"]
    page.locator(".tap.win").first.press("Enter")
    expect_sums(page, 2, 0)


def test_player_names_appear_once_per_side(phone, server):
    page = phone()
    named = [{"name": "Stammtisch", "players": ["Anna", "Bert"]}, NAMED[1]]
    keys = server.table("oberoesterreich", sides=named)
    page.goto(f"/t/{keys['scorer']}")
    heads = page.locator(".heads .head")
    expect(heads.nth(0).locator(".players")).to_have_text("Anna · Bert")
    expect(heads.nth(1).locator(".name")).to_have_text("Sepp & Hans")
    expect(heads.nth(1).locator(".players")).to_have_count(0)


# The texts on the buttons for undo and redo.
TOOLS = ".tool > span, .tool small, .tool .who"
RAISED = [{"do": "bieten", "side": 1, "to": 3}, {"do": "bieten", "side": 0, "to": 4}]


@pytest.mark.parametrize(
    "taken", [{"do": "bieten", "side": 1, "to": 5}, {"do": "bleiben", "side": 1}]
)
def test_redo_text_is_not_cut_off(phone, server, taken):
    key = server.table("trentino", sides=[{"name": "Noi"}, {"name": "Loro"}])["scorer"]
    undo = {"do": "korrektur", "of": 2, "with": None}
    server.play(key, *RAISED, taken, undo)
    page = phone()
    for language in ("de", "it", "fr"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/t/{key}")
        for screen in SCREENS:
            page.set_viewport_size(screen)
            assert probe(page, "ending", TOOLS) == [], (language, screen)


LONG = [{"name": "Maximiliane-Theodora Hinterberger-Obermoser"}, {"name": "Bert"}]
ALMOST = [
    {"do": "gewinnt", "side": 0, "stake": 7},
    {"do": "gewinnt", "side": 1},
    {"do": "gewinnt", "side": 1},
]
DISPUTE = {"do": "strittig", "side": 0, "of": 2}
DISPUTED = {
    "who may give points up": [*ALMOST, DISPUTE],
    "called settled": [
        *ALMOST,
        DISPUTE,
        {"do": "korrektur", "of": 2, "with": {"do": "gewinnt", "side": 1, "stake": 3}},
    ],
    "raised": [*ALMOST[1:], {"do": "gewinnt", "side": 0}, DISPUTE, RAISED[0]],
    "second game": [
        *[*ALMOST, {"do": "gewinnt", "side": 0}, {"do": "neues_spiel"}],
        *[*ALMOST, {**DISPUTE, "of": 7}],
    ],
}


@pytest.mark.parametrize("look", ["upright", *slow("big")])
@pytest.mark.parametrize("events", DISPUTED.values(), ids=DISPUTED)
def test_dispute_banner_is_visible(phone, server, events, look):
    """The newest round is in sight too, on low screens and with long names."""
    key = server.table("oberoesterreich", sides=LONG)["scorer"]
    server.play(key, *events)
    page = phone()
    page.context.add_cookies([{"name": look, "value": "1", "url": server.url}])
    for language in ("de", "it", "fr"):
        page.context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
        page.goto(f"/t/{key}")
        for screen in SCREENS:
            page.set_viewport_size(screen)
            expect_in_view(
                page.locator(
                    ".dispute, .dispute .button, .line:last-child, .sum, "
                    ".tap:visible, .tool:visible"
                )
            )
            assert page.locator(".dispute > a").evaluate(
                "a => a.scrollHeight <= a.clientHeight + 1"
            )


BOXES = "buttons => buttons.map(button => button.getBoundingClientRect().toJSON())"
# Events that let the other side bid or answer, and events that end this.
ENDED = {
    "won": ([], [{"do": "gewinnt", "side": 0, "stake": 3}]),
    "gone": (
        [{"do": "bieten", "side": 0}, {"do": "bieten", "side": 1}, {"do": "bieten", "side": 0}],
        [{"do": "gehen", "side": 1}],
    ),
}


@pytest.mark.parametrize(("before", "after"), ENDED.values(), ids=ENDED)
def test_former_answer_position_accepts_no_tap(phone, server, before, after):
    page = phone()
    for screen in SCREENS:
        page.set_viewport_size(screen)
        keys = server.table("oberoesterreich", sides=LONG, answers=True, start={"points": [6, 0]})
        server.play(keys["scorer"], *before)
        page.goto(f"/b/{keys['opponent']}")
        # Until it speaks for its side, the page shows one button more.
        expect(page.locator("[data-seat-claim=here]")).to_be_visible()
        places = page.locator(".own .tap").evaluate_all(BOXES)
        assert places
        server.play(keys["scorer"], *after)
        expect(page.locator(".own")).to_have_count(0)
        assert probe(page, "takes", places) == [], screen
