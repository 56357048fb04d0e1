"""The start page: new tables, house rules, codes and all kinds of names."""

import re
from datetime import date

import pytest
from babel.dates import format_date

from scorer.engine import REGIONS
from scorer.web.frame.errors import FIELD_NAMES
from scorer.web.frame.language import LANGUAGES
from tests.builders import LOST, NAMED, SEATED, WON
from tests.pages import translated

NAMES = [("side0", "Wir"), ("side1", "Die")]


def create_table(server, *fields, rules="bayern"):
    """The key of the table that a form creates."""
    return server.submit("/new", [("rules", rules), *fields]).rsplit("/", 1)[1]


def test_new_table_form_records_every_field(server):
    players = [("player0", "Anna"), ("player0", "Bert"), ("player1", "Cilli"), ("player1", "Dora")]
    start = [("points0", "3"), ("points1", "7"), ("bummerl0", "2"), ("bummerl1", "")]
    key = create_table(server, *NAMES, *players, ("dealer", "1:0"), *start)
    state, head = server.state(key), server.record(key)
    assert (state["points"], state["bummerl"], head["dealer"]) == ([3, 7], [2, 0], "Cilli")
    assert head["sides"][0] == {"name": "Wir", "players": ["Anna", "Bert"]}


def test_empty_form_creates_a_table(server):
    key = create_table(server, ("side0", ""), ("side1", ""), rules="trentino")
    assert server.state(key)["points"] == [0, 0]
    server.page(f"/t/{key}")


@pytest.mark.parametrize(("count", "sides"), [("2", 2), ("3", 3)])
def test_hidden_seats_and_names_are_ignored(server, count, sides):
    """A side of one player has no partner, and is called by the player's name."""
    names = [("player0", "Anna"), ("player0", "Bert"), ("player1", "Cilli"), ("player1", "Dora")]
    key = create_table(server, *NAMES, *names, ("player2", "Emil"), ("count", count))
    players = [["Anna"], ["Cilli"], ["Emil"]][:sides]
    assert server.record(key)["sides"] == [{"name": "", "players": player} for player in players]


@pytest.mark.parametrize(
    ("count", "dealer"), [("2", "0:1"), ("2", "2:0"), ("3", "1:1"), ("4", "2:0")]
)
def test_dealer_in_a_hidden_seat_is_ignored(server, count, dealer):
    """Somebody chose the dealer before changing the number of players."""
    players = [("player0", "Anna"), ("player1", "Cilli"), ("player2", "Emil")]
    key = create_table(server, ("count", count), ("dealer", dealer), *players)
    assert "dealer" not in server.record(key)


def test_form_suggests_players_of_the_last_table(server):
    """The form contains the players of the last table, and the name that a team gave itself."""
    alone = server.table(sides=[{"name": "Anna"}, {"players": ["Bert"]}])["scorer"]
    page = server.page("/", Cookie=f"tables={alone}")
    assert [field["value"] for field in page.all("input", name="player0")] == ["Anna", ""]
    assert page.one("input", name="count", checked=True)["value"] == "2"
    assert page.one("input", name="side0")["value"] == ""
    team = server.table(sides=[{"name": "Eck", "players": ["Anna", "Bert"]}, {"name": "Die"}])
    page = server.page("/", Cookie=f"tables={team['scorer']}")
    assert page.one("input", name="count", checked=True)["value"] == "4"
    assert [page.one("input", name=f"side{n}")["value"] for n in (0, 1)] == ["Eck", ""]


def test_form_offers_the_house_rules_of_the_last_table(server):
    """Of its region, each as a box that can be unticked."""
    changed = {"target": 15, "max_stake": 5, "strike": False}
    key = server.table(rules="oberoesterreich", set=changed)["scorer"]
    page = server.page("/", Cookie=f"tables={key}")
    boxes = {box["name"]: box["value"] for box in page.all("input", type="checkbox", checked=True)}
    assert boxes == {"max_stake-oberoesterreich": "5", "strike-oberoesterreich": "false"}
    [target] = page.all("input", name="target-oberoesterreich", checked=True)
    again = [(target["name"], target["value"]), *boxes.items()]
    for fields in (again, again[:-1]):
        made = create_table(server, *fields, rules="oberoesterreich")
        kept = {name.removesuffix("-oberoesterreich") for name, _ in fields}
        assert server.record(made)["set"] == {name: changed[name] for name in kept}


def test_notice_names_what_was_removed_from_the_list(server):
    tables = [server.table(sides=SEATED)["scorer"], server.table()["scorer"]]
    address = server.submit("/forget", [("shelf", "tables"), ("key", tables[0])])
    notice = server.page(address).one("form", css="notice")
    assert "Anna" in notice.text and "Dora" in notice.text
    unknown = server.page("/?forgotten=nobody&shelf=tables")
    assert not unknown.has("form", css="notice")


