"""What a newcomer is told unasked: what a bye counts, who has not paid, what rounds are called."""

import re
from itertools import pairwise

import pytest

from scorer.tournament import presets
from tests.web.tournament.hall import Hall


def test_what_a_bye_counts_is_said_at_the_draw_and_in_the_standings(server):
    hall = Hall(server, 5, games_per_round=3, scoring={"bye_wins": True})
    worth = "Ein Freilos zählt: 3 gewonnene Spiele"
    assert worth in hall.page()
    hall.draw()
    assert worth in hall.page()
    for path in ("/standings", "/print/standings"):
        text = hall.page(path)
        assert worth in text
        assert text.count("mit Freilos") == 1
    assert hall.enter(1, 1, (15, 8), (15, 8), (15, 8))[0] == 201
    assert hall.page("/hall?page=1").count("mit Freilos") == 1
    none = Hall(server, 4)
    none.draw()
    assert "Freilos" not in none.page() + none.page("/standings")


@pytest.mark.parametrize(
    ("scoring", "worth"),
    [({}, "kein gewonnenes Spiel"), ({"bye_score": 20, "bye_points": 5}, "Wertung 20, Punkte 5")],
)
def test_a_bye_may_count_otherwise(server, scoring, worth):
    hall = Hall(server, 5, scoring=scoring)
    hall.draw()
    assert f"Ein Freilos zählt: {worth}" in hall.page()


@pytest.mark.parametrize(
    ("scoring", "whole", "each"),
    [
        ({"bye_wins": True}, ["3 gewonnene Spiele", "2 gewonnene Spiele"], "1 gewonnenes Spiel"),
        ({"bye_score": 20}, ["Wertung 60", "Wertung 40"], "Wertung 20"),
    ],
)
def test_byes_of_rounds_with_other_games_are_told_for_each_game(server, scoring, whole, each):
    hall = Hall(server, 3, games_per_round=[3, 2], scoring=scoring)
    for number, (games, worth) in enumerate(zip((3, 2), whole, strict=True), 1):
        hall.draw()
        assert hall.enter(number, 1, *[(15, 8)] * games)[0] == 201
        # What is played tells its own, though the next round has fewer games.
        assert f"Ein Freilos zählt: {worth}" in hall.page()
    assert f"Ein Freilos zählt für jedes Spiel seiner Runde: {each}" in hall.page("/standings")


def test_who_has_not_paid_is_a_hint_at_the_draw_and_keeps_nobody_from_it(server):
    hall = Hall(server)
    assert "nicht bezahlt" not in hall.page()
    assert hall.post("/pairs/1", "p", do="vermerk", mark="paid")[0] == 303
    assert "3 Paare haben nicht bezahlt" in hall.page()
    assert hall.post("/draw", "d")[0] == 303


def test_whom_the_lot_brings_into_the_finals_is_told_before_their_draw_and_after(server):
    hall = Hall(server, 6, rounds=1, finals={"best": 2})
    hall.draw()
    for table in (1, 2, 3):
        plain, _, _although = hall.page().partition("<summary>Nächste Runde")
        assert "Gleichauf um einen Platz" not in plain
        assert hall.enter(1, table, (15, 8))[0] == 201
    names = {pair["pair"]: pair["name"] for pair in hall.whole()["pairs"]}
    best = [names[pair] for pair in hall.order()[:3]]
    desk = hall.page()
    assert f"Gleichauf um einen Platz in der Endrunde: {'; '.join(best)}" in desk
    assert "Ein Stechen entscheidet, sonst das Los." in desk
    hall.draw()
    assert "Gleichauf um einen Platz" not in hall.page()
    for path in ("standings", "print/standings", "results.html", "standings.csv", "hall?page=1"):
        text = hall.page(f"/{path}")
        assert text.count("durch Los in der Endrunde") == 2
        assert text.count("durch Los nicht in der Endrunde") == 1
        # It is told once: the three who lost are level, too.
        assert text.count("durch Los") == 3 + 3


