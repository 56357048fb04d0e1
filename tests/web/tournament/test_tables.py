"""Tables scored live: slips, and draws that change under them."""

import re

import pytest

from scorer.book.keyrings import DESK_RING
from scorer.book.tournament_event_limits import MAX_TOURNAMENT_EVENTS
from scorer.engine import REGIONS
from scorer.store import NewStream
from scorer.tournament import read_settings
from scorer.web import create_app
from tests.builders import NEXT
from tests.pages import Page, translated
from tests.serving import InProcessClient
from tests.web.tournament.forms import pair_keys, refusal_page, send
from tests.web.tournament.hall import Hall


@pytest.fixture
def hall(server):
    return Hall(server)


def win(server, key, side=0, stake=5, times=3):
    """Write rounds that one side wins; three are a game."""
    event = {"do": "gewinnt", "side": side, **({"stake": stake} if stake else {})}
    server.play(key, *[event] * times)


# Draws that change


def test_pages_report_an_undone_draw(server, hall):
    table = hall.draw()[0]
    viewer = re.search(r"/b/(\w+)", server.page(f"/t/{table['scorer']}/share"))[1]
    hall.send("/take-back", round=1)
    for path in (f"/t/{table['scorer']}", f"/b/{table['opponent']}", f"/b/{viewer}"):
        assert server.page(path).one(data_gone=True).code == "draw-undone"
    for key in (table["scorer"], table["opponent"]):
        assert server.page(f"/e/{key}", 404).code == "draw-undone"


@pytest.mark.live
def test_undone_draw_is_streamed_to_open_pages(server, hall):
    table = hall.draw()[0]
    with (
        server.watch(f"/t/{table['scorer']}/stream", Accept_Language="de") as writer,
        server.watch(f"/b/{table['opponent']}/stream", Accept_Language="de") as board,
    ):
        assert not any("data-gone" in watch.next()["data"] for watch in (writer, board))
        hall.send("/take-back", round=1)
        for watch in (writer, board):
            assert Page(watch.next()["data"]).one(data_gone=True).code == "draw-undone"


def test_latecomer_is_paired_with_the_bye(server):
    hall = Hall(server, 5)
    tables = hall.draw()
    bye = next(n for n in range(1, 6) if all(n not in table["pairs"] for table in tables))
    assert hall.page().data("playing") == ["5"]
    hall.send("/pairs", player="Spätauf Poldi", name="Spätauf")
    # The late pair does not play and is not counted until somebody confirms it.
    for path in ("", "/pairs"):
        late = hall.page(path).one(role="status", data_late=True)
        assert "6" in late["data-late"].split() and "Spätauf" in late.text
    assert hall.page().data("playing") == ["5"]
    form = dict(re.findall(r'name="(round|first|second)" value="(\d+)"', hall.page("/pairs")))
    assert form == {"round": "1", "first": str(bye), "second": "6"}
    assert hall.enter(1, 1, (15, 8))[0] == 201
    # If a second desk confirms it too, nothing changes.
    for _ in range(2):
        hall.send("/swap", what="late", **form)
    slip = pair_keys(server, hall.key, 3)[0]
    desk = hall.page()
    assert desk.data("playing") == ["6"]
    assert not desk.has(data_byes=True) and not desk.has(data_late=True)
    assert hall.page("/print/slips").count('class="slip"') == 3
    # The slips on the tables stay valid, and the new table takes results like any other.
    assert "3" in server.page(f"/e/{slip}").one("h1").text
    assert server.request("GET", f"/e/{tables[0]['scorer']}")[0] == 200
    assert hall.enter(1, 3, (15, 3))[0] == 201


def test_latecomer_waits_for_the_next_round(hall):
    hall.draw()
    hall.send("/pairs", player="Spätauf Poldi", name="Spätauf")
    assert "Spätauf" in hall.page().one("p", role="status", data_late=5).text
    assert hall.page().data("playing") == ["4"]
    hall.finish()
    assert hall.page().data("playing") == ["5"]
    assert not hall.page().has(data_late=True)
    assert "Spätauf" in hall.page().one(data_first_timers=True).text
    hall.draw()
    assert not (hall.page().has(data_late=True) or hall.page().has(data_first_timers=True))
    remark = translated("from round %(n)s") % {"n": 2}
    rows = [row for row in hall.page("/standings").all("tr") if remark in row.text]
    assert len(rows) == 1 and "Spätauf" in rows[0].text


# Corrections in a knock-out


def take_back_value(text):
    """The value of the buttons that take rounds back."""
    return text.all("button", name="back")[0]["value"]


