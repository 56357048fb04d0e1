"""The referee's page with plain links and forms."""

import re
from urllib.parse import urlencode

import pytest

from scorer.engine import REGIONS, judge
from scorer.engine.telling.filled_sentences import region_words

ASKED = {"rules": "oberoesterreich", "schlag": "8", "trumpf": "H"}


def ask_referee(server, *pairs, path="/referee", language="de"):
    return server.page(f"{path}?{urlencode(pairs)}", language=language)


def verdict(page):
    """The cards that the referee names, or "yes" or "no", or None without a verdict."""
    found = page.all(data_verdict=True)
    return found[0]["data-verdict"] if found else None


def verdict_text(page):
    """The verdict in words."""
    return page.one(data_verdict=True).text


def rules(page):
    marks = page.one("ul", css="reasons").all(css="rule")
    return [code.text for mark in marks for code in mark.all("strong")]


def table_cards(*cards):
    return [("table", card) for card in cards]


def test_referee_first_asks_for_schlag_and_trump(server):
    page = ask_referee(server)
    assert verdict(page) is None
    assert page.has("div", css="contract") and not page.has(css="answer")


def test_referee_names_the_winning_card_and_rule(server):
    page = ask_referee(server, *ASKED.items(), *table_cards("E8", "L8", "HA"))
    assert verdict(page) == "E8"
    assert "Eichel-Achter" in verdict_text(page)
    assert {"O-26b", "U11"} <= set(rules(page))


def test_tap_adds_and_removes_a_card(server):
    pairs = [*ASKED.items(), *table_cards("HA")]
    page = ask_referee(server, *pairs, ("tap", "H8"))
    assert (verdict(page), page.count('name="table"')) == ("H8", 2)
    assert 'name="table"' not in ask_referee(server, *pairs, ("tap", "HA"))


def test_several_taps_count_in_their_order(server):
    taps = [("tap", card) for card in ("HA", "E8", "H7", "H7", "H8")]
    page = ask_referee(server, *ASKED.items(), *taps)
    assert re.findall(r'name="table" value="(\w+)"', page) == ["HA", "E8", "H8"]
    assert verdict(page) == "H8"


def test_taps_go_to_the_last_chosen_zone(server):
    taps = [("tap", tapped) for tapped in ("HA", "hand", "H8", "table", "E8")]
    page = ask_referee(server, *ASKED.items(), ("ask", "legal"), ("to", "table"), *taps)
    zones = re.findall(r'name="(table|hand)" value="(\w+)"', page)
    assert zones == [*table_cards("HA", "E8"), ("hand", "H8")]


def test_fifth_card_replaces_the_fourth(server):
    pairs = [*ASKED.items(), *table_cards("HA", "HK", "HO", "HU")]
    page = ask_referee(server, *pairs, ("tap", "H8"))
    assert re.findall(r'name="table" value="(\w+)"', page) == ["HA", "HK", "HO", "H8"]
    notice = page.one(data_full=True).text
    assert notice.index("Herz-Achter") < notice.index("Herz-Unter")
    assert not ask_referee(server, *pairs).has(data_full=True)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_first_tap_never_replaces_a_card_of_the_trick(server, count):
    """Before the player's card lie at most three cards; with three the next one is in the hand."""
    laid = table_cards("HA", "HK", "HO", "HU")[:count]
    page = ask_referee(server, *ASKED.items(), ("ask", "legal"), *laid)
    assert page.has(data_full=True) == (count == 4)
    zone = page.one("input", type="radio", name="to", checked=True)["value"]
    assert zone == ("table" if count < 3 else "hand")


def test_referee_lists_the_legal_cards(server):
    pairs = [*ASKED.items(), ("ask", "legal"), *table_cards("H10"), ("hand", "H8"), ("hand", "H7")]
    page = ask_referee(server, *pairs, ("to", "hand"), ("tap", "SA"))
    assert verdict(page) == "H8 H7"
    assert re.findall(r"\w+-\w+", verdict_text(page)) == ["Herz-Achter", "Herz-Siebener"]
    assert {"O-30", "O-31", "U9"} <= set(rules(page))


@pytest.mark.parametrize(("card", "said", "word"), [("E9", "yes", "may"), ("S9", "no", "wild")])
def test_referee_judges_a_raise_on_the_last_card(server, card, said, word):
    pairs = [*ASKED.items(), ("ask", "last_bid"), *table_cards("E10"), ("hand", card)]
    page = ask_referee(server, *pairs)
    # The verdict uses the region's words.
    assert verdict(page) == said
    assert verdict_text(page) == region_words("oberoesterreich", "de")[word]
    assert "O-47" in rules(page)


@pytest.mark.parametrize("region", REGIONS)
def test_referee_page_matches_the_engine(server, region):
    cards, asked = ["HU", "E7", "HA", "S7"], {"rules": region, "schlag": "U", "trumpf": "H"}
    page = ask_referee(server, *asked.items(), *table_cards(*cards))
    answer = judge({"ask": "winner", **asked, "cards": cards})
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
def test_impossible_question_is_refused_on_the_page(server, pairs):
    rest = [pair for pair in ASKED.items() if pair[0] not in dict(pairs)]
    page = server.page(f"/referee?{urlencode([*rest, *pairs])}", 422)
    notice = page.one("p", css="notice")
    assert notice.code == "unreadable" and not notice.has("b")
    # A link leads to the referee without these cards.
    assert page.one("div", css="pack").one(role="link")["href"].startswith("/referee?")


def test_table_referee_uses_the_announced_contract(server):
    announced = {"do": "ansage", "schlag": "9", "trumpf": "L"}
    keys = server.table(set={"follow_answer": ["trumpf", "linker"]}, played=[announced])
    pairs = [("ask", "legal"), *table_cards("LA"), ("hand", "E9"), ("hand", "SA")]
    page = ask_referee(server, *pairs, path=f"/b/{keys['viewer']}/referee")
    assert verdict(page) == "E9" and 'name="rules"' not in page


def test_french_cards_have_their_own_names(server):
    pairs = [("rules", "frankreich"), ("schlag", "O"), ("trumpf", "S"), *table_cards("SO")]
    assert "Karo-Dame" in verdict_text(ask_referee(server, *pairs))
    english = verdict_text(ask_referee(server, *pairs, language="en"))
    assert {"Queen", "Diamonds"} <= set(english.split())
    german = ask_referee(server, *pairs, ("pattern", "german"))
    assert "Schell-Ober" in verdict_text(german)
