"""The dealer on the writer's page: asked at the cut, shown before the deal, with three players
too."""

import json
import re

import pytest

from scorer.engine import REGIONS
from tests.builders import LOST, NAMED, NEXT, RAISED, SEATED, WON
from tests.web.table.test_writer import events, page, tap

THREE = [{"name": name} for name in ("Anna", "Bert", "Eva")]


def cutters(server, key):
    """The events of the row that asks who won the cut."""
    row = re.search(r'<div class="row cutters">(.*?)</div>', page(server, key), re.S)
    return events(row[1]) if row else []


def test_tapping_the_cut_winner_sets_the_dealer(server):
    key = server.table(sides=SEATED, dealer="Anna", played=[{**WON, "stake": 9}])["scorer"]
    assert not cutters(server, key)
    tap(server, key, NEXT)
    assert server.state(key)["dealer"] is None
    asked = cutters(server, key)
    assert [event["dealer"] for event in asked] == ["Anna", "Cilli", "Bert", "Dora"]
    tap(server, key, asked[3])
    assert server.state(key)["dealer"] == "Dora"
    assert not cutters(server, key)


def test_cut_is_not_asked_after_the_first_round(server):
    key = server.table(sides=SEATED)["scorer"]
    assert len(cutters(server, key)) == 4
    tap(server, key, WON)
    assert not cutters(server, key)


def test_cut_is_not_asked_in_a_game_begun_on_paper(server):
    key = server.table(sides=SEATED, start={"points": [5, 7]})["scorer"]
    assert not cutters(server, key)
    assert 'href="/t/' in page(server, key) and "?dealers=" in page(server, key)


def test_nameless_sides_are_not_asked_about_the_cut(server):
    assert not cutters(server, server.table(sides=[{"name": ""}, {"name": ""}])["scorer"])


def test_suedtirol_deal_passes_on_without_a_cut(server):
    played = [{**WON, "stake": 18}, NEXT]
    key = server.table("suedtirol", sides=SEATED, dealer="Anna", played=played)["scorer"]
    assert server.state(key)["dealer"] == "Cilli"
    assert not cutters(server, key)


@pytest.mark.parametrize("region", REGIONS)
def test_kritischer_hint_is_shown_before_the_deal(server, region):
    key = server.table(region, sides=SEATED, dealer="Anna")["scorer"]
    hint = re.search(r'class="procedure keeper-note"[^>]*>([^<]*)<', page(server, key))
    assert bool(hint) == (region in ("bayern", "frankreich"))
    if hint:
        assert re.findall("Anna|Bert|Cilli|Dora", hint[1]) == ["Dora", "Anna"]
        tap(server, key, RAISED)
        assert "procedure keeper-note" not in page(server, key)


def test_right_to_left_names_keep_the_order_of_the_sentence(server):
    sides = [{"name": "Wir", "players": ["שרה", "Bert"]}, SEATED[1]]
    key = server.table(sides=sides, dealer="שרה")["scorer"]
    line = server.page(f"/t/{key}").one("span", css="procedure")
    assert "\u2068שרה\u2069" in line.text and not line.has(dir="auto")


@pytest.mark.parametrize("region", REGIONS)
def test_gespannt_is_offered_only_in_france(server, region):
    key = server.table(region)["scorer"]
    more = events(server.page(f"/t/{key}/more").html)
    offered = [event for event in more if event["do"] == "gespannt"]
    assert [event["side"] for event in offered] == ([0, 1] if region == "frankreich" else [])
    if offered:
        assert tap(server, key, offered[1])[0] == 303
        assert server.state(key)["points"] == [2, 0]


def test_rules_page_calls_three_sides_an_addition(server):
    for region in REGIONS:
        three, two = server.table(region, sides=THREE), server.table(region)
        text = server.page(f"/b/{three['scorer']}/rules", language="en")
        assert ("addition" in text) == (region in ("bayern", "suedtirol", "frankreich"))
        assert "addition" not in server.page(f"/b/{two['viewer']}/rules", language="en")


def test_correcting_a_round_keeps_the_dealer(server):
    played = [{"do": "sitzordnung", "dealer": "Dora"}, WON]
    key = server.table(sides=SEATED, played=played)["scorer"]
    change = json.dumps([LOST]).replace(" ", "")
    text = server.page(f"/b/{key}/round/1?mode=replace&events={change}").html
    draft = next(event for event in events(text) if event["do"] == "korrektur")
    assert draft["of"] == 1
    tap(server, key, draft)
    state = server.state(key)
    assert (state["dealer"], state["points"]) == ("Anna", [0, 2])


def test_opponent_sees_the_dealer_as_side_number(server):
    keys = server.table(sides=NAMED, dealer="Wir")
    board = f"/b/{keys['opponent']}"
    text = server.page(board)
    assert "Geber: Partei 1" in text and "Ihr seid: Partei 2" in text
    server.play(keys["scorer"], {"do": "sitzordnung", "dealer": "Die"}, WON)
    text = server.page(f"{board}/round/1")
    assert "Geber: Partei 2" in text and text.has(role="link", href=board)
