"""The desk's input line: results typed from slips, and questions before they are recorded.

"3 8 -12" is table 3: in the first game the loser has 8 points; a minus says that the first pair has
lost the second one, with 12.
"""

import re

import pytest

from scorer.engine import rules_of
from scorer.tournament.result_validation import check_games
from scorer.tournament.score_shorthand import parse_scores
from tests.pages import translated
from tests.serving import InProcessClient
from tests.web.tournament.forms import boxes, pair_keys, refusal_page, send
from tests.web.tournament.hall import Hall

GAMES = [(15, 8), (12, 15), (15, 3), (15, 0)]
TYPED = "8 -12 3 0"
SHOWN = "15:8, 12:15, 15:3, 15:0"


def two_rounds(server):
    """A tournament with four tables, its first round played and its second drawn."""
    hall = Hall(server, 8, rounds=3)
    hall.play()
    hall.draw()
    return hall


@pytest.fixture
def hall(server):
    return two_rounds(server)


@pytest.fixture(scope="module")
def empty(app):
    """A tournament for tests that enter no result."""
    return two_rounds(InProcessClient(app))


def type_slip(hall, typed, token="", **more):
    return hall.post("/quick", token, round=len(hall.tournament()["draws"]), entry=typed, **more)


def results(hall, number=2):
    tables = hall.tournament()["draws"][number - 1]["tables"]
    return {table["table"]: table["games"] for table in tables if table["games"]}


def test_one_line_records_a_slip(server, drawn):
    page = server.page(send(server, f"/p/{drawn}/quick", round=1, entry=f"1 {TYPED}"))
    recorded = page.one(role="status", data_written="1")
    sides = [side.text.removesuffix(" –") for side in page.one(id="table-1").all(css="side")]
    assert all(side in recorded.text for side in sides)
    assert recorded.one("strong").text == f"3:1 für {sides[0]}"
    assert recorded.one(css="score").text == SHOWN
    assert page.one(id="line").one(name="entry").get("value") == ""
    assert "2" in page.one(id="hint").text


@pytest.mark.parametrize("typed", ["3", "Tisch 3", "3.", "#3", "T3", "tavolo 3", "R2 3", "2/3"])
def test_a_number_opens_its_table(empty, typed):
    page = empty.server.page(empty.send("/quick", round=2, entry=typed))
    opened = page.one(id="opened").one("form", data_slip=True)
    assert opened.one(name="table")["value"] == "3"
    assert opened.one(name="points")["value"] == ""
    assert {box["value"] for box in opened.all("input", inputmode="numeric")} == {""}
    assert results(empty) == {}


@pytest.mark.parametrize("typed", ["8", "7 8", "R3 1 8", "1/8 3", "Huber 8", "15:8", "#"])
def test_input_without_a_table_records_nothing(empty, typed):
    """A plain number means a table, never a pair. Input that is not a slip records nothing."""
    status, where, _ = type_slip(empty, typed)
    assert status == 422 or empty.server.page(where).has(data_nobody=True)
    assert results(empty) == {}


def test_pair_name_opens_its_tables(hall):
    for typed, count in (("cilli", 1), ("P5", 1), ("paar", 2), ("zenzi", 0)):
        opened = hall.server.page(hall.send("/quick", round=2, entry=typed)).one(id="opened")
        links = [link["href"] for link in opened.all("a") if "table=" in link["href"]]
        assert opened.has("form") == (count == 1), typed
        assert (len(links) > 1) == (count == 2), typed
        assert opened.has(data_nobody=True) == (count == 0), typed
        for link in links:
            assert hall.server.page(link).one(id="opened").has("form")


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("8 9", "other-count-read"),
        ("8 20 2 2", "loser-too-high"),
        ("8x 9 2 2", "unreadable"),
        ("8 1 2 3", "loser-in-doubt"),
        ("17:8 2 2 2", "winner-above-target"),
    ],
)
def test_refused_slip_keeps_the_typed_values(server, drawn, typed, code):
    page = refusal_page(server, f"/p/{drawn}/quick", token="q", round=1, entry=f"1 {typed}")
    assert page.code == code
    asked = page.one("form", data_asked="")
    held = {name: asked.one(name=name)["value"] for name in ("token", "round", "table", "points")}
    assert held == {"token": "q", "round": "1", "table": "1", "points": typed}
    assert asked.has("button", name="sure") == (code == "loser-in-doubt")
    # The Enter key presses the first button, which must not answer the question.
    assert not asked.all("button")[0].get("name")
    assert page.one(id="line").one(name="entry")["value"] == ""


