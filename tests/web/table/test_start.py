"""The start page: new tables, house rules, codes and all kinds of names."""

import re
from datetime import date

import pytest
from babel.dates import format_date

from scorer.engine import REGIONS
from scorer.web.frame.errors import FIELDS
from scorer.web.frame.language import LANGUAGES
from tests.builders import LOST, NAMED, SEATED, WON
from tests.pages import Page, worded

NAMES = [("side0", "Wir"), ("side1", "Die")]


def opened(server, form):
    """The key of the table that a form creates."""
    status, headers, page = server.request("POST", "/new", form, Accept_Language="de")
    assert status == 303, page
    return headers["location"].rsplit("/", 1)[1]


def test_a_table_with_everything_filled_in(server):
    form = [
        ("rules", "bayern"),
        *NAMES,
        *[("player0", name) for name in ("Anna", "Bert")],
        *[("player1", name) for name in ("Cilli", "Dora")],
        ("dealer", "1:0"),
        *[("points0", "3"), ("points1", "7"), ("bummerl0", "2"), ("bummerl1", "")],
    ]
    key = opened(server, form)
    assert server.state(key)["points"] == [3, 7]
    assert server.state(key)["bummerl"] == [2, 0]
    head = server.record(key)
    assert head["dealer"] == "Cilli"
    assert head["sides"][0] == {"name": "Wir", "players": ["Anna", "Bert"]}


def test_everything_may_stay_empty(server):
    form = [("rules", "trentino"), ("side0", ""), ("side1", "")]
    key = opened(server, form)
    assert server.state(key)["points"] == [0, 0]
    assert server.request("GET", f"/t/{key}")[0] == 200


@pytest.mark.parametrize(("count", "sides"), [("2", 2), ("3", 3)])
def test_hidden_seats_and_names_are_not_taken(server, count, sides):
    """A side of one player has no partner, and is called by the player's name."""
    names = [("player0", "Anna"), ("player0", "Bert"), ("player1", "Cilli"), ("player1", "Dora")]
    form = [("rules", "bayern"), *NAMES, *names, ("player2", "Emil"), ("count", count)]
    recorded = server.record(opened(server, form))["sides"]
    players = [["Anna"], ["Cilli"], ["Emil"]][:sides]
    assert recorded == [{"name": "", "players": player} for player in players]


@pytest.mark.parametrize(
    ("count", "dealer"), [("2", "0:1"), ("2", "2:0"), ("3", "1:1"), ("4", "2:0")]
)
def test_a_hidden_deck_deals_nothing(server, count, dealer):
    """Somebody chose the dealer before changing the number of players."""
    form = [("rules", "bayern"), ("count", count), ("dealer", dealer)]
    key = opened(server, [*form, ("player0", "Anna"), ("player1", "Cilli"), ("player2", "Emil")])
    assert "dealer" not in server.record(key)


def test_the_last_table_is_offered_again(server):
    """The form contains the players of the last table, and the name that a team gave itself."""
    alone = server.table(sides=[{"name": "Anna"}, {"players": ["Bert"]}])["scorer"]
    page = Page(server.request("GET", "/", Cookie=f"tables={alone}")[2])
    seated = [field["value"] for field in page.all("input", name="player0")]
    assert seated == ["Anna", ""]
    assert page.one("input", name="count", checked=True)["value"] == "2"
    assert page.one("input", name="side0")["value"] == ""
    team = server.table(sides=[{"name": "Eck", "players": ["Anna", "Bert"]}, {"name": "Die"}])
    page = Page(server.request("GET", "/", Cookie=f"tables={team['scorer']}")[2])
    assert page.one("input", name="count", checked=True)["value"] == "4"
    assert page.one("input", name="side0")["value"] == "Eck"
    assert page.one("input", name="side1")["value"] == ""


def test_the_oldest_tables_are_folded(server):
    keys = [server.table()["scorer"] for _ in range(6)]
    page = Page(server.request("GET", "/", Cookie=f"tables={'.'.join(keys)}")[2])
    shelf = page.one(data_listed="tables")
    assert len(shelf.all("li")) == 6
    assert len(shelf.one("details").all("li")) == 2


