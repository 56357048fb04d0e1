"""Each side confirms or disputes on its own phone."""

import re
from datetime import datetime
from html import unescape

import pytest

from scorer.book.tables import import_record
from scorer.web.table.signatures import Signatures
from tests.builders import NEXT, WON
from tests.pages import Page


def games_to_confirm(text):
    """The games that a page asks to confirm."""
    return [
        form.one("button", name="game")["value"]
        for form in text.all("form", css="confirm")
        if ("do", "bestaetigt") in form.fields
    ]


def disputes_again(text):
    """The buttons with which a side reopens its dispute after the others settled it."""
    again = text.all("button", name="event") + text.all("button", name="do", value="strittig")
    return [one for one in again if "strittig" in one.attrs.get("value", "")]


def send_statement(server, key, **fields):
    form = [("token", fields.pop("token", "t")), *((name, str(v)) for name, v in fields.items())]
    return server.request("POST", f"/b/{key}/say", form, Accept_Language="de")[0]


@pytest.fixture
def over(server):
    """The keys of a table whose first game is over, 10:0."""
    keys = server.table(played=[WON] * 5)
    return keys


def test_opponent_confirms_a_result_with_one_tap(server, over):
    assert "✓✓" not in server.page(f"/b/{over['viewer']}")
    board = server.page(f"/b/{over['opponent']}")
    assert games_to_confirm(board) == ["1"]
    assert "10 : 0" in board.one("form", css="confirm").one("button").label
    assert (
        send_statement(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0")
        == 303
    )
    assert "✓✓" in server.page(f"/b/{over['viewer']}")
    assert "✓✓" in server.page(f"/b/{over['viewer']}/history")
    assert games_to_confirm(server.page(f"/b/{over['opponent']}")) == []


def test_earlier_result_is_confirmed_later(server, over):
    key = over["opponent"]
    server.play(over["scorer"], NEXT, *[WON] * 5)
    board = server.page(f"/b/{key}")
    assert games_to_confirm(board) == ["2"]
    # The board links to the game that is not confirmed yet.
    assert f'href="/b/{key}/history#unconfirmed"' in board
    for number in (1, 2):
        evening = server.page(f"/b/{key}/history")
        assert len(games_to_confirm(evening)) == 3 - number
        form = evening.partition('class="confirm ')[2].partition("</form>")[0]
        fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form))
        assert int(fields["game"]) == number
        assert send_statement(server, key, **fields) == 303
    assert "unconfirmed" not in server.page(f"/b/{key}/history")
    assert 'data-confirmed="nobody"' not in server.page(f"/b/{over['viewer']}/history")


@pytest.mark.parametrize("role", ["viewer", "scorer"])
def test_only_the_opponent_is_asked_to_confirm(server, over, role):
    assert "unconfirmed" not in server.page(f"/b/{over[role]}/history")


@pytest.mark.parametrize(("winner", "lost", "name"), [(0, 1, "Anna"), (1, 2, "<Die>")])
def test_end_of_a_game_names_the_winner(server, winner, lost, name):
    keys = server.table(sides=[{"name": "Anna"}, {"name": "<Die>"}])
    for number, side in enumerate([1 - winner] * lost + [winner] * 5):
        assert server.write(keys["scorer"], {"do": "gewinnt", "side": side}, str(number))[0] == 201
    for path in (f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
        moment = server.page(path).one("section", css="game-end").one(role="heading")
        assert moment.one("span").text == f"{name} hat gewonnen!"
        assert moment.one("b").text == f"10 : {2 * lost}"


@pytest.mark.parametrize(
    ("role", "shown"), [("viewer", True), ("opponent", False), ("scorer", False)]
)
def test_only_viewers_see_the_read_only_notice(server, over, role, shown):
    assert ("data-only-looks" in server.page(f"/b/{over[role]}")) is shown


@pytest.mark.parametrize("role", ["scorer", "viewer"])
def test_only_the_opponent_can_confirm(server, over, role):
    assert games_to_confirm(server.page(f"/b/{over[role]}")) == []
    assert send_statement(server, over[role], do="bestaetigt", side=1, game=1, stand="10:0") == 403
    event = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}
    assert server.write(over[role], event, "x")[0] == 403
    assert "✓✓" not in server.page(f"/b/{over['viewer']}")


def test_api_lets_the_opponent_confirm_but_not_write(server, over):
    event = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}
    server.play(over["opponent"], event)
    assert server.write(over["opponent"], NEXT, "y")[0] == 403