def test_knockout_correction_can_be_undone(server):
    hall = Hall(server, format="knockout")
    hall.play()
    key = hall.draw()[0]["scorer"]
    turned = {"a": 8, "b": 15, "reason": "verlesen"}
    unplayed = take_back_value(hall.refusal_page("/match/1/1", **turned))
    # A result that arrived after the question is shown before it is removed.
    assert hall.enter(2, 1, (15, 11))[0] == 201
    text = hall.refusal_page("/match/1/1", back=unplayed, **turned)
    assert "15:11" in text
    before = hall.tournament()["draws"]
    for _ in range(2):
        hall.send("/match/1/1", token="c", back=take_back_value(text), **turned)
    (first,) = hall.tournament()["draws"]
    assert first["tables"][0]["games"] == [[8, 15]]
    assert server.page(f"/e/{key}", 404).code == "draw-undone"
    assert 'value="widerruf"' in hall.page()
    for _ in range(2):
        hall.send("/match/1/1", token="d", do="widerruf")
    assert hall.tournament()["draws"] == before
    # After a correction in an earlier round, the next page shows that round's result.
    assert "15:9" in server.page(hall.send("/match/1/2", a=15, b=9, reason="verlesen"))
    assert "15:11" in server.page(f"/e/{key}")
    assert 'value="widerruf"' not in hall.page()


def test_knockout_result_can_be_removed(server):
    hall = Hall(server, format="knockout")
    hall.play()
    key = hall.draw()[0]["scorer"]
    out = {"do": "leerung", "reason": "verlesen"}
    unplayed = take_back_value(hall.refusal_page("/match/1/1", **out))
    server.play(key, {"do": "gewinnt", "side": 0, "stake": 2})
    text = hall.refusal_page("/match/1/1", back=unplayed, **out)
    assert "2 : 0" in text
    hall.send("/match/1/1", back=take_back_value(text), **out)
    assert len(hall.tournament()["draws"]) == 1
    assert hall.enter(1, 1, (15, 2))[0] == 201
    assert hall.refusal_page("/match/1/1", do="widerruf").code == "correction-stays"


# Live tables


def test_live_table_refuses_extra_games(server):
    hall = Hall(server, games_per_round=2)
    key = hall.draw()[0]["scorer"]
    win(server, key)
    server.play(key, NEXT)
    win(server, key, side=1)
    text = server.page(f"/t/{key}")
    assert "neues_spiel" not in text
    assert text.has(role="link", css="main", href=f"/e/{key}")
    status, answer = server.write(key, NEXT, "n2")
    assert (status, answer["error"]["code"]) == (422, "games-played")
    boxes = re.findall(r'name="[ab]"[^>]*value="(\d+)"', server.page(f"/e/{key}"))
    assert boxes == ["15", "0", "0", "15"]


def ticked_retour(server, key):
    """The numbers of the games whose retour is ticked on the slip."""
    boxes = server.page(f"/e/{key}").all("input", name="retour", checked=True)
    return [box["value"] for box in boxes]


def test_live_retour_is_ticked_on_the_slip(server):
    """In Bayern, that is a game won from 0 against a side that is gespannt."""
    hall = Hall(server, games_per_round=2, scoring={"retour": 20})
    key = hall.draw()[0]["scorer"]
    win(server, key, side=1, stake=5, times=2)
    win(server, key, side=1, stake=3, times=1)
    while server.state(key)["winner"] is None:
        # A side that is gespannt decides about each round whether to play.
        server.play(key, {"do": "bleiben", "side": 1})
        win(server, key, stake=None, times=1)
    server.play(key, NEXT)
    win(server, key)
    assert ticked_retour(server, key) == ["1"]


def test_corrected_score_counts_as_no_retour(server):
    hall = Hall(server, games_per_round=1, scoring={"retour": 20})
    key = hall.draw()[0]["scorer"]
    win(server, key, side=1, stake=5, times=2)
    win(server, key, side=1, stake=3, times=1)
    assert server.state(key)["points"] == [0, 13]
    server.play(key, {"do": "korrektur", "of": 2, "with": {"do": "gewinnt", "side": 0, "stake": 3}})
    win(server, key, side=0, stake=4, times=3)
    assert server.state(key)["winner"] == 0
    assert ticked_retour(server, key) == []


def test_impossible_retour_is_refused(server):
    hall = Hall(server, scoring={"retour": 20})
    slip = f"/e/{hall.draw()[0]['scorer']}"
    assert refusal_page(server, slip, a=15, b=3, retour=1).code == "no-retour"
    assert hall.enter(1, 1, (15, 3), retour=[1])[1]["error"]["code"] == "no-retour"
    assert hall.enter(1, 1, (15, 13), retour=[1])[0] == 201
    assert hall.refusal_page("/quick", table=2, points="3r").code == "no-retour"
    hall.send("/quick", table=2, points="13r")
    rows = hall.page().all(data_status=True)
    assert [row.one(css="score").text for row in rows] == ["15:13 R"] * 2


