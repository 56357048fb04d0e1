"""Finals: who qualifies, which places the lot decides, and who plays whom."""

from itertools import combinations
from random import Random

import pytest

from scorer.engine import Illegal
from scorer.tournament import draw, standings
from scorer.tournament.finals import (
    drawn_group_sizes,
    qualifying_pairs,
    qualifying_places,
    ties_at_qualifying_line,
)
from scorer.tournament.match import KNOCKOUT
from scorer.tournament.round_robin import group_of
from scorer.tournament.stages import next_stage
from tests.sampling import slow
from tests.tournament.builders import (
    draw_round,
    enter_result,
    pairings,
    play_round,
    start_tournament,
)


def ranked(tournament):
    return [line.pair for line in standings(tournament)]


def test_finals_include_bracket_and_third_place_match():
    tournament = start_tournament(12, rounds=2, finals={"best": 4})
    for _ in range(2):
        play_round(tournament, Random(7))
    order = ranked(tournament)
    draw_round(tournament)
    assert pairings(tournament)[-1] == [(order[0], order[3]), (order[1], order[2])]
    enter_result(tournament, 1, (15, 0))
    enter_result(tournament, 2, (3, 15))
    draw_round(tournament)
    assert pairings(tournament)[-1] == [(order[0], order[2]), (order[3], order[1])]
    assert tournament.rounds[-1].matches[2].drawn_table.notes == ("third",)
    enter_result(tournament, 1, (8, 15))
    enter_result(tournament, 2, (15, 8))
    with pytest.raises(Illegal, match="all-played"):
        draw(tournament)
    assert ranked(tournament)[:4] == [order[2], order[0], order[3], order[1]]


def rivals(tournament):
    return [{*tie.qualified, *tie.eliminated} for tie in ties_at_qualifying_line(tournament)]


def test_finals_cut_lists_pairs_decided_by_lot():
    tournament = start_tournament(8, rounds=1, finals={"best": 2})
    draw_round(tournament)
    for table in tournament.rounds[0].matches:
        enter_result(tournament, table, (15, 8))
    best = ranked(tournament)[:4]
    [tie] = ties_at_qualifying_line(tournament)
    assert (tie.qualified, tie.eliminated) == (tuple(best[:2]), tuple(best[2:]))
    # The winner of a deciding game qualifies and the loser does not. The others draw lots.
    tournament.push({"do": "stechen", "winner": best[3], "loser": best[0]})
    assert rivals(tournament) == [{best[1], best[2]}]
    [tie] = ties_at_qualifying_line(tournament)
    draw_round(tournament)
    assert ties_at_qualifying_line(tournament) == [tie]
    # A pair that leaves the finals still counts as qualified.
    tournament.push({"do": "abmeldung", "pair": best[1]})
    assert ties_at_qualifying_line(tournament) == [tie]


def test_group_cut_by_lot_lists_only_that_group():
    groups = {"count": 2, "best": 1}
    tournament = start_tournament(6, format="groups", rounds=99, groups=groups, finals={"best": 2})
    while next_stage(tournament) == "groups":
        draw_round(tournament)
        group_by_pair = group_of(tournament)
        for table, match in tournament.rounds[-1].matches.items():
            pair, other = match.drawn_table.pairs
            group = sorted(n for n in group_by_pair if group_by_pair[n] == group_by_pair[pair])
            # In the first group the order is clear. In the second each pair wins once.
            first = group.index(pair) < group.index(other)
            turned = group_by_pair[pair] == 2 and {pair, other} == {group[0], group[2]}
            enter_result(tournament, table, (15, 8) if first != turned else (8, 15))
    second = {pair for pair in group_by_pair if group_by_pair[pair] == 2}
    assert {line.pair for line in standings(tournament) if line.tie == "lot"} == second
    assert rivals(tournament) == [second]


@pytest.mark.parametrize(("count", "groups"), [(8, 2), (9, 2), (16, 4), (13, 4)])
def test_groups_play_internally_then_best_qualify(count, groups):
    settings = {"groups": {"count": groups, "best": 2}, "finals": {"best": 8}}
    tournament = start_tournament(count, clubs=5, format="groups", rounds=99, **settings)
    draw_round(tournament)
    group_by_pair = group_of(tournament)
    for table in tournament.rounds[0].matches:
        enter_result(tournament, table, (15, 3))
    while tournament.rounds[-1].stage != "final":
        play_round(tournament, Random(5))
    *drawn, finals = pairings(tournament)
    assert {round_.stage for round_ in tournament.rounds[:-1]} == {"groups"}
    same_group_pairs = [
        two
        for two in combinations(range(1, count + 1), 2)
        if group_by_pair[two[0]] == group_by_pair[two[1]]
    ]
    assert sorted(tuple(sorted(two)) for round_ in drawn for two in round_) == same_group_pairs
    assert len(finals) == groups
    assert all(group_by_pair[a] != group_by_pair[b] for a, b in finals)


@pytest.mark.parametrize("seed", [*range(6), *slow(*range(6, 40))])
def test_best_two_of_a_group_are_in_different_halves(seed):
    settings = {"groups": {"count": 4, "best": 2}, "finals": {"best": 8}}
    tournament = start_tournament(16, format="groups", rounds=99, **settings)
    while not tournament.rounds or tournament.rounds[-1].stage != "final":
        play_round(tournament, Random(seed))
    *_, finals = pairings(tournament)
    groups = group_of(tournament)
    for half in (finals[:2], finals[2:]):
        pairs = [pair for two in half for pair in two]
        assert sorted(groups[pair] for pair in pairs) == sorted({groups[pair] for pair in pairs})


def groups_played(third_placed):
    """Three groups of four whose games are over; the best two of each and the best of the thirds
    qualify.
    """
    groups = {"count": 3, "best": 2, "more": third_placed}
    tournament = start_tournament(12, format="groups", rounds=99, groups=groups, finals={"best": 8})
    rng = Random(4)
    for _ in range(3):
        play_round(tournament, rng)
    return tournament


@pytest.mark.parametrize(
    ("third_placed", "qualifying", "places"), [(0, 4, (1, 1)), (1, 4, (1, 1)), (2, 8, (2, 2))]
)
def test_finals_have_four_or_eight_pairs(third_placed, qualifying, places):
    """A seventh pair does not qualify alone."""
    tournament = groups_played(third_placed)
    assert len(qualifying_pairs(tournament, 8)) == qualifying
    assert qualifying_places(tournament.settings, drawn_group_sizes(tournament)) == places


def test_best_third_placed_pairs_qualify():
    tournament = groups_played(third_placed=2)
    circles, order = tournament.rounds[0].circles, ranked(tournament)
    group_by_pair = {pair: index for index, circle in enumerate(circles) for pair in circle if pair}
    groups = [[pair for pair in order if group_by_pair[pair] == index] for index in range(3)]
    best_two = {pair for pairs in groups for pair in pairs[:2]}
    thirds = sorted((pairs[2] for pairs in groups), key=order.index)
    assert set(qualifying_pairs(tournament, 8)) == best_two | set(thirds[:2])
    draw_round(tournament)
    assert tournament.rounds[-1].stage in KNOCKOUT
    for match in tournament.rounds[-1].matches.values():
        assert len({group_by_pair[pair] for pair in match.drawn_table.pairs}) == 2
