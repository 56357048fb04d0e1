"""The director's desk: progress, corrected results, and its navigation."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from scorer.tournament.messages import NOTES
from scorer.web.tournament.labels import STATUS_NAMES
from tests.pages import parse, translated
from tests.web.tournament.forms import (
    WON,
    boxes,
    post,
    refusal_page,
    seats,
    visitor_and_signup_keys,
)
from tests.web.tournament.hall import Hall

GAMES = "".join(f"{game}, " for game in ("15:8", "12:15", "15:3"))


def test_menu_marks_the_current_page(server, played):
    for path in ("", "/pairs", "/standings", "/deciders", "/prizes", "/paper", "/settings"):
        text = server.page(f"/p/{played}{path}")
        assert re.findall(r'href="([^"]*)" aria-current="page"', text) == [f"/p/{played}{path}"]
    # A refused form is shown on the page that it was sent from.
    text = post(server, f"/p/{played}/settings", [("token", "r"), ("rounds", "0")])[2]
    assert f'href="/p/{played}/settings" aria-current="page"' in text


@pytest.mark.live
def test_results_are_streamed_to_desk_and_standings(server, played):
    watch = server.watch(f"/p/{played}/stream", Accept_Language="de")
    key, _ = visitor_and_signup_keys(server, played)
    everybody = server.watch(f"/p/{key}/standings/stream", Accept_Language="de")
    try:
        assert parse(watch.next()["data"]).one(id="table-1")["data-status"] == "open"
        assert "15:0" not in everybody.next()["data"]
        post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]]))
        assert parse(watch.next()["data"]).one(id="table-1")["data-status"] == "done"
        assert "15:0" in everybody.next()["data"]
    finally:
        watch.close()
        everybody.close()


def test_desk_shows_the_end_of_the_tournament(server, played):
    for number in (1, 2):
        for table in (1, 2):
            where = f"/p/{played}/match/{number}/{table}"
            post(server, where, boxes([*WON, [15, 0]], token=f"{number}{table}"))
        post(server, f"/p/{played}/draw", [("token", f"d{number}")])
    text = server.page(f"/p/{played}")
    assert text.one(id="next", data_over=True).has(role="status")
    assert not text.has("form", action=f"/p/{played}/draw")


def test_changing_a_final_result_needs_a_reason(server, played):
    scorer, opponent = seats(server, played)
    post(server, f"/e/{scorer}", boxes([*WON, [15, 0]]))
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="other"))
    shown = server.page(f"/e/{scorer}")
    assert shown.one(id="standing")["data-status"] == "amber"
    assert shown.has("p", role="alert")
    assert server.page(f"/p/{played}").one(id="table-1")["data-status"] == "amber"
    desk = f"/p/{played}/match/1/1"
    assert post(server, desk, boxes([*WON, [15, 0]], token="desk"))[0] == 303
    assert (
        refusal_page(server, desk, boxes([*WON, [15, 2]], token="again")).code == "reason-missing"
    )
    assert post(server, desk, boxes([*WON, [15, 2]], token="why", reason="verlesen"))[0] == 303
    text = server.page(desk)
    first, second = text.one("ol", css="entries").all("li")[-2:]
    assert ("15 : 0" in first.text, first.has("bdi")) == (True, False)
    assert ("15 : 2" in second.text, second.one("bdi").text) == (True, "verlesen")
    assert post(server, desk, [("token", "l"), ("do", "sperre"), ("open", "0")])[0] == 303
    assert post(server, desk, boxes(WON, token="late", reason="x"))[0] == 422


def test_note_on_many_matches_is_shown_once(server):
    pairs = [{"name": f"P{n}", "club": "Ötz" if n < 7 else f"Club {n}"} for n in range(8)]
    director = server.new_tournament(pairs=pairs)["director"]
    server.draw(director)
    desk = server.page(f"/p/{director}")
    assert desk.has("p", data_shared="same-club")
    assert desk.count(translated(NOTES["same-club"])) == 1
    # A single match has the note in its own row.
    few = server.new_tournament(pairs=[*pairs[:5], *pairs[7:]])["director"]
    server.draw(few)
    desk = server.page(f"/p/{few}")
    assert desk.count(translated(NOTES["same-club"])) == 1


def test_desk_shows_the_results_pairs_entered(server, played):
    scorer, opponent = seats(server, played)
    asked = f"/p/{played}?table=1"
    post(server, f"/e/{scorer}", boxes([*WON, [15, 0]], token="one"))
    entry_text = f"{translated(STATUS_NAMES['entered'])} · {GAMES}15:0"
    assert server.page(f"/p/{played}").count(entry_text) == 1
    # The form for a slip shows the result that a pair entered.
    assert server.page(asked).count(entry_text) == 2
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="two"))
    both = f"{GAMES}15:0 ≠ {GAMES}0:15"
    entry_text = f"{translated(STATUS_NAMES['amber'])} · {both}"
    page = server.page(asked)
    assert page.count(entry_text) == 1
    # The table's row marks the game in which the two results differ.
    row = page.one(id="table-1").all("small")[-1]
    assert " ".join(row.text.split()) == " ".join(entry_text.split())
    assert [mark.text for mark in row.all("b")] == ["15:0", "0:15"]
    post(server, f"/p/{played}/match/1/1", boxes([*WON, [15, 0]], reason="Zettel", seen="2"))
    assert "≠" not in server.page(asked)
    done = f"{translated(STATUS_NAMES['done'])} · {GAMES}15:0"
    assert done in server.page(asked)


def test_stale_result_or_draw_is_refused_at_the_desk(server, played):
    desk = f"/p/{played}/match/1/1"
    form = [*boxes([*WON, [15, 0]], token="first"), ("seen", "0")]
    assert post(server, desk, form)[0] == 303
    assert (
        refusal_page(server, desk, [*boxes([*WON, [15, 2]], token="b"), ("seen", "0")]).code
        == "changed-meanwhile"
    )
    for token in ("one", "two"):
        form = [("token", token), ("anyway", "1"), ("round", "2")]
        status, _, text = post(server, f"/p/{played}/draw", form)
    assert (status, text.code) == (422, "drawn-meanwhile")


def test_result_can_be_removed_with_a_reason(server, played):
    desk = f"/p/{played}/match/1/1"
    assert post(server, desk, [("token", "w"), ("do", "walkover"), ("walkover", "none")])[0] == 303
    table = server.page(f"/p/{played}").one(id="table-1")
    assert table["data-status"] == "done"
    assert table.one(css="score").text and ":" not in table.one(css="score").text
    assert post(server, desk, [("token", "e"), ("do", "leerung")])[0] == 422
    out = [("token", "f"), ("do", "leerung"), ("reason", "verlesen")]
    assert post(server, desk, out)[0] == 303
    assert server.page(f"/p/{played}").one(id="table-1")["data-status"] == "open"


def test_a_late_correction_asks_about_the_finals(server):
    hall = Hall(server, rounds=1, finals={"best": 2})
    director = hall.key
    hall.play()
    hall.draw()
    status, answer = hall.enter(1, 1, (8, 15))
    assert (status, answer["error"]["code"]) == (409, "qualifies-otherwise")
    form = boxes([[8, 15]], token="late", reason="verlesen")
    desk = f"/p/{director}/match/1/1"
    assert refusal_page(server, desk, form).code == "qualifies-otherwise"
    # Each answer counts once, even if it is sent again.
    steps = (([8, 15], "finals", "stay", 2), ([15, 8], "back", "2.0", 1))
    for games, field, answer, stages in steps:
        form = [*boxes([games], token=answer, reason="verlesen"), (field, answer)]
        for _ in range(2):
            assert post(server, desk, form)[0] == 303
            draws = hall.tournament()["draws"]
            assert (draws[0]["tables"][0]["games"], len(draws)) == ([games], stages)


def test_entries_have_their_time(server):
    """A script converts it to the reader's time zone."""
    hall = Hall(server)
    hall.play()
    page = hall.page("/match/1/1")
    times = page.one("ol", css="entries").all("time")
    assert times
    for time in times:
        entered = datetime.fromisoformat(time["datetime"])
        assert abs(datetime.now(UTC) - entered) < timedelta(minutes=5)
    assert "js/local_time.js" in page
