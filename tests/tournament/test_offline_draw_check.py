"""An offline draw is accepted if its seed allows it, with either matching library."""

import importlib.util
from contextlib import suppress
from itertools import product

import pytest

from scorer.engine import Unreadable
from scorer.tournament import draw, parse
from scorer.tournament import draw_check as checks
from scorer.tournament.draw_check import check_draw
from tests.sampling import mostly_slow
from tests.tournament.builders import start_tournament

WON = [[15, 3]]


def club_tournament(pairs, **settings):
    """A tournament of `pairs` pairs from five clubs."""
    return start_tournament(pairs, 5, **settings).now


def play_rounds(state, rounds):
    """The tournament after more rounds, in which the first pair wins each match."""
    for _ in range(rounds):
        drawn = draw(state)
        state = state.after([drawn.to_json()])
        entered = {"do": "ergebnis", "round": drawn.round, "who": "director", "games": WON}
        state = state.after([{**entered, "table": table.table} for table in drawn.tables])
    return state


def exchange_opponents(body, first, second):
    """The draw with the opponents of two tables exchanged."""
    tables = [dict(table) for table in body["tables"]]
    for field in {"pairs", "lots", "teams"} & tables[first].keys():
        (a, b), (c, d) = tables[first][field], tables[second][field]
        tables[first][field], tables[second][field] = [a, d], [c, b]
    return {**body, "tables": tables}


def expect_refusal(state, body):
    with pytest.raises(Unreadable):
        check_draw(state, parse(body))


FORMATS = [
    ({}, 24, 2),
    ({}, 9, 2),
    ({"format": "partners"}, 24, 2),
    ({"format": "knockout"}, 16, 1),
    ({"format": "round-robin", "rounds": 7}, 8, 2),
    ({"rounds": 7}, 8, 2),
    ({}, 200, 1),
]


@pytest.mark.parametrize(("settings", "pairs", "rounds"), mostly_slow(FORMATS, 3))
def test_manipulated_draw_is_refused(settings, pairs, rounds):
    state = play_rounds(club_tournament(pairs, **settings), rounds)
    body = draw(state).to_json()
    check_draw(state, parse(body))
    count = len(body["tables"])
    for first in range(min(count, 4)):
        for second in range(first + 1, min(count, 5)):
            expect_refusal(state, exchange_opponents(body, first, second))
    expect_refusal(state, {**body, "tables": body["tables"][1:]})


def test_player_in_two_teams_is_refused(monkeypatch):
    monkeypatch.setattr(checks, "MAX_SOLVED", 4)
    state = play_rounds(club_tournament(24, format="partners"), 1)
    body = draw(state).to_json()
    for twice in body["tables"][0]["teams"][0]:
        for at, kept in product(range(1, len(body["tables"])), range(2)):
            tables = [dict(table) for table in body["tables"]]
            first, *rest = tables[at]["teams"]
            tables[at]["teams"] = [[first[kept], twice], *rest]
            expect_refusal(state, {**body, "tables": tables})


@pytest.mark.parametrize(("settings", "pairs", "rounds"), FORMATS[:-1])
def test_draw_made_on_a_phone_is_accepted(settings, pairs, rounds, monkeypatch):
    """A phone's matching library may find another pairing of the same cost."""
    find = importlib.util.find_spec
    for seed in "abcdefgh":
        state = play_rounds(club_tournament(pairs, seed=seed, **settings), rounds)
        with monkeypatch.context() as phone:
            where = "scorer.tournament.min_cost_matching.find_spec"
            phone.setattr(where, lambda name: name != "rustworkx" and find(name))
            drawn = draw(state)
        check_draw(state, parse(drawn.to_json()))


def test_pairings_of_equal_cost_are_accepted(monkeypatch):
    """Without lots, many pairings cost the same."""
    monkeypatch.setattr("scorer.tournament.redraw.MAX_RANDOM_COST", 1)
    state = play_rounds(club_tournament(24), 1)
    body = draw(state).to_json()
    taken = 0
    for second in range(1, len(body["tables"])):
        with suppress(Unreadable):
            check_draw(state, parse(exchange_opponents(body, 0, second)))
            taken += 1
    assert 0 < taken < len(body["tables"])


def test_large_draw_with_cheaper_exchange_is_refused(monkeypatch):
    state = play_rounds(club_tournament(24), 2)
    body = draw(state).to_json()
    monkeypatch.setattr(checks, "MAX_SOLVED", 2)
    check_draw(state, parse(body))
    expect_refusal(state, exchange_opponents(body, 0, 1))
