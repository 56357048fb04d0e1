"""The desk's input line: results typed from slips, and questions before they are recorded."""

import re

import pytest

from tests.serving import Local
from tests.web.tournament.forms import boxes, post, refusal_page, seats
from tests.web.tournament.hall import Hall

GAMES = [(15, 8), (12, 15), (15, 3), (15, 0)]
TYPED = "8 -12 3 0"


def two_rounds(server):
    """A tournament with four tables, its first round played and its second drawn."""
    hall = Hall(server, 8, rounds=3, games_per_round=1)
    hall.play()
    hall.draw()
    return hall


@pytest.fixture
def hall(server):
    return two_rounds(server)


@pytest.fixture(scope="module")
def empty(app):
    """A tournament for tests that enter no result."""
    return two_rounds(Local(app))


def type_slip(hall, typed, token="1", **more):
    return hall.post("/quick", token, round=len(hall.tournament()["draws"]), entry=typed, **more)


def results(hall, number=2):
    tables = hall.tournament()["draws"][number - 1]["tables"]
    return {table["table"]: table["games"] for table in tables if table["games"]}


def test_one_line_records_a_slip(server, played):
    slip = [("token", "q"), ("round", "1"), ("entry", f"1 {TYPED}")]
    status, where, _ = post(server, f"/p/{played}/quick", slip)
    assert status == 303
    page = server.page(where)
    echo = page.one(role="status", data_written="1")
    sides = [side.text.removesuffix(" –") for side in page.one(id="table-1").all(css="side")]
    assert all(side in echo.text for side in sides)
    assert echo.one("strong").text == f"3:1 für {sides[0]}"
    assert echo.one(css="score").text == "15:8, 12:15, 15:3, 15:0"
    assert page.one(id="line").one(name="entry").get("value") == ""
    assert "2" in page.one(id="hint").text


@pytest.mark.parametrize("typed", ["3", "Tisch 3", "3.", "#3", "T3", "tavolo 3", "R2 3", "2/3"])
def test_a_number_opens_its_table(empty, typed):
    status, where, _ = type_slip(empty, typed, token=typed)
    assert status == 303
    opened = empty.server.page(where).one(id="opened").one("form", data_slip=True)
    assert opened.one(name="table")["value"] == "3"
    assert opened.one(name="points")["value"] == ""
    assert {box["value"] for box in opened.all("input", inputmode="numeric")} == {""}
    assert results(empty) == {}


@pytest.mark.parametrize("typed", ["8", "P8", "7 8", "R3 1 8", "1/8 3", "Huber 8", "15:8", "#"])
def test_input_without_a_table_records_nothing(empty, typed):
    """A plain number means a table, never a pair. Input that is not a slip records nothing."""
    status, where, _ = type_slip(empty, typed, token=typed)
    page = empty.server.page(where) if status == 303 else None
    assert status == 422 or page.has(data_nobody=True) or "P" in typed
    assert results(empty) == {}


def test_pair_name_opens_its_tables(hall):
    for typed, count in (("cilli", 1), ("P5", 1), ("paar", 2), ("zenzi", 0)):
        status, where, _ = type_slip(hall, typed)
        assert status == 303
        opened = hall.server.page(where).one(id="opened")
        links = [link["href"] for link in opened.all("a") if "table=" in link["href"]]
        forms = opened.all("form")
        assert bool(forms) == (count == 1), typed
        assert (len(links) > 1) == (count == 2), typed
        assert opened.has(data_nobody=True) == (count == 0), typed
        for link in links:
            assert hall.server.page(link).one(id="opened").has("form")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("8 9", "games-missing"),
        ("8x 9 2 2", "unreadable"),
        ("8 1 2 3", "loser-in-doubt"),
        ("17:8 2 2 2", "winner-above-target"),
    ],
)
def test_refused_slip_keeps_the_typed_values(server, played, typed, code):
    form = [("token", "q"), ("round", "1"), ("entry", f"1 {typed}")]
    page = refusal_page(server, f"/p/{played}/quick", form)
    assert page.code == code
    asked = page.one("form", data_asked="")
    held = {name: asked.one(name=name)["value"] for name in ("token", "round", "table", "points")}
    assert held == {"token": "q", "round": "1", "table": "1", "points": typed}
    assert asked.has("button", name="sure") == (code == "loser-in-doubt")
    # The Enter key presses the first button, which must not answer the question.
    assert not asked.all("button")[0].get("name")
    assert page.one(id="line").one(name="entry")["value"] == ""