def test_three_sides(server):
    form = [("rules", "oberoesterreich"), *NAMES, ("side2", "Du"), ("count", "3")]
    key = opened(server, form)
    assert server.state(key)["points"] == [0, 0, 0]
    page = server.request("GET", f"/t/{key}")[2]
    assert "Du" in page


@pytest.mark.parametrize(
    ("wrong", "field", "told"),
    [
        ([("points0", "viele")], "points", "viele"),
        ([("points0", "99")], "points", "99"),
        ([("points1", "-1")], "points", "-1"),
        ([("rules", "tirol")], "rules", ""),
        ([("side0", "x" * 10_000)], "name", "60"),
        ([("side0", "a\x00b")], "name", ""),
        ([("player0", "a\nb")], "players", ""),
    ],
)
def test_a_wrong_field_is_named_and_the_form_kept(server, wrong, field, told):
    given = {name for name, _ in wrong}
    base = [("rules", "bayern"), *NAMES, ("player1", "Cilli")]
    form = [pair for pair in base if pair[0] not in given] + wrong
    status, _, page = server.request("POST", "/new", form, Accept_Language="de")
    assert status == 422
    alert = Page(page).one(role="alert", data_code="unreadable")
    assert field in alert["data-field"]
    assert alert.text.startswith(f"{worded(FIELDS[field])}: ")
    assert told in alert.text
    assert 'value="Cilli"' in page


@pytest.mark.parametrize("again", ["Anna", "ANNA", "Ａnna", "\u0410nn\u0430"])
def test_players_who_look_alike(server, again):
    players = [("player0", "Anna"), ("player0", "Bert"), ("player1", again), ("player1", "Dora")]
    form = [("rules", "bayern"), *NAMES, *players]
    status, _, page = server.request("POST", "/new", form, Accept_Language="de")
    assert status == 422
    assert f"{again} A." in page


@pytest.mark.parametrize(
    "name", ["Ö" * 60, "🂡🍺", "שרה", "a\u0301", "Herr & Frau <Huber>", "'; --"]
)
def test_names_are_kept_to_the_letter(server, name):
    key = opened(server, [("rules", "bayern"), ("side0", name), ("side1", "Die")])
    assert server.record(key)["sides"][0]["name"] == name
    assert server.request("GET", f"/t/{key}")[0] == 200


def test_house_rules_turn_only_what_was_turned(server):
    page = server.page("/new?rules=oberoesterreich")
    assert 'name="set.target"' in page
    form = [("rules", "oberoesterreich"), ("house", "1"), *NAMES, ("set.target", "11")]
    key = opened(server, form)
    assert server.record(key)["set"] == {"target": 11}
    assert "bis 11" in server.page(f"/t/{key}")


def test_form_of_no_region(server):
    status, _, _ = server.request("POST", "/new", [("rules", "nowhere"), ("house", "1")])
    assert status == server.request("GET", "/new?rules=nowhere")[0] == 404


def test_every_offered_switch_can_be_turned(server):
    for region in REGIONS:
        page = server.request("GET", f"/new?rules={region}")[2]
        for name, options in re.findall(r'name="set\.(\w+)">(.*?)</select>', page, re.DOTALL):
            for value in re.findall(r'<option value="([^"]*)"', options)[1:]:
                form = [("rules", region), ("house", "1"), *NAMES, (f"set.{name}", value)]
                key = opened(server, form)
                assert list(server.record(key)["set"]) == [name]


def test_house_rules_keep_the_form(server):
    page = server.request("GET", "/new?rules=bayern&side0=Wirtsleute&player0=A&player0=B")[2]
    assert '<input type="hidden" name="side0" value="Wirtsleute">' in page
    assert page.count('name="player0"') == 2


@pytest.mark.parametrize("path", ["/new?rules=tirol", "/s/AAAAAA", "/s/%00", "/t/x", "/b/x", "/no"])
def test_what_is_not_there_is_said_in_words(server, path):
    status, headers, page = server.request("GET", path, Accept_Language="de")
    assert status == 404
    assert headers["content-type"].startswith("text/html")
    assert re.search(r"<h1>[A-ZÄÖÜ][^<]{10,}</h1>", page)


@pytest.mark.parametrize(
    ("path", "field", "most"),
    [("/new", "side0", 64), ("/q/", "codes", 512), ("/pocket/streams", "copy", 4096)],
)
def test_too_large_body_names_the_limit(server, path, field, most):
    length = {"Content_Length": str(1024 * most + 1)}
    status, _, text = server.request("POST", path, [(field, "x")], Accept_Language="de", **length)
    assert status == 413
    assert f"{most} KiB" in text


