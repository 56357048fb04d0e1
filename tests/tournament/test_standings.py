"""Standings equal a simple recount, in a total and stable order."""

from collections import Counter
from itertools import pairwise
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Illegal
from scorer.tournament import new_tournament, pair_totals, rank_bounds, read_settings, standings
from scorer.tournament.pair_totals import PairTotals
from scorer.tournament.rank_bounds import bounds_in_knockout
from scorer.tournament.settings import METRICS
from scorer.tournament.settings_reader import presets
from scorer.tournament.shared_ranks import ranked
from scorer.tournament.stages import next_stage
from tests.sampling import examples
from tests.tournament.builders import (
    draw_round,
    enter_result,
    pairings,
    play_out,
    play_round,
    simulated_game,
    start_tournament,
)


def recount(tournament):
    """Games won, points conceded and points of each pair, summed from the recorded events."""
    sums = {number: [0, 0, 0] for number in tournament.entrants}
    for match in (match for round_ in tournament.rounds for match in round_.matches.values()):
        first, second = match.drawn_table.pairs
        for a, b in match.result.games:
            for pair, own, other in ((first, a, b), (second, b, a)):
                sums[pair][0] += own > other
                sums[pair][1] += other
                sums[pair][2] += own
    for event in tournament.recorded:
        if event["do"] == "punkte":
            sums[event["pair"]][2] += event["points"]
    return {pair: tuple(values) for pair, values in sums.items()}


def extra_points(pair, points, reason="late"):
    return {"do": "punkte", "pair": pair, "points": points, "reason": reason}


@examples(50)
@given(
    st.integers(2, 24),
    st.integers(1, 4),
    st.lists(st.sampled_from(METRICS), min_size=1, max_size=4, unique=True),
    st.integers(0, 999),
)
def test_standings_match_a_recount_in_total_order(count, rounds, ranking, seed):
    settings = {"rounds": rounds, "games_per_round": 3, "ranking": ranking}
    tournament = start_tournament(count, **settings, seed=str(seed))
    for _ in range(rounds):
        play_round(tournament, Random(seed))
    if {"points", "difference", "score"} & {*ranking}:
        for pair in range(1, count, 3):
            tournament.push(extra_points(pair, Random(seed + pair).randint(-20, 20)))
    sums = pair_totals(tournament)
    assert {p: (t.won, t.conceded, t.points) for p, t in sums.items()} == recount(tournament)
    lines = standings(tournament)
    numbers = list(range(1, count + 1))
    assert [line.rank for line in lines] == sorted(line.pair for line in lines) == numbers
    assert lines == standings(tournament)
    for above, below in pairwise(lines):
        for metric in ranking:
            name = {"conceded": "conceded_extrapolated", "matches": "matches_won"}.get(
                metric, metric
            )
            a, b = getattr(above.totals, name), getattr(below.totals, name)
            if a != b:
                assert (a < b) == (metric == "conceded")
                break
        else:
            assert above.tie == below.tie == "lot"


def test_standings_can_rank_by_points_first():
    tournament = start_tournament(4, ranking=["points"], games_per_round=2)
    draw_round(tournament)
    first, second = pairings(tournament)[0]
    enter_result(tournament, 1, (15, 14), (14, 15))
    enter_result(tournament, 2, (15, 0), (15, 0))
    best, *next_two, _ = [line.pair for line in standings(tournament)]
    assert (best, set(next_two)) == (second[0], set(first))


def test_deciding_game_ranks_before_the_lot():
    tournament = start_tournament(4, ranking=["won"])
    draw_round(tournament)
    enter_result(tournament, 1, (15, 0))
    enter_result(tournament, 2, (15, 0))
    assert {line.tie for line in standings(tournament)} == {"lot"}
    by_lot = [line.pair for line in standings(tournament)[:2]]
    assert set(by_lot) == {winner for winner, _ in pairings(tournament)[0]}
    tournament.push({"do": "stechen", "winner": by_lot[1], "loser": by_lot[0]})
    lines = standings(tournament)
    assert [line.pair for line in lines[:2]] == by_lot[::-1]
    assert [line.tie for line in lines] == ["decider", "decider", "lot", "lot"]