def test_unknown_table_number_is_asked_again(hall):
    page = hall.refusal_page("/quick", "1", round=2, entry="9 8")
    asked = page.one("form", data_asked="")
    assert asked.one("input", name="table", named="Tisch")["value"] == "9"
    assert asked.one(name="points")["value"] == "8"
    assert hall.post("/quick", "1", round=2, table=4, points=8)[0] == 303
    assert list(results(hall)) == [4]


def test_slip_of_an_earlier_round_needs_confirmation(hall):
    for token, typed in (("1", "R1 2 -9"), ("2", "Runde 1, Tisch 2 -9"), ("3", "1/2 -9")):
        page = hall.refusal_page("/quick", token, round=2, entry=typed)
        assert page.code == "earlier-round"
        asked = page.one("form", data_asked="")
        assert asked.one("button", name="earlier")["value"] == "1"
    # The desk also asks if another round was drawn since the slip was typed.
    assert hall.refusal_page("/quick", "4", round=1, entry="2 -9").code == "earlier-round"
    fields = {"round": 1, "table": 2, "points": "-9", "earlier": 1}
    page = hall.refusal_page("/quick", "1", **fields)
    assert page.code == "reason-missing"
    assert hall.post("/quick", "1", **fields, reason="verlesen")[0] == 303
    assert results(hall, 1)[2] == [[9, 15]]
    assert results(hall) == {}


def test_slip_form_is_refused_after_pairs_move(hall):
    """If pairs were moved after the form was opened, the form is refused."""
    opened = hall.page("?table=1").one(id="opened").one("form", data_slip=True)
    fields = {name: value for name, value in opened.fields if name != "token"}
    assert hall.post("/swap", "s", what="lots", round=2, first=_lot(hall, 1), second=_lot(hall, 2))
    page = hall.refusal_page("/quick", "1", **fields, points=8)
    assert page.code == "other-pairs"
    assert results(hall) == {}
    asked = dict(page.one("form", data_asked="").fields)
    assert asked["pairs"] != fields["pairs"]
    assert hall.post("/quick", "1", round=2, table=1, pairs=asked["pairs"], points=8)[0] == 303
    assert list(results(hall)) == [1]


def test_line_finds_a_pair_by_player_name(server):
    """This includes pairs with a name of their own. The row contains the players for the script."""
    pairs = [{"name": "Die Wilden", "players": ["Öller Anna", "Bert"]}, {"name": "Cilli & Dora"}]
    hall = Hall(server, pairs=pairs)
    hall.draw()
    for typed in ("oeller", "wilden", "dora"):
        assert hall.page(f"?table={typed}").one(id="opened").has("form"), typed
    assert hall.page().one(id="table-1")["data-search"] == " ".join(pairs[0]["players"])


def _lot(hall, table):
    return hall.tournament()["draws"][1]["tables"][table - 1]["pairs"][0]


def test_desk_shows_examples_of_typed_slips(server):
    for rules, target, examples in (("bayern", 15, 5), ("oberoesterreich", 11, 5)):
        keys = server.new_tournament(rules=rules, set={"target": target}, games_per_round=2)
        server.draw(keys["director"])
        folded = server.page(f"/p/{keys['director']}").one("details", css="examples")
        assert len(folded.all("kbd")) == examples
        assert f"7 8 3 → Tisch 7: {target}:8 {target}:3" in folded.text


def test_desk_filters_by_status(server, played):
    assert "show-open" in server.page(f"/p/{played}?show=open")
    assert "show-" not in server.page(f"/p/{played}?show=x").partition('id="live"')[2][:60]
    form = [("token", "q"), ("entry", f"1 {TYPED}"), ("show", "open")]
    assert "show=open" in post(server, f"/p/{played}/quick", form)[1]