def test_name_with_points_is_a_slip(hall):
    """A name that fits one table of the round stands for the table's number."""
    [cilli] = [number for number, name in hall.names().items() if name.startswith("Cilli")]
    tables = hall.tournament()["draws"][1]["tables"]
    [table] = [one["table"] for one in tables if cilli in one["pairs"]]
    hall.send("/quick", round=2, entry="cilli 8")
    assert list(results(hall)) == [table]
    for typed in ("zenzi 8", "paar 8"):
        assert hall.refusal_page("/quick", round=2, entry=typed).code == "no-such-table"


def test_points_after_a_name_are_those_of_the_named_pair(hall):
    """Also in a form that names the table besides, and without a round the newest one."""
    tables = hall.tournament()["draws"][1]["tables"]
    for side, table in enumerate(tables[:2]):
        hall.send("/quick", round=2, entry=f"p{table['pairs'][side]} 8")
    fields = {"round": 2, "table": tables[2]["table"], "points": "8"}
    hall.send("/quick", **fields, named=f"p{tables[2]['pairs'][1]}")
    fields = {"table": tables[3]["table"], "points": "8"}
    hall.send("/quick", **fields, named=f"p{tables[3]['pairs'][1]}")
    won = [results(hall)[table["table"]] for table in tables[:4]]
    assert won == [[[15, 8]], [[8, 15]], [[8, 15]], [[8, 15]]]


def test_name_of_both_pairs_at_a_table_is_asked_about(server):
    hall = Hall(server, pairs=[{"name": f"Huber {name}"} for name in ("Anna", "Bert")])
    hall.draw()
    page = hall.refusal_page("/quick", "both-named", entry="huber 8")
    asked = page.one("form", data_asked="")
    assert (asked.one(name="points")["value"], asked.all(name="named")) == ("8", [])
    hall.send("/quick", **dict(asked.fields), points="8")
    assert results(hall, 1) == {1: [[15, 8]]}


def test_whole_names_and_beginnings_fit_better_than_parts(server):
    """Of several tables, those without a result are first."""
    names = [
        "Berger Anna",
        "Bergermann Bert",
        "Reh Cilli",
        "Reh Dora",
        "Fuchs Emma",
        "Haas Fee",
    ]
    hall = Hall(server, pairs=[{"name": name} for name in names], seed="x", rounds=1)
    tables = {pair: table["table"] for table in hall.draw() for pair in table["pairs"]}
    for typed, pair in (("berger", 1), ("germa", 2), ("bergerm", 2), ("fuchs", 5)):
        opened = hall.page(f"?table={typed}").one(id="opened")
        assert opened.one(name="table")["value"] == str(tables[pair])
    first, second = sorted({tables[3], tables[4]})
    hall.enter(1, first, (15, 8))
    found = hall.page("?table=reh").one(id="opened").all("li")
    assert [row["data-table"] for row in found] == [str(second), str(first)]


def test_unknown_table_number_is_asked_again(hall):
    asked = hall.refusal_page("/quick", round=2, entry="9 8").one("form", data_asked="")
    assert asked.one("input", name="table", named="Tisch")["value"] == "9"
    assert asked.one(name="points")["value"] == "8"
    hall.send("/quick", round=2, table=4, points=8)
    assert list(results(hall)) == [4]


def test_slip_of_an_earlier_round_needs_confirmation(hall):
    # Another round was drawn since the slip was typed.
    page = hall.refusal_page("/quick", round=1, entry="2 -9")
    assert page.code == "earlier-round"
    assert page.one("form", data_asked="").one("button", name="earlier")["value"] == "1"
    fields = {"round": 1, "table": 2, "points": "-9", "earlier": 1}
    page = hall.refusal_page("/quick", **fields)
    assert page.code == "reason-missing"
    # The answer about the round is kept, so that only the reason is asked.
    asked = page.one("form", data_asked="")
    assert asked.one(name="earlier")["type"] == "hidden" and asked.has(name="reason")
    hall.send("/quick", **fields, reason="verlesen")
    assert (results(hall, 1)[2], results(hall)) == ([[9, 15]], {})


def test_slip_that_names_its_earlier_round_is_not_asked_about_it(hall):
    for typed in ("R1 2 -9", "Runde 1, Tisch 2 -9", "1/2 -9"):
        page = hall.refusal_page("/quick", round=2, entry=typed)
        assert page.code == "reason-missing"
        asked = page.one("form", data_asked="")
        assert asked.one(name="earlier")["value"] == "1" and not asked.has("button", name="earlier")
    points = asked.one(name="points")["value"]
    hall.send("/quick", **dict(asked.fields), points=points, reason="verlesen")
    assert results(hall, 1)[2] == [[9, 15]]