# Deciding games


def opened_key(server, page):
    """The writer's key of the table for a deciding game that a page leads to."""
    return server.page(page).one(data_opened=True).all("a")[0]["href"].rsplit("/", 1)[1]


def open_decider(hall):
    """Two level pairs of a drawn round, and the writer's key of their table."""
    hall.draw()
    winner, loser = hall.order()[:2]
    where = hall.send("/decider", winner=winner, loser=loser, table=1)
    return winner, loser, opened_key(hall.server, where)


@pytest.fixture
def decider(server):
    """The tournament, the numbers of two level pairs, and the writer's key of their table."""
    hall = Hall(server, 2)
    return hall, *open_decider(hall)


def test_deciding_game_reports_its_winner(server, decider):
    hall, first, second, key = decider
    opened = hall.page("/deciders").one(data_opened="1-2")
    assert opened.has("a", href=f"/t/{key}")
    win(server, key, side=1, times=1)
    best, other = hall.tournament()["standings"]
    assert (best["pair"], other["pair"], best["tie"]) == (second, first, "decider")
    assert "neues_spiel" not in server.page(f"/t/{key}")
    assert server.page(f"/t/{key}").has(role="status", data_reported=True)
    # After the director takes it back, opening pages does not report it again.
    hall.send("/decider", do="undo", winner=second, loser=first)
    hall.page("/deciders")
    hall.page()
    assert {line["tie"] for line in hall.tournament()["standings"]} == {"lot"}


@pytest.mark.parametrize("rules", REGIONS)
def test_deciding_game_starts_in_every_region(server, rules):
    _, _, key = open_decider(Hall(server, 2, rules=rules))
    assert server.state(key)["points"] == [0, 0]


def test_opposite_decider_waits_for_confirmation(server, decider):
    hall, first, second, key = decider
    hall.send("/decider", winner=first, loser=second)
    assert hall.refusal_page("/decider", winner=second, loser=first).code == "opposite-noted"
    win(server, key, side=1, times=1)
    assert hall.order()[:2] == [first, second]
    text = hall.page("/deciders")
    table = text.one(data_opposite=True).one("button", name="confirmed")["value"]
    hall.send("/decider", confirmed=table)
    # Each has won once now, so the lot decides again.
    assert {line["tie"] for line in hall.tournament()["standings"]} == {"lot"}
    assert not hall.page("/deciders").has(data_opposite=True)


@pytest.mark.slow
def test_full_tournament_records_no_decider_result(tmp_path):
    app = create_app({"DATABASE": str(tmp_path / "x.db"), "RATE_LIMITS": False})
    server, book = InProcessClient(app), app.extensions["tournaments"]
    head = read_settings({"name": "T", "rules": "bayern", "pairs": [{"name": n} for n in "AB"]})
    marked = [{"do": "vermerk", "pair": 1, "paid": True}] * (MAX_TOURNAMENT_EVENTS - 1)
    stream = book.store.create("tournament", NewStream(head.to_json(), {}, events=marked)).id
    director = book.keyrings.renew_all(stream)
    path = f"/p/{director}"
    send(server, f"{path}/decider", winner=1, loser=2, table=1)
    [key] = book.keyrings.keys_from_ring(director, DESK_RING).values()
    # The writer of the deciding game gets no error.
    win(server, key, times=1)
    for page in (path, f"{path}/deciders"):
        assert server.page(page).code == "tournament-full"
    assert refusal_page(server, f"{path}/decider", confirmed="x").code == "tournament-full"


def test_only_level_pairs_play_a_decider(server, hall):
    hall.draw()
    for table in (1, 2):
        assert hall.enter(1, table, (15, 8 + table))[0] == 201
    first, second = hall.order()[:2]
    assert hall.refusal_page("/decider", winner=first, loser=second).code == "not-level"


def test_possible_places_are_shown_only_late(server):
    hall = Hall(server, 24, games_per_round=2, rounds=3)
    for number in (1, 2, 3):
        tables = [table["table"] for table in hall.draw()]
        for table in tables[: None if number < 3 else -1]:
            assert hall.enter(number, table, *[(15, 2 + table % 12)] * 2)[0] == 201
        spans = [span.split() for span in hall.page("/standings").data("bounds")]
        # Before the last round almost any place is possible, so the spans are not shown.
        assert all(int(worst) - int(best) < 12 for best, worst in spans)
    assert spans
