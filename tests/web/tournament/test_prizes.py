"""Winners, prizes, and deciding games between level pairs."""

import re
from collections import Counter
from itertools import combinations

import pytest

from scorer.web.tournament.labels import REASONS
from tests.pages import translated
from tests.web.tournament.forms import pair_keys, refusal_page, send
from tests.web.tournament.hall import Hall


@pytest.fixture
def level(server):
    """A finished tournament of four pairs, two of them level on the first place."""
    hall = Hall(server, rounds=1, seed="x")
    hall.play()
    hall.send("/prizes", lines="300 EUR\n200 EUR", consolation="")
    return hall


def names_in_order(hall, count):
    names = hall.names()
    return [names[number] for number in hall.order()[:count]]


def test_drawing_lots_makes_no_winner(level):
    first, second = names_in_order(level, 2)
    desk = level.page()
    assert desk.has(id="next", data_over=True)
    assert f"{first}; {second}" in desk.one(data_level=1).text
    assert not desk.has(data_winners=True)
    assert f'class="button primary" href="/p/{level.key}/deciders"' in desk
    wall = level.page("/hall")
    assert f"{first}; {second}" in wall.one(data_level=1).text
    assert wall.has(data_undecided=True) and not wall.has(data_winners=True)
    # The lot decided all four places. A deciding game may still replace it for the first two.
    lot, for_now = (translated(REASONS[code]) for code in ("lot", "level"))
    assert [wall.count(f"<small>{text}</small>") for text in (lot, for_now)] == [2, 2]
    # The list of prizes shows how the order was decided.
    prizes = level.page("/print/prizes")
    assert prizes.count(f"<small>{for_now}</small>") == 2
    assert prizes.has(data_undecided=True)
    published = level.page("/results.html").all("table")
    assert [lot in table.text for table in published] == [True, True, False]


def test_announced_lot_is_not_offered_again(level):
    first = names_in_order(level, 1)[0]
    announces = level.page().all("form", action=f"/p/{level.key}/announce")[0]
    text = announces.one("button")["value"]
    assert first in text
    level.send("/announce", text=text)
    assert text in level.page("/hall")
    assert f'name="text" value="{text}"' not in level.page().split("<details>")[0]


def test_a_deciding_game_makes_a_winner(level):
    winner, loser = reversed(level.order()[:2])
    level.send("/decider", winner=winner, loser=loser)
    for path in ("", "/hall", "/print/prizes"):
        text = level.page(path)
        assert level.names()[winner] in text.one(data_winners=True).text
        # The third and the fourth are level too, but no prize depends on it.
        assert not text.has(data_level=True)
    for path in ("/print/prizes", "/hall"):
        assert level.page(path).count(f"<small>{translated(REASONS['decider'])}</small>") == 2


def test_one_tap_settles_level_pairs(level):
    first, second = level.order()[:2]
    forms = level.page("/deciders").all("form", data_place=1)
    names = level.names()
    chosen = {int(dict(form.fields)["winner"]): form for form in forms}
    assert {names[n]: form.one("button").text for n, form in chosen.items()} == {
        name: name for name in names_in_order(level, 2)
    }
    level.send("/decider", **dict(chosen[second].fields))
    assert level.order()[:2] == [second, first]
    # The noted game replaces the question.
    page = level.page("/deciders")
    noted = page.one("form", data_noted=True)
    assert not page.has("form", data_place=1)
    # A page opened before asks about the opposite result beside that result's button.
    fields = dict(chosen[first].fields)
    assert level.refusal_page("/decider", **fields).count('name="sure"') == 1
    level.send("/decider", **fields, sure=1)
    assert level.order()[:2] == [first, second]
    level.send("/decider", **dict(noted.fields))
    assert len(level.page("/deciders").all("form", data_place=1)) == 2


def test_level_places_are_flagged_if_prizes_differ(level):
    winner, loser = level.order()[:2]
    level.send("/decider", winner=winner, loser=loser)
    for lines, flagged in (("1\n2\nWurst\nWurst", False), ("1\n2\nSpeck", True)):
        level.send("/prizes", lines=lines, consolation="")
        assert [level.page(path).has(data_level=3) for path in ("", "/hall")] == [flagged] * 2


