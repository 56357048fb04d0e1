"""Confirming and disputing: each side from its own phone."""

import re

import pytest

WON = {"do": "gewinnt", "side": 0}


def page(server, path):
    return server.request("GET", path, Accept_Language="de")[2]


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
    form = board.partition('class="confirm ')[2].partition("</form>")[0]
    assert "Wir bestätigen: Spiel 1, 10\u00a0:\u00a00" in form
    assert say(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0") == 303
    assert "✓✓" in page(server, f"/b/{over['viewer']}")
    assert "✓✓" in page(server, f"/b/{over['viewer']}/history")
    assert "Wir bestätigen" not in page(server, f"/b/{over['opponent']}")


@pytest.mark.parametrize("role", ["scorer", "viewer"])
def test_nobody_else_confirms(server, over, role):
    assert "Wir bestätigen" not in page(server, f"/b/{over[role]}")
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
    assert "Wir bestätigen: Spiel 1, 11\u00a0:\u00a00" in page(server, f"/b/{over['opponent']}")


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
        assert 'class="disputed">strittig' in page(server, f"/b/{keys['viewer']}{path}")
    assert say(server, keys[role], do="strittig", side=side, of=0, token="again") == 422
    assert say(server, keys[role], do="geklaert", side=side, of=0, token="end") == 303
    assert "strittig" not in page(server, f"/b/{keys['viewer']}")


def test_the_buttons_do_what_they_say(server):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    text = page(server, f"/b/{keys['opponent']}/round/0")
    form = re.search(r'<form method="post" action="(/b/\w+/say)">(.*?)</form>', text, re.DOTALL)
    fields = re.findall(r'name="(\w+)" value="([^"]*)"', form[2])
    assert server.request("POST", form[1], fields)[0] == 303
    assert "Der Streit ist geklärt" in page(server, f"/b/{keys['opponent']}/round/0")
    assert "say" not in page(server, f"/b/{keys['viewer']}/round/0")


def test_a_dispute_moves_everybodys_board(server):
    keys = server.table()
    server.write(keys["scorer"], WON, "1")
    watch = server.watch(f"/b/{keys['viewer']}/stream", Accept_Language="de")
    try:
        assert "strittig" not in watch.next()["data"]
        say(server, keys["opponent"], do="strittig", side=1, of=0)
        assert "strittig" in watch.next()["data"]
    finally:
        watch.close()


def test_undo_and_points_know_nothing_of_it(server, over):
    before = server.json("GET", f"/api/tables/{over['scorer']}")[1]["state"]
    say(server, over["opponent"], do="bestaetigt", side=1, game=1, stand="10:0")
    say(server, over["opponent"], do="strittig", side=1, of=0, token="b")
    assert server.json("GET", f"/api/tables/{over['scorer']}")[1]["state"] == before