def test_bye_scores_as_configured():
    for scoring, expected in (
        ({}, (0, 0, 0, 1)),
        ({"bye_wins": True, "bye_points": 15, "bye_score": 7}, (2, 30, 14, 1)),
    ):
        tournament = start_tournament(3, games_per_round=2, scoring=scoring)
        draw_round(tournament)
        tally = pair_totals(tournament)[tournament.rounds[0].byes[0]]
        assert (tally.won, tally.points, tally.score, tally.byes) == expected


@examples(30)
@given(st.sampled_from([3, 5, 7]), st.integers(1, 5), st.integers(0, 999))
def test_a_bye_can_count_as_the_average(count, rounds, seed):
    chosen = {"rounds": rounds, "games_per_round": 3, "seed": str(seed)}
    tournament = start_tournament(count, scoring={"bye_average": True, "bye_wins": True}, **chosen)
    for _ in range(rounds):
        play_round(tournament, Random(seed))
    before, totals = recount(tournament), pair_totals(tournament)
    for pair, tally in totals.items():
        played = rounds - tally.byes
        assert [tally.won, tally.conceded, tally.points] == [
            own + tally.byes * int(own / played + 0.5) if played else 0 for own in before[pair]
        ]
    played = start_tournament(count, **chosen)
    for drawn in tournament.recorded:
        played.push(drawn)
    # A ratio is of played games only, with or without byes.
    assert [t.ratio for t in pair_totals(played).values()] == [t.ratio for t in totals.values()]


@examples(30)
@given(
    st.integers(8, 11),
    st.sampled_from(["round-robin", "groups"]),
    st.sampled_from([{}, {"bye_wins": True, "bye_points": 15}, {"bye_average": True}]),
    st.integers(0, 999),
    st.data(),
)
def test_annulled_games_count_as_byes_of_the_opponents(count, circle, scoring, seed, data):
    settings = {
        "format": circle,
        "groups": {"count": 2},
        "rounds": count,
        "scoring": scoring,
        "seed": str(seed),
    }
    tournament = start_tournament(count, **settings, games_per_round=2)
    played = data.draw(st.integers(1, 3))
    for _ in range(played):
        play_round(tournament, Random(seed))
    gone = data.draw(st.integers(1, count))
    kept = tournament.now
    tournament.push({"do": "abmeldung", "pair": gone, "annulled": True})
    totals = pair_totals(tournament.now)
    assert totals[gone] == PairTotals()
    for pair in {*totals} - {gone}:
        matches = [
            match
            for round_ in tournament.rounds
            for match in round_.matches.values()
            if pair in match.drawn_table.pairs
        ]
        against = [match for match in matches if gone in match.drawn_table.pairs]
        assert totals[pair].byes == played - len(matches) + len(against)
        assert totals[pair].played_games == 2 * (len(matches) - len(against))
    # Counting them again, or coming back, gives the totals as they were.
    for back in ({"do": "abmeldung", "pair": gone}, {"do": "rueckkehr", "pair": gone}):
        assert pair_totals(tournament.now.after([back])) == pair_totals(kept)


@pytest.mark.parametrize("other_format", ["redraw", "knockout", "partners"])
def test_games_are_annulled_only_where_all_pairs_meet(other_format):
    tournament = start_tournament(6, format=other_format)
    draw_round(tournament)
    with pytest.raises(Illegal, match="games-count"):
        tournament.push({"do": "abmeldung", "pair": 1, "annulled": True})


def test_pair_whose_games_were_left_out_returns_after_a_change_of_format():
    tournament = start_tournament(6, format="round-robin")
    tournament.push({"do": "abmeldung", "pair": 1, "annulled": True})
    tournament.push({"do": "einstellung", "set": {"format": "redraw"}})
    tournament.push({"do": "rueckkehr", "pair": 1})
    assert tournament.entrants[1].plays


