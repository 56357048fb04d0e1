"""Results with a game that the clock ended: at the desk, by the pairs, in the settings."""

import pytest

from tests.web.tournament.forms import boxes, pair_keys, refusal_page, send
from tests.web.tournament.hall import Hall


@pytest.fixture
def hall(server):
    hall = Hall(server, 4, games_per_round=2, scoring={"unfinished": "win"})
    hall.draw()
    return hall


def wins_by_pair(hall):
    return {line["pair"]: line["won"] for line in hall.tournament()["standings"]}


def test_unfinished_game_needs_confirmation_at_the_desk(hall):
    typed = {"round": 1, "entry": "1 8 7:9"}
    asked = hall.refusal_page("/quick", **typed)
    assert asked.code == "unfinished-in-doubt" and asked.has("button", name="sure")
    written = hall.server.page(hall.send("/quick", **typed, sure=1)).one(data_written="1")
    assert written.one(css="score").text == "15:8, 7:9*"
    pairs = hall.tournament()["draws"][0]["tables"][0]["pairs"]
    assert [wins_by_pair(hall)[pair] for pair in pairs] == [1, 1]
    assert hall.page("/standings").has(data_unfinished=True)


def test_pairs_can_enter_an_unfinished_game(hall):
    server = hall.server
    keys = pair_keys(server, hall.key)
    slip = boxes([[15, 8], [9, 7]])
    page = refusal_page(server, f"/e/{keys[0]}", slip)
    assert page.has("button", name="sure") and page.has(data_unfinished=True)
    send(server, f"/e/{keys[0]}", [*slip, ("sure", "1")])
    assert "7:9*" in server.page(f"/e/{keys[1]}").one(css="games").text
    send(server, f"/e/{keys[1]}", boxes([[15, 8], [9, 7]], "c", do="bestaetigung"))
    assert hall.tournament()["draws"][0]["tables"][0]["status"] == "done"


def test_setting_decides_what_unfinished_games_count(hall):
    assert hall.enter(1, 1, (15, 8), (7, 9))[0] == 201
    before = wins_by_pair(hall)
    form = hall.page("/settings").all("form", action=f"/p/{hall.key}/settings")[0]
    choice = form.one("select", name="scoring.unfinished")
    assert [option["value"] for option in choice.all("option")] == ["finish", "win", "points"]
    assert choice.one("option", selected=True)["value"] == "win"
    hall.send("/settings", **{"scoring.unfinished": "points", "scoring.bye": "none"})
    assert sum(wins_by_pair(hall).values()) == sum(before.values()) - 1
    hall.send("/settings", **{"scoring.unfinished": "finish"})
    assert hall.enter(1, 2, (15, 8), (7, 9))[1]["error"]["code"] == "winner-below-target"


def test_settings_preview_matches_the_later_standings(server):
    """In a knock-out the setting decides who goes on."""
    hall = Hall(server, 2, format="knockout", games_per_round=3, scoring={"unfinished": "win"})
    hall.draw()
    assert hall.enter(1, 1, (15, 13), (2, 7), (0, 0))[0] == 201
    before = hall.order()
    change = {"scoring.unfinished": "points"}
    status, _, page = hall.post("/settings", "p", do="preview", **change)
    assert status == 200
    names = [row.text for row in page.all("th", scope="row")]
    hall.send("/settings", **change)
    assert hall.order() == before[::-1]
    called = hall.names()
    assert [name for pair in hall.order() for name in names if called[pair] in name] == names
