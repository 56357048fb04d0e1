"""Draws: made, taken back, and changed before the round is played."""

import re

import pytest

from tests.web.tournament.forms import (
    FOUR,
    boxes,
    enter_pairs,
    pair_keys,
    refusal_page,
    send,
    visitor_and_signup_keys,
)
from tests.web.tournament.hall import Hall


def mark_two_present(server, director):
    """Mark the first two pairs of the list as present."""
    for number in (1, 2):
        send(server, f"/p/{director}/pairs/{number}", do="vermerk", mark="here")


def test_only_present_pairs_are_drawn(server, director):
    enter_pairs(server, director, "A;B\nC;D\nE;F")
    mark_two_present(server, director)
    assert "E & F" in server.page(f"/p/{director}").one(data_away=1).text
    send(server, f"/p/{director}/draw", who="here")
    tournament = server.tournament(director)
    assert [sorted(t["pairs"]) for t in tournament["draws"][0]["tables"]] == [[1, 2]]
    assert [line["rank"] for line in tournament["standings"]] == [1, 2, None]


def test_drawing_few_present_pairs_needs_confirmation(server, director):
    enter_pairs(server, director, "A;B\nC;D\nE;F\nG;H\nI;J")
    mark_two_present(server, director)
    text = refusal_page(server, f"/p/{director}/draw", who="here")
    assert text.code == "few-here"
    assert re.findall(r"\d", text.one(data_code="few-here").text) == ["2", "5"]
    # The same button, pressed again, draws the round.
    [form] = [form for form in text.all("form") if form.has("button", name="who", value="here")]
    send(server, f"/p/{director}/draw", [*form.fields, ("who", "here")])
    assert len(server.tournament(director)["draws"]) == 1


def test_draw_after_an_undo_restores_the_slips(server, director):
    enter_pairs(server, director, "A;B\nC;D\nE;F")
    mark_two_present(server, director)
    send(server, f"/p/{director}/draw", who="here")
    scorer = pair_keys(server, director)[0]
    text = server.page(f"/p/{director}")
    assert text.has(data_void=True)
    [form] = [form for form in text.all("form") if form["action"].endswith("/take-back")]
    send(server, form["action"], [*form.fields, ("round", "1")])
    assert server.page(f"/e/{scorer}", 404).code == "draw-undone"
    # The desk asks again who is missing. The same pairs get the same draw with the same slips.
    assert server.page(f"/p/{director}").has(data_away="1")
    send(server, f"/p/{director}/draw", who="here")
    assert pair_keys(server, director)[0] == scorer
    assert server.page(f"/e/{scorer}").has("form", action=f"/e/{scorer}")


def test_desk_shows_players_without_a_partner(server, drawn):
    send(server, f"/p/{drawn}/pairs", player=["Zenzi", ""])
    assert server.page(f"/p/{drawn}").data("singles") == ["1"]


def test_desk_draws_undoes_and_ends_the_rounds(server, drawn):
    draw = f"/p/{drawn}/draw"
    text = refusal_page(server, draw)
    assert text.code == "results-missing"
    assert re.findall(r"\d", text.one(data_code=True).text) == ["1", "2"]
    send(server, f"/p/{drawn}/take-back", round=1)
    assert server.page(f"/p/{drawn}").has(data_undrawn=True)
    send(server, draw)
    for table in (1, 2):
        send(server, f"/p/{drawn}/match/1/{table}", boxes(FOUR, f"r{table}"))
    # A form that is sent again draws one round.
    for _ in range(2):
        send(server, draw, token="same", anyway=1)
        assert len(server.tournament(drawn)["draws"]) == 2
    assert refusal_page(server, draw, anyway=1).code == "all-played"


def test_draw_being_scored_cannot_be_undone(server, drawn):
    scorer, _ = pair_keys(server, drawn)
    server.write(scorer, {"do": "gewinnt", "side": 0}, "1")
    text = refusal_page(server, f"/p/{drawn}/take-back", round=1)
    assert text.code == "being-scored"
    assert re.findall(r"\d", text.one(data_code=True).text) == ["1"]


