"""Level pairs, and the ties that need a deciding game."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis.strategies import lists, permutations

from scorer.engine.aggregate import replace
from scorer.tournament import standings
from scorer.tournament.deciders import (
    TiedPlace,
    decisive_places,
    level_pairs,
    ties_to_decide,
)
from scorer.tournament.finals import places_in_groups, qualifying_pairs, ties_at_qualifying_line
from scorer.tournament.round_robin import group_of
from scorer.tournament.stages import next_stage
from scorer.tournament.state import Decider
from tests.sampling import examples
from tests.tournament.builders import draw_round, enter_result, pairings, start_tournament


def played_tournament(tables=2):
    """A tournament in which all first pairs won, with the same score."""
    tournament = start_tournament(2 * tables, ranking=["won"])
    draw_round(tournament)
    for table in range(1, tables + 1):
        enter_result(tournament, table, (15, 0))
    return tournament


def undecided(tournament):
    return [
        (tie.rank, {*tie.pairs}) for tie in ties_to_decide(tournament.now, standings(tournament))
    ]


def test_level_pairs_are_listed_by_their_first_place():
    tournament = played_tournament()
    winners, losers = ({*side} for side in zip(*pairings(tournament)[0], strict=True))
    found = level_pairs(tournament.now, standings(tournament))
    assert {place.rank: {*pairs} for place, pairs in found.items()} == {1: winners, 3: losers}


def test_pairs_without_a_place_are_not_level():
    tournament = played_tournament()
    loser = pairings(tournament)[0][0][1]
    tournament.push({"do": "abmeldung", "pair": loser})
    assert list(level_pairs(tournament.now, standings(tournament))) == [TiedPlace(1)]


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
    return {place.rank for place in decisive_places(tournament.now, standings(tournament))}


def test_order_is_decisive_if_prizes_differ():
    tournament = played_tournament()
    assert decisive(tournament) == {1}
    tournament.push({"do": "preise", "lines": ["50", "30", "20"]})
    assert decisive(tournament) == {1, 3}


def test_order_is_decisive_at_the_cut_of_the_finals():
    """The finals decide the first place, so before them no deciding game does."""
    tournament = start_tournament(6, ranking=["won"], finals={"best": 4})
    draw_round(tournament)
    for table in range(1, 4):
        enter_result(tournament, table, (15, 0))
    last = [line.pair for line in standings(tournament)[3:]]
    assert (decisive(tournament), undecided(tournament)) == ({4}, [(4, {*last})])
    for other in last[:2]:
        tournament.push({"do": "stechen", "winner": last[2], "loser": other})
    assert (decisive(tournament), undecided(tournament)) == ({4}, [])
    tournament.push({"do": "einstellung", "set": {"finals": None}})
    assert decisive(tournament) == {1}


@pytest.mark.parametrize(("version", "is_kept"), [(3, False), (4, True)])
def test_finals_keep_the_order_that_deciding_games_made(version, is_kept):
    """Of three level pairs one reaches the finals. Of the others, the one that is ahead lost their
    own game.
    """
    settings = {"ranking": ["won"], "rounds": 1, "finals": {"best": 4}, "tournament": version}
    tournament = start_tournament(6, **settings)
    draw_round(tournament)
    for table in range(1, 4):
        enter_result(tournament, table, (15, 0))
    first, second, third = (line.pair for line in standings(tournament)[3:])
    for winner, loser in ((third, second), (first, third), (first, third), (second, first)):
        tournament.push({"do": "stechen", "winner": winner, "loser": loser})
    assert [line.pair for line in standings(tournament)[3:]] == [first, second, third]
    draw_round(tournament)
    assert first in tournament.rounds[-1].playing
    after = [line.pair for line in standings(tournament)[4:]]
    assert after == ([second, third] if is_kept else [third, second])


def test_level_pairs_that_left_are_listed_after_the_finals():
    tournament = start_tournament(6, ranking=["won"], rounds=1, finals={"best": 2})
    draw_round(tournament)
    for table in range(1, 4):
        enter_result(tournament, table, (15, 0))
    draw_round(tournament)
    gone = [line.pair for line in standings(tournament)[4:]]
    for pair in gone:
        tournament.push({"do": "abmeldung", "pair": pair})
    lines = standings(tournament)
    assert {line.pair for line in lines[4:]} == {*gone}
    assert [line.rank for line in lines[4:]] == [0, 0]


MORE = {"best": 1, "more": 1}
TOO_MANY = {"best": 2, "more": 0}
"""Of two pairs in each of three groups, finals of four have room for one second only."""


def played_groups(qualify=MORE):
    """Three groups of three. In the first each pair has won once; in the others the order is clear,
    and their second pairs are level with the first group.
    """
    groups = {"count": 3, **qualify}
    tournament = start_tournament(9, format="groups", rounds=99, groups=groups, finals={"best": 4})
    while next_stage(tournament.now) == "groups":
        draw_round(tournament)
        inside = group_of(tournament.now)
        for table, match in tournament.rounds[-1].matches.items():
            pair, other = match.drawn_table.pairs
            group = [n for n in sorted(inside) if inside[n] == inside[pair]]
            is_turned = inside[pair] == 1 and {pair, other} == {group[0], group[2]}
            first_wins = (group.index(pair) < group.index(other)) != is_turned
            enter_result(tournament, table, (15, 10) if first_wins else (10, 15))
    members = [[n for n in sorted(inside) if inside[n] == group] for group in (1, 2, 3)]
    return tournament, members


@pytest.mark.parametrize("qualify", [MORE, TOO_MANY], ids=["more", "too-many"])
def test_pairs_of_different_groups_tie_only_for_the_last_places_in_the_finals(qualify):
    tournament, (circle, (_, second, _), (_, other_second, _)) = played_groups(qualify)
    lines = standings(tournament)
    assert {line.pair for line in lines if line.tie} == {*circle}
    level = level_pairs(tournament.now, lines)
    assert level.keys() == {TiedPlace(1, group=1), TiedPlace(1, is_across_groups=True)}
    assert {*level[TiedPlace(1, group=1)]} == {*circle}
    assert {second, other_second} < {*level[TiedPlace(1, is_across_groups=True)]}
    assert decisive_places(tournament.now, lines) == level.keys()
    ((_, pairs),) = undecided(tournament)
    assert pairs == {*circle, second, other_second}


@pytest.mark.parametrize("qualify", [MORE, TOO_MANY], ids=["more", "too-many"])
def test_each_tie_for_the_finals_can_be_decided(qualify):
    """The desk announces these ties and leads to the page of deciding games."""
    tournament, _ = played_groups(qualify)
    level = level_pairs(tournament.now, standings(tournament)).values()
    ties = ties_at_qualifying_line(tournament.now)
    tied = {pair for tie in ties for pair in (*tie.qualified, *tie.eliminated)}
    assert tied and tied <= {pair for pairs in level for pair in pairs}


@pytest.mark.parametrize("qualify", [MORE, TOO_MANY], ids=["more", "too-many"])
def test_deciding_games_between_groups_change_no_place_within_one(qualify):
    tournament, members = played_groups(qualify)
    circle, (first, second, _), (other_first, other_second, _) = members
    for winner, loser in combinations(circle, 2):
        tournament.push({"do": "stechen", "winner": winner, "loser": loser})
    tournament.push({"do": "stechen", "winner": circle[2], "loser": circle[1]})
    tournament.push({"do": "stechen", "winner": second, "loser": circle[1]})
    tournament.push({"do": "stechen", "winner": second, "loser": other_second})
    places = places_in_groups(standings(tournament), group_of(tournament.now))
    assert [places[pair] for pair in circle] == [1, 3, 2]
    assert {*qualifying_pairs(tournament.now, 4)} == {circle[0], first, other_first, second}
    assert ties_at_qualifying_line(tournament.now) == []


@given(games=lists(permutations(range(9)).map(lambda order: order[:2]), max_size=12))
@examples(60)
def test_a_place_in_a_group_depends_on_games_of_this_group_only(games):
    tournament, members = played_groups()
    pairs = [pair for group in members for pair in group]
    played = [Decider(pairs[winner], pairs[loser]) for winner, loser in games]
    of_group = [game for game in played if {game.winner, game.loser} <= {*members[0]}]

    def places_of_group(deciders):
        lines = standings(replace(tournament.now, deciders=tuple(deciders)))
        return [line.pair for line in lines if line.pair in members[0]]

    assert places_of_group(played) == places_of_group(of_group)


def test_place_in_the_group_ranks_level_pairs_after_the_finals():
    tournament, (circle, (_, second, _), (_, other_second, _)) = played_groups()
    draw_round(tournament)
    eliminated = [
        line for line in standings(tournament) if line.pair not in tournament.rounds[-1].playing
    ]
    of_circle, seconds = (
        [line for line in eliminated if line.pair in pairs]
        for pairs in (circle, {second, other_second})
    )
    assert {line.totals.won for line in (*of_circle, *seconds)} == {1}
    assert max(line.rank for line in of_circle) < min(line.rank for line in seconds)