def test_games_are_not_annulled_after_the_draw_of_the_finals():
    tournament = start_tournament(4, format="round-robin", rounds=3, finals={"best": 2})
    for _ in range(3):
        play_round(tournament, Random(1))
    tournament.push({"do": "abmeldung", "pair": 1, "annulled": True})
    draw_round(tournament)
    for event in (
        {"do": "abmeldung", "pair": 2, "annulled": True},
        {"do": "abmeldung", "pair": 1},
        {"do": "rueckkehr", "pair": 1},
    ):
        with pytest.raises(Illegal, match="finals-by-it"):
            tournament.push(event)


def test_walkover_counts_as_a_win():
    tournament = start_tournament(2)
    draw_round(tournament)
    enter_result(tournament, 1, walkover="b")
    loser, winner = tournament.rounds[0].matches[1].drawn_table.pairs
    assert [line.pair for line in standings(tournament)] == [winner, loser]
    assert pair_totals(tournament)[winner].won == 1


@examples(20)
@given(st.sampled_from(["redraw", "partners"]), st.integers(0, 999))
def test_walkover_counts_like_a_bye_when_the_next_bye_is_drawn(format_, seed):
    count = 9 if format_ == "redraw" else 10
    chosen = {"rounds": 4, "games_per_round": 1, "seed": str(seed), "format": format_}
    tournament, free_rounds = start_tournament(count, **chosen), Counter()
    for _ in range(4):
        draw_round(tournament)
        newest = tournament.rounds[-1]
        most = sorted(free_rounds[pair] for pair in range(1, count + 1))[len(newest.byes) - 1]
        assert all(free_rounds[pair] <= most for pair in newest.byes)
        free_rounds.update(newest.byes)
        for table, match in newest.matches.items():
            if table == 1:
                enter_result(tournament, table, walkover="a")
                free_rounds.update(match.sides[0])
            else:
                enter_result(tournament, table, (15, 8))


def test_average_of_a_bye_leaves_walkovers_out():
    scoring = {"bye_average": True}
    tournament = start_tournament(3, rounds=3, games_per_round=1, scoring=scoring)
    draw_round(tournament)
    [bye] = tournament.rounds[0].byes
    enter_result(tournament, 1, (15, 8))
    draw_round(tournament)
    [match] = tournament.rounds[1].matches.values()
    enter_result(tournament, 1, walkover="ab"[match.drawn_table.pairs.index(bye)])
    assert pair_totals(tournament)[bye].won == 1
    draw_round(tournament)
    [match] = tournament.rounds[2].matches.values()
    is_second = match.drawn_table.pairs[1] == bye
    enter_result(tournament, 1, (15, 9) if is_second else (9, 15))
    totals = pair_totals(tournament)[bye]
    # It lost its only played game by 9 to 15, and the bye counts as that.
    assert (totals.won, totals.points, totals.conceded) == (1, 18, 30)


# Scores as their sources state them (RULES D4, D5)


@pytest.mark.parametrize(
    ("preset", "games", "retour", "expected"),
    [
        # TV Oberndorf: winner 15, loser its own; 15:0 is 10 more, from gespannt:0 20 more.
        ("points-with-warm-and-hot", [(15, 0), (15, 8), (9, 15)], (), (15 + 10 + 15 + 9, 23)),
        ("points-with-warm-and-hot", [(15, 13), (15, 2), (15, 3)], (1,), (45 + 20, 18)),
        # wattn.com: a win is 20 points.
        ("twenty-a-win", [(15, 8), (8, 15), (15, 3)], (), (40, 20)),
        # Hammerau: two a win, more for Schneider and Rückschneider.
        ("two-a-win-more-for-schneider", [(15, 0)], (), (3, 0)),
        ("two-a-win-more-for-schneider", [(13, 15)], (1,), (0, 3)),
        # Wattkönig: a win is 15 and 10, a loss its own points.
        ("points-plus-ten-then-knockout", [(15, 11)], (), (25, 11)),
    ],
)
def test_preset_scores_match_their_sources(preset, games, retour, expected):
    tournament = start_tournament(2, preset=preset, games_per_round=len(games))
    draw_round(tournament)
    enter_result(tournament, 1, *games, retour=list(retour))
    totals = pair_totals(tournament)
    assert tuple(totals[pair].score for pair in pairings(tournament)[0][0]) == expected


