"""Each side confirms or disputes on its own phone."""

from datetime import datetime

import pytest

from scorer.book.tables import table_of_record
from scorer.web.table.entry_authors import EntryAuthors
from tests.builders import BAYERN, NEXT, RAISED, WON
from tests.pages import Page, translated

CONFIRMS = {"do": "bestaetigt", "side": 1, "game": 1, "stand": "10:0"}


def games_to_confirm(text):
    """The games that a page asks to confirm."""
    forms = [form for form in text.all("form", css="confirm") if form.has(value="bestaetigt")]
    return [form.one("button", name="game")["value"] for form in forms]


def disputes_again(text):
    """The buttons with which a side reopens its dispute after the others settled it."""
    again = text.all("button", name="event") + text.all("button", name="do", value="strittig")
    return [one for one in again if "strittig" in one.attrs.get("value", "")]


def send_statement(server, key, token="t", **fields):
    form = [("token", token), *fields.items()]
    return server.request("POST", f"/b/{key}/say", form, Accept_Language="de")[0]


def settle(server, key, side):
    assert send_statement(server, key, do="geklaert", side=side, of=0, token="end") == 303


@pytest.fixture
def over(server):
    """The keys of a table whose first game is over, 10:0."""
    return server.table(played=[WON] * 5)


def test_opponent_confirms_a_result_with_one_tap(server, over):
    assert "✓✓" not in server.page(f"/b/{over['viewer']}")
    board = server.page(f"/b/{over['opponent']}")
    assert games_to_confirm(board) == ["1"]
    form = board.one("form", css="confirm")
    assert "10 : 0" in form.one("button").label
    # Beside it, a link leads to the rounds, each of which can be disputed.
    assert form.one(role="link")["href"] == f"/b/{over['opponent']}/history#game-1"
    assert board.has(data_how_to_dispute=True)
    assert not server.page(f"/b/{over['viewer']}").has(data_how_to_dispute=True)
    assert send_statement(server, over["opponent"], **CONFIRMS) == 303
    assert server.page(f"/b/{over['opponent']}").has(data_confirmed_by_you=True)
    for page in ("", "/history"):
        assert "✓✓" in server.page(f"/b/{over['viewer']}{page}")
    assert games_to_confirm(server.page(f"/b/{over['opponent']}")) == []
    # The opponent confirms the game, but does not begin the next one.
    assert server.write(over["opponent"], NEXT, "y")[0] == 403


@pytest.mark.parametrize("page", ["", "/history"])
def test_game_with_an_own_dispute_is_not_confirmed(server, over, page):
    dispute, path = {"do": "strittig", "of": 2}, f"/b/{over['opponent']}{page}"
    server.play(over["scorer"], {**dispute, "side": 0})
    assert games_to_confirm(server.page(path)) == ["1"]
    server.play(over["scorer"], {**dispute, "do": "geklaert", "side": 0})
    server.play(over["opponent"], {**dispute, "side": 1})
    assert games_to_confirm(server.page(path)) == []


def test_only_round_of_a_game_is_disputed_at_once(server):
    keys = server.table(start={"points": [8, 0]}, played=[WON])
    form = server.page(f"/b/{keys['opponent']}").one("form", css="confirm")
    assert "/round/" in form.one(role="link")["href"]


def test_earlier_result_is_confirmed_later(server, over):
    path = f"/b/{over['opponent']}"
    server.play(over["scorer"], NEXT, *[WON] * 5)
    board = server.page(path)
    assert games_to_confirm(board) == ["2"]
    # The board links to the game that is not confirmed yet.
    assert f'href="{path}/history#unconfirmed"' in board
    for number in (1, 2):
        evening = server.page(f"{path}/history")
        assert len(games_to_confirm(evening)) == 3 - number
        form = evening.all("form", css="confirm")[0]
        assert dict(form.fields)["game"] == str(number)
        server.submit(form["action"], form.fields)
    assert "unconfirmed" not in server.page(f"{path}/history")
    ticks = server.page(f"/b/{over['viewer']}/history").all(css="tick")
    assert [tick["data-confirmed"] for tick in ticks] == ["program"] * 2


@pytest.mark.parametrize(("winner", "lost", "name"), [(0, 1, "Anna"), (1, 2, "<Die>")])
def test_end_of_a_game_names_the_winner(server, winner, lost, name):
    played = [{"do": "gewinnt", "side": side} for side in [1 - winner] * lost + [winner] * 5]
    keys = server.table(sides=[{"name": "Anna"}, {"name": "<Die>"}], played=played)
    for path in (f"/t/{keys['scorer']}", f"/b/{keys['viewer']}"):
        moment = server.page(path).one("section", css="game-end").one(role="heading")
        assert moment.one("span").text == f"{name} hat gewonnen!"
        assert moment.one("b").text == f"10 : {2 * lost}"


