"""Statistics over many evenings."""

import pytest
from hypothesis import given

from scorer.engine import read_head
from scorer.engine.telling.player_statistics import PlayerStatistics, accounts
from scorer.engine.telling.settlement import bummerl_by_player, finished_games
from tests.engine.notation import evening_from, events
from tests.engine.strategies import evenings
from tests.sampling import examples

SIDES = [{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]


def evening(text, sides=SIDES, at=""):
    entries = [{**event, "at": at} if at else event for event in events(text)]
    return evening_from(entries, sides=sides)


@examples(50)
@given(evenings(most=60))
def test_statistics_count_each_game_once(found):
    players = accounts([found]).players
    games = finished_games(found)
    taken = {name: one.taken for name, one in players.items() if one.games}
    assert taken == bummerl_by_player(games)
    assert sum(one.won for one in players.values()) == len(games)
    assert sum(one.given for one in players.values()) == sum(sum(g.bummerl) for g in games)
    totals = PlayerStatistics()
    for one in players.values():
        totals.add(one)
    assert totals.stayed + totals.raise_folded == totals.raised
    assert totals.went >= totals.raise_folded and totals.went_points == totals.folded_points
    for one in players.values():
        assert one.raised == one.raise_folded + one.raise_won + one.raise_lost


def test_statistics_follow_players_across_pairs():
    first = evening("A A A A A")
    second = evening("A A A A A", [{"players": ["Cilli", "Anna"]}, {"players": ["Bert", "Dora"]}])
    found = accounts([first, second])
    assert found.players["Anna"].won == 2
    assert found.players["Bert"].taken == 2
    assert found.pairs["Anna", "Cilli"].given == 2
    assert found.pairs["Anna", "Bert"].games == 1


def test_raise_outcomes_are_counted():
    found = accounts([evening("A+ B- B+ A= A A+ B+ A= A")]).players
    anna, dora = found["Anna"], found["Dora"]
    assert (anna.raised, anna.raise_folded, anna.raise_won, anna.raise_lost) == (2, 1, 1, 0)
    assert (dora.raised, dora.raise_folded, dora.raise_won, dora.raise_lost) == (2, 0, 0, 2)
    # Raising again accepts the raise before it.
    assert (anna.stayed, anna.went, dora.stayed, dora.went) == (2, 0, 1, 1)


def test_round_given_away_counts_as_a_fold():
    """Bavaria: a side with 13 points decides whether it plays."""
    points = {"points": [13, 4]}
    found = accounts([evening_from("A- A= A", rules="bayern", sides=SIDES, start=points)]).players
    anna, dora = found["Anna"], found["Dora"]
    assert (anna.rounds, anna.rounds_won, anna.went, anna.went_points) == (2, 1, 1, 2)
    assert (dora.rounds, dora.rounds_won, dora.folded_points) == (2, 1, 2)
    assert (anna.raised, anna.stayed, dora.raised, dora.raise_folded) == (0, 0, 0, 0)


def test_corrected_round_updates_the_statistics():
    book = evening("A A A A A")
    book.push({"do": "korrektur", "of": 4, "with": {"do": "gewinnt", "side": 1}})
    # The game is running again, and a running game counts for nobody.
    assert accounts([book]).players == {}
    book.push({"do": "gewinnt", "side": 0})
    anna = accounts([book]).players["Anna"]
    assert (anna.games, anna.rounds) == (1, 6)


def test_games_count_in_the_month_they_ended():
    found = accounts(
        [evening("A A A A A", at="2026-10-31T23:00:00Z"), evening("B B B B B", at="2026-11-01")]
    )
    assert found.months["2026-10"]["Cilli"] == 2
    assert found.months["2026-11"] == {"Anna": 2, "Bert": 2, "Cilli": 0, "Dora": 0}


@pytest.mark.parametrize("at", ["2026-13-01", "2026-00", "0000-05", "0001-01-01", "9999-12-31"])
def test_game_with_invalid_time_has_no_month(at):
    found = accounts([evening("A A A A A", at=at)])
    assert (found.months, found.players["Anna"].games) == ({}, 1)


def test_unnamed_side_is_left_out_of_statistics():
    assert accounts([evening("A A A A A", [{}, {"name": "Die"}])]).players.keys() == {"Die"}


def test_name_spellings_are_merged_into_one_player():
    other = [{"players": ["dora", "CILLI"]}, {"players": ["anna", "Be rt"]}]
    one, two = evening("A A A A A", at="2026-11-05"), evening("B B B B B", other, "2026-11-12")
    found = accounts([one, two])
    assert list(found.players) == ["Anna", "Bert", "Cilli", "Dora"]
    assert list(found.pairs) == [("Anna", "Bert"), ("Cilli", "Dora")]
    assert found.pairs["Anna", "Bert"].given == found.months["2026-11"]["Dora"] == 4
    for side in read_head({"watten": 1, "rules": "bayern", "sides": other}).sides:
        assert found.account_of(side).games == 2


def test_debts_are_netted_between_the_same_sides():
    mixed = [{"players": ["Anna", "Cilli"]}, {"players": ["Bert", "Dora"]}]
    back = [SIDES[1], {"players": ["Bert", "Anna"]}]
    games = [evening("A A A A A"), evening("A A A A B A"), evening("B B B B B", mixed)]
    found = accounts([*games, evening("A A A A B A", back)])
    debts = [(debt.debtors, debt.creditors, debt.bummerl) for debt in found.debts()]
    first, second = (("Anna", "Cilli"), ("Bert", "Dora")), (("Cilli", "Dora"), ("Anna", "Bert"))
    assert debts == [(*first, 2), (*second, 2)]


def test_even_or_unnamed_sides_owe_nothing():
    even = accounts([evening("A A A A A"), evening("B B B B B")])
    nameless = accounts([evening("A A A A A", [{"players": ["Anna"]}, {}])])
    assert even.debts() == nameless.debts() == []


@given(evenings(most=60))
def test_debts_never_exceed_bummerl_taken(found):
    book = accounts([found])
    for debt in book.debts():
        for name in debt.debtors:
            assert debt.bummerl <= book.players[name].taken
