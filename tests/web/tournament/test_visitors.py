"""The visitors' pages: link, screen and seats."""

import re
from urllib.parse import quote

import pytest

from scorer.web.tournament.labels import REASONS
from tests.pages import translated
from tests.web.tournament.forms import post, visitor_and_signup_keys
from tests.web.tournament.hall import Hall

GROUPS = {"format": "groups", "groups": {"count": 2}, "rounds": 3}


@pytest.mark.parametrize(("rounds", "is_said"), [(1, True), (2, False)])
def test_lot_is_named_only_after_the_last_round(server, rounds, is_said):
    hall = Hall(server, 8, rounds=rounds)
    hall.draw()
    for table in range(1, 5):
        assert hall.enter(1, table, (15, 3))[0] == 201
    text = hall.page("/standings")
    for code in ("lot", "level"):
        assert (translated(REASONS[code]) in text) is is_said


def test_visitor_link_is_read_only(server, drawn):
    key, _ = visitor_and_signup_keys(server, drawn)
    assert server.request("GET", f"/p/{key}")[1]["location"].endswith("/standings")
    for path, status in (("print/by-name", 200), ("pairs", 403), ("stream", 403)):
        assert server.request("GET", f"/p/{key}/{path}")[0] == status
    assert post(server, f"/p/{key}/draw", [("token", "x")])[0] == 403
    text = server.page(f"/p/{key}/standings")
    assert drawn not in text and "/e/" not in text


@pytest.mark.parametrize(("settings", "tables"), [({}, 1), (GROUPS, 2)])
def test_nobody_has_a_rank_before_the_first_game(server, settings, tables):
    hall = Hall(server, 8, **settings)
    hall.draw()
    page = hall.page("/standings")
    assert len(page.all("table", css="ranking")) == tables
    assert {rank.text for rank in page.all("td", css="rank")} == {"–"}
    hall.enter(1, 1, (15, 3))
    assert "1" in {rank.text for rank in hall.page("/standings").all("td", css="rank")}


def test_visitors_can_search_for_a_table(server, drawn):
    key, _ = visitor_and_signup_keys(server, drawn)
    text = server.page(f"/p/{key}/find?name=cill")
    assert text.one(css="big-number").text in ("1", "2")
    row = text.one(id="found").one("li")
    assert "Cilli & Dora" in row.one(role="heading").text
    assert any(other in row.text for other in ("Anna & Bert", "Emil & Fanny", "Gustl & Hias"))
    assert re.search(r'href="/b/\w+"', text)
    assert server.page(f"/p/{key}/find?name=Zenzi").one(id="found").has(data_nobody=True)


def test_found_pair_sees_its_result_and_place(server):
    hall = Hall(server, 4, rounds=1)
    winner, loser = hall.draw()[0]["pairs"]
    assert not hall.page(f"/find?name={winner}").has(data_place=True)
    assert hall.enter(1, 1, (15, 8))[0] == 201
    for pair, score, place in ((winner, "15:8", 1), (loser, "8:15", 2)):
        found = hall.page(f"/find?name={pair}").one(id="found")
        assert found.one(data_score=True).text == score
        shown = translated("Place %(n)s") % {"n": place}
        assert found.one(data_place=True).text.startswith(f"{shown} · ")
    hall.finish()
    found = hall.page(f"/find?name={winner}").one(id="found")
    assert found.one(data_place=True).text == translated("Place %(n)s") % {"n": 1}
    assert not found.has(css="big-number")


@pytest.mark.parametrize("typed", ["Öller", "oeller", "oller", "OELLER bauer", "Baue"])
def test_search_accepts_umlaut_spellings(server, typed):
    pairs = [{"name": "Sepp Öller & Ida Bauer"}, {"name": "Sepp Muller & Eva"}]
    page = Hall(server, pairs=pairs).page(f"/find?name={quote(typed)}")
    assert [heading.text for heading in page.all("h2")] == ["1 · Sepp Öller & Ida Bauer"]


def test_final_standings_wait_for_the_prize_giving(server):
    hall = Hall(server, rounds=2, seed="x")
    hall.play()
    before = hall.order()
    hall.send("/settings", ceremony=["0", "1"])
    hall.send("/prizes", lines="300 EUR\n200 EUR", consolation="")
    viewer = hall.keys["viewer"]
    entry = hall.draw()[0]["scorer"]
    assert hall.enter(2, 1, (15, 8))[0] == 201
    # Nothing of the last round is shown while other tables still play.
    for path in ("standings", "hall"):
        page = server.page(f"/p/{viewer}/{path}")
        assert page.has(data_ceremony=True) and "15:8" not in page.html
        assert page.text.count(translated("entered")) == 1
    assert (
        server.json("GET", f"/api/tournaments/{viewer}")[1]["draws"][1]["tables"][0]["status"]
        == "open"
    )
    assert "15:8" in server.page(f"/e/{entry}").html
    hall.finish()

    def round_counts():
        api = f"/api/tournaments/{viewer}"
        draws = server.json("GET", api)[1]["draws"]
        return [len(draws), server.json("GET", f"{api}/standings")[1]["round"]]

    def held():
        pages = [f"/p/{viewer}/{path}" for path in ("standings", "hall", "find?name=Anna")]
        pages += [f"/e/{entry}", f"/e/{entry}/standings"]
        return [server.page(page).has(data_held_back=True) for page in pages]

    assert (held(), round_counts()) == ([True] * 5, [1, 1])
    lines = server.json("GET", f"/api/tournaments/{viewer}/standings")[1]["standings"]
    assert [line["pair"] for line in lines] == before != hall.order()
    results = server.request("GET", f"/p/{viewer}/results.csv")[2]
    assert len(results.splitlines()) == 3
    prizes = server.page(f"/p/{viewer}/print/prizes")
    assert "200 EUR" in prizes and not any(name in prizes for name in hall.names().values())
    assert not server.page(f"/e/{entry}").has(data_over=True)
    # The desk sees everything, and releases it.
    desk = hall.page()
    assert desk.has(data_over=True) and not hall.page("/standings").has(data_held_back=True)
    release = desk.one("button", value="release").find_parent("form")
    hall.send("/settings", **dict(release.fields))
    assert (held(), round_counts()) == ([False] * 5, [2, 2])
    assert server.page(f"/e/{entry}").has(data_over=True)
    assert server.page(f"/p/{viewer}/print/prizes").has(data_winners=True)


def test_running_round_is_above_the_standings(server):
    """Between rounds the standings come first; in finals the bracket is the round."""
    hall = Hall(server, 4, rounds=1, finals={"best": 4})

    def is_above(css):
        page = server.page(f"/p/{hall.keys['viewer']}").html
        return page.index(f'class="{css}') < page.index('class="ranking')

    hall.draw()
    assert is_above("matches")
    hall.enter(1, 1, (15, 3))
    assert is_above("matches")
    hall.finish()
    assert not is_above("matches")
    hall.draw()
    assert is_above("bracket")
    hall.finish()
    assert not is_above("bracket")