def test_same_result_again_is_accepted_unchanged(server, played):
    quick = f"/p/{played}/quick"
    line = [("round", "1"), ("table", "1")]
    assert post(server, quick, [("token", "1"), *line, ("points", TYPED)])[0] == 303
    before = server.tournament(played)
    # Typed again, and once more in the boxes that a phone shows.
    for token, more in (("2", [("points", TYPED)]), ("3", boxes(GAMES)[1:])):
        fields = [("token", token), *line, ("boxes", "1"), *more]
        status, where, _ = post(server, quick, fields)
        assert status == 303
        notice = server.page(where).one(role="status", data_notice="stands-already")
        assert "15:8, 12:15, 15:3, 15:0" in notice.text
    match = f"/p/{played}/match/1/1"
    status, where, _ = post(server, match, boxes(GAMES, "4", seen="0"))
    assert (status, "stands=1" in where) == (303, True)
    assert server.tournament(played) == before
    other = [("token", "5"), *line, ("points", "8 12 3 0")]
    text = refusal_page(server, quick, other)
    standing, typed = text.one(css="against").all("p")
    assert re.search(r"\d\d:\d\d", standing.one("bdi").text)
    assert standing.one("b").text == "15:8, 12:15, 15:3, 15:0"
    assert typed.one("b").text == "15:8, 15:12, 15:3, 15:0"
    assert text.one("form", data_asked="").has(name="reason")
    assert post(server, quick, [*other, ("reason", "verlesen")])[0] == 303
    assert "verlesen" in server.page(match)


def test_reused_token_records_one_result(hall):
    """If a form is sent again with other points, it is refused and not silently ignored."""
    assert type_slip(hall, "1 8", "same")[0] == 303
    assert type_slip(hall, "1 8", "same")[0] == 303
    assert type_slip(hall, "1 9", "same")[0] == 409
    assert type_slip(hall, "2 8", "same")[0] == 409
    assert results(hall) == {1: [[15, 8]]}


def test_boxes_of_another_table_are_not_recorded(server, played):
    fields = [("token", "1"), ("round", "1"), ("table", "2"), ("boxes", "1"), ("points", "")]
    status, where, _ = post(server, f"/p/{played}/quick", [*fields, *boxes([(15, 8)] * 4)[1:]])
    assert (status, "table=2" in where) == (303, True)
    assert server.page(f"/p/{played}").data("status") == ["open", "open"]


def test_ambiguous_table_number_is_asked_about(server):
    """With few tables a round has waves, so two slips have the same table number."""
    hall = Hall(server, 8, hall={"count": 2}, games_per_round=1)
    hall.draw()
    page = hall.refusal_page("/quick", "1", round=1, entry="2 8")
    assert page.code == "several-tables"
    tables = [row["data-table"] for row in page.one(id="told").all("li", data_table=True)]
    assert len(tables) == 2
    assert results(hall, 1) == {}
    opened = hall.page("?table=2").one(id="opened")
    for link, table in zip(opened.all("a"), tables, strict=True):
        form = server.page(link["href"]).one(id="opened").one("form", data_slip=True)
        assert form.one(name="table")["value"] == table
        assert hall.post_fields(f"/p/{hall.key}/quick", [*form.fields, ("points", table)])[0] == 303
    assert results(hall, 1) == {int(table): [[15, int(table)]] for table in tables}


# Taken back


def take_out(hall, table, **more):
    """Taps the button beside the newest entry of a table."""
    form = hall.page().all("li", data_entered=table)[0].one("form")
    fields = {**dict(form.fields), "take": form.one("button", name="take")["value"]}
    return hall.post_fields(f"/p/{hall.key}/quick", [*fields.items(), *more.items()])


def test_newest_entry_can_be_undone(hall):
    type_slip(hall, "3 8")
    status, where, _ = take_out(hall, 3)
    assert status == 303
    assert hall.server.page(where).has(role="status", data_notice="taken-back")
    assert results(hall) == {}
    assert not hall.page().one(id="opened").has("form")


def test_entry_can_be_undone_by_its_form_token(hall):
    """The desk's script knows the form that it sent, but not yet the recorded event."""
    type_slip(hall, "3 8", "slip")
    for _ in range(2):
        status, where, _ = hall.post("/quick", "out", of="slip", round=2, table=3)
        assert status == 303
        assert hall.server.page(where).has(role="status", data_notice="taken-back")
    assert results(hall) == {}
    status, where, _ = hall.post("/quick", "more", of="never", round=2, table=3)
    assert hall.server.page(where).has(role="status", data_notice="unwritten")