def test_slip_page_explains_a_level_place(level):
    text = level.server.page(f"/e/{pair_keys(level.server, level.key)[0]}")
    assert translated(REASONS["lot"]) in text and text.has(data_level=1)


def test_prizes_go_to_their_places(server, drawn):
    form = {"consolation": "Eine Wurst", "to": "last-but-one"}
    send(server, f"/p/{drawn}/prizes", **form, lines=["300 €", "Ein Ferkel", "", ""])
    fields = server.page(f"/p/{drawn}/prizes").all("input", name="lines")
    assert [field["value"] for field in fields[:3]] == ["300 €", "Ein Ferkel", ""]
    text = server.page(f"/p/{drawn}/print/prizes")
    cells = re.findall(r'rank">(\d)</td>.*?text" dir="auto">([^<]*)<', text, re.DOTALL)
    assert [place for place, _ in cells] == ["1", "2", "3"]
    assert [prize.split(": ")[-1] for _, prize in cells] == ["300 €", "Ein Ferkel", "Eine Wurst"]


def test_consolation_skips_withdrawn_pairs(server, drawn):
    send(server, f"/p/{drawn}/prizes", lines="300 €", consolation="Trost", to="last")
    last = server.tournament(drawn)["standings"][-1]["pair"]
    send(server, f"/p/{drawn}/pairs/{last}", do="abmeldung")
    text = server.page(f"/p/{drawn}/print/prizes")
    assert re.search(r'rank">3</td>.*?Trost', text, re.DOTALL)


@pytest.fixture
def crowded(server):
    """The director's key of a tournament in which ten pairs share the first place."""
    hall = Hall(server, 20, rounds=1, ranking=["won"])
    hall.play()
    return hall.key


def test_chosen_pairs_can_be_settled_by_a_decider(server, crowded):
    text = server.page(f"/p/{crowded}/deciders")
    level = [option["value"] for option in text.all("select", name="pair")[0].all("option")]
    assert len(level) > 3
    # Before the director says who plays, nobody can be noted as the winner.
    assert not text.has(data_place=True)
    chosen = server.page(f"/p/{crowded}/deciders?pair={level[3]}&pair={level[0]}")
    form = chosen.all(data_place="1")[0]
    send(server, f"/p/{crowded}/decider", form.fields)
    first = server.tournament(crowded)["standings"][0]
    assert (first["pair"], first["tie"]) == (int(dict(form.fields)["winner"]), "decider")
    # The page says who has not played yet, and offers two of them next.
    text = server.page(f"/p/{crowded}/deciders")
    assert text.data("without-game") == [str(len(level) - 2)]
    picked = [option["value"] for option in text.all("option", selected="")[:2]]
    assert len({*picked, level[0], level[3]}) == 4


def test_level_pairs_of_a_circle_play_again(server):
    hall = Hall(server, 6, rounds=1, ranking=["won"])
    hall.play()
    first, second, third = hall.order()[:3]
    for winner, loser in ((first, second), (second, third)):
        hall.send("/decider", winner=winner, loser=loser)
        assert not hall.page("/deciders").has(data_still_level=True)
    hall.send("/decider", winner=third, loser=first)
    page = hall.page("/deciders")
    assert page.data("still-level") == ["3"]
    [again] = (
        form
        for form in page.all("form", data_place="1")
        if {("winner", str(third)), ("loser", str(first))} <= {*form.fields}
    )
    send(server, f"/p/{hall.key}/decider", again.fields)
    assert hall.order()[:3] == [third, second, first]
    assert not hall.page("/deciders").has(data_still_level=True)


