"""The score sheet, and who pays whom."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

from scorer.store import hash_chain
from tests.pages import Page, worded

SIDES = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Cilli", "Dora"]},
]

GERMAN = {"Accept_Language": "de"}


@pytest.fixture(scope="module")
def evening(server):
    """One game to zero and one that is running."""
    keys = server.table(sides=SIDES, set={"target": 11})
    wins = [{"do": "gewinnt", "side": 0}] * 6
    for number, event in enumerate([*wins, {"do": "neues_spiel"}, {"do": "gewinnt", "side": 1}]):
        assert server.write(keys["scorer"], event, str(number))[0] == 201
    return keys


def sheet(server, key, query=""):
    status, _, text = server.request("GET", f"/b/{key}/sheet?{query}", Accept_Language="de")
    assert status == 200
    return Page(text)


def play_for(server, key, token="t", **asked):
    form = {"token": token, "unit": "euro", "per": "bummerl", **asked}
    path = f"/b/{key}/price"
    status, _, text = server.request("POST", path, list(form.items()), Accept_Language="de")
    return status, Page(text)


def test_it_has_rules_games_rounds_and_the_chain(server, evening):
    text = sheet(server, evening["viewer"])
    assert re.findall(r"\d+", text.one(data_rule="target").text) == ["11"]
    assert re.search(r'Spiel 1.*?<td class="took">12</td>.*?<td>0</td>', text, re.DOTALL)
    assert text.count('<section class="printed">') == 2
    record = server.json("GET", f"/api/tables/{evening['viewer']}/record")[1]
    seen = hash_chain.read_witness(text.one(data_letters=True).text)
    events = record.pop("events")
    assert seen.count == len(events)
    assert len(seen.digest) * 4 >= 80
    assert hash_chain.unseen(record, events, [seen]) is None


def test_bummerl_stand_beside_the_players(server, evening):
    text = sheet(server, evening["viewer"])
    told = re.findall(r'<dt dir="auto">(\w+)</dt><dd>(\d+) Bummerl', text)
    assert told == [("Anna", "0"), ("Bert", "0"), ("Cilli", "2"), ("Dora", "2")]


def test_signs_are_explained_where_they_stand_and_nowhere_else(server):
    key = server.table()["scorer"]
    raised = [{"do": "bieten", "side": 0, "to": 3}, {"do": "bleiben", "side": 1}]
    plain = {"do": "gewinnt", "side": 0}

    def signs():
        pages = (sheet(server, key), Page(server.request("GET", f"/b/{key}/history", **GERMAN)[2]))
        return [told.data("sign") for told in pages]

    assert server.write(key, plain, "1")[0] == 201
    assert signs() == [[], []]
    for number, event in enumerate([*raised, plain]):
        assert server.write(key, event, f"raised-{number}")[0] == 201
    assert signs() == [["raised"], []]
    for number in range(2):
        assert server.write(key, plain, f"end-{number}")[0] == 201
    assert signs() == [["ticks", "raised"], ["ticks"]]


def test_the_whole_evening_says_in_words_who_got_the_bummerl(server, evening):
    text = Page(server.request("GET", f"/b/{evening['viewer']}/history", **GERMAN)[2])
    got = text.one(id="game-1").all("summary")[0]
    assert "Cilli & Dora: 2 Bummerl" in got.text
    assert not got.has(css="shape")


@pytest.mark.parametrize(
    ("asked", "amount"),
    [
        ({"price": "0,50"}, "1,00\N{NO-BREAK SPACE}€"),
        ({"price": "0.5"}, "1,00\N{NO-BREAK SPACE}€"),
        ({"price": "3", "per": "spiel"}, "3,00\N{NO-BREAK SPACE}€"),
        ({"price": "1", "unit": "runden"}, "2 Runden"),
        ({"price": "1", "unit": "runden", "per": "spiel"}, "1 Runde"),
    ],
)
def test_who_pays_whom(server, evening, asked, amount):
    assert play_for(server, evening["scorer"], str(asked), **asked)[0] == 303
    text = sheet(server, evening["viewer"])
    told = re.findall(r"<li><bdi>(\w+)</bdi> → <bdi>(\w+)</bdi>: ([^<]+)</li>", text)
    assert {(payer, paid) for payer, _, paid in told} == {("Cilli", amount), ("Dora", amount)}
    assert {to for _, to, _ in told} == {"Anna", "Bert"}


@pytest.mark.parametrize(
    ("sides", "pays", "payments"),
    [(SIDES, "player", 2), ([{"name": "Wir"}, {"name": "Die"}], "side", 1)],
)
def test_it_is_said_whether_the_price_is_a_players_or_a_sides(server, sides, pays, payments):
    """Each player of a pair pays the price, or the side where nobody named its players."""
    keys = server.table(sides=sides)
    for number in range(5):
        assert server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, str(number))[0] == 201
    price = sheet(server, keys["scorer"]).one(role="textbox", name="price")
    assert price["data-pays"] == pays
    assert price.label == worded(f"Price per {pays}")
    assert play_for(server, keys["scorer"], price="1")[0] == 303
    found = re.search(r'class="payments">.*?</ul>', sheet(server, keys["scorer"]), re.DOTALL)[0]
    # A Schneider is two Bummerl.
    assert found.count("2,00") == found.count("<li>") == payments


def test_without_a_price_nobody_pays_and_a_price_is_taken_back(server, evening):
    play_for(server, evening["scorer"], "on", price="2")
    assert 'class="payments"' in sheet(server, evening["viewer"])
    play_for(server, evening["scorer"], "off", price="")
    assert 'class="payments"' not in sheet(server, evening["viewer"])


def test_sides_pay_each_other_in_words_that_are_right_for_any_name(server):
    keys = server.table(sides=[{"name": "Wir"}, {"name": "Die"}])
    for number in range(5):
        server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, str(number))
    play_for(server, keys["scorer"], "on", price="1,50")
    for role, paid in (("scorer", ("Die", "Wir")), ("viewer", ("Partei 2", "Partei 1"))):
        text = sheet(server, keys[role])
        told = re.findall(r"<li><bdi>(.+)</bdi> → <bdi>(.+)</bdi>: 3,00", text)
        # Nobody who looks on is told "we" of the others.
        assert told == [paid]


@pytest.mark.parametrize("role", ["viewer", "opponent"])
def test_only_the_writer_sets_the_price(server, evening, role):
    assert 'name="price"' not in sheet(server, evening[role])
    assert play_for(server, evening[role], price="1")[0] == 403
    event = {"do": "preis", "amount": 1, "unit": "euro", "per": "spiel"}
    assert server.write(evening[role], event, "x")[0] == 403


@pytest.mark.parametrize("price", ["viel", "-1", "1,234", "99999"])
def test_what_is_no_price_is_said_so_and_kept_to_be_mended(server, price):
    status, text = play_for(server, server.table()["scorer"], price=price)
    assert status == 422
    assert text.code == "bad-price"
    assert text.one("input", name="price")["value"] == price


@pytest.mark.parametrize("asked", [{"unit": "kg"}, {"per": "Kopf"}, {"unit": "runden", "per": ""}])
def test_a_form_not_of_ours_is_refused(server, asked):
    assert play_for(server, server.table()["scorer"], price="1", **asked)[0] == 400


def test_before_the_first_game_nobody_owes(server):
    keys = server.table()
    play_for(server, keys["scorer"], price="1")
    text = sheet(server, keys["viewer"])
    assert text.has(data_games="0")
    assert text.has(data_owed="0")
    assert not text.has(css="payments")


def test_the_sheet_says_whether_it_holds_what_was_seen(server, evening):
    path = f"/b/{evening['viewer']}"
    record = server.json("GET", f"/api/tables/{evening['viewer']}/record")[1]["events"]
    for number in (1, len(record)):
        short = hash_chain.short(record[number - 1]["hash"])
        for typed in (short, f" {short.upper()} "):
            text = server.request("GET", f"{path}/sheet?{urlencode({'seen': typed})}")[2]
            assert 'data-seen="held"' in text
            assert f"entry {number} of {len(record)}" in text
    for typed in ("0" * 20, "zz", "<i>"):
        text = server.request("GET", f"{path}/sheet?{urlencode({'seen': typed})}")[2]
        assert 'data-seen="missing"' in text
    assert "data-seen" not in server.request("GET", f"{path}/sheet")[2]


@pytest.mark.parametrize("digits", [8, 19, 20])
def test_the_sheet_believes_nothing_shorter_than_80_bits(server, evening, digits):
    record = server.json("GET", f"/api/tables/{evening['viewer']}/record")[1]["events"]
    asked = urlencode({"seen": record[0]["hash"][:digits]})
    text = sheet(server, evening["viewer"], asked)
    assert text.data("seen") == ["held" if digits == 20 else "weak"]


def texts(server, key):
    """What stands on the picture, with how large it stands there."""
    status, _, svg = server.request("GET", f"/b/{key}/sheet.svg", Accept_Language="de")
    assert status == 200
    found = re.findall(r'font-size="(\d+)"[^>]*>([^<]*)</text>', svg)
    return {unescape(text): int(size) for size, text in found}


def test_the_picture_says_who_won_and_who_got_the_bummerl(server, evening):
    """The points of the only game are the large figures, and not what the loser got."""
    told = texts(server, evening["viewer"])
    assert "Gewonnen: Anna & Bert" in told
    assert told["12"] == told["0"] == max(told.values())
    assert told["2 Bummerl"] < told["12"] / 4


def test_the_picture_of_several_games_counts_them(server):
    keys = server.table(sides=SIDES)
    for number, side in enumerate((0, 1, 0)):
        again = [{"do": "neues_spiel"}] if number else []
        for at, event in enumerate([*again, *[{"do": "gewinnt", "side": side}] * 5]):
            assert server.write(keys["scorer"], event, f"{number}-{at}")[0] == 201
    told = texts(server, keys["viewer"])
    assert worded("Fewest Bummerl: %(name)s") % {"name": "Anna & Bert"} in told
    assert told["2"] == told["1"] == max(told.values())
    assert "4 Bummerl" in told


def test_without_a_price_the_sheet_says_that_nobody_pays(server):
    keys = server.table(sides=SIDES)
    for number in range(5):
        assert server.write(keys["scorer"], {"do": "gewinnt", "side": 0}, str(number))[0] == 201
    assert sheet(server, keys["viewer"]).has(data_unpriced=True)
    assert play_for(server, keys["scorer"], price="1")[0] == 303
    assert not sheet(server, keys["viewer"]).has(data_unpriced=True)
