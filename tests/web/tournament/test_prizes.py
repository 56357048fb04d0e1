"""Winners, prizes, and deciding games between level pairs."""

import re

import pytest

from scorer.web.tournament.labels import REASONS
from tests.pages import parse, translated
from tests.web.tournament.forms import post
from tests.web.tournament.hall import Hall


@pytest.fixture
def level(server):
    """A finished tournament of four pairs, two of them level on the first place."""
    hall = Hall(server, rounds=1, seed="x")
    hall.play()
    prizes = [("token", "p"), ("lines", "300 EUR\n200 EUR"), ("consolation", "")]
    assert hall.post_fields(f"/p/{hall.key}/prizes", prizes)[0] == 303
    return hall


def names_in_order(hall, count):
    tournament = hall.tournament()
    by_number = {pair["pair"]: pair["name"] for pair in tournament["pairs"]}
    return [by_number[number] for number in hall.order()[:count]]


def test_drawing_lots_makes_no_winner(level):
    first, second = names_in_order(level, 2)
    desk = level.page()
    assert desk.has(id="next", data_over=True)
    assert f"{first}; {second}" in desk.one(data_level=1).text
    assert not desk.has(data_winners=True)
    assert f'class="button primary" href="/p/{level.key}/deciders"' in desk
    wall = level.page("/hall")
    assert f"{first}; {second}" in wall.one(data_level=1).text
    assert wall.has(data_undecided=True)
    assert not wall.has(data_winners=True)
    # The lot decided all four places, and the hall's screen says so.
    lot = translated(REASONS["lot"])
    assert wall.count(f"<small>{lot}</small>") == 4
    # The list of prizes shows how the order was decided.
    prizes = level.page("/print/prizes")
    assert prizes.count(f"<small>{lot}</small>") == 2
    assert prizes.has(data_undecided=True)
    published = level.page("/results.html").all("table")
    assert [lot in table.text for table in published] == [True, True, False]


def test_announced_lot_is_not_offered_again(level):
    first = names_in_order(level, 1)[0]
    announces = level.page().all("form", action=f"/p/{level.key}/announce")[0]
    text = announces.one("button")["value"]
    assert first in text
    assert level.post("/announce", "l", text=text)[0] == 303
    assert text in level.page("/hall")
    assert f'name="text" value="{text}"' not in level.page().split("<details>")[0]


def test_a_deciding_game_makes_a_winner(level):
    winner, loser = reversed(level.order()[:2])
    assert level.post("/decider", "d", winner=winner, loser=loser)[0] == 303
    first = names_in_order(level, 1)[0]
    for path in ("", "/hall", "/print/prizes"):
        text = level.page(path)
        assert first in text.one(data_winners=True).text
        # The third and the fourth are level too, but no prize depends on it.
        assert not text.has(data_level=True)
    decider = f"<small>{translated(REASONS['decider'])}</small>"
    assert level.page("/print/prizes").count(decider) == 2
    assert level.page("/hall").count(decider) == 2


def test_one_tap_settles_level_pairs(level):
    first, second = level.order()[:2]
    text = level.page("/deciders")
    forms = re.findall(r'<form[^>]* data-place="1">(.*?)</form>', text, re.DOTALL)
    assert [parse(form).one("b").text for form in forms] == names_in_order(level, 2)
    fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', forms[1])
    assert level.post_fields(f"/p/{level.key}/decider", fields)[0] == 303
    assert level.order()[:2] == [second, first]
    # The page asks about the opposite result beside that result's button.
    fields = re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', forms[0])
    status, _, asked = level.post_fields(f"/p/{level.key}/decider", fields)
    assert status == 422
    assert asked.count('name="sure"') == 1
    assert level.post_fields(f"/p/{level.key}/decider", [*fields, ("sure", "1")])[0] == 303
    assert level.order()[:2] == [first, second]


