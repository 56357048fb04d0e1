"""The director's desk: progress, corrected results, and its navigation."""

import re
from datetime import UTC, datetime, timedelta

import pytest

from scorer.tournament.english_sentences import NOTES
from scorer.web.tournament.labels import STATUS_NAMES
from tests.pages import parse, translated
from tests.web.tournament.forms import (
    FOUR,
    WON,
    boxes,
    pair_keys,
    post,
    refusal_page,
    send,
    visitor_and_signup_keys,
)
from tests.web.tournament.hall import Hall

GAMES = "".join(f"{game}, " for game in ("15:8", "12:15", "15:3"))


def test_menu_marks_the_current_page(server, drawn):
    for path in ("", "/pairs", "/standings", "/deciders", "/prizes", "/paper", "/settings"):
        text = server.page(f"/p/{drawn}{path}")
        assert re.findall(r'href="([^"]*)" aria-current="page"', text) == [f"/p/{drawn}{path}"]
    # A refused form is shown on the page that it was sent from.
    text = refusal_page(server, f"/p/{drawn}/settings", rounds=0)
    assert f'href="/p/{drawn}/settings" aria-current="page"' in text


@pytest.mark.live
def test_results_are_streamed_to_desk_and_standings(server, drawn):
    key, _ = visitor_and_signup_keys(server, drawn)
    with (
        server.watch(f"/p/{drawn}/stream", Accept_Language="de") as watch,
        server.watch(f"/p/{key}/standings/stream", Accept_Language="de") as everybody,
    ):
        assert parse(watch.next()["data"]).one(id="table-1")["data-status"] == "open"
        assert "15:0" not in everybody.next()["data"]
        post(server, f"/p/{drawn}/match/1/1", boxes(FOUR))
        assert parse(watch.next()["data"]).one(id="table-1")["data-status"] == "done"
        assert "15:0" in everybody.next()["data"]


def test_desk_shows_the_end_of_the_tournament(server):
    hall = Hall(server)
    hall.play()
    hall.play()
    desk = hall.page()
    assert desk.one(id="next", data_over=True).has(role="status")
    # The winner comes first, and no field opens a phone's keyboard.
    assert (
        desk.html.index('id="next"')
        < desk.html.index('id="table-1"')
        < desk.html.index('id="line"')
    )
    assert not desk.has(autofocus=True)
    assert not desk.has("form", action=f"/p/{hall.key}/draw")


def test_changing_a_final_result_needs_a_reason(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    post(server, f"/e/{scorer}", boxes(FOUR))
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="other"))
    shown = server.page(f"/e/{scorer}")
    assert shown.one(id="match")["data-status"] == "amber"
    assert shown.has("p", role="alert")
    assert table_status(server, drawn) == "amber"
    desk = f"/p/{drawn}/match/1/1"
    send(server, desk, boxes(FOUR, "desk"))
    assert refusal_page(server, desk, boxes([*WON, [15, 2]], "again")).code == "reason-missing"
    send(server, desk, boxes([*WON, [15, 2]], "why", reason="verlesen"))
    first, second = server.page(desk).one("ol", css="entries").all("li")[-2:]
    assert ("15:0" in first.text, first.has("bdi")) == (True, False)
    assert ("15:2" in second.text, second.one("bdi").text) == (True, "verlesen")
    send(server, desk, do="sperre", open=0)
    assert refusal_page(server, desk, boxes(FOUR, token="late", reason="x")).code == "locked"


def test_note_on_many_matches_is_shown_once(server):
    pairs = [{"name": f"P{n}", "club": "Ötz" if n < 7 else f"Club {n}"} for n in range(8)]
    # A single match has the note in its own row.
    for given, shared in ((pairs, True), (pairs[4:], False)):
        hall = Hall(server, pairs=given)
        hall.draw()
        assert hall.page().has("p", data_shared="same-club") is shared
        assert hall.page().count(translated(NOTES["same-club"])) == 1


def test_desk_shows_the_results_pairs_entered(server, drawn):
    scorer, opponent = pair_keys(server, drawn)
    asked = f"/p/{drawn}?table=1"
    post(server, f"/e/{scorer}", boxes(FOUR, token="one"))
    entry_text = f"{translated(STATUS_NAMES['entered'])} · {GAMES}15:0"
    assert server.page(f"/p/{drawn}").count(entry_text) == 1
    # The form for a slip shows the result that a pair entered.
    assert server.page(asked).count(entry_text) == 2
    post(server, f"/e/{opponent}", boxes([*WON, [0, 15]], token="two"))
    entry_text = f"{translated(STATUS_NAMES['amber'])} · {GAMES}15:0 ≠ {GAMES}0:15"
    page = server.page(asked)
    assert page.count(entry_text) == 1
    # The table's row marks the game in which the two results differ.
    row = page.one(id="table-1").all("small")[-1]
    assert (row.text, [mark.text for mark in row.all("b")]) == (entry_text, ["15:0", "0:15"])
    post(server, f"/p/{drawn}/match/1/1", boxes(FOUR, reason="Zettel", seen="2"))
    page = server.page(asked)
    assert "≠" not in page
    assert f"{translated(STATUS_NAMES['done'])} · {GAMES}15:0" in page


def test_stale_result_or_draw_is_refused_at_the_desk(server, drawn):
    desk = f"/p/{drawn}/match/1/1"
    send(server, desk, boxes(FOUR, "first", seen="0"))
    stale = boxes([*WON, [15, 2]], "b", seen="0")
    assert refusal_page(server, desk, stale).code == "changed-meanwhile"
    send(server, f"/p/{drawn}/draw", anyway=1, round=2)
    text = refusal_page(server, f"/p/{drawn}/draw", anyway=1, round=2)
    assert text.code == "drawn-meanwhile"


def table_status(server, director):
    return server.page(f"/p/{director}").one(id="table-1")["data-status"]


def test_result_can_be_removed_with_a_reason(server, drawn):
    desk = f"/p/{drawn}/match/1/1"
    send(server, desk, do="walkover", walkover="none")
    assert table_status(server, drawn) == "done"
    score = server.page(f"/p/{drawn}").one(id="table-1").one(css="score").text
    assert score and ":" not in score
    assert refusal_page(server, desk, do="leerung").code == "reason-missing"
    send(server, desk, do="leerung", reason="verlesen")
    assert table_status(server, drawn) == "open"


def test_a_late_correction_asks_about_the_finals(server):
    hall = Hall(server, rounds=1, finals={"best": 2})
    hall.play()
    hall.draw()
    status, answer = hall.enter(1, 1, (8, 15))
    assert (status, answer["error"]["code"]) == (409, "qualifies-otherwise")
    asked = hall.refusal_page("/match/1/1", a=8, b=15, reason="verlesen")
    assert asked.code == "qualifies-otherwise"
    # Each answer counts once, even if it is sent again.
    for a, b, field, answer, stages in ((8, 15, "finals", "stay", 2), (15, 8, "back", "2.0", 1)):
        for _ in range(2):
            again = {"token": answer, field: answer}
            hall.send("/match/1/1", a=a, b=b, reason="verlesen", **again)
            draws = hall.tournament()["draws"]
            assert (draws[0]["tables"][0]["games"], len(draws)) == ([[a, b]], stages)


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