def test_retour_counts_double():
    # Gasthaus Troadbod'n: to 13, winning after the opponents were gespannt at own 0 is 1 more.
    tournament = start_tournament(2, preset="retour-counts-double-then-finals", games_per_round=3)
    draw_round(tournament)
    enter_result(tournament, 1, (13, 11), (2, 13), (13, 12), retour=[1])
    totals = pair_totals(tournament)
    assert [totals[pair].won for pair in pairings(tournament)[0][0]] == [3, 1]


@pytest.mark.parametrize("preset", presets())
def test_every_preset_can_be_played_to_its_end(preset):
    tournament = start_tournament(9, preset=preset, games_per_round=None)
    assert read_settings(tournament.settings.to_json()) == tournament.settings
    play_out(tournament, Random(1))
    assert len(standings(tournament)) == 9


def test_a_presets_finals_can_be_left_out():
    preset = "points-plus-ten-then-knockout"
    assert start_tournament(4, preset=preset).settings.finals.best == 8
    assert start_tournament(4, preset=preset, finals=None).settings.finals is None


def test_rank_bounds_are_open_before_last_round():
    tournament = start_tournament(4, rounds=2, ranking=["won"])
    draw_round(tournament)
    enter_result(tournament, 1, (15, 0))
    enter_result(tournament, 2, (15, 0))
    bounds = rank_bounds(tournament)
    for winner, _ in pairings(tournament)[0]:
        assert (bounds[winner].best, bounds[winner].worst) == (1, 4)


def expect_ranks_within(lines, bounds):
    for line in lines:
        assert bounds[line.pair].best <= line.rank <= bounds[line.pair].worst


@examples(40)
@given(st.integers(3, 12), st.integers(1, 4), st.integers(0, 999), st.booleans())
def test_final_rank_lies_within_earlier_bounds(count, rounds, seed, average):
    settings = {"rounds": rounds, "games_per_round": 2, "scoring": {"bye_average": average}}
    tournament = start_tournament(count, **settings, seed=str(seed))
    for _ in range(rounds - 1):
        play_round(tournament, Random(seed))
    bounds = rank_bounds(tournament)
    play_round(tournament, Random(seed + 1))
    expect_ranks_within(standings(tournament), bounds)
    expect_ranks_within(standings(tournament), rank_bounds(tournament))


KNOCKOUTS = [
    {"format": "knockout"},
    {"rounds": 1, "finals": {"best": 4}},
    {"rounds": 1, "finals": {"best": 4, "third": False}},
]


@examples(60)
@given(
    st.lists(st.integers(1, 3), min_size=2, max_size=10),
    st.sampled_from(KNOCKOUTS),
    st.integers(0, 999),
)
def test_final_rank_lies_within_the_bounds_of_a_knockout(lots, settings, seed):
    """After each result, also with byes and several lots of a pair."""
    if "finals" in settings:
        lots = [1] * len(lots)
    pairs = [{"name": f"Pair {n}", "entries": count} for n, count in enumerate(lots)]
    tournament = start_tournament(
        0, **{"rounds": 99, "pairs": pairs, "seed": str(seed), **settings}
    )
    all_bounds = []
    while next_stage(tournament.now):
        draw_round(tournament)
        for table in tournament.rounds[-1].matches:
            all_bounds.append(bounds_in_knockout(tournament.now))
            enter_result(tournament, table, (15, 8) if (seed + table) % 2 else (8, 15))
        all_bounds.append(bounds_in_knockout(tournament.now))
    ranks = {line.pair: line.rank for line in standings(tournament.now)}
    for bounds in all_bounds:
        for pair, bound in bounds.items():
            assert bound.best <= ranks[pair] <= bound.worst
    assert [(bound.best, bound.worst) for bound in all_bounds[-1].values()] == [(1, 1)]