def test_dealer_of_five_thousand_digits(server):
    form = [("rules", "oberoesterreich"), ("dealer", "9" * 5000)]
    assert server.request("POST", "/new", form)[0] == 422


def test_start_page_tells_day_and_debt(server):
    begun = date.today()
    key = server.table()["scorer"]
    cookie = {"Cookie": f"tables={key}", "Accept_Language": "de"}
    assert "Bummerl 0" not in server.request("GET", "/", **cookie)[2]
    server.play(key, *[WON] * 5)
    card = re.search(r'class="go-on".*?</li>', server.request("GET", "/", **cookie)[2], re.S)[0]
    assert "Bummerl 0 : 2" in card
    # Midnight may have come meanwhile.
    assert any(format_date(day, "medium", "de") in card for day in (begun, date.today()))


def test_start_page_lists_a_table_once(server):
    keys = server.table()
    shelf = f"tables={keys['viewer']}.{keys['scorer']}"
    page = server.request("GET", "/", Cookie=shelf)[2]
    assert f"/t/{keys['scorer']}" in page
    assert keys["viewer"] not in page


def running(server, key):
    """The sides and points of the table that the start page offers first."""
    page = server.request("GET", "/", Cookie=f"tables={key}", Accept_Language="de")[2]
    return [side.text for side in Page(page).one("span", css="sums").all("span") if side.all("b")]


@pytest.mark.parametrize(
    ("role", "told"),
    [
        ("scorer", ["Anna & Bert 0", "Cilli & Dora 2"]),
        ("opponent", ["Cilli & Dora 2", "Anna & Bert 0"]),
        ("viewer", ["Anna & Bert 0", "Cilli & Dora 2"]),
    ],
)
def test_nobody_is_told_we_of_the_others(server, role, told):
    keys = server.table(sides=SEATED, played=[LOST])
    assert running(server, keys[role]) == told


@pytest.mark.parametrize(
    ("sides", "told"),
    [
        (NAMED, ["Wir 0", "Die 0"]),
        ([{"name": "Wir", "players": ["Anna"]}, {"name": "Die"}], ["Anna 0", "Die 0"]),
        (
            [{"name": "We", "players": ["Anna", "Bert"]}, {"name": "Holz"}],
            ["Anna & Bert 0", "Holz 0"],
        ),
        ([{"name": "Eck", "players": ["Anna", "Bert"]}, {"name": ""}], ["Eck 0", "Partei 2 0"]),
    ],
)
def test_evenings_are_named_by_players(server, sides, told):
    """The players replace names such as "we", but not a name that the side gave itself."""
    assert running(server, server.table(sides=sides)["scorer"]) == told


def test_the_whole_evening_lists_who_played(server):
    keys = server.table(sides=[{"name": "Wir", "players": ["Anna", "Bert"]}, {"name": "Die"}])
    path = f"/b/{keys['scorer']}/history"
    tally = re.search(r'<ul class="tally">.*?</ul>', server.request("GET", path)[2], re.S)[0]
    assert "Wir" in tally
    assert "Anna · Bert" in tally


@pytest.mark.parametrize("language", LANGUAGES)
def test_nobody_else_is_we_in_any_language(server, language):
    form = [("rules", "bayern"), ("count", "3"), ("side0", ""), ("player1", " ")]
    _, headers, _ = server.request("POST", "/new", form, Accept_Language=language)
    key = headers["location"].rsplit("/", 1)[1]
    names = [side["name"] for side in server.record(key)["sides"]]
    keys = server.table(sides=[{"name": name} for name in names])

    def said(path):
        text = server.request("GET", path, Accept_Language="en")[2]
        return re.search(r'data-spoken="([^"]*)"', text)[1]

    assert all(f"{name} 0" in said(f"/t/{keys['scorer']}") for name in names)
    assert not any(name in said(f"/b/{keys['viewer']}") for name in names)


def test_variants_in_the_readers_words(server):
    page = server.request("GET", "/new?rules=trentino", Accept_Language="it")[2]
    assert '<option value="blind">alla cieca</option>' in page
