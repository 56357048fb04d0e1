"""The dealer on the writer's page: asked at the cut, shown before the deal, with three players
too."""

import json
import re

import pytest

from scorer.engine import REGIONS
from tests.builders import LOST, NAMED, NEXT, WON
from tests.web.table.test_writer import events, page, tap

PLAYERS = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Eva", "Dora"]},
]
THREE = [{"name": name} for name in ("Anna", "Bert", "Eva")]


def cutters(text):
    """The events of the row that asks who won the cut."""
    row = re.search(r'<div class="row cutters">(.*?)</div>', text, re.S)
    return events(row[1]) if row else []


def next_dealer(server, key):
    return server.state(key)["dealer"]


def test_tapping_the_cut_winner_sets_the_dealer(server):
    key = server.table(sides=PLAYERS, dealer="Anna")["scorer"]
    tap(server, key, {"do": "gewinnt", "side": 0, "stake": 9})
    assert not cutters(page(server, key))
    tap(server, key, NEXT)
    assert next_dealer(server, key) is None
    asked = cutters(page(server, key))
    assert [event["dealer"] for event in asked] == ["Anna", "Eva", "Bert", "Dora"]
    tap(server, key, asked[3])
    assert next_dealer(server, key) == "Dora"
    assert not cutters(page(server, key))


def test_cut_is_not_asked_after_the_first_round(server):
    key = server.table(sides=PLAYERS)["scorer"]
    assert len(cutters(page(server, key))) == 4
    tap(server, key, WON)
    assert not cutters(page(server, key))


def test_nameless_sides_are_not_asked_about_the_cut(server):
    key = server.table(sides=[{"name": ""}, {"name": ""}])["scorer"]
    assert not cutters(page(server, key))


def test_suedtirol_deal_passes_on_without_a_cut(server):
    key = server.table("suedtirol", sides=PLAYERS, dealer="Anna")["scorer"]
    tap(server, key, {"do": "gewinnt", "side": 0, "stake": 18})
    tap(server, key, NEXT)
    assert next_dealer(server, key) == "Eva"
    assert not cutters(page(server, key))


@pytest.mark.parametrize("region", REGIONS)
def test_kritischer_hint_is_shown_before_the_deal(server, region):
    key = server.table(region, sides=PLAYERS, dealer="Anna")["scorer"]
    hint = re.search(r'class="procedure keeping"[^>]*>([^<]*)<', page(server, key))
    assert bool(hint) == (region in ("bayern", "frankreich"))
    if hint:
        assert re.findall("Anna|Bert|Eva|Dora", hint[1]) == ["Dora", "Anna"]
        tap(server, key, {"do": "bieten", "side": 0})
        assert "procedure keeping" not in page(server, key)


def test_right_to_left_names_keep_the_order_of_the_sentence(server):
    sides = [{"name": "Wir", "players": ["שרה", "Bert"]}, PLAYERS[1]]
    key = server.table(sides=sides, dealer="שרה")["scorer"]
    line = server.page(f"/t/{key}").one("span", css="procedure")
    assert "\u2068שרה\u2069" in line.text
    assert not line.has(dir="auto")


@pytest.mark.parametrize("region", REGIONS)
def test_gespannt_is_offered_only_in_france(server, region):
    key = server.table(region)["scorer"]
    more = server.request("GET", f"/t/{key}/more")[2]
    offered = [e for e in events(more) if e["do"] == "gespannt"]
    assert [event["side"] for event in offered] == ([0, 1] if region == "frankreich" else [])
    if offered:
        assert tap(server, key, offered[1])[0] == 303
        assert server.state(key)["points"] == [2, 0]


def test_rules_page_calls_three_sides_an_addition(server):
    for region in REGIONS:
        key = server.table(region, sides=THREE)["scorer"]
        text = server.request("GET", f"/b/{key}/rules", Accept_Language="en")[2]
        assert ("addition" in text) == (region in ("bayern", "suedtirol", "frankreich"))
        assert (
            "addition"
            not in server.request(
                "GET", f"/b/{server.table(region)['viewer']}/rules", Accept_Language="en"
            )[2]
        )


def test_correcting_a_round_keeps_the_dealer(server):
    key = server.table(sides=PLAYERS)["scorer"]
    tap(server, key, {"do": "sitzordnung", "dealer": "Dora"})
    tap(server, key, WON)
    change = json.dumps([LOST])
    query = f"mode=replace&events={change.replace(' ', '')}"
    text = server.page(f"/b/{key}/round/1?{query}").html
    draft = next(event for event in events(text) if event["do"] == "korrektur")
    assert draft["of"] == 1
    tap(server, key, draft)
    assert next_dealer(server, key) == "Anna"
    assert server.state(key)["points"] == [0, 2]


def test_opponent_sees_the_dealer_as_side_number(server):
    sides = NAMED
    keys = server.table(sides=sides, dealer="Wir")

    def look(path=""):
        return server.page(f"/b/{keys['opponent']}{path}")

    assert "Geber: Partei 1" in look()
    assert "Ihr seid: Partei 2" in look()
    server.write(keys["scorer"], {"do": "sitzordnung", "dealer": "Die"}, "deals")
    server.write(keys["scorer"], WON, "won")
    text = look("/round/1")
    assert "Geber: Partei 2" in text
    assert text.has(role="link", href=f"/b/{keys['opponent']}")
