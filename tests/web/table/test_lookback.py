"""The look back at an evening, if the table has agreed to it."""

import re
from itertools import pairwise

import pytest

from tests.builders import LOST, NEXT, RAISED, WON

RAISES = {"do": "bieten", "side": 1}
PLAYED = [RAISES, {"do": "gehen", "side": 0}, RAISED, {"do": "bleiben", "side": 1}, LOST]


SIDES = [{"name": "Alice"}, {"name": "Bob"}]


def look(server, made):
    return server.page(f"/b/{made['viewer']}/look-back").html


def test_look_back_opens_after_the_game(server):
    made = server.table(sides=SIDES, played=PLAYED)
    assert "<svg" not in look(server, made)
    server.play(made["scorer"], {**LOST, "stake": 9})
    page = look(server, made)
    assert 'role="img"' in page
    assert len(re.findall(r'<tr>(?:<th scope="row">\d+</th>|<td></td>)', page)) == 4
    assert page.count('class="chances"') == 2
    server.play(made["scorer"], NEXT, RAISED, {"do": "bleiben", "side": 1}, WON)
    page = server.page(f"/b/{made['viewer']}/look-back")
    # The running game is left out, with its raise.
    assert len(page.data("running")) == 1
    assert len(re.findall(r'<tr>(?:<th scope="row">\d+</th>|<td></td>)', page.html)) == 4
    assert page.html.count('class="chances"') == 2


@pytest.mark.parametrize(("when", "open_"), [("always", True), ("never", False)])
def test_look_back_can_be_set_to_always_or_never(server, when, open_):
    made = server.table(sides=SIDES, played=PLAYED, look_back=when)
    assert ("<svg" in look(server, made)) == open_
    assert server.record(made["viewer"])["look_back"] == when
    assert server.page(f"/b/{made['viewer']}/rules").data("look-back") == [when]
    assert ("/look-back" in server.page(f"/b/{made['viewer']}/history")) == open_


def test_house_rules_form_sets_the_look_back(server):
    form = [("rules", "bayern"), ("house", "1"), ("look_back", "always"), ("side0", "A")]
    key = server.submit("/new", [*form, ("side1", "B")]).rsplit("/", 1)[-1]
    assert server.record(key)["look_back"] == "always"


def test_no_look_back_for_three_sides_or_a_high_target(server):
    for head in ({"sides": [*SIDES, {"name": "Charlie"}]}, {"sides": SIDES, "set": {"target": 99}}):
        assert "<svg" not in look(server, server.table(**head))


def test_look_back_offers_the_pairs_own_win_share(server):
    sides = [{"name": "A", "players": ["Alice", "Ann"]}, {"name": "B", "players": ["Bob", "Ben"]}]
    played = [*[WON] * 3, LOST, {**WON, "stake": 3}]
    made = server.table("oberoesterreich", sides=sides, played=played)
    member = server.submit("/regulars", [("name", "Donnerstag")]).rsplit("/", 1)[1]
    path = f"/b/{made['viewer']}/look-back"

    def look(query="", cookie=f"groups={member}"):
        return server.page(path + query, language="en", Cookie=cookie).html

    assert "look-back?p=" not in look()
    server.submit("/regulars/evenings", [("group", member), ("table", made["scorer"])])
    page = look()
    # The pair won four of five rounds, more than the highest share on offer. The other side's
    # share amounts to the same.
    assert re.findall(r'href="[^"]*look-back\?p=(\d+)"', page) == ["50", "70", "70"]
    assert "Donnerstag; probably between 38% and 96%" in page
    even, better = look("?p=50"), look("?p=70")
    assert "in 70 of 100 cases" in better and "in 50 of 100 cases" in even
    assert "p=70" in re.search(r'href="(/rules/[^"]+)"', better)[1]
    # A phone without the ledger does not see its share and cannot ask for it.
    stranger = look("?p=70", cookie="")
    assert "Donnerstag" not in stranger and "in 50 of 100 cases" in stranger


def test_lookback_shows_all_decisions(server):
    penalty = {"do": "strafe", "side": 0, "offence": "krank-geboten"}
    events = [{**WON, "stake": 7}, LOST, {"do": "streichen", "side": 1}, penalty]
    page = look(server, server.table(sides=SIDES, played=events, look_back="always"))
    assert page.count('class="chances"') == 2
    plays = {"do": "bleiben", "side": 0}
    asked = server.table("bayern", start={"points": [13, 4]}, played=[plays, WON])
    assert look(server, asked).count('class="chances"') == 1


def test_look_back_names_answers_in_the_regions_words(server):
    gives = {"do": "gehen", "side": 0}
    head = {"sides": SIDES, "start": {"points": [13, 9]}, "look_back": "always"}
    made = server.table("bayern", played=[gives], **head)
    page = server.page(f"/b/{made['viewer']}/look-back", language="de").html
    headline = re.search(r'class="headline">(.+)</p>', page)[1]
    assert "gibt her" in headline
    chances = page.partition('class="chances"')[2].partition("</ul>")[0]
    assert re.findall(r"„(\w+)“", chances) == ["hergeben", "spielen", "spielen"]


def test_shares_and_changes_of_the_look_back_add_up(server):
    played = [WON, WON, RAISED, {"do": "bleiben", "side": 1}, LOST, WON, LOST, LOST, LOST]
    page = look(server, server.table(sides=SIDES, played=played, look_back="always"))
    rows = re.findall(r"<td>(\d+)\s*%</td>\s*<td>(\d+)\s*%</td>\s*<td>([+−]?)(\d*)</td>", page)
    shares = [int(first) for first, *_ in rows]
    assert len(rows) == 8 and all(int(first) + int(second) == 100 for first, second, *_ in rows)
    changes = [int(change) * (-1 if sign == "−" else 1) for *_, sign, change in rows[1:]]
    assert changes == [now - before for before, now in pairwise(shares)]


def test_look_back_links_to_the_sheet_for_its_target(server):
    made = server.table(sides=SIDES, rules="suedtirol", set={"target": 15}, look_back="always")
    server.play(made["scorer"], WON, LOST)
    page = server.page(f"/b/{made['viewer']}/look-back")
    [sheet] = {link["href"] for link in page.all("a") if "/gehen" in link["href"]}
    assert server.page(sheet).one("select", name="target").one(selected="")["value"] == "15"
