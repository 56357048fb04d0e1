"""Tests of the bracket's columns, and of the parts in which a large one is shown."""

from itertools import pairwise
from random import Random

import pytest

from scorer.engine import Illegal
from scorer.tournament.bracket import MAX_BRACKET_TABLES, bracket, bracket_parts, rounds_to_draw
from tests.tournament.builders import play_round, start_tournament


def play_knockout(count, rounds=99):
    """A knock-out of `count` pairs after this number of rounds, or after all of them."""
    tournament = start_tournament(count, format="knockout", rounds=99)
    try:
        for number in range(rounds):
            play_round(tournament, Random(number))
    except Illegal as error:
        assert error.code == "all-played"
    return tournament.now


@pytest.mark.parametrize("count", [2, 7, 8, 16, 17, 24, 31, 32, 33, 40, 48, 64, 100, 128])
@pytest.mark.parametrize("rounds", [1, 2, 4, 99])
def test_bracket_parts_show_each_match_once_in_columns_that_fit(count, rounds):
    tournament = play_knockout(count, rounds)
    parts = bracket_parts(bracket(tournament))
    shown = [match for part in parts for column in part.columns for match in column.matches]
    played = [match for round_ in tournament.rounds for match in round_.matches.values()]
    assert len(shown) == len(played)
    assert all(match in shown for match in played)
    for part in parts:
        tables = [[match.drawn_table.table for match in one.matches] for one in part.columns]
        if part.is_list:
            assert len(tables) == 1 and tables[0] == sorted(tables[0])
        else:
            assert max(map(len, tables)) <= MAX_BRACKET_TABLES


@pytest.mark.parametrize("count", [16, 32, 64, 128])
def test_each_two_matches_of_a_part_lead_to_the_one_beside_them(count):
    parts = bracket_parts(bracket(play_knockout(count)))
    assert len(parts) == {16: 1, 32: 3, 64: 5, 128: 9}[count]
    for before, after in (both for part in parts for both in pairwise(part.columns)):
        assert before.joined
        winners = [match.drawn_table.lots[match.winner] for match in before.matches]
        for index, match in enumerate(after.matches):
            assert set(match.drawn_table.lots) == {*winners[2 * index : 2 * index + 2]}


@pytest.mark.parametrize("count", [2, 7, 8, 16, 31, 64, 128])
def test_rounds_to_draw_lead_to_the_final(count):
    """As many tables as the round has when it is drawn."""
    drawn = [len(column.matches) for column in bracket(play_knockout(count))]
    for rounds in range(1, len(drawn) + 1):
        coming = rounds_to_draw(play_knockout(count, rounds))
        expected = [tables for tables in drawn[rounds:] if tables <= MAX_BRACKET_TABLES]
        assert [len(column.coming) for column in coming] == expected
        assert [column.coming_count for column in coming] == expected
        # Only the final's pairs follow from the results.
        feeders = [feeder for column in coming for feeders in column.coming for feeder in feeders]
        assert all(feeders) if expected == [1] else not any(feeders)


def test_parts_of_coming_finals_name_their_whole_round():
    tournament = start_tournament(33, rounds=1, finals={"best": 32})
    for number in range(2):
        play_round(tournament, Random(number))
    first, second, final = bracket_parts(bracket(tournament.now))
    for part in (first, second):
        assert [len(column.matches) for column in part.columns] == [8, 0, 0, 0]
        assert [len(column.coming) for column in part.columns] == [0, 4, 2, 1]
        assert [column.coming_count for column in part.columns] == [0, 8, 4, 2]
    assert [column.coming_count for column in final.columns] == [1]