def test_slip_form_is_refused_after_pairs_move(hall):
    """If pairs were moved after the form was opened, the form is refused."""
    opened = hall.page("?table=1").one(id="opened").one("form", data_slip=True)
    fields = dict(opened.fields)
    first, second = (t["pairs"][0] for t in hall.tournament()["draws"][1]["tables"][:2])
    hall.send("/swap", what="lots", round=2, first=first, second=second)
    page = hall.refusal_page("/quick", **fields, points=8)
    assert page.code == "other-pairs"
    assert results(hall) == {}
    asked = dict(page.one("form", data_asked="").fields)
    assert asked["pairs"] != fields["pairs"]
    hall.send("/quick", round=2, table=1, pairs=asked["pairs"], points=8)
    assert list(results(hall)) == [1]


def test_line_finds_a_pair_by_player_name(server):
    """This includes pairs with a name of their own. The row contains the players for the script."""
    pairs = [{"name": "Die Wilden", "players": ["Öller Anna", "Bert"]}, {"name": "Cilli & Dora"}]
    hall = Hall(server, pairs=pairs)
    hall.draw()
    for typed in ("oeller", "wilden", "dora"):
        assert hall.page(f"?table={typed}").one(id="opened").has("form"), typed
    assert hall.page().one(id="table-1")["data-search"] == " ".join(pairs[0]["players"])


@pytest.mark.parametrize(("rules", "target"), [("bayern", 15), ("oberoesterreich", 11)])
@pytest.mark.parametrize("games", [1, 2, 3])
def test_examples_of_typed_slips_are_accepted(server, rules, target, games):
    hall = Hall(server, rules=rules, set={"target": target}, games_per_round=games)
    hall.draw()
    tables = hall.tournament()["draws"][0]["tables"]
    places = {str(table["table"]) for table in tables}
    places |= {f"P{pair}" for table in tables for pair in table["pairs"]}
    typed = [example.text.split() for example in hall.page().one(css="examples").all("kbd")]
    slips = [words[words[0] == "R1" :] for words in typed]
    assert len(typed) == 6 and {place for place, *_ in slips} <= places
    for _, *points in slips:
        if points:
            read, _ = parse_scores(" ".join(points), target, games)
            check_games(rules_of(rules), target, games, read)


def test_desk_filters_by_status(server, drawn):
    assert "show-open" in server.page(f"/p/{drawn}?show=open")
    assert "show-" not in server.page(f"/p/{drawn}?show=x").partition('id="live"')[2][:60]
    assert "show=open" in send(server, f"/p/{drawn}/quick", entry=f"1 {TYPED}", show="open")


def test_same_result_again_is_accepted_unchanged(server, drawn):
    quick, match = f"/p/{drawn}/quick", f"/p/{drawn}/match/1/1"
    line = {"round": 1, "table": 1}
    send(server, quick, **line, points=TYPED)
    before = server.tournament(drawn)
    # Typed again, and once more in the boxes that a phone shows.
    a, b = zip(*GAMES, strict=True)
    for again in ({"points": TYPED}, {"a": a, "b": b}):
        page = server.page(send(server, quick, **line, boxes=1, **again))
        assert SHOWN in page.one(role="status", data_notice="stands-already").text
    assert "unchanged=1" in send(server, match, boxes(GAMES, "4", seen="0"))
    assert server.tournament(drawn) == before
    other = {**line, "points": "8 12 3 0"}
    text = refusal_page(server, quick, **other)
    standing, typed = text.one(css="against").all("p")
    assert re.search(r"\d\d:\d\d", standing.one("bdi").text)
    assert (standing.one("b").text, typed.one("b").text) == (SHOWN, "15:8, 15:12, 15:3, 15:0")
    assert text.one("form", data_asked="").has(name="reason")
    send(server, quick, **other, reason="verlesen")
    assert "verlesen" in server.page(match)


def enter_on_phone(server, drawn, role, games):
    said = {"round": drawn["round"], "table": drawn["table"], "games": games}
    assert server.json("POST", f"/api/tournaments/{drawn[role]}/results", said)[0] == 201


