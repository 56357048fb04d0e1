"""The start page: new tables, house rules, codes and all kinds of names."""

import re
from datetime import date

import pytest
from babel.dates import format_date

from scorer.engine import REGIONS
from scorer.web.frame.errors import FIELD_NAMES
from scorer.web.frame.language import LANGUAGES
from tests.builders import LOST, NAMED, SEATED, WON
from tests.pages import Page, translated

NAMES = [("side0", "Wir"), ("side1", "Die")]


def create_table(server, form):
    """The key of the table that a form creates."""
    status, headers, page = server.request("POST", "/new", form, Accept_Language="de")
    assert status == 303, page
    return headers["location"].rsplit("/", 1)[1]


def test_new_table_form_records_every_field(server):
    form = [
        ("rules", "bayern"),
        *NAMES,
        *[("player0", name) for name in ("Anna", "Bert")],
        *[("player1", name) for name in ("Cilli", "Dora")],
        ("dealer", "1:0"),
        *[("points0", "3"), ("points1", "7"), ("bummerl0", "2"), ("bummerl1", "")],
    ]
    key = create_table(server, form)
    assert server.state(key)["points"] == [3, 7]
    assert server.state(key)["bummerl"] == [2, 0]
    head = server.record(key)
    assert head["dealer"] == "Cilli"
    assert head["sides"][0] == {"name": "Wir", "players": ["Anna", "Bert"]}


def test_empty_form_creates_a_table(server):
    form = [("rules", "trentino"), ("side0", ""), ("side1", "")]
    key = create_table(server, form)
    assert server.state(key)["points"] == [0, 0]
    assert server.request("GET", f"/t/{key}")[0] == 200


@pytest.mark.parametrize(("count", "sides"), [("2", 2), ("3", 3)])
def test_hidden_seats_and_names_are_ignored(server, count, sides):
    """A side of one player has no partner, and is called by the player's name."""
    names = [("player0", "Anna"), ("player0", "Bert"), ("player1", "Cilli"), ("player1", "Dora")]
    form = [("rules", "bayern"), *NAMES, *names, ("player2", "Emil"), ("count", count)]
    recorded = server.record(create_table(server, form))["sides"]
    players = [["Anna"], ["Cilli"], ["Emil"]][:sides]
    assert recorded == [{"name": "", "players": player} for player in players]


@pytest.mark.parametrize(
    ("count", "dealer"), [("2", "0:1"), ("2", "2:0"), ("3", "1:1"), ("4", "2:0")]
)
def test_dealer_in_a_hidden_seat_is_ignored(server, count, dealer):
    """Somebody chose the dealer before changing the number of players."""
    form = [("rules", "bayern"), ("count", count), ("dealer", dealer)]
    key = create_table(
        server, [*form, ("player0", "Anna"), ("player1", "Cilli"), ("player2", "Emil")]
    )
    assert "dealer" not in server.record(key)


def test_form_suggests_players_of_the_last_table(server):
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


def test_table_with_three_sides_can_be_created(server):
    form = [("rules", "oberoesterreich"), *NAMES, ("side2", "Du"), ("count", "3")]
    key = create_table(server, form)
    assert server.state(key)["points"] == [0, 0, 0]
    page = server.request("GET", f"/t/{key}")[2]
    assert "Du" in page


