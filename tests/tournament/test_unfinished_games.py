"""Games that the clock ended: whether they can be entered, and what they count."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Illegal, rules_of
from scorer.tournament import pair_totals
from scorer.tournament.result_validation import check_games, doubtful_game
from tests.tournament.builders import draw_round, enter_result, start_tournament

POINTS = (0, 2, 3, 7, 9, 13)
"""Points that a side can have before the end, by the rules of Bavaria."""


def drawn_counting_unfinished(mode, count=2, **settings):
    settings = {"games_per_round": 3, "scoring": {"unfinished": mode}, **settings}
    tournament = start_tournament(count, **settings)
    draw_round(tournament)
    return tournament


def games_until(clock, rng):
    """Three games, of which the clock ends the one with this number; those after it are 0:0."""
    games = [(15, rng.choice(POINTS)) for _ in range(clock - 1)]
    games = [game if rng.random() < 0.5 else game[::-1] for game in games]
    ended = [(2 + rng.choice((0, 1, 5)), rng.choice(POINTS))] if clock < 4 else []
    return [*games, *ended, *[(0, 0)] * (2 - len(games))][:3]


@given(
    st.sampled_from(["win", "points"]),
    st.lists(st.integers(1, 4), min_size=2, max_size=2),
    st.integers(0, 999),
)
def test_unfinished_games_count_by_setting(mode, clocks, seed):
    tournament, rng = drawn_counting_unfinished(mode, 4), Random(seed)
    expected = {pair: [0, 0] for pair in tournament.entrants}
    for clock, (table, match) in zip(clocks, tournament.rounds[0].matches.items(), strict=True):
        games = games_until(clock, rng)
        enter_result(tournament, table, *games)
        for side, pair in enumerate(match.drawn_table.pairs):
            for number, game in enumerate(games, 1):
                wins = game[side] > game[1 - side] and (mode == "win" or number != clock)
                expected[pair][0] += wins
                expected[pair][1] += game[side]
        match = tournament.match(1, table)
        assert match.games_won(match.result) == tuple(
            expected[pair][0] for pair in match.drawn_table.pairs
        )
    totals = pair_totals(tournament.now)
    assert {pair: [t.won, t.points] for pair, t in totals.items()} == expected
    assert not any(t.schneider for pair, t in totals.items() if not expected[pair][0])


def test_level_unfinished_game_has_no_winner():
    tournament = drawn_counting_unfinished("win")
    enter_result(tournament, 1, (15, 8), (9, 9), (0, 0))
    match = tournament.match(1, 1)
    assert (match.games_won(match.result), match.winner) == ((1, 0), 0)


def test_changed_setting_recounts_earlier_rounds():
    tournament = drawn_counting_unfinished("win")
    enter_result(tournament, 1, (15, 13), (2, 7), (0, 0))
    first, second = tournament.match(1, 1).drawn_table.pairs
    for mode, won in (("points", [1, 0]), ("", [1, 0]), ("win", [1, 1])):
        tournament.push({"do": "einstellung", "set": {"scoring": {"unfinished": mode}}})
        totals = pair_totals(tournament.now)
        assert [totals[pair].won for pair in (first, second)] == won
        assert tournament.match(1, 1).winner == (1 if mode == "win" else 0)


@pytest.mark.parametrize(
    ("games", "code"),
    [
        ([(7, 9), (15, 8)], "unfinished-not-last"),
        ([(7, 9), (3, 2)], "unfinished-not-last"),
        ([(0, 0), (0, 0)], "winner-below-target"),
        ([(15, 8), (1, 9)], "loser-impossible"),
        ([(15, 8), (9, 1)], "loser-impossible"),
        ([(15, 8)], "games-missing"),
    ],
)
def test_only_the_last_game_can_be_unfinished(games, code):
    with pytest.raises(Illegal, match=code):
        check_games(rules_of("bayern"), 15, 2, tuple(games), unfinished=True)


def test_unfinished_game_is_doubtful():
    games, rules = ((15, 8), (7, 9)), rules_of("bayern")
    check_games(rules, 15, 2, games, unfinished=True)
    assert doubtful_game(rules, 15, games, True).values == {"game": 2, "points": "7:9"}
    assert doubtful_game(rules, 15, ((15, 8), (0, 0)), True) is None
    assert doubtful_game(rules, 15, games) is None


def test_unfinished_game_cannot_be_retourschneider():
    tournament = drawn_counting_unfinished("win")
    with pytest.raises(Illegal, match="retour-unfinished"):
        enter_result(tournament, 1, (15, 8), (13, 13), (0, 0), retour=[2])


def test_leader_of_unfinished_knockout_wins():
    tournament = drawn_counting_unfinished("points", format="knockout", games_per_round=1)
    with pytest.raises(Illegal, match="level-in-knockout"):
        enter_result(tournament, 1, (9, 9))
    enter_result(tournament, 1, (7, 9))
    assert tournament.match(1, 1).winner == 1
