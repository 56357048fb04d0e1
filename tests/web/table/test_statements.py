"""Confirming and disputing: each side from its own phone."""

import re
from datetime import datetime
from html import unescape

import pytest

from scorer.book.tables import imported
from scorer.web.table.signatures import Signatures
from tests.pages import Page

WON = {"do": "gewinnt", "side": 0}


def page(server, path):
    return Page(server.request("GET", path, Accept_Language="de")[2])


def confirms(text):
    """The games that a page asks to confirm."""
    return [
        form.one("button", name="game")["value"]
        for form in text.all("form", css="confirm")
        if ("do", "bestaetigt") in form.fields
    ]


def disputes_again(text):
    """The buttons by which whoever disputed a round says that it is not settled."""
    again = text.all("button", name="event") + text.all("button", name="do", value="strittig")
    return [one for one in again if "strittig" in one.attrs.get("value", "")]


def say(server, key, **fields):
    form = [("token", fields.pop("token", "t")), *((name, str(v)) for name, v in fields.items())]
    return server.request("POST", f"/b/{key}/say", form, Accept_Language="de")[0]


@pytest.fixture
def over(server):
    """A table whose first game is over, 10:0."""
    keys = server.table()
    for number in range(5):
        assert server.write(keys["scorer"], WON, str(number))[0] == 201
    return keys


def test_the_other_side_confirms_with_one_tap(server, over):
    assert "✓✓" not in page(server, f"/b/{over['viewer']}")
    board = page(server, f"/b/{over['opponent']}")
    assert confirms(board) == ["1"]
    assert "10 : 0" in board.one("form", css="confirm").one("button").label
    assert say(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0") == 303
    assert "✓✓" in page(server, f"/b/{over['viewer']}")
    assert "✓✓" in page(server, f"/b/{over['viewer']}/history")
    assert confirms(page(server, f"/b/{over['opponent']}")) == []


def test_a_result_is_confirmed_though_the_next_game_is_over_too(server, over):
    key = over["opponent"]
    for number, event in enumerate([{"do": "neues_spiel"}, *[WON] * 5]):
        assert server.write(over["scorer"], event, f"second-{number}")[0] == 201
    board = page(server, f"/b/{key}")
    assert confirms(board) == ["2"]
    # The way to the other stands where one looks for it.
    assert f'href="/b/{key}/history#unconfirmed"' in board
    for number in (1, 2):
        evening = page(server, f"/b/{key}/history")
        assert len(confirms(evening)) == 3 - number
        form = evening.partition('class="confirm ')[2].partition("</form>")[0]
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        assert int(fields["game"]) == number
        assert say(server, key, **fields) == 303
    assert "unconfirmed" not in page(server, f"/b/{key}/history")
    assert 'data-confirmed="nobody"' not in page(server, f"/b/{over['viewer']}/history")


@pytest.mark.parametrize("role", ["viewer", "scorer"])
def test_nobody_else_is_asked_to_confirm_on_the_page_of_the_evening(server, over, role):
    assert "unconfirmed" not in page(server, f"/b/{over[role]}/history")


@pytest.mark.parametrize(("winner", "lost", "told"), [(0, 1, "Anna"), (1, 2, "<Die>")])
def test_the_end_of_a_game_says_who_won_and_has_the_winners_figure_first(
    server, winner, lost, told
):
    keys = server.table(sides=[{"name": "Anna"}, {"name": "<Die>"}])
    for number, side in enumerate([1 - winner] * lost + [winner] * 5):
        assert server.write(keys["scorer"], {"do": "gewinnt", "side": side}, str(number))[0] == 201
    for path in (f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
        moment = page(server, path).one("section", css="moment").one(role="heading")
        assert moment.one("bdi").text == told
        assert moment.one("b").text == f"10 : {2 * lost}"


@pytest.mark.parametrize(
    ("role", "told"), [("viewer", True), ("opponent", False), ("scorer", False)]
)
def test_who_only_looks_is_told_how_the_other_side_gets_its_say(server, over, role, told):
    assert ("data-only-looks" in page(server, f"/b/{over[role]}")) is told


@pytest.mark.parametrize("role", ["scorer", "viewer"])
def test_nobody_else_confirms(server, over, role):
    assert confirms(page(server, f"/b/{over[role]}")) == []
    assert say(server, over[role], do="bestaetigt", side=1, game=1, stand="10:0") == 403
    event = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}
    assert server.write(over[role], event, "x")[0] == 403
    assert "✓✓" not in page(server, f"/b/{over['viewer']}")


def test_the_api_takes_it_from_the_other_side(server, over):
    event = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}
    assert server.write(over["opponent"], event, "x")[0] == 201
    assert server.write(over["opponent"], {"do": "neues_spiel"}, "y")[0] == 403


