"""Results as a director types them, with few keys, are never misread."""

from itertools import product

import pytest

from scorer.engine import Illegal, Unreadable, rules_of
from scorer.tournament.result_validation import possible_points
from scorer.tournament.score_shorthand import parse_scores

TARGET, GAMES, HIGHEST_TABLE = 15, 3, 99
KEYS = 10


def shortest_keys(games):
    """The keystrokes for a match: each game's losing points, marked if the first pair lost."""

    def keys(first, second):
        if first > second:
            return str(second)
        return f"*{first - 10}" if first >= 10 else f"-{first}"

    return "".join(keys(*game) for game in games)


def test_three_games_need_at_most_ten_keys():
    losers = possible_points(rules_of("bayern"), TARGET)
    one_game = [game for p in losers for game in ((TARGET, p), (p, TARGET))]
    most = 0
    for games in product(one_game, repeat=GAMES):
        keys = shortest_keys(games)
        assert parse_scores(keys, TARGET, GAMES) == (games, ())
        most = max(most, len(keys))
    enter = 1
    assert len(str(HIGHEST_TABLE)) + enter + most + enter == KEYS


@pytest.mark.parametrize(
    ("keys", "games", "retour"),
    [
        ("8 -12 3", ((15, 8), (12, 15), (15, 3)), ()),
        (" 8,-12;3 ", ((15, 8), (12, 15), (15, 3)), ()),
        ("15:8 12/15 3", ((15, 8), (12, 15), (15, 3)), ()),
        ("15 8 12 15 15 3", ((15, 8), (12, 15), (15, 3)), ()),
        ("17,8;12 15 15 13r", ((17, 8), (12, 15), (15, 13)), (3,)),
        ("13r *3R 0", ((15, 13), (13, 15), (15, 0)), (1, 2)),
    ],
)
def test_longer_notations_are_understood(keys, games, retour):
    assert parse_scores(keys, TARGET, GAMES) == (games, retour)


@pytest.mark.parametrize("keys", ["8x3", "-", "r"])
def test_unreadable_keys_are_refused(keys):
    with pytest.raises(Unreadable):
        parse_scores(keys, TARGET, GAMES)


@pytest.mark.parametrize("keys", ["", "*", "8 3", "8 3 2 2", "8 3 2 2 15 3"])
def test_wrong_number_of_games_is_refused(keys):
    with pytest.raises(Illegal, match="other-count-read"):
        parse_scores(keys, TARGET, GAMES)


@pytest.mark.parametrize("keys", ["15 8 12 15 15", "15 8", "8 3 2 15"])
def test_a_number_too_few_or_too_many_is_counted(keys):
    with pytest.raises(Illegal, match="other-count-of-numbers") as refused:
        parse_scores(keys, TARGET, GAMES)
    assert refused.value.values["count"] == len(keys.split())


@pytest.mark.parametrize("keys", ["20 3 3", "15 8 12 15 15 15"])
def test_losing_points_that_reach_the_target_are_named(keys):
    with pytest.raises(Illegal, match="loser-too-high"):
        parse_scores(keys, TARGET, GAMES)
