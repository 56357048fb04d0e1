"""The look back at an evening."""

from itertools import pairwise

import pytest
from pytest import approx

from scorer.engine.equity.model import live
from scorer.engine.telling.lookback import look_back
from scorer.engine.telling.player_statistics import accounts, interval
from tests.engine.notation import evening_from

EVEN = live(0.5)


def test_every_entry_updates_the_win_chance():
    found = look_back(evening_from("A A+ B- B A:5 N B"), EVEN)
    first, second = found.games
    assert [m.points for m in first] == [(0, 0), (2, 0), (4, 0), (4, 2), (9, 2)]
    assert (first[0].win, first[-1].win) == (0.5, 1.0)
    assert [m.points for m in second] == [(0, 0), (0, 2)]
    for before, after in pairwise(first):
        assert after.change == approx(after.win - before.win)
    # The leader's win in the last round turned nothing.
    assert first[-1].change > max(turn.change for turn in found.turning_points)
    assert first[-1] not in found.turning_points


def test_win_from_behind_in_the_last_round_turns_the_game():
    found = look_back(evening_from("A A A B B B B A:3"), EVEN)
    assert found.score_points[-1].win == 1
    assert found.score_points[-1] in found.turning_points


def test_last_round_of_an_even_game_turns_it():
    found = look_back(evening_from("A B A B A B A B A"), EVEN)
    assert found.score_points[-1] in found.turning_points


def test_raise_shows_its_answer_and_take_points():
    one, other = look_back(evening_from("B+ A- B+ A+ B= A"), EVEN).answered_raises[:2]
    assert (one.answer, one.side, one.to, one.won) == ("gehen", 1, 3, None)
    assert (one.values.stay_from.live, one.values.stay_from.dead) == approx(
        (0.184, 0.211), abs=0.001
    )
    assert other.answer == "bieten"


def test_statistics_rate_answers_by_take_points():
    sides = [{"players": ["Anna", "Bert"]}, {"players": ["Cilli", "Dora"]}]
    found = accounts([evening_from("B+ A- B+ A= A A+ B= A A:3", sides=sides)])
    anna, cilli = found.players["Anna"], found.pairs["Cilli", "Dora"]
    assert (anna.went_points, cilli.folded_points) == (2, 2)
    assert (anna.stays, anna.stay_won, cilli.stays, cilli.stay_won) == (1, 1, 1, 0)
    assert anna.went_needed == approx(0.184, abs=0.001)
    assert 0 < anna.stay_needed < 0.5


def test_disabled_look_back_prices_no_answers():
    sides = [{"name": "Anna"}, {"name": "Bert"}]
    found = accounts([evening_from("B+ A- B:9", sides=sides, look_back="never")])
    assert (found.players["Anna"].went, found.players["Anna"].went_needed) == (1, 0)


@pytest.mark.parametrize("text", ["A!sonstige:3 B+ A=", "A+ B!vergeben", "A!nicht-bekannt"])
def test_penalties_do_not_break_the_look_back(text):
    assert look_back(evening_from(text), EVEN).score_points


def test_interval_narrows_with_rounds():
    widths = []
    for of in (1, 4, 20, 100, 1000):
        low, high = interval(of // 2, of)
        assert 0 <= low <= (of // 2) / of <= high <= 1
        widths.append(high - low)
    assert widths == sorted(widths, reverse=True)


def test_unfinished_game_is_not_counted():
    sides = [{"name": "Anna"}, {"name": "Bert"}]
    before = accounts([evening_from("A A A A A", sides=sides)])
    assert accounts([evening_from("A A A A A N B+ A- B", sides=sides)]) == before


def test_decision_before_play_is_priced():
    """At 13 points a side is gespannt. It plays for 3 or gives 2 away (B-28)."""
    found = look_back(evening_from("A= B A-", rules="bayern", start={"points": [13, 0]}), EVEN)
    one, other = found.decisions
    assert (one.answer, one.side, one.won, one.points) == ("bleiben", 0, False, (13, 0))
    assert (other.answer, other.won, other.points) == ("gehen", None, (13, 3))
    for decided in found.decisions:
        assert 0 < decided.values.if_giving_away < 1
        assert decided.values.play_from.live <= decided.values.play_from.dead


def test_strike_and_locked_raise_lower_win_chance():
    """Both lower the chance to win. Between equal sides striking costs Bummerl, too (O-52)."""
    struck, locked = look_back(evening_from("A:7 B Bx A!krank-geboten"), EVEN).moves
    assert (struck.do, struck.side, struck.points) == ("streichen", 1, (7, 2))
    assert struck.win[1] > struck.win[0]
    before, after = struck.bummerl
    assert after > before
    assert (locked.do, locked.side) == ("krank-geboten", 0)
    assert locked.win[1] < locked.win[0]
    assert locked.bummerl[1] < locked.bummerl[0]


def test_strike_in_bavaria_shows_no_bummerl_change():
    switched = {"rules": "bayern", "set": {"strike": True}, "start": {"points": [13, 2]}}
    [moved] = look_back(evening_from("Bx", **switched), EVEN).moves
    assert moved.bummerl is None
    assert moved.win[1] > moved.win[0]


def test_dearest_fold_has_the_highest_loss():
    found = look_back(evening_from("A+ B- A+ B- A A:5"), EVEN)
    fold = found.dearest_fold
    assert fold is not None
    assert fold.side == 1
    costs = {(m.game, m.round): m.change for m in found.score_points}
    assert fold.lost_chance == approx(
        max(costs[one.game, one.round] for one in found.answered_raises)
    )
    # The loss is that of the side that folded.
    other = look_back(evening_from("B+ A- B+ A- B:7"), EVEN).dearest_fold
    assert other is not None
    assert (other.side, other.lost_chance > 0) == (0, True)
    assert look_back(evening_from("A A B"), EVEN).dearest_fold is None