def test_a_corrected_result_is_no_longer_confirmed(server, over):
    say(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0")
    change = {"do": "korrektur", "of": 0, "with": {"do": "gewinnt", "side": 0, "stake": 3}}
    assert server.write(over["scorer"], change, "change")[0] == 422
    change = {"do": "korrektur", "of": 4, "with": {"do": "gewinnt", "side": 0, "stake": 3}}
    assert server.write(over["scorer"], change, "other")[0] == 201
    assert "✓✓" not in page(server, f"/b/{over['viewer']}")
    board = page(server, f"/b/{over['opponent']}")
    assert confirms(board) == ["1"]
    assert "11 : 0" in board.one("form", css="confirm").one("button").label


@pytest.mark.parametrize("role", ["scorer", "opponent"])
def test_a_round_in_dispute_is_marked_until_settled(server, role):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    side, other = (0, 1) if role == "scorer" else (1, 0)
    # Nobody speaks for the others, on a page or by a program.
    assert say(server, keys[role], do="strittig", side=other, of=0) == 403
    assert server.write(keys[role], {"do": "strittig", "side": other, "of": 0}, "2")[0] == 403
    assert say(server, keys[role], do="strittig", side=side, of=0) == 303
    for path in ("", "/history", "/round/0"):
        assert page(server, f"/b/{keys['viewer']}{path}").one(css="disputed").text
    assert say(server, keys[role], do="strittig", side=side, of=0, token="again") == 422
    assert say(server, keys[role], do="geklaert", side=side, of=0, token="end") == 303
    assert not page(server, f"/b/{keys['viewer']}").has(css="disputed")


@pytest.fixture
def disputed(server):
    """A table whose first round the other side disputes."""
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    assert say(server, keys["opponent"], do="strittig", side=1, of=0) == 303
    return keys


@pytest.mark.parametrize(
    ("role", "side", "home"), [("scorer", 0, "table"), ("opponent", 1, "board")]
)
def test_what_is_settled_already_shows_how_it_stands(server, disputed, role, side, home):
    assert say(server, disputed["scorer"], do="geklaert", side=0, of=0, token="end") == 303
    form = [("token", "late"), ("do", "geklaert"), ("side", str(side)), ("of", "0")]
    path = f"/b/{disputed[role]}/say"
    status, _, text = server.request("POST", path, form, Accept_Language="de")
    assert status == 422
    assert Page(text).code == "not-disputed"
    assert f'class="{home}' in text


@pytest.mark.parametrize("said", [{"do": "einig"}, {"do": "strittig", "of": "0"}])
def test_what_was_said_already_shows_the_board(server, said):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    assert say(server, keys["opponent"], side=1, **said) == 303
    form = [("token", "late"), ("side", "1"), *said.items()]
    status, _, text = server.request("POST", f"/b/{keys['opponent']}/say", form)
    assert status == 422
    assert '<main class="board' in text
    assert Page(text).has(role="alert", data_code=True)


def test_who_disputed_hears_that_others_called_it_settled_and_can_say_no(server, disputed):
    say(server, disputed["scorer"], do="geklaert", side=0, of=0, token="end")
    path = f"/b/{disputed['opponent']}"
    for place in ("", "/round/0"):
        text = page(server, path + place)
        assert text.one(role="status", data_settled_by=0).text
        assert disputes_again(text)
    others = page(server, f"/b/{disputed['viewer']}")
    assert others.has(role="status", data_settled_by=0)
    assert not disputes_again(others)
    form = re.search(r'data-settled-by="0".*?</form>', page(server, path), re.DOTALL)[0]
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', unescape(form))
    fields = [*fields[:-1], ("event", re.search(r'value="({.*?})"', unescape(form))[1])]
    assert server.request("POST", f"{path}/events", fields)[0] == 303
    text = page(server, f"/t/{disputed['scorer']}")
    assert text.one(css="dispute", data_disputed=True).has(role="link", href="?round=0")
    assert not text.has(data_settled_by=True)


def test_the_writers_own_dispute_is_told_on_the_table(server):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    say(server, keys["scorer"], do="strittig", side=0, of=0)
    say(server, keys["opponent"], do="geklaert", side=1, of=0, token="end")
    assert disputes_again(page(server, f"/t/{keys['scorer']}"))


def test_who_settles_his_own_dispute_is_told_nothing(server, disputed):
    say(server, disputed["opponent"], do="geklaert", side=1, of=0, token="end")
    assert not page(server, f"/b/{disputed['opponent']}").has(data_settled_by=True)


def test_the_buttons_do_what_they_say(server):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    text = page(server, f"/b/{keys['opponent']}/round/0")
    form = re.search(r'<form method="post" action="(/b/\w+/say)">(.*?)</form>', text, re.DOTALL)
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form[2])
    assert server.request("POST", form[1], fields)[0] == 303
    shown = page(server, f"/b/{keys['opponent']}/round/0")
    assert shown.has("button", name="do", value="geklaert")
    assert "say" not in page(server, f"/b/{keys['viewer']}/round/0")


def test_a_dispute_moves_everybodys_board(server):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    watch = server.watch(f"/b/{keys['viewer']}/stream", Accept_Language="de")
    try:
        assert not Page(watch.next()["data"]).has(css="disputed")
        say(server, keys["opponent"], do="strittig", side=1, of=0)
        assert Page(watch.next()["data"]).has(css="disputed")
    finally:
        watch.close()


def test_undo_and_points_know_nothing_of_it(server, over):
    before = server.json("GET", f"/api/tables/{over['scorer']}")[1]["state"]
    say(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0")
    say(server, over["opponent"], do="strittig", side=1, of=0, token="b")
    assert server.json("GET", f"/api/tables/{over['scorer']}")[1]["state"] == before


def test_rules_are_agreed_when_the_last_side_agrees_though_it_is_past_midnight():
    times = (datetime(2026, 11, 22, 23, 58), datetime(2026, 11, 23, 0, 59))
    events = [
        {"do": "einig", "side": side, "at": at.astimezone().isoformat()}
        for side, at in enumerate(times)
    ]
    table, _ = imported({"watten": 1, "rules": "bayern", "events": events})
    assert ">00:59 " in Signatures(table).all_agreed