def test_correction_voids_the_confirmation(server, over):
    send_statement(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0")
    change = {"do": "korrektur", "of": 0, "with": {"do": "gewinnt", "side": 0, "stake": 3}}
    assert server.write(over["scorer"], change, "change")[0] == 422
    change = {"do": "korrektur", "of": 4, "with": {"do": "gewinnt", "side": 0, "stake": 3}}
    server.play(over["scorer"], change)
    assert "✓✓" not in server.page(f"/b/{over['viewer']}")
    board = server.page(f"/b/{over['opponent']}")
    assert games_to_confirm(board) == ["1"]
    assert "11 : 0" in board.one("form", css="confirm").one("button").label


@pytest.mark.parametrize("role", ["scorer", "opponent"])
def test_dispute_is_marked_until_settled(server, role):
    keys = server.table(played=[WON])
    side, other = (0, 1) if role == "scorer" else (1, 0)
    # Neither a page nor a program disputes for the other side.
    assert send_statement(server, keys[role], do="strittig", side=other, of=0) == 403
    assert server.write(keys[role], {"do": "strittig", "side": other, "of": 0}, "2")[0] == 403
    assert send_statement(server, keys[role], do="strittig", side=side, of=0) == 303
    for path in ("", "/history", "/round/0"):
        assert server.page(f"/b/{keys['viewer']}{path}").one(css="disputed").text
    assert send_statement(server, keys[role], do="strittig", side=side, of=0, token="again") == 422
    assert send_statement(server, keys[role], do="geklaert", side=side, of=0, token="end") == 303
    assert not server.page(f"/b/{keys['viewer']}").has(css="disputed")


@pytest.fixture
def disputed(server):
    """The keys of a table whose first round the other side disputes."""
    keys = server.table(played=[WON])
    assert send_statement(server, keys["opponent"], do="strittig", side=1, of=0) == 303
    return keys


@pytest.mark.parametrize(
    ("role", "side", "home"), [("scorer", 0, "writer-table"), ("opponent", 1, "board")]
)
def test_settling_a_dispute_twice_is_refused(server, disputed, role, side, home):
    assert (
        send_statement(server, disputed["scorer"], do="geklaert", side=0, of=0, token="end") == 303
    )
    form = [("token", "late"), ("do", "geklaert"), ("side", str(side)), ("of", "0")]
    path = f"/b/{disputed[role]}/say"
    status, _, text = server.request("POST", path, form, Accept_Language="de")
    assert status == 422
    assert Page(text).code == "not-disputed"
    assert f'class="{home}' in text


@pytest.mark.parametrize("statement", [{"do": "einig"}, {"do": "strittig", "of": "0"}])
def test_repeated_statement_is_refused_on_the_board(server, statement):
    keys = server.table(played=[WON])
    assert send_statement(server, keys["opponent"], side=1, **statement) == 303
    form = [("token", "late"), ("side", "1"), *statement.items()]
    status, _, text = server.request("POST", f"/b/{keys['opponent']}/say", form)
    assert status == 422
    assert '<main class="board' in text
    assert Page(text).has(role="alert", data_code=True)


def test_settled_dispute_may_be_reopened(server, disputed):
    send_statement(server, disputed["scorer"], do="geklaert", side=0, of=0, token="end")
    path = f"/b/{disputed['opponent']}"
    for place in ("", "/round/0"):
        text = server.page(path + place)
        assert text.one(role="status", data_settled_by=0).text
        assert disputes_again(text)
    others = server.page(f"/b/{disputed['viewer']}")
    assert others.has(role="status", data_settled_by=0)
    assert not disputes_again(others)
    form = re.search(r'data-settled-by="0".*?</form>', server.page(path), re.DOTALL)[0]
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', unescape(form))
    fields = [*fields[:-1], ("event", re.search(r'value="({.*?})"', unescape(form))[1])]
    assert server.request("POST", f"{path}/events", fields)[0] == 303
    text = server.page(f"/t/{disputed['scorer']}")
    assert text.one(css="dispute", data_disputed=True).has(role="link", href="?round=0")
    assert not text.has(data_settled_by=True)


def test_writer_can_reopen_a_settled_dispute(server):
    keys = server.table(played=[WON])
    send_statement(server, keys["scorer"], do="strittig", side=0, of=0)
    send_statement(server, keys["opponent"], do="geklaert", side=1, of=0, token="end")
    assert disputes_again(server.page(f"/t/{keys['scorer']}"))


def test_settling_ones_own_dispute_shows_no_notice(server, disputed):
    send_statement(server, disputed["opponent"], do="geklaert", side=1, of=0, token="end")
    assert not server.page(f"/b/{disputed['opponent']}").has(data_settled_by=True)


def test_dispute_button_records_a_dispute(server):
    keys = server.table(played=[WON])
    text = server.page(f"/b/{keys['opponent']}/round/0")
    form = re.search(r'<form method="post" action="(/b/\w+/say)">(.*?)</form>', text, re.DOTALL)
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form[2])
    assert server.request("POST", form[1], fields)[0] == 303
    shown = server.page(f"/b/{keys['opponent']}/round/0")
    assert shown.has("button", name="do", value="geklaert")
    assert "say" not in server.page(f"/b/{keys['viewer']}/round/0")


def test_dispute_is_streamed_to_the_viewer_board(server):
    keys = server.table(played=[WON])
    with server.watch(f"/b/{keys['viewer']}/stream", Accept_Language="de") as watch:
        assert not Page(watch.next()["data"]).has(css="disputed")
        send_statement(server, keys["opponent"], do="strittig", side=1, of=0)
        assert Page(watch.next()["data"]).has(css="disputed")


def test_statements_do_not_change_the_state(server, over):
    before = server.state(over["scorer"])
    send_statement(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0")
    send_statement(server, over["opponent"], do="strittig", side=1, of=0, token="b")
    assert server.state(over["scorer"]) == before


def test_agreement_past_midnight_shows_the_later_time():
    times = (datetime(2026, 11, 22, 23, 58), datetime(2026, 11, 23, 0, 59))
    events = [
        {"do": "einig", "side": side, "at": at.astimezone().isoformat()}
        for side, at in enumerate(times)
    ]
    table, _ = import_record({"watten": 1, "rules": "bayern", "events": events})
    assert ">00:59 " in Signatures(table).all_agreed