def test_pairs_and_tables_can_be_swapped(server, drawn):
    before = server.tournament(drawn)["draws"][0]["tables"]
    first, second = before[0]["pairs"][0], before[1]["pairs"][0]
    old_keys = [pair_keys(server, drawn)[0], pair_keys(server, drawn, 2)[1]]
    swap = f"/p/{drawn}/swap"
    told = send(server, swap, round=1, first=first, second=second, what="pairs")
    assert server.page(told).one(id="messages").has(role="status")
    after = server.tournament(drawn)["draws"][0]["tables"]
    assert [t["pairs"][0] for t in after] == [second, first]
    for old_key in old_keys:
        assert server.page(f"/e/{old_key}", 404).code == "pairs-swapped"
    assert server.page(f"/t/{old_keys[0]}").one(data_gone=True).code == "pairs-swapped"
    fresh = pair_keys(server, drawn)[0]
    assert server.page(f"/e/{fresh}").one("form", action=f"/e/{fresh}", css="stack").has(name="a")
    send(server, swap, round=1, first=1, second=2, what="tables")
    turned = server.tournament(drawn)["draws"][0]["tables"]
    assert {t["table"]: t["pairs"] for t in turned}[1] == after[1]["pairs"]


def test_swap_accepts_names_and_refuses_invalid_pairs(server, drawn):
    before = server.tournament(drawn)["draws"][0]["tables"]
    first, second = (table["pairs"][0] for table in before)
    names = ["anna bert", "Cilli", "EMIL", "gustl"]
    swap, form = f"/p/{drawn}/swap", {"round": 1, "what": "pairs"}
    send(server, swap, **form, first=names[first - 1], second=names[second - 1])
    after = server.tournament(drawn)["draws"][0]["tables"]
    assert [table["pairs"][0] for table in after] == [second, first]
    for first, second in (("1", "1"), ("1", "9"), ("Anna", "Niemand"), ("Anna", "il")):
        text = refusal_page(server, swap, **form, first=first, second=second)
        assert text.code == ("swapped-with-itself" if first == second else "not-in-this-round")
        assert second in text.one(data_code=True).text


@pytest.mark.parametrize("draft", [{}, {"draft": 1}])
def test_desk_says_where_swapped_pairs_sit(server, draft):
    hall = Hall(server, 7, format="groups", rounds=99, groups={"count": 2})
    hall.send("/draw", round=1, **draft)
    byes = hall.tournament()["draws"][0]["byes"] if not draft else None
    for first, second in ((1, 2), (3, byes[0])) if byes else ((1, 2),):
        page = server.page(hall.send("/swap", round=1, what="pairs", first=first, second=second))
        notice = page.one(data_notice="swapped").text
        names = hall.names()
        assert all(names[pair] in notice for pair in {first, second})


def test_refused_swap_is_told_when_its_form_is_gone(server):
    """Another desk has entered a result meanwhile."""
    hall = Hall(server, 4)
    tables = hall.draw()
    assert hall.enter(1, 1, (15, 8))[0] == 201
    first, second = (table["pairs"][0] for table in tables)
    page = hall.refusal_page("/swap", round=1, what="pairs", first=first, second=second)
    assert page.code == "played-already"
    assert not page.has("form", action=f"/p/{hall.key}/swap")


def test_swap_that_repeats_a_match_is_asked_about(server):
    hall = Hall(server, 4)
    hall.play()
    hall.draw()

    def pairings(number):
        return [table["pairs"] for table in hall.tournament()["draws"][number - 1]["tables"]]

    first, again = pairings(1)[0]
    before = pairings(2)
    opponent = next({*pairs} - {first} for pairs in before if first in pairs).pop()
    form = {"round": 2, "what": "pairs", "first": opponent, "second": again}
    page = hall.refusal_page("/swap", **form)
    assert page.code == "swap-in-doubt" and pairings(2) == before
    names = hall.names()
    assert all(names[pair] in page.one(data_code=True).text for pair in (first, again))
    [asked] = [one for one in page.all("form") if one.has("button", name="sure")]
    assert asked.one("input", name="first")["value"] == str(opponent)
    hall.send("/swap", **form, sure="1")
    assert {first, again} in map(set, pairings(2))


def test_draw_seed_is_shown_folded_and_on_paper(server, drawn):
    key, _ = visitor_and_signup_keys(server, drawn)
    tournament = server.tournament(key)
    assert "seed" not in tournament
    # Seed and digest are folded on the standings, for people who check the draw.
    standings = server.page(f"/p/{key}/standings")
    before, folded = standings.partition('<details class="seeds">')[::2]
    for figure in (tournament["seed_digest"], tournament["draws"][0]["seed"]):
        assert figure in folded
        assert figure not in before
        assert figure in server.page(f"/p/{drawn}/paper")
        assert figure not in server.page(f"/p/{drawn}")