@pytest.mark.parametrize("count", [2, 3, 4])
def test_games_of_a_few_level_pairs_are_listed(server, count):
    hall = Hall(server, 2 * count, rounds=1, ranking=["won"])
    hall.play()
    hall.send("/prizes", lines=["300 €", "200 €"], consolation="")
    level, names = sorted(hall.order()[:count]), hall.names()
    games = [f"{first}-{second}" for first, second in combinations(level, 2)]
    for played in range(len(games)):
        page = hall.page("/deciders")
        decisive = [item for item in page.all("li", data_game=True) if item["data-game"] in games]
        # The list keeps its order, and a game is open until its winner is tapped.
        assert [item["data-game"] for item in decisive] == games
        assert [item.has("form", data_noted=True) for item in decisive] == [
            number < played for number in range(len(games))
        ]
        first, second = decisive[played].all("form", data_place="1")
        assert [form.one("button").text for form in (first, second)] == [
            names[int(number)] for number in games[played].split("-")
        ]
        send(server, f"/p/{hall.key}/decider", first.fields)
    # The first of each game won, so the order is that of the numbers.
    assert hall.order()[:count] == level
    assert not hall.page("/deciders").has("form", data_place="1")


@pytest.mark.parametrize("count", [5, 6, 8])
def test_games_of_more_level_pairs_are_planned_by_leg(server, count):
    hall = Hall(server, 2 * count, rounds=1, ranking=["won"])
    hall.play()
    hall.send("/prizes", lines=["300 €", "200 €"], consolation="")
    level, met = sorted(hall.order()[:count]), set()
    legs = count - 1 + count % 2
    for leg in range(1, legs + 1):
        page = hall.page("/deciders")
        assert page.data("leg")[0] == str(leg)
        forms = page.all("form", data_place="1")
        games = [dict(form.fields) for form in forms[::2]]
        playing = [int(game[side]) for game in games for side in ("winner", "loser")]
        # They can be played at the same time.
        assert len(playing) == len({*playing}) == count - count % 2
        met |= {frozenset((game["winner"], game["loser"])) for game in games}
        for form in forms[::2]:
            send(server, f"/p/{hall.key}/decider", form.fields)
    assert len(met) == count * (count - 1) // 2
    assert not hall.page("/deciders").has("form", data_place="1")
    assert {*hall.order()[:count]} == {*level}


def test_level_pairs_share_a_place_until_a_game_parts_them(server):
    """Two of three games are played, so two pairs have lost once."""
    hall = Hall(server, 6, rounds=1, ranking=["won"])
    hall.play()
    hall.send("/prizes", lines=["300 €", "200 €", "200 €"], consolation="")
    first, second, third = sorted(hall.order()[:3])
    for loser in (second, third):
        hall.send("/decider", winner=first, loser=loser)
    outcome, names = hall.page("/deciders").one(data_outcome=True).text, hall.names()
    assert "2–3" in outcome
    assert outcome.index(names[first]) < min(outcome.index(names[n]) for n in (second, third))


def test_deciders_are_provisional_until_every_level_pair_has_played_one(server):
    hall = Hall(server, 6, rounds=1, ranking=["won"])
    hall.play()
    hall.send("/prizes", lines=["300 €", "200 €"], consolation="")
    first, second, third = hall.order()[:3]
    reasons = {code: translated(REASONS[code]) for code in ("decider", "decider-so-far")}
    for game, code in (((second, first), "decider-so-far"), ((first, third), "decider")):
        hall.send("/decider", winner=game[0], loser=game[1])
        texts = [small.text for small in hall.page("/print/prizes").all("small")]
        assert {texts.count(reasons[other]) for other in reasons if other != code} == {0}
        assert reasons[code] in texts


def test_a_pair_cannot_be_chosen_against_itself(server, crowded):
    page = server.page(f"/p/{crowded}/deciders")
    [pair, *_] = [option["value"] for option in page.all("select", name="pair")[0].all("option")]
    page = server.page(f"/p/{crowded}/deciders?pair={pair}&pair={pair}")
    assert page.has(role="alert", data_code="same-pair")
    assert (
        page.one("select", aria_describedby="same-pair").one("option", selected="")["value"] == pair
    )


