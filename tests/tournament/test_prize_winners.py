"""Who wins the main prizes, and who those of a category."""

from itertools import chain

from scorer.tournament import standings
from scorer.tournament.prize_winners import category_winners, prize_winners
from tests.tournament.builders import draw_round, enter_result, start_tournament

CATEGORIES = ["Damen", "", "damen", "Jugend", "Damen", ""]


def played_tournament(**prizes):
    """Six pairs after one round, which those with the odd numbers of the drawn tables won."""
    pairs = [{"name": f"Pair {n}", "category": name} for n, name in enumerate(CATEGORIES, 1)]
    tournament = start_tournament(0, pairs=pairs, rounds=1)
    tournament.push({"do": "preise", "lines": ["Speck"], **prizes})
    draw_round(tournament)
    for table in tournament.rounds[-1].matches:
        enter_result(tournament, table, (15, 2 + table))
    return tournament.now


def by_category(tournament):
    winners = category_winners(tournament, standings(tournament))
    return {
        name: [(winner.place, winner.standing.pair, winner.prize) for winner in placed]
        for name, placed in winners.items()
    }


def test_category_ranking_follows_the_standings():
    prizes = {"category": "Damen", "lines": ["Blumen", "", "Sekt"]}
    tournament = played_tournament(categories=[prizes])
    order = [line.pair for line in standings(tournament)]
    ladies = [pair for pair in order if pair in (1, 3, 5)]
    assert by_category(tournament) == {
        "Damen": [(1, ladies[0], "Blumen"), (2, ladies[1], ""), (3, ladies[2], "Sekt")],
        "Jugend": [(1, 4, "")],
    }


def test_main_prize_can_exclude_category_prizes():
    prizes = [{"category": "Damen", "lines": ["Blumen"]}, {"category": "Jugend", "lines": ["Ball"]}]
    for once in (False, True):
        tournament = played_tournament(categories=prizes, once=once)
        [(first, _)] = prize_winners(tournament, standings(tournament))
        placed = chain(*by_category(tournament).values())
        won = {pair for _, pair, prize in placed if prize}
        entered = CATEGORIES[first.pair - 1]
        assert entered and (first.pair in won) == (not once)
        # The next pair of the category takes the prize.
        assert len(won) == 2 - (once and entered == "Jugend")


def test_withdrawn_pair_is_in_no_category():
    tournament = played_tournament(categories=[{"category": "Jugend", "lines": ["Ball"]}])
    left = tournament.after([{"do": "abmeldung", "pair": 4}])
    assert "Jugend" not in by_category(left)