@pytest.mark.parametrize("role", ["scorer", "viewer"])
def test_only_the_opponent_can_confirm(server, over, role):
    board = server.page(f"/b/{over[role]}")
    assert games_to_confirm(board) == []
    assert "unconfirmed" not in server.page(f"/b/{over[role]}/history")
    assert send_statement(server, over[role], **CONFIRMS) == 403
    assert "✓✓" not in server.page(f"/b/{over['viewer']}")
    # The page says only to a viewer that its link cannot write.
    assert ("data-only-looks" in board) == (role == "viewer")
    assert "data-only-looks" not in server.page(f"/b/{over['opponent']}")


def test_correction_voids_the_confirmation(server, over):
    send_statement(server, over["opponent"], **CONFIRMS)
    change = {"do": "korrektur", "with": {**WON, "stake": 3}}
    assert server.write(over["scorer"], {**change, "of": 0}, "change")[0] == 422
    server.play(over["scorer"], {**change, "of": 4})
    assert "✓✓" not in server.page(f"/b/{over['viewer']}")
    board = server.page(f"/b/{over['opponent']}")
    assert games_to_confirm(board) == ["1"]
    assert "11 : 0" in board.one("form", css="confirm").one("button").label


@pytest.mark.parametrize(("role", "side"), [("scorer", 0), ("opponent", 1)])
def test_dispute_is_marked_until_settled(server, role, side):
    keys = server.table(played=[WON])
    disputes = {"do": "strittig", "of": 0}
    # Neither a page nor a program disputes for the other side.
    assert send_statement(server, keys[role], **disputes, side=1 - side) == 403
    assert server.write(keys[role], {**disputes, "side": 1 - side}, "2")[0] == 403
    assert send_statement(server, keys[role], **disputes, side=side) == 303
    for path in ("", "/history", "/round/0"):
        assert server.page(f"/b/{keys['viewer']}{path}").one(css="disputed").text
    assert send_statement(server, keys[role], **disputes, side=side, token="again") == 422
    settle(server, keys[role], side)
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
    settle(server, disputed["scorer"], 0)
    form = [("token", "late"), ("do", "geklaert"), ("side", side), ("of", "0")]
    page = server.submit_refused(f"/b/{disputed[role]}/say", form)
    assert page.code == "not-disputed" and f'class="{home}' in page.html


@pytest.mark.parametrize("statement", [{"do": "einig"}, {"do": "strittig", "of": "0"}])
def test_repeated_statement_is_refused_on_the_board(server, statement):
    key = server.table(played=[WON])["opponent"]
    assert send_statement(server, key, side=1, **statement) == 303
    form = [("token", "late"), ("side", "1"), *statement.items()]
    page = server.submit_refused(f"/b/{key}/say", form)
    assert '<main class="board' in page.html and page.has(role="alert", data_code=True)


def test_settled_dispute_may_be_reopened(server, disputed):
    settle(server, disputed["scorer"], 0)
    path = f"/b/{disputed['opponent']}"
    for place in ("", "/round/0"):
        text = server.page(path + place)
        assert text.one(role="status", data_settled_by=0).has("time")
        assert disputes_again(text)
    others = server.page(f"/b/{disputed['viewer']}")
    assert others.has(role="status", data_settled_by=0) and not disputes_again(others)
    form = server.page(path).one(data_settled_by=0).one("form")
    server.submit(f"{path}/events", form.fields)
    text = server.page(f"/t/{disputed['scorer']}")
    assert text.one(css="dispute", data_disputed=True).has(role="link", href="?round=0")
    assert not text.has(data_settled_by=True)


def test_confirming_the_game_ends_the_notice_of_a_settled_dispute(server, disputed):
    board = f"/b/{disputed['opponent']}"
    for n in range(4):
        server.play(disputed["scorer"], WON)
        if n == 1:
            settle(server, disputed["scorer"], 0)
    assert server.page(board).has(data_settled_by=0)
    assert send_statement(server, disputed["opponent"], token="confirm", **CONFIRMS) == 303
    assert not server.page(board).has(data_settled_by=True)


def test_round_page_of_a_corrected_dispute_asks_whether_it_is_right_now(server, disputed):
    corrects = {"do": "korrektur", "of": 0, "with": {**WON, "stake": 3}}
    server.play(disputed["scorer"], corrects)
    path = f"/b/{disputed['opponent']}/round/0"
    page = server.page(path)
    assert not page.has(css="disputed")
    form = page.one(data_corrected=True).one("form")
    assert form.one("button").label == translated("That's right")
    server.submit(form["action"], form.fields)
    assert not server.page(path).has(data_corrected=True)