def test_level_places_are_flagged_if_prizes_differ(level):
    winner, loser = level.order()[:2]
    assert level.post("/decider", "d", winner=winner, loser=loser)[0] == 303
    for lines, flagged in (("1\n2\nWurst\nWurst", False), ("1\n2\nSpeck", True)):
        prizes = [("token", lines), ("lines", lines), ("consolation", "")]
        assert level.post_fields(f"/p/{level.key}/prizes", prizes)[0] == 303
        assert level.page().has(data_level=3) is flagged
        assert level.page("/hall").has(data_level=3) is flagged


def test_slip_page_explains_a_level_place(level):
    scorer = re.findall(r"/e/(\w+)", level.page("/match/1/1"))[0]
    text = level.server.page(f"/e/{scorer}")
    assert translated(REASONS["lot"]) in text
    assert text.has(data_level=1)


def test_prizes_go_to_their_places(server, played):
    form = [("token", "p"), ("consolation", "Eine Wurst"), ("to", "last-but-one")]
    form += [("lines", line) for line in ("300 €", "Ein Ferkel", "", "")]
    assert post(server, f"/p/{played}/prizes", form)[0] == 303
    fields = server.page(f"/p/{played}/prizes").all("input", name="lines")
    assert [field["value"] for field in fields[:3]] == ["300 €", "Ein Ferkel", ""]
    text = server.page(f"/p/{played}/print/prizes")
    cells = re.findall(r'rank">(\d)</td>.*?text" dir="auto">([^<]*)<', text, re.DOTALL)
    assert cells == [("1", "300 €"), ("2", "Ein Ferkel"), ("3", "Eine Wurst")]


def test_consolation_skips_withdrawn_pairs(server, played):
    form = [("token", "p"), ("lines", "300 €"), ("consolation", "Trost"), ("to", "last")]
    post(server, f"/p/{played}/prizes", form)
    last = server.json("GET", f"/api/tournaments/{played}/standings")[1]["standings"][-1]
    leaves = [("token", "w"), ("do", "abmeldung")]
    post(server, f"/p/{played}/pairs/{last['pair']}", leaves)
    text = server.page(f"/p/{played}/print/prizes")
    assert re.search(r'rank">3</td>.*?Trost', text, re.DOTALL)


def test_chosen_pairs_can_be_settled_by_a_decider(server, played):
    text = server.page(f"/p/{played}/deciders")
    level = [option["value"] for option in text.all("select", name="pair")[0].all("option")]
    assert len(level) > 3
    # Before the director says who plays, nobody can be noted as the winner.
    assert not text.has(data_place=True)
    chosen = server.page(f"/p/{played}/deciders?pair={level[3]}&pair={level[0]}")
    form = chosen.all(data_place=True)[0]
    fields = [(hidden["name"], hidden["value"]) for hidden in form.all("input")]
    assert post(server, f"/p/{played}/decider", fields)[0] == 303
    lines = server.json("GET", f"/api/tournaments/{played}/standings")[1]["standings"]
    assert lines[0]["pair"] == int(level[3])
    assert lines[0]["tie"] == "decider"


def test_deciding_game_gets_its_own_table(server, played):
    path = f"/p/{played}/decider"
    pairs = [("winner", "1"), ("loser", "2"), ("table", "1")]
    status, where, _ = post(server, path, [("token", "t"), *pairs])
    assert status == 303
    key = where.rsplit("/", 1)[1]
    record = server.record(key)
    assert [side["name"] for side in record["sides"]] == ["Anna & Bert", "Cilli & Dora"]
    server.play(key, {"do": "gewinnt", "side": 0, "stake": 3})
    state = server.state(key)
    # To 5, gespannt at 3.
    assert (record["resolved"]["values"]["target"], state["near"]) == (5, [True, False])
    assert post(server, path, [("token", "u"), ("winner", "9"), ("loser", "x"), pairs[2]])[0] == 422