def test_ties_without_a_prize_are_folded_below(level):
    page = level.page("/deciders")
    folded = page.one(data_without_prize=True)
    shown = [
        [form["data-place"] for form in at.all("form", data_place=True)] for at in (page, folded)
    ]
    assert shown == [["1", "1", "3", "3"], ["3", "3"]]
    level.send("/prizes", lines="1\n2\nSpeck", consolation="")
    assert not level.page("/deciders").has(data_without_prize=True)


def test_a_noted_game_is_not_offered_again(server, crowded):
    page = server.page(f"/p/{crowded}/deciders")
    level = [option["value"] for option in page.all("select", name="pair")[0].all("option")]
    send(server, f"/p/{crowded}/decider", winner=level[0], loser=level[1])
    page = server.page(f"/p/{crowded}/deciders?pair={level[0]}&pair={level[1]}")
    assert [option["value"] for option in page.all("option", selected="")[:2]] != level[:2]


def test_deciding_game_gets_its_own_table(server, drawn):
    path = f"/p/{drawn}/decider"
    # The director stays on the page, which leads to the table and to its codes.
    page = server.page(send(server, path, winner=1, loser=2, table=1))
    table, share = (link["href"] for link in page.one(data_opened="1-2").all("a"))
    key = table.rsplit("/", 1)[1]
    assert share == f"{table}/share"
    record = server.record(key)
    assert [side["name"] for side in record["sides"]] == ["Anna & Bert", "Cilli & Dora"]
    server.play(key, {"do": "gewinnt", "side": 0, "stake": 3})
    # To 5, gespannt at 3.
    target, near = record["resolved"]["values"]["target"], server.state(key)["near"]
    assert (target, near) == (5, [True, False])
    assert refusal_page(server, path, winner=9, loser="x", table=1).code == "not-level"


@pytest.fixture
def categories(server):
    """A played tournament of four pairs: three of a category that has prizes, one of none."""
    players = [["Anna", "Berta"], ["Cilli", "Dora"], ["Emma", "Fanny"], ["Gustl", "Hias"]]
    pairs = [{"players": two, "category": "Damen"} for two in players[:3]]
    hall = Hall(server, rounds=1, pairs=[*pairs, {"players": players[3]}])
    hall.play()
    ladies = {"category": "Damen", "category-lines": "Blumen\nSekt"}
    hall.send("/prizes", lines="Schinken", consolation="", once=1, **ladies)
    return hall


def test_prizes_of_a_category_are_printed_before_the_first_draw(server):
    hall = Hall(server, 2)
    hall.send("/prizes", **{"category": "Damen", "category-lines": "Blumen\nSekt"})
    prizes = hall.page("/print/prizes").one(data_category="Damen").all("tr")[1:]
    assert [row.all("td")[-1].text for row in prizes] == ["Blumen", "Sekt"]
    assert not any(row.th.text for row in prizes)


def test_prize_list_names_nobody_while_finals_are_ahead(server):
    hall = Hall(server, 4, rounds=1, finals={"best": 2})
    hall.send("/prizes", lines="300 EUR", consolation="")
    hall.play()
    assert not any(name in hall.page("/print/prizes") for name in hall.names().values())
    hall.play()
    assert hall.names()[hall.order()[0]] in hall.page("/print/prizes")


def test_category_has_its_own_prize_list(categories):
    order, names = categories.order(), categories.names()
    placed = [n for n in order if n != 4]
    rows = categories.page("/print/prizes").one(data_category="Damen").all("tr")[1:]
    listed = [[cell.text for cell in row.all("td") + row.all("th")] for row in rows]
    prizes = ["Blumen", "Sekt", ""] if placed[0] != order[0] else ["", "Blumen", "Sekt"]
    assert listed == [
        [str(place), str(order.index(n) + 1), prize, names[n]]
        for place, (n, prize) in enumerate(zip(placed, prizes, strict=True), 1)
    ]
    assert "Blumen" in categories.page("/results.html")
    page = categories.page("/print/certificates?best=1&category=Damen")
    certificate = page.one(class_="certificate").text
    assert names[placed[0]] in certificate and "Damen" in certificate


