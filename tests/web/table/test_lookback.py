"""The look back at an evening, if the table has agreed to it."""

import re

import pytest

from tests.builders import LOST, NEXT, WON
from tests.pages import Page

RAISED = [
    {"do": "bieten", "side": 1},
    {"do": "gehen", "side": 0},
    {"do": "bieten", "side": 0},
    {"do": "bleiben", "side": 1},
    LOST,
]
OVER = {"do": "gewinnt", "side": 1, "stake": 9}


SIDES = [{"name": "Alice"}, {"name": "Bob"}]


def look(server, made):
    status, _, page = server.request("GET", f"/b/{made['viewer']}/look-back")
    assert status == 200
    return page


def test_look_back_opens_after_the_game(server):
    made = server.table(sides=SIDES, played=RAISED)
    assert "<svg" not in look(server, made)
    server.play(made["scorer"], OVER)
    page = look(server, made)
    assert 'role="img"' in page
    rows = re.findall(r'<th scope="row">\d+\.\d+</th>', page)
    assert len(rows) == 4
    assert page.count('class="values"') == 2
    server.write(made["scorer"], NEXT, "next")
    assert "<svg" not in look(server, made)


@pytest.mark.parametrize(("when", "open_"), [("always", True), ("never", False)])
def test_look_back_can_be_set_to_always_or_never(server, when, open_):
    made = server.table(sides=SIDES, played=RAISED, look_back=when)
    assert ("<svg" in look(server, made)) == open_
    assert server.record(made["viewer"])["look_back"] == when
    _, _, rules = server.request("GET", f"/b/{made['viewer']}/rules", Accept_Language="en")
    assert Page(rules).data("look-back") == [when]
    _, _, history = server.request("GET", f"/b/{made['viewer']}/history")
    assert ("/look-back" in history) == open_


def test_house_rules_form_sets_the_look_back(server):
    form = [("rules", "bayern"), ("house", "1"), ("look_back", "always"), ("side0", "A")]
    status, headers, _ = server.request("POST", "/new", [*form, ("side1", "B")])
    assert status == 303
    key = headers["location"].rsplit("/", 1)[-1]
    assert server.record(key)["look_back"] == "always"


def test_no_look_back_for_three_sides_or_a_high_target(server):
    made = server.table(sides=[{"name": name} for name in ("Alice", "Bob", "Charlie")])
    assert "<svg" not in look(server, made)
    assert "<svg" not in look(server, server.table(sides=SIDES, set={"target": 99}))


def test_look_back_offers_the_pairs_own_win_share(server):
    sides = [{"name": "A", "players": ["Alice", "Ann"]}, {"name": "B", "players": ["Bob", "Ben"]}]
    made = server.table("oberoesterreich", sides=sides)
    won = [WON] * 3 + [LOST]
    server.play(made["scorer"], *won, {"do": "gewinnt", "side": 0, "stake": 3})
    answer = server.request("POST", "/regulars", [("name", "Donnerstag")])[1]
    member = answer["location"].rsplit("/", 1)[1]
    path = f"/b/{made['viewer']}/look-back"
    phone = {"Cookie": f"groups={member}", "Accept_Language": "en"}
    assert "look-back?p=" not in server.request("GET", path, **phone)[2]
    form = [("group", member), ("table", made["scorer"])]
    assert server.request("POST", "/regulars/evenings", form)[0] == 303
    page = server.request("GET", path, **phone)[2]
    # The pair won four of five rounds, more than the highest share on offer. The other side's
    # share amounts to the same.
    assert re.findall(r'href="[^"]*look-back\?p=(\d+)"', page) == ["50", "70", "70"]
    assert "Donnerstag; between 38% and 96%" in page
    even, better = (server.request("GET", f"{path}?p={p}", **phone)[2] for p in (50, 70))
    assert "around 70 percent" in better and "around 50 percent" in even
    assert "p=70" in re.search(r'href="(/rules/[^"]+)"', better)[1]
    # A phone without the ledger does not see its share and cannot ask for it.
    stranger = server.request("GET", f"{path}?p=70", Accept_Language="en")[2]
    assert "Donnerstag" not in stranger and "around 50 percent" in stranger


def test_lookback_shows_all_decisions(server):
    events = [
        {"do": "gewinnt", "side": 0, "stake": 7},
        LOST,
        {"do": "streichen", "side": 1},
        {"do": "strafe", "side": 0, "offence": "krank-geboten"},
    ]
    page = look(server, server.table(sides=SIDES, played=events, look_back="always"))
    assert page.count('class="values"') == 2
    plays = {"do": "bleiben", "side": 0}
    asked = server.table("bayern", start={"points": [13, 4]}, played=[plays, WON])
    assert look(server, asked).count('class="values"') == 1
