"""The referee's page with plain links and forms."""

import re
from urllib.parse import urlencode

import pytest

from scorer.engine import REGIONS, judge
from scorer.engine.telling.explain import region_words
from tests.pages import Page

ASKED = {"rules": "oberoesterreich", "schlag": "8", "trumpf": "H"}


def asked(server, *pairs, path="/referee", language="de"):
    status, _, page = server.request("GET", f"{path}?{urlencode(pairs)}", Accept_Language=language)
    return status, Page(page)


def verdict(page):
    """The cards that the referee names, or "yes" or "no", or None without a verdict."""
    found = page.all(data_verdict=True)
    return found[0]["data-verdict"] if found else None


def named(page):
    """The verdict in words."""
    return page.one(data_verdict=True).text


def rules(page):
    marks = page.one("ul", css="reasons").all(css="rule")
    return [code.text for mark in marks for code in mark.all("strong")]


def laid(*cards):
    return [("table", card) for card in cards]


def test_it_first_wants_schlag_and_trump(server):
    status, page = asked(server)
    assert status == 200
    assert verdict(page) is None
    assert page.has("div", css="contract")
    assert not page.has(css="answer")


def test_the_winner_stands_there_with_the_rule(server):
    status, page = asked(server, *ASKED.items(), *laid("E8", "L8", "HA"))
    assert status == 200
    assert verdict(page) == "E8"
    assert "Eichel-Achter" in named(page)
    assert {"O-26b", "U11"} <= set(rules(page))


def test_tap_adds_and_removes_a_card(server):
    pairs = [*ASKED.items(), *laid("HA")]
    _, page = asked(server, *pairs, ("tap", "H8"))
    assert verdict(page) == "H8"
    assert page.count('name="table"') == 2
    _, page = asked(server, *pairs, ("tap", "HA"))
    assert 'name="table"' not in page


def test_several_taps_count_in_their_order(server):
    taps = [("tap", "HA"), ("tap", "E8"), ("tap", "H7"), ("tap", "H7"), ("tap", "H8")]
    _, page = asked(server, *ASKED.items(), *taps)
    assert re.findall(r'name="table" value="(\w+)"', page) == ["HA", "E8", "H8"]
    assert verdict(page) == "H8"


def test_zone_takes_the_taps_behind_it(server):
    taps = [("tap", "HA"), ("tap", "hand"), ("tap", "H8"), ("tap", "table"), ("tap", "E8")]
    _, page = asked(server, *ASKED.items(), ("ask", "legal"), ("to", "table"), *taps)
    assert re.findall(r'name="(table|hand)" value="(\w+)"', page) == [
        *laid("HA", "E8"),
        ("hand", "H8"),
    ]


def test_a_fifth_card_takes_the_place_of_the_last(server):
    pairs = [*ASKED.items(), *laid("HA", "HK", "HO", "HU")]
    _, page = asked(server, *pairs, ("tap", "H8"))
    assert re.findall(r'name="table" value="(\w+)"', page) == ["HA", "HK", "HO", "H8"]
    told = page.one(data_full=True).text
    assert told.index("Herz-Achter") < told.index("Herz-Unter")
    _, page = asked(server, *pairs)
    assert not page.has(data_full=True)


def test_what_may_be_played(server):
    pairs = [*ASKED.items(), ("ask", "legal"), *laid("H10"), ("hand", "H8"), ("hand", "H7")]
    _, page = asked(server, *pairs, ("to", "hand"), ("tap", "SA"))
    assert verdict(page) == "H8 H7"
    assert re.findall(r"\w+-\w+", named(page)) == ["Herz-Achter", "Herz-Siebener"]
    assert {"O-30", "O-31", "U9"} <= set(rules(page))


@pytest.mark.parametrize(("card", "yes"), [("E9", True), ("S9", False)])
def test_a_raise_on_the_last_card(server, card, yes):
    pairs = [*ASKED.items(), ("ask", "last_bid"), *laid("E10"), ("hand", card)]
    _, page = asked(server, *pairs)
    assert verdict(page) == ("yes" if yes else "no")
    # The verdict uses the region's words.
    assert named(page) == region_words("oberoesterreich", "de")["may" if yes else "wild"]
    assert "O-47" in rules(page)


def test_it_says_what_the_engine_says(server):
    for region in REGIONS:
        cards = ["HU", "E7", "HA", "S7"]
        _, page = asked(server, ("rules", region), ("schlag", "U"), ("trumpf", "H"), *laid(*cards))
        question = {"ask": "winner", "rules": region, "schlag": "U", "trumpf": "H", "cards": cards}
        answer = judge(question)
        assert set(rules(page)) == {entry["rule"] for entry in answer["because"]}
        assert page.count('<li class="good">') == 1


@pytest.mark.parametrize(
    "pairs",
    [
        [("table", "H8"), ("table", "H8")],
        [("table", "H99")],
        [("schlag", "5"), ("table", "H8")],
        [("rules", "bayern"), ("schlag", "6"), ("table", "H8")],
        [("rules", "bayern"), ("table", "S6")],
        [("trumpf", "<b>"), ("table", "H8")],
    ],
)
def test_impossible_question_keeps_the_page(server, pairs):
    given = {name for name, _ in pairs}
    rest = [pair for pair in ASKED.items() if pair[0] not in given]
    status, page = asked(server, *rest, *pairs)
    assert status == 422
    notice = page.one("p", css="notice")
    assert notice.code == "unreadable"
    assert not notice.has("b")
    # A link leads to the referee without these cards.
    assert page.one("div", css="pack").one(role="link")["href"].startswith("/referee?")


def test_referee_knows_the_tables_contract(server):
    keys = server.table(
        set={"follow_answer": ["trumpf", "linker"]},
        played=[{"do": "ansage", "schlag": "9", "trumpf": "L"}],
    )
    path = f"/b/{keys['viewer']}/referee"
    pairs = [("ask", "legal"), *laid("LA"), ("hand", "E9"), ("hand", "SA")]
    _, page = asked(server, *pairs, path=path)
    assert verdict(page) == "E9"
    assert 'name="rules"' not in page


def test_french_cards_have_their_own_names(server):
    pairs = [("rules", "frankreich"), ("schlag", "O"), ("trumpf", "S"), *laid("SO")]
    assert "Karo-Dame" in named(asked(server, *pairs)[1])
    english = named(asked(server, *pairs, language="en")[1])
    assert {"Queen", "Diamonds"} <= set(english.split())
    german = [*pairs, ("pattern", "german")]
    assert "Schell-Ober" in named(asked(server, *german)[1])