@pytest.mark.parametrize(
    ("wrong", "field", "detail"),
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
def test_invalid_field_is_named_and_the_form_kept(server, wrong, field, detail):
    given = {name for name, _ in wrong}
    base = [("rules", "bayern"), *NAMES, ("player1", "Cilli")]
    form = [pair for pair in base if pair[0] not in given] + wrong
    status, _, page = server.request("POST", "/new", form, Accept_Language="de")
    assert status == 422
    alert = Page(page).one(role="alert", data_code="unreadable")
    assert field in alert["data-field"]
    assert alert.text.startswith(f"{translated(FIELD_NAMES[field])}: ")
    assert detail in alert.text
    assert 'value="Cilli"' in page


@pytest.mark.parametrize("again", ["Anna", "ANNA", "Ａnna", "\u0410nn\u0430"])
def test_look_alike_player_names_are_refused(server, again):
    players = [("player0", "Anna"), ("player0", "Bert"), ("player1", again), ("player1", "Dora")]
    form = [("rules", "bayern"), *NAMES, *players]
    status, _, page = server.request("POST", "/new", form, Accept_Language="de")
    assert status == 422
    assert f"{again} A." in page


@pytest.mark.parametrize(
    "name", ["Ö" * 60, "🂡🍺", "שרה", "a\u0301", "Herr & Frau <Huber>", "'; --"]
)
def test_names_are_recorded_unchanged(server, name):
    key = create_table(server, [("rules", "bayern"), ("side0", name), ("side1", "Die")])
    assert server.record(key)["sides"][0]["name"] == name
    assert server.request("GET", f"/t/{key}")[0] == 200


def test_house_rules_record_only_changed_settings(server):
    page = server.page("/new?rules=oberoesterreich")
    assert 'name="set.target"' in page
    form = [("rules", "oberoesterreich"), ("house", "1"), *NAMES, ("set.target", "11")]
    key = create_table(server, form)
    assert server.record(key)["set"] == {"target": 11}
    assert "bis 11" in server.page(f"/t/{key}")


def test_unknown_region_returns_404(server):
    status, _, _ = server.request("POST", "/new", [("rules", "nowhere"), ("house", "1")])
    assert status == server.request("GET", "/new?rules=nowhere")[0] == 404


def test_every_offered_house_rule_can_be_set(server):
    for region in REGIONS:
        page = server.request("GET", f"/new?rules={region}")[2]
        for name, options in re.findall(r'name="set\.(\w+)">(.*?)</select>', page, re.DOTALL):
            for value in re.findall(r'<option value="([^"]*)"', options)[1:]:
                form = [("rules", region), ("house", "1"), *NAMES, (f"set.{name}", value)]
                key = create_table(server, form)
                assert list(server.record(key)["set"]) == [name]


def test_house_rules_page_keeps_the_entered_names(server):
    page = server.request("GET", "/new?rules=bayern&side0=Wirtsleute&player0=A&player0=B")[2]
    assert '<input type="hidden" name="side0" value="Wirtsleute">' in page
    assert page.count('name="player0"') == 2


@pytest.mark.parametrize("path", ["/new?rules=tirol", "/s/AAAAAA", "/s/%00", "/t/x", "/b/x", "/no"])
def test_unknown_address_shows_a_readable_404(server, path):
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


def test_dealer_number_of_5000_digits_is_refused(server):
    form = [("rules", "oberoesterreich"), ("dealer", "9" * 5000)]
    assert server.request("POST", "/new", form)[0] == 422


def test_start_page_shows_date_and_bummerl(server):
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


def first_table(server, key):
    """The sides and points of the table that the start page offers first."""
    page = server.request("GET", "/", Cookie=f"tables={key}", Accept_Language="de")[2]
    return [side.text for side in Page(page).one("span", css="sums").all("span") if side.all("b")]


@pytest.mark.parametrize(
    ("role", "expected"),
    [
        ("scorer", ["Anna & Bert 0", "Cilli & Dora 2"]),
        ("opponent", ["Cilli & Dora 2", "Anna & Bert 0"]),
        ("viewer", ["Anna & Bert 0", "Cilli & Dora 2"]),
    ],
)
def test_start_page_orders_sides_for_each_role(server, role, expected):
    keys = server.table(sides=SEATED, played=[LOST])
    assert first_table(server, keys[role]) == expected


@pytest.mark.parametrize(
    ("sides", "expected"),
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
def test_start_page_names_sides_by_their_players(server, sides, expected):
    """The players replace names such as "we", but not a name that the side gave itself."""
    assert first_table(server, server.table(sides=sides)["scorer"]) == expected


def test_history_lists_the_players(server):
    keys = server.table(sides=[{"name": "Wir", "players": ["Anna", "Bert"]}, {"name": "Die"}])
    path = f"/b/{keys['scorer']}/history"
    tally = re.search(r'<ul class="tally">.*?</ul>', server.request("GET", path)[2], re.S)[0]
    assert "Wir" in tally
    assert "Anna · Bert" in tally


@pytest.mark.parametrize("language", LANGUAGES)
def test_viewer_sees_no_we_in_any_language(server, language):
    form = [("rules", "bayern"), ("count", "3"), ("side0", ""), ("player1", " ")]
    _, headers, _ = server.request("POST", "/new", form, Accept_Language=language)
    key = headers["location"].rsplit("/", 1)[1]
    names = [side["name"] for side in server.record(key)["sides"]]
    keys = server.table(sides=[{"name": name} for name in names])

    def spoken_text(path):
        text = server.request("GET", path, Accept_Language="en")[2]
        return re.search(r'data-spoken="([^"]*)"', text)[1]

    assert all(f"{name} 0" in spoken_text(f"/t/{keys['scorer']}") for name in names)
    assert not any(name in spoken_text(f"/b/{keys['viewer']}") for name in names)


def test_variants_are_named_in_the_readers_language(server):
    page = server.request("GET", "/new?rules=trentino", Accept_Language="it")[2]
    assert '<option value="blind">alla cieca</option>' in page