@pytest.mark.parametrize(
    ("language", "region"),
    [
        ("de", "oberoesterreich"),
        ("de-AT, de;q=0.9", "oberoesterreich"),
        ("de-DE, de;q=0.9", "bayern"),
        ("de-IT, de;q=0.9", "suedtirol"),
        ("it", "trentino"),
        ("fr-FR", "frankreich"),
        ("en", REGIONS[0]),
    ],
)
def test_first_visit_offers_the_region_of_its_language(server, language, region):
    page = server.page("/", language=language)
    assert page.one("input", name="rules", checked=True)["value"] == region
    table = server.table("bayern")["scorer"]
    page = server.page("/", language=language, Cookie=f"tables={table}")
    assert page.one("input", name="rules", checked=True)["value"] == "bayern"


def test_the_oldest_tables_are_folded(server):
    keys = [server.table()["scorer"] for _ in range(6)]
    shelf = server.page("/", Cookie=f"tables={'.'.join(keys)}").one(data_listed="tables")
    assert (len(shelf.all("li")), len(shelf.one("details").all("li"))) == (6, 2)


def test_table_with_three_sides_can_be_created(server):
    fields = [*NAMES, ("side2", "Du"), ("count", "3")]
    key = create_table(server, *fields, rules="oberoesterreich")
    assert server.state(key)["points"] == [0, 0, 0]
    assert "Du" in server.page(f"/t/{key}").html


@pytest.mark.parametrize(
    ("wrong", "value", "field", "detail"),
    [
        ("points0", "viele", "points", "viele"),
        ("points0", "99", "points", "99"),
        ("points1", "-1", "points", "-1"),
        ("rules", "tirol", "rules", ""),
        ("side0", "x" * 10_000, "name", "60"),
        ("side0", "a\x00b", "name", ""),
        ("player0", "a\nb", "players", ""),
    ],
)
def test_invalid_field_is_named_and_the_form_kept(server, wrong, value, field, detail):
    form = {"rules": "bayern", **dict(NAMES), "player1": "Cilli", wrong: value}
    page = server.submit_refused("/new", form.items())
    alert = page.one(role="alert", data_code="unreadable")
    assert field in alert["data-field"]
    assert f"{translated(FIELD_NAMES[field])}: " in alert.text
    assert detail in alert.text and 'value="Cilli"' in page.html


@pytest.mark.parametrize("field", ["points1", "bummerl0"])
def test_wrong_score_from_paper_is_marked_in_its_open_section(server, field):
    page = server.submit_refused("/new", [("rules", "bayern"), *NAMES, (field, "9999")])
    section = next(part for part in page.all("details") if part.has("input", name=field))
    assert section.has_attr("open") and section.one(role="alert", data_code="unreadable")
    side = translated("Side %(n)s").replace("%(n)s", str(int(field[-1]) + 1))
    assert section.one(role="alert").text.startswith(f"{side}, ")
    assert section.one("input", aria_invalid="true")["name"] == field


@pytest.mark.parametrize("again", ["Anna", "ANNA", "Ａnna", "\u0410nn\u0430"])
def test_look_alike_player_names_are_refused(server, again):
    players = [("player0", "Anna"), ("player0", "Bert"), ("player1", again), ("player1", "Dora")]
    assert f"{again} A." in server.submit_refused("/new", [("rules", "bayern"), *NAMES, *players])


@pytest.mark.parametrize(
    "name", ["Ö" * 60, "🂡🍺", "שרה", "a\u0301", "Herr & Frau <Huber>", "'; --"]
)
def test_names_are_recorded_unchanged(server, name):
    key = create_table(server, ("side0", name), ("side1", "Die"))
    assert server.record(key)["sides"][0]["name"] == name
    server.page(f"/t/{key}")


def test_house_rules_record_only_changed_settings(server):
    assert 'name="set.target"' in server.page("/new?rules=oberoesterreich")
    fields = [("house", "1"), *NAMES, ("set.target", "11")]
    key = create_table(server, *fields, rules="oberoesterreich")
    assert server.record(key)["set"] == {"target": 11}
    assert "bis 11" in server.page(f"/t/{key}")


def test_unknown_region_returns_404(server):
    server.submit_refused("/new", [("rules", "nowhere"), ("house", "1")], 404)


def test_every_offered_house_rule_can_be_set(server):
    for region in REGIONS:
        page = server.page(f"/new?rules={region}").html
        for name, options in re.findall(r'name="set\.(\w+)">(.*?)</select>', page, re.DOTALL):
            for value in re.findall(r'<option value="([^"]*)"', options)[1:]:
                fields = [("house", "1"), *NAMES, (f"set.{name}", value)]
                key = create_table(server, *fields, rules=region)
                assert list(server.record(key)["set"]) == [name]


def test_house_rules_page_keeps_the_entered_names(server):
    page = server.page("/new?rules=bayern&side0=Wirtsleute&player0=A&player0=B").html
    assert '<input type="hidden" name="side0" value="Wirtsleute">' in page
    assert page.count('name="player0"') == 2