def test_the_last_rounds_of_a_knock_out_are_called_by_their_names(server):
    hall = Hall(server, 12, format="knockout", rounds=99)
    called, playing = [], []
    for _ in range(4):
        tables = hall.draw()
        desk = hall.page()
        called.append(re.search(r"<h2>([^<]*)</h2>", desk)[1])
        playing.append(int(re.search(r"(\d+) Paare spielen", desk)[1]))
        for table in tables:
            assert hall.enter(len(called), table["table"], (15, 8))[0] == 201
    assert called == ["Runde 1", "Viertelfinale", "Halbfinale", "Finale"]
    assert playing == [12, 8, 4, 2]
    assert "Finale" in hall.page("/print/bracket")


def knock_out(server, count, **settings):
    """A tournament in which the first pair of each table wins its match, played to its end."""
    hall = Hall(server, count, rounds=99, **settings)
    told = []
    for number in range(1, count.bit_length()):
        for table in hall.draw():
            assert hall.enter(number, table["table"], (15, 8))[0] == 201
        told.append(hall.page("/standings"))
    return hall, told


def test_the_bracket_of_a_knock_out_is_listed_as_its_winners_meet(server):
    hall, told = knock_out(server, 16, format="knockout")
    names = r'<p class="(won)?" dir="auto">([^<]*)</p>'
    columns = hall.page("/print/bracket").split("<h2>")[1:]
    sides = [re.findall(names, column) for column in columns]
    for before, after in pairwise(sides):
        won = [name for winner, name in before if winner]
        met = [name for _, name in after]
        assert [{*won[at : at + 2]} for at in range(0, len(won), 2)] == [
            {*met[at : at + 2]} for at in range(0, len(met), 2)
        ]
    anew = "Die nächste Runde wird aus allen, die noch dabei sind, neu ausgelost."
    assert [anew in text for text in told] == [True, True, False, False]
    assert "Die Sieger spielen das Finale." in told[2]


def test_what_settles_the_third_place_is_told_where_nobody_plays_for_it(server):
    nobody = "Um den dritten Platz wird nicht gespielt: Platz 3 und 4 gehen nach dieser Reihung."
    order = "Gereiht nach: wie weit im K.o., Gewonnene Spiele"
    hall, _ = knock_out(server, 4, format="knockout", ranking=["won", "points"])
    for path in ("/standings", "/print/standings", "/print/bracket"):
        assert nobody in hall.page(path)
        assert order in hall.page(path)


def test_the_finals_say_whose_winners_meet_and_play_for_the_third_place(server):
    hall = Hall(server, 8, rounds=1, finals={"best": 8})
    told = []
    for number in (1, 2, 3):
        tables = hall.draw()
        told.append(hall.page("/print/bracket"))
        for table in tables:
            assert hall.enter(number, table["table"], (15, 8))[0] == 201
    assert "Als Nächstes spielen die Sieger der ersten zwei Tische gegeneinander" in told[1]
    assert "Die Sieger spielen das Finale, die Verlierer um den dritten Platz." in told[2]
    assert not any("Um den dritten Platz wird nicht gespielt" in text for text in told)


def test_the_card_of_a_format_says_where_its_games_go_to(server):
    cards = server.request("GET", "/p/new", Accept_Language="de")[2].split('name="preset"')[1:]
    for card, preset in zip(cards, presets().values(), strict=True):
        target = preset.get("set", {}).get("target")
        assert target is None or f", bis {target}" in card.split("</label>")[0]


def test_the_link_for_everybody_is_named_by_the_results_and_leads_to_those_of_every_round(server):
    hall = Hall(server)
    links = hall.page("/links")
    assert "<h2>Ergebnisse, Rangliste und Tische</h2>" in links
    assert "Wer ihn hat, schaut nur und ändert nichts." in links
    key = re.search(r'/p/([\w-]+)"', links.split("<h2>Ergebnisse")[1])[1]
    assert "/print/results" not in hall.page("/standings")
    for table in hall.draw():
        assert hall.enter(1, table["table"], (15, 8))[0] == 201
    hall.draw()

    def seen(path):
        return server.request("GET", path, Accept_Language="de")[2]

    assert f'href="/p/{key}/print/results"' in seen(f"/p/{key}/standings")
    newest = seen(f"/p/{key}/print/results")
    assert "15:8" not in newest
    assert f'href="/p/{key}/print/results/1">Runde 1</a>' in newest
    assert "15:8" in seen(f"/p/{key}/print/results/1")
