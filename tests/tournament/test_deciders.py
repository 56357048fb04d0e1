"""Level pairs, and the ties that need a deciding game."""

from scorer.tournament import standings
from scorer.tournament.deciders import decisive_ranks, level_pairs, ties_to_decide
from tests.tournament.builders import draw_round, enter_result, pairings, start_tournament


def played_tournament(tables=2):
    """A tournament in which all first pairs won, with the same score."""
    tournament = start_tournament(2 * tables, ranking=["won"])
    draw_round(tournament)
    for table in range(1, tables + 1):
        enter_result(tournament, table, (15, 0))
    return tournament


def undecided(tournament):
    return [(tie.rank, {*tie.pairs}) for tie in ties_to_decide(tournament, standings(tournament))]


def test_level_pairs_are_listed_by_their_first_place():
    tournament = played_tournament()
    winners, losers = ({*side} for side in zip(*pairings(tournament)[0], strict=True))
    found = level_pairs(standings(tournament))
    assert {rank: {*pairs} for rank, pairs in found.items()} == {1: winners, 3: losers}


def test_pairs_without_a_place_are_not_level():
    tournament = played_tournament()
    loser = pairings(tournament)[0][0][1]
    tournament.push({"do": "abmeldung", "pair": loser})
    assert list(level_pairs(standings(tournament))) == [1]


def test_first_place_needs_a_deciding_game():
    tournament = played_tournament()
    first, second = [line.pair for line in standings(tournament)[:2]]
    assert undecided(tournament) == [(1, {first, second})]
    tournament.push({"do": "stechen", "winner": first, "loser": second})
    assert undecided(tournament) == []


def test_first_place_is_undecided_while_a_level_pair_has_not_played():
    tournament = played_tournament(tables=3)
    first, second, third = [line.pair for line in standings(tournament)[:3]]
    tournament.push({"do": "stechen", "winner": first, "loser": second})
    assert undecided(tournament) == [(1, {first, second, third})]
    tournament.push({"do": "stechen", "winner": first, "loser": third})
    assert undecided(tournament) == []


def test_lower_places_need_one_only_for_different_prizes():
    tournament = played_tournament()
    losers = {line.pair for line in standings(tournament)[2:]}
    tournament.push({"do": "preise", "lines": ["50", "30", "10", "10"]})
    assert (3, losers) not in undecided(tournament)
    tournament.push({"do": "preise", "lines": ["50", "30", "20"]})
    assert (3, losers) in undecided(tournament)


def decisive(tournament):
    return decisive_ranks(tournament.now, standings(tournament))


def test_order_is_decisive_if_prizes_differ():
    tournament = played_tournament()
    assert decisive(tournament) == {1}
    tournament.push({"do": "preise", "lines": ["50", "30", "20"]})
    assert decisive(tournament) == {1, 3}


def test_order_is_decisive_at_the_cut_of_the_finals():
    tournament = start_tournament(6, ranking=["won"], finals={"best": 4})
    draw_round(tournament)
    for table in range(1, 4):
        enter_result(tournament, table, (15, 0))
    first, second = [line.pair for line in standings(tournament)[3:5]]
    for _ in range(2):
        assert decisive(tournament) == {1, 4}
        tournament.push({"do": "stechen", "winner": first, "loser": second})
    tournament.push({"do": "einstellung", "set": {"finals": None}})
    assert decisive(tournament) == {1}
