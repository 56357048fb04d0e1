"""Evenings for single players: pages speak of players, and the JSON allows a recount."""

import re

import pytest

from scorer.tournament.english_sentences import NOTES
from tests.pages import translated
from tests.web.tournament.hall import Hall

NAMES = ["Anna", "Bert", "Cilli", "Dora", "Emil", "Fritz", "Gusti", "Hans", "Ida"]
COUNTED = re.compile(r"\d+ Paare?\b")


@pytest.fixture
def hall(server):
    return Hall(server, pairs=[{"players": [name]} for name in NAMES], format="partners")


def test_pages_speak_of_players_not_pairs(hall):
    marked = hall.page("/pairs")
    assert "9 Spieler" in marked.one("h2", data_pairs=9).text
    pages = [hall.page(), marked, hall.refusal_page("/draw", "few", who="here")]
    status, _, preview = hall.post("/pairs/list", "l", list="Jakob; Linz\nKathi; Wels")
    assert (status, "2 Spieler" in preview.one("h1").text) == (200, True)
    hall.play()
    pages += [
        preview,
        *map(hall.page, ("", "/pairs", "/standings", "/print/list", "/print/prizes")),
    ]
    for page in pages:
        assert not COUNTED.search(page.root.text)
        assert not page.has("a", named="Paare")
        assert not page.has("th", named="Paar")


def test_draw_of_players_says_nothing_about_clubs(server):
    """The draw does not keep players of one club apart, so no page says that it tried to."""
    pairs = [{"players": [name], "club": "SV Au"} for name in NAMES[:8]]
    hall = Hall(server, pairs=pairs, format="partners")
    hall.draw()
    for page in ("", "/standings", "/hall?still=1", "/print/by-table", "/print/slips"):
        assert translated(NOTES["same-club"]) not in hall.page(page)


def test_wins_can_be_recounted_from_the_json(hall):
    hall.play()
    hall.play()
    tournament = hall.tournament()
    won = dict.fromkeys((pair["pair"] for pair in tournament["pairs"]), 0)
    for drawn in tournament["draws"]:
        seated = [n for table in drawn["tables"] for team in table["teams"] for n in team]
        assert sorted([*seated, *drawn["byes"]]) == sorted(won)
        for pair in drawn["byes"]:
            won[pair] += tournament["scoring"]["bye_wins"]
        for table in drawn["tables"]:
            for first, second in table["games"]:
                for player in table["teams"][first < second]:
                    won[player] += 1
    assert {line["pair"]: line["won"] for line in tournament["standings"]} == won


def test_players_without_a_partner_are_named_before_the_first_draw(server):
    hall = Hall(server, 4)
    assert not hall.page().has(data_singles=True)
    hall.send("/pairs", player="Irmi Huber")
    notice = hall.page().one(css="notice", data_singles="1")
    assert notice.has(role="link")
    hall.draw()
    assert not hall.page().has(css="notice", data_singles=True)
