"""The score sheet, and who pays whom."""

import re
from html import unescape
from urllib.parse import urlencode

import pytest

SIDES = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Cilli", "Dora"]},
]


@pytest.fixture(scope="module")
def evening(server):
    """One game to zero and one that is running."""
    keys = server.table(sides=SIDES, set={"target": 11})
    wins = [{"do": "gewinnt", "side": 0}] * 6
    for number, event in enumerate([*wins, {"do": "neues_spiel"}, {"do": "gewinnt", "side": 1}]):
        assert server.write(keys["scorer"], event, str(number))[0] == 201
    return keys


def sheet(server, key, **asked):
    path = f"/b/{key}/sheet?{urlencode(asked)}"
    status, _, text = server.request("GET", path, Accept_Language="de")
    assert status == 200
    return unescape(text)


def test_it_has_rules_games_rounds_and_the_chain(server, evening):
    text = sheet(server, evening["viewer"])
    assert "Das Spiel geht bis: 11" in text
    assert re.search(r"Spiel 1.*?<b>12</b>.*?<td>0</td>", text, re.DOTALL)
    assert text.count('<section class="printed">') == 2
    record = server.json("GET", f"/api/tables/{evening['viewer']}/record")[1]
    short = re.search(r"Letzter Eintrag der Kette: (\w+)", text)[1]
    assert record["events"][-1]["hash"].startswith(short)


def test_bummerl_stand_beside_the_players(server, evening):
    text = sheet(server, evening["viewer"])
    told = re.findall(r'<dt dir="auto">(\w+)</dt><dd>(\d+) Bummerl', text)
    assert told == [("Anna", "0"), ("Bert", "0"), ("Cilli", "2"), ("Dora", "2")]


@pytest.mark.parametrize(
    ("asked", "amount"),
    [
        ({"price": "0,50"}, "1,00 €"),
        ({"price": "0.5"}, "1,00 €"),
        ({"price": "3", "per": "game"}, "3,00 €"),
        ({"price": "1", "unit": "rounds"}, "2 Runden"),
    ],
)
def test_who_pays_whom(server, evening, asked, amount):
    text = sheet(server, evening["viewer"], **asked)
    told = re.findall(r"<li>(\w+) zahlt an (\w+) ([^<]+)</li>", text)
    assert {(payer, paid) for payer, _, paid in told} == {("Cilli", amount), ("Dora", amount)}
    assert {to for _, to, _ in told} == {"Anna", "Bert"}


@pytest.mark.parametrize("price", ["viel", "-1", "1,234", "99999"])
def test_what_is_no_price_is_said_so(server, evening, price):
    text = sheet(server, evening["viewer"], price=price)
    assert "Schreib den Preis als Zahl" in text
    assert "zahlt an" not in text


def test_before_the_first_game_nobody_owes(server):
    text = sheet(server, server.table()["viewer"], price="1")
    assert "Noch ist kein Spiel fertig" in text
    assert "Niemand ist jemandem etwas schuldig" in text