@pytest.fixture
def categories(server):
    """A played tournament of four pairs: three of a category that has prizes, one of none."""
    players = [["Anna", "Berta"], ["Cilli", "Dora"], ["Emma", "Fanny"], ["Gustl", "Hias"]]
    pairs = [{"players": two, "category": "Damen"} for two in players[:3]]
    hall = Hall(server, rounds=1, pairs=[*pairs, {"players": players[3]}])
    hall.play()
    prizes = [("token", "p"), ("lines", "Schinken"), ("consolation", ""), ("once", "1")]
    prizes += [("category", "Damen"), ("category-lines", "Blumen\nSekt")]
    assert hall.post_fields(f"/p/{hall.key}/prizes", prizes)[0] == 303
    return hall


def test_category_has_its_own_prize_list(categories):
    placed = [n for n in categories.order() if n != 4]
    listed = [
        [cell.text.strip() for cell in row.all("td")] + [row.one("th").text.strip()]
        for row in categories.page("/print/prizes").one(data_category="Damen").all("tr")[1:]
    ]
    order = categories.order()
    category_names = ["Anna & Berta", "Cilli & Dora", "Emma & Fanny"]
    prizes = ["Blumen", "Sekt"] if placed[0] != order[0] else ["", "Blumen", "Sekt"]
    assert listed == [
        [str(place), str(order.index(n) + 1), prize, category_names[n - 1]]
        for place, (n, prize) in enumerate(zip(placed, [*prizes, ""], strict=False), 1)
    ]
    assert "Blumen" in categories.page("/results.html")
    certificate = categories.page("/print/certificates?best=1&category=Damen").one(
        class_="certificate"
    )
    assert category_names[placed[0] - 1] in certificate.text
    assert "Damen" in certificate.text


def test_category_prizes_can_be_changed_in_the_form(categories):
    form = categories.page("/prizes").all("form", action=f"/p/{categories.key}/prizes")[0]
    named = [box["value"] for box in form.all("input", name="category")]
    prizes = [box.get_text() for box in form.all("textarea", name="category-lines")]
    assert [*zip(named, prizes, strict=True)] == [("Damen", "Blumen\nSekt"), ("", "")]
    emptied = [("token", "q"), ("lines", ""), ("category", "Damen"), ("category-lines", " \n")]
    assert categories.post_fields(f"/p/{categories.key}/prizes", emptied)[0] == 303
    assert "Blumen" not in categories.page("/print/prizes")
    # What is refused stays as it was typed.
    nameless = {"lines": "x", "category": "", "category-lines": "Most"}
    page = categories.refusal_page("/prizes", "r", **nameless)
    assert "Most" in page.one(id="categories").text


def test_category_is_set_by_list_form_and_sign_up(server):
    hall = Hall(server, 0, rounds=1)
    lines = "Spieler 1;Spieler 2;Kategorie\nAnna;Bert;Mixed\nCilli;Dora;Damen"
    assert hall.post("/pairs/list", "l", list=lines, take="1")[0] == 303
    form = [("player", "Emma"), ("player", "Fanny"), ("category", "Damen")]
    assert hall.post_fields(f"/p/{hall.key}/pairs", [("token", "e"), *form])[0] == 303
    signup = [("token", "s"), ("player", "Gusti"), ("player", "Hilda"), ("category", "Damen")]
    page = server.page(f"/p/{hall.keys['signup']}/signup")
    assert [option.text for option in page.all("option")] == ["–", "Damen", "Mixed"]
    assert hall.post_fields(f"/p/{hall.keys['signup']}/signup", signup)[0] == 303
    [number] = re.findall(r'name="signed" value="(\d+)"', hall.page("/pairs"))
    assert hall.post("/pairs/signed", "a", do="aufnahme", signed=number)[0] == 303
    change = [("name", "Anna & Bert"), ("player", "Anna"), ("player", "Bert"), ("category", "")]
    fields = [("token", "c"), ("do", "aenderung"), ("entries", "1"), *change]
    assert hall.post_fields(f"/p/{hall.key}/pairs/1", fields)[0] == 303
    assert [pair.get("category", "") for pair in hall.tournament()["pairs"]] == ["", *["Damen"] * 3]
    # The list goes out as it comes in.
    assert '"Cilli & Dora";"Cilli";"Dora";"";"1";"Damen"' in hall.page("/pairs.csv")