def test_form_warns_of_a_category_that_no_pair_has(categories):
    """A misspelt category would get no prize."""
    assert not categories.page("/prizes").has(data_empty_category=True)
    categories.send(
        "/prizes", lines="", consolation="", **{"category": "Dame", "category-lines": "Sekt"}
    )
    form = categories.page("/prizes")
    [fields] = (one for one in form.all(css="category") if one.has(data_empty_category=True))
    assert fields.has("input", value="Dame")


def test_director_reads_out_the_prizes_of_categories(categories):
    categories.send("/settings", ceremony="1", do="call")
    calls = categories.page().one(id="prize-giving").one("ol").all("li")
    read_out = [row for row in calls if "Damen" in row.text]
    names = categories.names()
    first, second = [n for n in categories.order() if n != 4][:2]
    if categories.order()[0] == first:  # It has the main prize.
        first, second = [n for n in categories.order() if n != 4][1:3]
    assert [
        (row.one(css="prize").text, names[n] in row.text)
        for row, n in zip(read_out, (second, first), strict=True)
    ] == [("Sekt", True), ("Blumen", True)]


def test_tie_of_pairs_of_two_categories_needs_no_deciding_game(server):
    """Only pairs of a category compete for its prize."""
    for other, needs in (("", False), ("Damen", True)):
        pairs = [
            {"players": [f"A{n}", f"B{n}"], "category": category, "club": f"Club {n // 2}"}
            for n, category in enumerate(("", "", "Damen", other))
        ]
        hall = Hall(server, pairs=pairs, rounds=1)
        # Pairs 3 and 4 are of one club, so they do not meet. Both lose by the same points.
        for match in hall.draw():
            points = (8, 15) if match["pairs"][0] in (3, 4) else (15, 8)
            assert hall.enter(1, match["table"], points)[0] == 201
        ladies = {"category": "Damen", "category-lines": "Blumen"}
        hall.send("/prizes", lines="Schinken", consolation="", **ladies)
        level = [group["data-level"] for group in hall.page("/hall").all("b", data_level=True)]
        assert ("3" in level) == needs, (other, level)


def test_no_other_button_is_in_the_place_of_the_last_call(categories):
    categories.send("/settings", ceremony="1", do="call")
    for _ in categories.page().one(id="prize-giving").one("ol").all("li"):
        form = categories.page().one(id="prize-giving").one(css="row").all("form")[0]
        categories.post_fields(f"/p/{categories.key}/settings", form.fields)
    first = categories.page().one(id="prize-giving").one(css="row").all("button")[0]
    assert first.has_attr("disabled")


def test_category_prizes_can_be_changed_in_the_form(categories):
    form = categories.page("/prizes").all("form", action=f"/p/{categories.key}/prizes")[0]
    named = [box["value"] for box in form.all("input", name="category")]
    prizes = [box.get_text() for box in form.all("textarea", name="category-lines")]
    assert [*zip(named, prizes, strict=True)] == [("Damen", "Blumen\nSekt"), ("", "")]
    categories.send("/prizes", lines="", category="Damen", **{"category-lines": " \n"})
    assert "Blumen" not in categories.page("/print/prizes")
    # What is refused stays as it was typed.
    nameless = {"lines": "x", "category": "", "category-lines": "Most"}
    page = categories.refusal_page("/prizes", **nameless)
    assert "Most" in page.one(id="categories").text