@examples(40)
@given(st.integers(4, 12), st.integers(1, 3), st.integers(0, 999), st.data())
def test_withdrawn_pairs_take_no_possible_rank(count, rounds, seed, data):
    tournament = start_tournament(count, rounds=rounds + 1, games_per_round=2, seed=str(seed))
    for _ in range(rounds):
        play_round(tournament, Random(seed))
    left = data.draw(st.sets(st.integers(1, count), min_size=1, max_size=count - 2))
    first, *absent = sorted(left)
    tournament.push({"do": "abmeldung", "pair": first})
    tournament.push({"do": "anwesenheit", "absent": absent})
    bounds = rank_bounds(tournament)
    assert left.isdisjoint(bounds)
    assert max(bound.worst for bound in bounds.values()) <= count - len(left)
    play_round(tournament, Random(seed + 1))
    expect_ranks_within(standings(tournament)[: -len(left)], bounds)


@pytest.mark.slow
def test_256_pairs_play_five_rounds_with_cards():
    tournament = start_tournament(256, clubs=40, rounds=5, games_per_round=1)
    rng, rules = Random(11), tournament.settings.rules
    for _ in range(5):
        draw_round(tournament)
        newest = tournament.rounds[-1]
        assert len(newest.matches) == 128
        assert not any(match.drawn_table.notes for match in newest.matches.values())
        for table in newest.matches:
            points, retour = simulated_game(rules, rng)
            enter_result(tournament, table, points, retour=[1] if retour else [])
    assert sum(line.totals.won for line in standings(tournament)) == 640


def test_new_extra_points_replace_earlier_ones():
    tournament = start_tournament(4, ranking=["points"])
    extra = [(1, 10), (1, -3), (2, 5), (2, 0, "")]
    tournament = tournament.after([extra_points(*given) for given in extra])
    assert [tournament.entrants[n].extra for n in (1, 2, 3)] == [-3, 0, 0]
    assert tournament.entrants[2].extra_reason == ""
    assert [line.pair for line in standings(tournament)][-1] == 1


@pytest.mark.parametrize(
    ("ranking", "event", "code"),
    [
        (["points"], extra_points(1, 5, " "), "extra-without-reason"),
        (["points"], extra_points(9, 5), "no-such-pair"),
        (["won", "conceded"], extra_points(1, 5), "points-do-not-count"),
    ],
)
def test_invalid_extra_points_are_refused(ranking, event, code):
    with pytest.raises(Illegal, match=code):
        start_tournament(4, ranking=ranking).after([event])


@pytest.mark.parametrize(("version", "bye_games"), [(5, 1), (6, 0)])
@pytest.mark.parametrize("scoring", [{"bye_wins": True}, {"bye_average": True}])
def test_bye_of_a_knockout_counts_nothing(version, bye_games, scoring):
    tournament = start_tournament(
        3, format="knockout", rounds=99, games_per_round=1, scoring=scoring, tournament=version
    )
    draw_round(tournament)
    [bye] = tournament.rounds[0].byes
    enter_result(tournament, 1, (15, 8))
    draw_round(tournament)
    [match] = tournament.rounds[1].matches.values()
    is_second = match.drawn_table.pairs[1] == bye
    enter_result(tournament, 1, (8, 15) if is_second else (15, 8))
    [line] = (line for line in standings(tournament) if line.pair == bye)
    assert (line.rank, line.totals.won, line.totals.byes) == (1, 1 + bye_games, 1)


def test_pairs_are_in_alphabetical_order_until_the_first_game():
    names = ["Zauner & Zipfer", "Öller & Ober", "Obermair & Au", "Pichler & Ähm"]
    pairs = [{"name": name} for name in names]
    tournament = new_tournament(read_settings({"name": "T", "rules": "bayern", "pairs": pairs}))
    lines = ranked(tournament, standings(tournament), shares_ranks=True)
    shown = [(rank, tournament.entrants[line.pair].pair.name) for rank, line in lines]
    assert shown == [(0, names[2]), (0, names[1]), (0, names[3]), (0, names[0])]
