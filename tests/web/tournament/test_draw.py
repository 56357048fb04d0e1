"""Draws: made, taken back, and changed before the round is played."""

import re

from tests.web.tournament.forms import (
    WON,
    boxes,
    enter_pairs,
    post,
    refusal_page,
    seats,
    visitor_and_signup_keys,
)


def mark_two_present(server, director):
    """Mark the first two pairs of the list as present."""
    for number in (1, 2):
        mark = [("token", f"m{number}"), ("do", "vermerk"), ("mark", "here")]
        assert post(server, f"/p/{director}/pairs/{number}", mark)[0] == 303


def test_only_present_pairs_are_drawn(server, director):
    enter_pairs(server, director, "A;B\nC;D\nE;F")
    mark_two_present(server, director)
    assert "E & F" in server.page(f"/p/{director}").one(data_away=1).text
    assert post(server, f"/p/{director}/draw", [("token", "d"), ("who", "here")])[0] == 303
    tournament = server.tournament(director)
    assert [sorted(t["pairs"]) for t in tournament["draws"][0]["tables"]] == [[1, 2]]
    assert [line["rank"] for line in tournament["standings"]] == [1, 2, None]


def test_drawing_few_present_pairs_needs_confirmation(server, director):
    enter_pairs(server, director, "A;B\nC;D\nE;F\nG;H\nI;J")
    mark_two_present(server, director)
    here = [("token", "d"), ("who", "here")]
    text = refusal_page(server, f"/p/{director}/draw", here)
    assert text.code == "few-here"
    assert re.findall(r"\d", text.one(data_code="few-here").text) == ["2", "5"]
    # The same button, pressed again, draws the round.
    [form] = [form for form in text.all("form") if form.has("button", name="who", value="here")]
    sure = [*form.fields, ("who", "here")]
    assert post(server, f"/p/{director}/draw", sure)[0] == 303
    assert len(server.tournament(director)["draws"]) == 1


def test_draw_after_an_undo_restores_the_slips(server, director):
    enter_pairs(server, director, "A;B\nC;D\nE;F")
    mark_two_present(server, director)
    here = [("token", "d"), ("who", "here")]
    assert post(server, f"/p/{director}/draw", here)[0] == 303
    scorer = seats(server, director)[0]
    text = server.page(f"/p/{director}")
    assert text.has(data_void=True)
    [form] = [form for form in text.all("form") if form["action"].endswith("/take-back")]
    back = [*form.fields, ("round", "1")]
    assert post(server, form["action"], back)[0] == 303
    assert server.page(f"/e/{scorer}", 404).code == "draw-undone"
    # The desk asks again who is missing. The same pairs get the same draw with the same slips.
    assert server.page(f"/p/{director}").has(data_away="1")
    assert post(server, f"/p/{director}/draw", [("token", "e"), ("who", "here")])[0] == 303
    assert seats(server, director)[0] == scorer
    assert server.page(f"/e/{scorer}").has("form", action=f"/e/{scorer}")


def test_desk_shows_players_without_a_partner(server, played):
    form = [("token", "s"), ("player", "Zenzi"), ("player", "")]
    post(server, f"/p/{played}/pairs", form)
    assert server.page(f"/p/{played}").data("singles") == ["1"]


def test_resent_draw_draws_one_round(server, played):
    for table in (1, 2):
        post(server, f"/p/{played}/match/1/{table}", boxes([*WON, [15, 0]], token=f"r{table}"))
    for _ in range(2):
        post(server, f"/p/{played}/draw", [("token", "same"), ("anyway", "1")])
    assert len(server.tournament(played)["draws"]) == 2


def test_desk_draws_undoes_and_ends_the_rounds(server, played):
    text = refusal_page(server, f"/p/{played}/draw", [("token", "e")])
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


def test_draw_being_scored_cannot_be_undone(server, played):
    scorer, _ = seats(server, played)
    server.write(scorer, {"do": "gewinnt", "side": 0}, "1")
    text = refusal_page(server, f"/p/{played}/take-back", [("token", "b"), ("round", "1")])
    assert text.code == "being-scored"
    assert re.findall(r"\d", text.one(data_code=True).text) == ["1"]


def test_pairs_and_tables_can_be_swapped(server, played):
    before = server.tournament(played)["draws"][0]["tables"]
    first, second = before[0]["pairs"][0], before[1]["pairs"][0]
    old_keys = [seats(server, played)[0], seats(server, played, 2)[1]]
    form = [("token", "s"), ("round", "1"), ("first", first), ("second", second)]
    assert post(server, f"/p/{played}/swap", [*form, ("what", "pairs")])[0] == 303
    after = server.tournament(played)["draws"][0]["tables"]
    assert [t["pairs"][0] for t in after] == [second, first]
    for old_key in old_keys:
        assert server.page(f"/e/{old_key}", 404).code == "pairs-swapped"
    assert server.page(f"/t/{old_keys[0]}").one(data_gone=True).code == "pairs-swapped"
    fresh = seats(server, played)[0]
    assert server.page(f"/e/{fresh}").one("form", action=f"/e/{fresh}", css="stack").has(name="a")
    form = [("token", "t"), ("round", "1"), ("first", "1"), ("second", "2"), ("what", "tables")]
    assert post(server, f"/p/{played}/swap", form)[0] == 303
    turned = server.tournament(played)["draws"][0]["tables"]
    assert {t["table"]: t["pairs"] for t in turned}[1] == after[1]["pairs"]


def test_swap_accepts_names_and_refuses_invalid_pairs(server, played):
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
        text = refusal_page(server, f"/p/{played}/swap", form)
        assert (text.code, second in text.one(data_code=True).text) == (code, True)


def test_draw_seed_is_shown_folded_and_on_paper(server, played):
    key, _ = visitor_and_signup_keys(server, played)
    tournament = server.tournament(key)
    assert "seed" not in tournament
    # Seed and digest are folded on the standings, for people who check the draw.
    standings = server.page(f"/p/{key}/standings")
    before, folded = standings.partition('<details class="seeds">')[::2]
    for figure in (tournament["seed_digest"], tournament["draws"][0]["seed"]):
        assert figure in folded
        assert figure not in before
        assert figure in server.page(f"/p/{played}/paper")
        assert figure not in server.page(f"/p/{played}")