@pytest.mark.parametrize("phones", [["scorer"], ["opponent"], ["scorer", "opponent"]])
def test_slip_that_contradicts_a_phone_is_asked_about(server, phones):
    hall = Hall(server, 4, games_per_round=1)
    at = {"round": 1, **hall.draw()[0]}
    for place, role in enumerate(phones):
        enter_on_phone(server, at, role, [[15, 8 + place]])
    page = hall.refusal_page("/quick", round=1, entry="1 3")
    assert page.code == "phone-differs" and results(hall, 1) == {}
    on_phones, typed = page.one(css="against").all("p")
    assert on_phones.one("b").text == " ≠ ".join(["15:8", "15:9"][: len(phones)])
    assert typed.one("b").text == "15:3"
    form = page.one("form", data_asked="")
    # The Enter key presses the first button, which must not answer the question.
    assert not form.all("button")[0].get("name")
    *kept, counts = form.fields
    assert counts == ("overruled", str(len(phones)))
    typed = ("points", form.one(name="points")["value"])
    assert hall.post_fields(f"/p/{hall.key}/quick", [*kept, typed])[0] == 422
    enter_on_phone(server, at, phones[0], [[15, 12]])
    status, _, page = hall.post_fields(f"/p/{hall.key}/quick", [*kept, counts, typed])
    assert status == 422, "the phone has entered something else since"
    fields = [*page.one("form", data_asked="").fields, typed]
    assert hall.post_fields(f"/p/{hall.key}/quick", fields)[0] == 303
    assert results(hall, 1) == {1: [[15, 3]]}


def test_slip_that_agrees_with_a_phone_is_not_asked_about(server):
    hall = Hall(server, 4, games_per_round=1)
    at = {"round": 1, **hall.draw()[0]}
    for role, points in (("scorer", 8), ("opponent", 9)):
        enter_on_phone(server, at, role, [[15, points]])
    assert type_slip(hall, "1 9")[0] == 303
    assert results(hall, 1) == {1: [[15, 9]]}


def test_reused_token_records_one_result(hall):
    """If a form is sent again with other points, it is refused and not silently ignored."""
    for typed, status in (("1 8", 303), ("1 8", 303), ("1 9", 409), ("2 8", 409)):
        assert type_slip(hall, typed, "same")[0] == status
    assert results(hall) == {1: [[15, 8]]}


def test_boxes_of_another_table_are_not_recorded(server, drawn):
    fields = {"round": 1, "table": 2, "boxes": 1, "points": "", "a": [15] * 4, "b": [8] * 4}
    assert "table=2" in send(server, f"/p/{drawn}/quick", **fields)
    assert server.page(f"/p/{drawn}").data("status") == ["open", "open"]


def test_ambiguous_table_number_is_asked_about(server):
    """With few tables a round has waves, so two slips have the same table number."""
    hall = Hall(server, 8, hall={"count": 2})
    hall.draw()
    page = hall.refusal_page("/quick", round=1, entry="2 8")
    assert page.code == "several-tables"
    tables = [row["data-table"] for row in page.one(id="messages").all("li", data_table=True)]
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
    """Tap the button beside the newest entry of a table."""
    form = hall.page().all("li", data_entered=table)[0].one("form")
    return hall.post_fields(f"/p/{hall.key}/quick", [*form.fields, *more.items()])


def test_newest_entry_can_be_undone(hall):
    type_slip(hall, "3 8")
    where = take_out(hall, 3)[1]
    assert hall.server.page(where).has(role="status", data_notice="taken-back")
    assert results(hall) == {}
    assert not hall.page().one(id="opened").has("form")


def keep(hall, page):
    """Tap the button that records again what was just taken back."""
    form = page.one("form", data_notice="taken-back")
    return hall.post_fields(
        f"/p/{hall.key}/quick", [*form.fields, ("keep", form.one("button", name="keep")["value"])]
    )


@pytest.mark.parametrize("correction", ["", "-4"])
def test_result_that_was_taken_back_can_be_kept(hall, correction):
    type_slip(hall, "3 8")
    if correction:
        hall.send("/quick", round=2, table=3, points=correction, reason="verlesen")
    before = results(hall)
    taken = hall.server.page(take_out(hall, 3)[1])
    assert results(hall) != before
    # Sent twice, it is recorded once.
    sequences = set()
    for _ in range(2):
        assert keep(hall, taken)[0] == 303
        assert results(hall) == before
        sequences.add(hall.page().data("seq")[0])
    assert len(sequences) == 1


def test_kept_result_does_not_replace_a_newer_one(hall):
    """If another desk enters a result after the take-back, that one counts."""
    type_slip(hall, "3 8")
    where = take_out(hall, 3)[1]
    taken = hall.server.page(where)
    hall.enter(2, 3, (15, 9))
    status, _, page = keep(hall, taken)
    assert (status, page.code) == (422, "changed-meanwhile")
    assert not page.one(id="messages").has("form")
    assert results(hall)[3] == [[15, 9]]
    assert not hall.server.page(where).has("button", name="keep")