def test_category_is_set_by_list_form_and_sign_up(server):
    hall = Hall(server, 0, rounds=1)
    lines = "Spieler 1;Spieler 2;Kategorie\nAnna;Bert;Mixed\nCilli;Dora;Damen"
    hall.send("/pairs/list", list=lines, take=1)
    hall.send("/pairs", player=["Emma", "Fanny"], category="Damen")
    signup = f"/p/{hall.keys['signup']}/signup"
    assert [option.text for option in server.page(signup).all("option")] == ["–", "Damen", "Mixed"]
    send(server, signup, player=["Gusti", "Hilda"], category="Damen")
    [number] = re.findall(r'name="signed" value="(\d+)"', hall.page("/pairs"))
    hall.send("/pairs/signed", do="aufnahme", signed=number)
    change = {"name": "Anna & Bert", "player": ["Anna", "Bert"], "category": ""}
    hall.send("/pairs/1", do="aenderung", entries=1, **change)
    assert [pair.get("category", "") for pair in hall.tournament()["pairs"]] == ["", *["Damen"] * 3]
    # The list goes out as it comes in.
    assert '"Cilli & Dora";"Cilli";"Dora";"";"1";"Damen"' in hall.page("/pairs.csv")


def test_groups_play_their_deciding_games_among_themselves(server):
    groups = {"format": "groups", "groups": {"count": 2, "best": 1}, "finals": {"best": 2}}
    hall = Hall(server, 6, rounds=99, **groups)
    opponents = {pair: {pair} for pair in range(1, 7)}
    wins = Counter()
    for number in (1, 2, 3):
        for table in hall.draw():
            # In each group, every pair wins once.
            first, second = table["pairs"]
            winner = min(first, second, key=lambda pair: (wins[pair], -len(opponents[pair])))
            wins[winner] += 1
            opponents[first].add(second)
            opponents[second].add(first)
            points = (15, 10) if winner == first else (10, 15)
            assert hall.enter(number, table["table"], points)[0] == 201
    page = hall.page("/deciders")
    games = [item["data-game"].split("-") for item in page.all("li", data_game=True)]
    members = [{int(pair) for game in games[at : at + 3] for pair in game} for at in (0, 3)]
    assert len(games) == 6
    assert all(opponents[pair] == group for group in members for pair in group)
    # The desk lists the level pairs of each group apart.
    names = hall.names()
    level = [line.text for line in hall.page().all("p", data_level="finals")]
    assert [[names[pair] in line for pair in names] for line in level] == [
        [pair in group for pair in names] for group in members
    ]
    first, second = (min(group) for group in members)
    assert hall.refusal_page("/decider", winner=first, loser=second).code == "not-level"
    # Phones show the place within the group.
    place = server.page(f"/e/{pair_keys(server, hall.key)[0]}").one("p", data_place=True)
    assert re.match(r"Gruppe [12]: [123]\. Platz ", place.text)


def test_deciding_games_say_who_is_in_the_finals(server):
    hall = Hall(server, 6, rounds=1, finals={"best": 4})
    hall.play()
    names, level = hall.names(), hall.order()[3:]
    lot, for_now, decider = (translated(REASONS[code]) for code in ("lot", "level", "decider"))
    standings = hall.page("/standings")
    # The first three are in the finals, whatever their order. The others are level for one place.
    assert [standings.count(f"<small>{reason}</small>") for reason in (lot, for_now)] == [3, 3]
    announced = hall.page("/hall").one(data_level="finals").text
    assert all(names[pair] in announced for pair in level)
    hall.send("/decider", winner=level[2], loser=level[0])
    assert not hall.page("/deciders").has(data_outcome=True)
    hall.send("/decider", winner=level[2], loser=level[1])
    page = hall.page("/deciders")
    assert page.one(data_outcome=True).text.endswith(names[level[2]])
    # The third game can still be played.
    assert page.one("li", data_game="-".join(map(str, sorted(level[:2])))).has(
        "form", data_place=True
    )
    assert page.has("a", class_="button primary", href=f"/p/{hall.key}#next")
    assert decider in hall.page("/standings").one(id=f"standing-{level[2]}").text
    assert names[level[2]] in hall.page().one(data_qualified=True).text
    hall.send("/decider", winner=level[1], loser=level[0])
    assert not hall.page("/deciders").has("form", data_place="4")


def test_deciding_game_gives_the_places(level):
    first, second = level.order()[:2]
    level.send("/decider", winner=second, loser=first)
    text = level.page("/deciders").one(data_outcome=True).text
    names = level.names()
    assert text.index(names[second]) < text.index(names[first])
