"""Series of tournaments, and tournaments for single players."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Illegal
from scorer.tournament import pair_totals, standings
from scorer.tournament.series import series_standings
from scorer.tournament.settings import Series
from scorer.tournament.settings_reader import series_rules
from tests.sampling import examples
from tests.tournament.builders import draw_round, play_round, start_tournament


def played_tournament(seed, **settings):
    tournament = start_tournament(4, seed=str(seed), rounds=1, **settings)
    play_round(tournament, Random(seed))
    return tournament


def seasons(tournaments, rule="places"):
    series = series_rules()[rule] if isinstance(rule, str) else rule
    return series_standings(series, tournaments, by_player=False)


def test_only_the_best_tournaments_count():
    tournaments = [played_tournament(seed) for seed in range(4)]
    for season in seasons(tournaments, Series(best=2, points_by_place=(10, 5, 1))):
        assert season.total == sum(sorted(filter(None, season.values), reverse=True)[:2])
        assert sum(season.counted) == 2


def test_each_place_brings_its_points():
    """Every rule of the file counts points by place, or a metric."""
    tournament = played_tournament(1)
    assert [season.values for season in seasons([tournament])] == [(25,), (18,), (15,), (12,)]
    for rule in series_rules().values():
        assert bool(rule.points_by_place) != bool(rule.metric)


def test_series_total_is_the_sum_of_tournaments():
    tournaments = [played_tournament(seed) for seed in range(3)]
    for season in seasons(tournaments, "points"):
        pair = int(season.name.split()[1])
        assert season.total == sum(
            pair_totals(tournament)[pair].points for tournament in tournaments
        )


def test_pair_is_recognised_in_other_spellings():
    names = ("Anna Huber & Bert Öller", "OLLER Bert & Huber, Anna")
    tournaments = [played_tournament(1, pairs=[{"name": name}, {"name": "Wirt"}]) for name in names]
    assert not any(None in season.values for season in seasons(tournaments))


def test_tournament_without_results_does_not_count():
    tournament = start_tournament(4, rounds=1)
    assert seasons([tournament]) == []
    draw_round(tournament)
    assert seasons([tournament]) == []


def test_withdrawn_pair_is_not_in_the_series():
    tournament = played_tournament(1)
    tournament.push({"do": "abmeldung", "pair": 2})
    assert {season.name for season in seasons([tournament])} == {"Pair 1", "Pair 3", "Pair 4"}


@examples(25)
@given(st.integers(4, 17), st.integers(1, 4), st.integers(0, 99))
def test_single_players_get_new_partners(count, rounds, seed):
    tournament = start_tournament(count, format="partners", rounds=rounds, seed=str(seed))
    met = set()
    for _ in range(rounds):
        play_round(tournament, Random(seed))
        played = tournament.rounds[-1]
        sides = [frozenset(side) for match in played.matches.values() for side in match.sides]
        seated = [player for side in sides for player in side]
        assert sorted([*seated, *played.byes]) == list(range(1, count + 1))
        assert len(played.byes) == count % 4
        if count >= 4 * rounds:
            assert not met & set(sides)
        met |= set(sides)
    sums = dict.fromkeys(range(1, count + 1), 0)
    for match in (match for played in tournament.rounds for match in played.matches.values()):
        for points, side in zip(zip(*match.result.games, strict=True), match.sides, strict=True):
            for player in side:
                sums[player] += sum(points)
    assert {n: tally.points for n, tally in pair_totals(tournament).items()} == sums
    assert [line.rank for line in standings(tournament)] == list(range(1, count + 1))


def test_three_players_are_too_few():
    with pytest.raises(Illegal, match="too-few-players"):
        draw_round(start_tournament(3, format="partners"))