def test_desk_shows_only_the_last_entry_unfolded(hall):
    """A table is listed once, also after its entry was taken back."""
    for typed in ("1 8", "2 8", "3 8"):
        type_slip(hall, typed)
    take_out(hall, 3)
    shown = hall.page().one(css="newest")
    folded = shown.one("details").all("li")
    assert [entry["data-entered"] for entry in shown.all("li")[:1]] == ["2"]
    in_round = [entry["data-entered"] for entry in folded if not entry.all("small")]
    assert in_round == ["3", "1"]
    assert translated("taken back") in folded[0].text


def test_entry_can_be_undone_by_its_form_token(hall):
    """The desk's script knows the form that it sent, but not yet the recorded event."""
    type_slip(hall, "3 8", "slip")
    for of, notice in (("slip", "taken-back"), ("slip", "taken-back"), ("never", "nothing-taken")):
        where = hall.send("/quick", token=f"out {of}", of=of, round=2, table=3)
        assert hall.server.page(where).has(role="status", data_notice=notice)
        assert results(hall) == {}


def answer(hall, page, name):
    """Tap the button of this name in the question that the desk asks; return the response."""
    asked = page.one("form", data_asked="")
    taken = [*asked.fields, (name, asked.one("button", name=name)["value"])]
    return hall.post_fields(f"/p/{hall.key}/quick", taken)


def test_undo_in_an_earlier_round_needs_confirmation(hall):
    status, _, page = take_out(hall, 3)
    assert (status, page.code) == (422, "earlier-round")
    assert len(results(hall, 1)) == 4
    assert answer(hall, page, "earlier")[0] == 303
    assert list(results(hall, 1)) == [1, 2, 4]


def test_undo_asks_before_dropping_later_rounds(server):
    """In a knock-out, the next round was drawn from the winners."""
    hall = Hall(server, 8, format="knockout")
    hall.play()
    hall.draw()
    status, _, page = answer(hall, take_out(hall, 2)[2], "earlier")
    assert (status, page.code) == (422, "built-upon")
    assert answer(hall, page, "back")[0] == 303
    assert len(hall.tournament()["draws"]) == 1
    assert list(results(hall, 1)) == [1, 3, 4]


def test_reason_is_asked_again_if_the_result_changed(hall):
    """If another desk changes the result while the question is open, the desk asks again."""
    type_slip(hall, "3 8")
    page = hall.refusal_page("/quick", round=2, entry="3 4")
    typed = {"points": "4", "reason": "verlesen"}
    hall.enter(2, 3, (15, 9), reason="other desk")
    page = hall.refusal_page("/quick", **dict(page.one("form", data_asked="").fields), **typed)
    assert page.code == "changed-meanwhile"
    assert "15:9" in page.one(css="against").text
    assert results(hall)[3] == [[15, 9]]
    hall.send("/quick", **dict(page.one("form", data_asked="").fields), **typed)
    assert results(hall)[3] == [[15, 4]]


def test_undo_restores_the_previous_result(hall):
    type_slip(hall, "3 8")
    hall.send("/quick", round=2, table=3, points="-4", reason="verlesen")
    assert results(hall)[3] == [[4, 15]]
    assert take_out(hall, 3)[0] == 303
    assert results(hall)[3] == [[15, 8]]


def test_undo_keeps_the_pairs_own_entries(server, drawn):
    """If the desk takes back a slip of the wrong table, that table's own entries remain."""
    entered = (boxes(GAMES, "a"), [("do", "bestaetigung"), *boxes(GAMES, "b")])
    quick = f"/p/{drawn}/quick"
    for key, form, status in zip(
        pair_keys(server, drawn), entered, ("entered", "done"), strict=True
    ):
        send(server, f"/e/{key}", form)
        send(server, quick, table=1, points="0 0 0 0", reason="x", overruled=1)
        entry = server.page(f"/p/{drawn}").all("li", data_entered="1")[0]
        send(server, quick, take=entry.one("button")["value"])
        assert server.page(f"/p/{drawn}").one(id="table-1")["data-status"] == status


def test_undo_of_an_overwritten_entry_is_refused(hall):
    type_slip(hall, "3 8")
    button = hall.page().all("li", data_entered="3")[0].one("button")
    hall.enter(2, 3, (15, 9), reason="verlesen")
    assert hall.refusal_page("/quick", take=button["value"]).code == "changed-meanwhile"
    assert results(hall)[3] == [[15, 9]]


def test_desk_lists_the_ten_newest_entries(server):
    hall = Hall(server, 24)
    hall.draw()
    for table in range(1, 13):
        hall.send("/quick", round=1, entry=f"{table} 8")
    assert hall.page().data("entered") == [str(table) for table in range(12, 2, -1)]