def test_way_back_from_the_house_rules_keeps_the_form(server):
    form = "rules=bayern&player0=Anna&player0=&player1=Cilli&points1=7&target-bayern=11"
    back = server.page(f"/new?token=x&{form}").one("p", css="back").one("a")["href"]
    page = server.page(back)
    assert page.one("input", name="rules", checked=True)["value"] == "bayern"
    assert [field["value"] for field in page.all("input", name="player0")] == ["Anna", ""]
    assert page.one("input", name="points1")["value"] == "7"
    assert page.one("input", name="target-bayern", checked=True)["value"] == "11"
    assert "token=" not in back


UNKNOWN = ["/new?rules=tirol", "/s/AAAAAA", "/s/%00", "/t/x", "/b/x", "/no"]
UNKNOWN += ["/rules/tirol", "/rules/tirol/gehen", "/rules/id/O-99"]


@pytest.mark.parametrize("path", UNKNOWN)
def test_unknown_address_shows_a_readable_404(server, path):
    status, headers, page = server.request("GET", path, Accept_Language="de")
    assert (status, headers["content-type"][:9]) == (404, "text/html")
    assert re.search(r"<h1>[A-ZÄÖÜ][^<]{10,}</h1>", page)


@pytest.mark.parametrize(
    ("path", "field", "most"),
    [("/new", "side0", 64), ("/q/", "codes", 512), ("/pocket/streams", "copy", 4096)],
)
def test_too_large_body_names_the_limit(server, path, field, most):
    length = {"Content_Length": str(1024 * most + 1)}
    assert f"{most} KiB" in server.submit_refused(path, [(field, "x")], 413, **length)


def test_dealer_number_of_5000_digits_is_refused(server):
    server.submit_refused("/new", [("rules", "oberoesterreich"), ("dealer", "9" * 5000)])


def start_card(server, key):
    """The table that the start page offers first, as text."""
    return server.page("/", Cookie=f"tables={key}").one("li", css="go-on").text


def test_start_page_tells_tournaments_of_one_name_apart(server):
    dates = ["1. Mai", "8. Mai"]
    made = [server.new_tournament(name="Preiswatten", date=date)["director"] for date in dates]
    page = server.page("/", Cookie=f"tournaments={'.'.join(made)}")
    assert all(date in page for date in dates)


def test_start_page_shows_when_each_table_began(server):
    tables = [server.table(played=[WON])["scorer"] for _ in range(2)]
    listed = server.page("/", Cookie=f"tables={'.'.join(tables)}").one("ul", css="mine")
    assert len(listed.all("time", datetime=True)) == 2


def test_start_page_shows_date_and_bummerl(server):
    begun = date.today()
    key = server.table()["scorer"]
    card = start_card(server, key)
    assert "1 Bummerl" not in card and translated("Continue") in card
    server.play(key, *[WON] * 5)
    card = start_card(server, key)
    # The card names who won, and shows the Bummerl below the loser's points.
    assert "Partei 1 hat gewonnen" in card and "Partei 2 0 2 Bummerl" in card
    assert translated("Rematch") in card
    # Midnight may have come meanwhile.
    assert any(format_date(day, "medium", "de") in card for day in (begun, date.today()))


def test_start_page_lists_a_table_once(server):
    keys = server.table()
    page = server.page("/", Cookie=f"tables={keys['viewer']}.{keys['scorer']}")
    assert f"/t/{keys['scorer']}" in page and keys["viewer"] not in page


def first_table(server, key):
    """The sides and points of the table that the start page offers first."""
    sums = server.page("/", Cookie=f"tables={key}").one("span", css="sums")
    return [side.text for side in sums.all("span") if side.all("b")]


@pytest.mark.parametrize(("role", "order"), [("scorer", 1), ("opponent", -1), ("viewer", 1)])
def test_start_page_orders_sides_for_each_role(server, role, order):
    keys = server.table(sides=SEATED, played=[LOST])
    assert first_table(server, keys[role]) == ["Anna & Bert 0", "Cilli & Dora 2"][::order]


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
    tally = server.page(f"/b/{keys['scorer']}/history").one("ul", css="evening-bummerl").text
    assert "Wir" in tally and "Anna · Bert" in tally


@pytest.mark.parametrize("language", LANGUAGES)
def test_viewer_sees_no_we_in_any_language(server, language):
    form = [("rules", "bayern"), ("count", "4"), ("side0", ""), ("player1", " ")]
    key = server.submit("/new", form, Accept_Language=language).rsplit("/", 1)[1]
    names = [side["name"] for side in server.record(key)["sides"]]
    keys = server.table(sides=[{"name": name} for name in names])
    paths = (f"/t/{keys['scorer']}", f"/b/{keys['viewer']}")
    pad, board = (server.page(path, language="en").data("spoken")[0] for path in paths)
    assert all(f"{name} 0" in pad for name in names)
    assert not any(name in board for name in names)


def test_variants_are_named_in_the_readers_language(server):
    page = server.page("/new?rules=trentino", language="it")
    assert page.one("option", value="blind").text == "alla cieca"
