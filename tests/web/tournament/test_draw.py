"""Draws: made, taken back, and changed before the round is played."""

import re

from tests.web.tournament.forms import WON, boxes, hall, post, refused, seats


def two_come(server, director):
    """Mark the first two pairs of the list as present."""
    for number in (1, 2):
        mark = [("token", f"m{number}"), ("do", "vermerk"), ("mark", "here")]
        assert post(server, f"/p/{director}/pairs/{number}", mark)[0] == 303


def test_drawn_are_those_who_are_there(server, director):
    lines = "A;B\nC;D\nE;F"
    form = [("token", "t"), ("list", lines), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    two_come(server, director)
    assert "E & F" in server.page(f"/p/{director}").one(data_away=1).text
    assert post(server, f"/p/{director}/draw", [("token", "d"), ("who", "here")])[0] == 303
    found = server.tournament(director)
    assert [sorted(t["pairs"]) for t in found["draws"][0]["tables"]] == [[1, 2]]
    assert [line["rank"] for line in found["standings"]] == [1, 2, None]


def test_few_who_are_there_are_asked_about(server, director):
    form = [("token", "t"), ("list", "A;B\nC;D\nE;F\nG;H\nI;J"), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    two_come(server, director)
    here = [("token", "d"), ("who", "here")]
    text = refused(server, f"/p/{director}/draw", here)
    assert text.code == "few-here"
    assert re.findall(r"\d", text.one(data_code="few-here").text) == ["2", "5"]
    # The same button, pressed again, draws the round.
    [form] = [one for one in text.all("form") if one.has("button", name="who", value="here")]
    sure = [*form.fields, ("who", "here")]
    assert post(server, f"/p/{director}/draw", sure)[0] == 303
    assert len(server.tournament(director)["draws"]) == 1


def test_draw_taken_back_asks_and_returns(server, director):
    form = [("token", "t"), ("list", "A;B\nC;D\nE;F"), ("take", "1")]
    assert post(server, f"/p/{director}/pairs/list", form)[0] == 303
    two_come(server, director)
    here = [("token", "d"), ("who", "here")]
    assert post(server, f"/p/{director}/draw", here)[0] == 303
    scorer = seats(server, director)[0]
    text = server.page(f"/p/{director}")
    assert text.has(data_void=True)
    [form] = [one for one in text.all("form") if one["action"].endswith("/take-back")]
    back = [*form.fields, ("round", "1")]
    assert post(server, form["action"], back)[0] == 303
    assert server.page(f"/e/{scorer}", 404).code == "draw-undone"
    # The desk asks again who is missing. The same pairs get the same draw with the same slips.
    assert server.page(f"/p/{director}").has(data_away="1")
    assert post(server, f"/p/{director}/draw", [("token", "e"), ("who", "here")])[0] == 303
    assert seats(server, director)[0] == scorer
    assert server.page(f"/e/{scorer}").has("form", action=f"/e/{scorer}")


def test_single_is_not_forgotten_at_the_draw(server, played):
    form = [("token", "s"), ("player", "Zenzi"), ("player", "")]
    post(server, f"/p/{played}/pairs", form)
    assert server.page(f"/p/{played}").data("singles") == ["1"]


def test_a_draw_sent_twice_is_drawn_once(server, played):
    for table in (1, 2):
        post(server, f"/p/{played}/match/1/{table}", boxes([*WON, [15, 0]], token=f"r{table}"))
    for _ in range(2):
        post(server, f"/p/{played}/draw", [("token", "same"), ("anyway", "1")])
    assert len(server.tournament(played)["draws"]) == 2


def test_the_desk_draws_on_takes_back_and_ends(server, played):
    text = refused(server, f"/p/{played}/draw", [("token", "e")])
    assert text.code == "results-missing"
    assert re.findall(r"\d", text.one(data_code=True).text) == ["1", "2"]
    back = [("token", "b"), ("round", "1")]
    assert post(server, f"/p/{played}/take-back", back)[0] == 303
    assert server.page(f"/p/{played}").has(data_undrawn=True)
    post(server, f"/p/{played}/draw", [("token", "again")])
    for table in (1, 2):
        post(server, f"/p/{played}/match/1/{table}", boxes([*WON, [15, 0]], token=f"r{table}"))
    assert post(server, f"/p/{played}/draw", [("token", "two")])[0] == 303
    assert post(server, f"/p/{played}/draw", [("token", "forced"), ("anyway", "1")])[0] == 422


def test_played_draw_is_not_taken_back(server, played):
    scorer, _ = seats(server, played)
    server.write(scorer, {"do": "gewinnt", "side": 0}, "1")
    text = refused(server, f"/p/{played}/take-back", [("token", "b"), ("round", "1")])
    assert text.code == "being-scored"
    assert re.findall(r"\d", text.one(data_code=True).text) == ["1"]


def test_a_page_of_an_undone_draw_says_so(server, played):
    scorer, _ = seats(server, played)
    assert post(server, f"/p/{played}/take-back", [("token", "b"), ("round", "1")])[0] == 303
    assert server.page(f"/e/{scorer}", 404).code == "draw-undone"


def test_pairs_and_tables_swap(server, played):
    before = server.tournament(played)["draws"][0]["tables"]
    first, second = before[0]["pairs"][0], before[1]["pairs"][0]
    key, _ = seats(server, played)
    form = [("token", "s"), ("round", "1"), ("first", first), ("second", second)]
    assert post(server, f"/p/{played}/swap", [*form, ("what", "pairs")])[0] == 303
    after = server.tournament(played)["draws"][0]["tables"]
    assert [t["pairs"][0] for t in after] == [second, first]
    assert server.page(f"/e/{key}", 404).code == "pairs-swapped"
    fresh = seats(server, played)[0]
    assert server.page(f"/e/{fresh}").one("form", action=f"/e/{fresh}", css="stack").has(name="a")
    form = [("token", "t"), ("round", "1"), ("first", "1"), ("second", "2"), ("what", "tables")]
    assert post(server, f"/p/{played}/swap", form)[0] == 303
    turned = server.tournament(played)["draws"][0]["tables"]
    assert {t["table"]: t["pairs"] for t in turned}[1] == after[1]["pairs"]


def test_swap_by_name_and_its_refusals(server, played):
    text = server.page(f"/p/{played}")
    options = text.one("datalist").all("option")
    assert options[0]["value"] == "1"
    assert re.search(r"^Anna & Bert\b.*\b[12]$", options[0].text)
    assert len(options) == 4
    before = server.tournament(played)["draws"][0]["tables"]
    first, second = (table["pairs"][0] for table in before)
    names = ["anna bert", "Cilli", "EMIL", "gustl"]
    named = [("first", names[first - 1]), ("second", names[second - 1])]
    form = [("token", "n"), ("round", "1"), ("what", "pairs"), *named]
    assert post(server, f"/p/{played}/swap", form)[0] == 303
    after = server.tournament(played)["draws"][0]["tables"]
    assert [table["pairs"][0] for table in after] == [second, first]
    refusals = (
        ("1", "1", "swapped-with-itself"),
        ("1", "9", "not-in-this-round"),
        ("Anna", "Niemand", "not-in-this-round"),
        ("Anna", "a", "not-in-this-round"),
    )
    for first, second, code in refusals:
        form = [("token", f"{first}{second}"), ("round", "1"), ("what", "pairs")]
        form += [("first", first), ("second", second)]
        text = refused(server, f"/p/{played}/swap", form)
        assert (text.code, second in text.one(data_code=True).text) == (code, True)


def test_the_seed_is_told_only_after_the_draw(server, played):
    key, _ = hall(server, played)
    found = server.tournament(key)
    assert "seed" not in found
    # Seed and digest are folded on the standings, for people who check the draw.
    standings = server.page(f"/p/{key}/standings")
    before, folded = standings.partition('<details class="seeds">')[::2]
    for figure in (found["seed_digest"], found["draws"][0]["seed"]):
        assert figure in folded
        assert figure not in before
        assert figure in server.page(f"/p/{played}/paper")
        assert figure not in server.page(f"/p/{played}")