def test_dispute_of_a_struck_round_is_not_moved_to_the_corrected_one(server):
    keys = server.table(played=[WON, {**RAISED, "side": 1}, {"do": "gehen", "side": 0}])
    assert send_statement(server, keys["opponent"], do="strittig", side=1, of=1) == 303
    board = f"/b/{keys['opponent']}"
    corrects = {"do": "korrektur", "of": 0, "with": {**WON, "stake": 9}, "through": 2}
    server.play(keys["scorer"], corrects)
    page = server.page(board)
    assert page.one(css="dispute", role="status")["data-disputed"] == ""
    assert not server.page(f"{board}/round/0").has(data_corrected=True)
    # Undone, the round is in dispute as before.
    server.play(keys["scorer"], {"do": "korrektur", "of": 4, "with": None})
    assert server.page(board).one(css="dispute", data_disputed=True)["data-disputed"] == "1"
    settle_of = send_statement(server, keys["scorer"], do="geklaert", side=0, of=1, token="end")
    assert settle_of == 303
    assert server.page(f"{board}/round/1").has(data_settled_by=0)


def test_round_page_tells_the_proposer_of_the_answer(server):
    keys = server.table(played=[WON])
    proposal = {"do": "vorschlag", "side": 1, "of": 0, "with": {**WON, "side": 1}}
    server.play(keys["opponent"], proposal)
    server.play(keys["scorer"], {"do": "absage", "side": 0, "of": 1})
    path = f"/b/{keys['opponent']}/round/0"
    assert server.page(path).one(data_answered="absage")["role"] == "status"
    # The side that said no knows it.
    assert not server.page(f"/b/{keys['scorer']}/round/0").has(data_answered=True)
    server.play(keys["opponent"], {**proposal, "with": {**WON, "stake": 3}})
    assert not server.page(path).has(data_answered=True)
    server.play(keys["scorer"], {"do": "zusage", "side": 0, "of": 3})
    assert server.page(path).has(data_answered="zusage")
    yes = server.page(path).one(data_answered="zusage").text
    assert yes in server.page(f"/b/{keys['opponent']}").one(css="news").text


def test_writer_can_reopen_a_settled_dispute(server):
    keys = server.table(played=[WON])
    send_statement(server, keys["scorer"], do="strittig", side=0, of=0)
    settle(server, keys["opponent"], 1)
    assert disputes_again(server.page(f"/t/{keys['scorer']}"))


def test_settled_dispute_waits_for_the_answer_of_a_question(server, disputed):
    key, corrects = disputed["scorer"], {"do": "korrektur", "of": 0, "with": {**WON, "stake": 3}}
    server.play(key, {"do": "bieten", "side": 0, "to": 3})
    assert server.page(f"/t/{key}").has(css="dispute")
    server.play(key, corrects)
    assert not server.page(f"/t/{key}").has(css="dispute")
    assert server.page(f"/b/{disputed['opponent']}").has(css="dispute")
    server.play(key, {"do": "bleiben", "side": 1})
    assert server.page(f"/t/{key}").has(css="dispute")


def test_settling_ones_own_dispute_shows_no_notice(server, disputed):
    settle(server, disputed["opponent"], 1)
    assert not server.page(f"/b/{disputed['opponent']}").has(data_settled_by=True)


def test_dispute_button_records_a_dispute(server):
    keys = server.table(played=[WON])
    path = f"/b/{keys['opponent']}/round/0"
    [form] = [one for one in server.page(path).all("form") if one.has(value="strittig")]
    server.submit(form["action"], form.fields)
    assert server.page(path).has("button", name="do", value="geklaert")
    assert not server.page(f"/b/{keys['viewer']}/round/0").has("button", name="do")


def test_dispute_is_streamed_to_the_viewer_board(server):
    keys = server.table(played=[WON])
    with server.watch(f"/b/{keys['viewer']}/stream", Accept_Language="de") as watch:
        assert not Page(watch.next()["data"]).has(css="disputed")
        send_statement(server, keys["opponent"], do="strittig", side=1, of=0)
        assert Page(watch.next()["data"]).has(css="disputed")


def test_statements_do_not_change_the_state(server, over):
    before = server.state(over["scorer"])
    send_statement(server, over["opponent"], **CONFIRMS)
    send_statement(server, over["opponent"], do="strittig", side=1, of=0, token="b")
    assert server.state(over["scorer"]) == before


def test_agreement_past_midnight_shows_the_later_time():
    times = (datetime(2026, 11, 22, 23, 58), datetime(2026, 11, 23, 0, 59))
    said = [at.astimezone().isoformat() for at in times]
    events = [{"do": "einig", "side": side, "at": at} for side, at in enumerate(said)]
    table, _ = table_of_record({**BAYERN, "events": events})
    assert ">00:59 " in EntryAuthors(table).rules_agreed_at


def test_end_of_a_game_names_a_house_rule_once(server):
    """Several sentences rest on it."""
    keys = server.table(rules="suedtirol", set={"target": 15})
    server.play(keys["scorer"], *[{**WON, "stake": 4}] * 3, WON, {"do": "bleiben", "side": 0}, WON)
    reasons = server.state(keys["viewer"])["because"]
    assert sum(bool(reason.get("house")) for reason in reasons) > 1
    explained = server.page(f"/b/{keys['viewer']}").one(css="game-end").one(css="explanation")
    house_rule = translated("house rule of this table: %(rule)s").partition("%")[0]
    assert explained.text.count(house_rule) == 1