def test_undo_in_an_earlier_round_needs_confirmation(hall):
    status, _, page = take_out(hall, 3)
    assert (status, page.code) == (422, "earlier-round")
    asked = page.one("form", data_asked="")
    assert len(results(hall, 1)) == 4
    fields = [*asked.fields, ("earlier", asked.one("button", name="earlier")["value"])]
    assert hall.post_fields(f"/p/{hall.key}/quick", fields)[0] == 303
    assert list(results(hall, 1)) == [1, 2, 4]


def test_undo_asks_before_dropping_later_rounds(server):
    """In a knock-out, the next round was drawn from the winners."""
    hall = Hall(server, 8, format="knockout", games_per_round=1)
    hall.play()
    hall.draw()
    _, _, page = take_out(hall, 2)
    fields = [*page.one("form", data_asked="").fields, ("earlier", "1")]
    status, _, page = hall.post_fields(f"/p/{hall.key}/quick", fields)
    assert (status, page.code) == (422, "built-upon")
    asked = page.one("form", data_asked="")
    fields = [*asked.fields, ("back", asked.one("button", name="back")["value"])]
    assert hall.post_fields(f"/p/{hall.key}/quick", fields)[0] == 303
    assert len(hall.tournament()["draws"]) == 1
    assert list(results(hall, 1)) == [1, 3, 4]


def test_reason_is_asked_again_if_the_result_changed(hall):
    """If another desk changes the result while the question is open, the desk asks again."""
    type_slip(hall, "3 8")
    page = hall.refusal_page("/quick", "2", round=2, entry="3 4")
    typed = [("points", "4"), ("reason", "verlesen")]
    fields = [*page.one("form", data_asked="").fields, *typed]
    hall.enter(2, 3, (15, 9), reason="other desk")
    status, _, page = hall.post_fields(f"/p/{hall.key}/quick", fields)
    assert (status, page.code) == (422, "changed-meanwhile")
    assert "15:9" in page.one(css="against").text
    assert results(hall)[3] == [[15, 9]]
    answered = [*page.one("form", data_asked="").fields, *typed]
    assert hall.post_fields(f"/p/{hall.key}/quick", answered)[0] == 303
    assert results(hall)[3] == [[15, 4]]


def test_undo_restores_the_previous_result(hall):
    type_slip(hall, "3 8")
    hall.post("/quick", "2", round=2, table=3, points="-4", reason="verlesen")
    assert results(hall)[3] == [[4, 15]]
    assert take_out(hall, 3)[0] == 303
    assert results(hall)[3] == [[15, 8]]


def test_undo_keeps_the_pairs_own_entries(server, played):
    """If the desk takes back a slip of the wrong table, that table's own entries remain."""
    first, second = seats(server, played)
    assert post(server, f"/e/{first}", boxes(GAMES, "a"))[0] == 303
    quick = f"/p/{played}/quick"
    for agreed in (False, True):
        if agreed:
            confirm = [("do", "bestaetigung"), *boxes(GAMES, "b")]
            assert post(server, f"/e/{second}", confirm)[0] == 303
        before = server.page(f"/p/{played}").one(id="table-1")["data-status"]
        slip = [("token", f"q{agreed}"), ("table", "1"), ("points", "0 0 0 0"), ("reason", "x")]
        assert post(server, quick, slip)[0] == 303
        entry = server.page(f"/p/{played}").all("li", data_entered="1")[0]
        taken = [("token", f"o{agreed}"), ("take", entry.one("button")["value"])]
        assert post(server, f"/p/{played}/quick", taken)[0] == 303
        assert server.page(f"/p/{played}").one(id="table-1")["data-status"] == before
    assert before == "done"


def test_undo_of_an_overwritten_entry_is_refused(hall):
    type_slip(hall, "3 8")
    button = hall.page().all("li", data_entered="3")[0].one("button")
    hall.enter(2, 3, (15, 9), reason="verlesen")
    assert hall.refusal_page("/quick", "o", take=button["value"]).code == "changed-meanwhile"
    assert results(hall)[3] == [[15, 9]]


def test_desk_lists_the_ten_newest_entries(server):
    hall = Hall(server, 24, games_per_round=1)
    hall.draw()
    for table in range(1, 13):
        assert type_slip(hall, f"{table} 8", str(table))[0] == 303
    assert hall.page().data("entered") == [str(table) for table in range(12, 2, -1)]
