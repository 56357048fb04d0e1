"""Who pays whom: the sums agree, with the fewest payments."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from scorer.engine import Side
from scorer.engine.telling.settlement import (
    MAX_SEARCHED_PEOPLE,
    SettledGame,
    balances,
    bummerl_by_player,
    finished_games,
    payments,
)
from tests.builders import SEATED
from tests.engine.notation import evening_from, events, played_evening

PEOPLE = ("Anna", "Bert", "Cilli", "Dora")


@st.composite
def games(draw):
    names = draw(st.permutations(PEOPLE))
    sides = (Side("Wir", tuple(names[:2])), Side("Die", tuple(names[2:])))
    winner = draw(st.integers(0, 1))
    count = draw(st.sampled_from((1, 2, 4)))
    return SettledGame(sides, winner, (0, count) if winner == 0 else (count, 0))


def fewest_payments(owing):
    """The smallest number of payments, by trying every split into groups that sum to zero."""
    names = [name for name in owing if owing[name]]

    def groups(rest):
        if not rest:
            return 0
        first, others = rest[0], rest[1:]
        found = 0
        for size in range(len(others) + 1):
            for more in combinations(others, size):
                if sum(owing[name] for name in (first, *more)) == 0:
                    found = max(found, 1 + groups([name for name in others if name not in more]))
        return found

    return len(names) - groups(names)


@given(st.lists(games(), max_size=8), st.integers(1, 500), st.booleans())
def test_balances_sum_to_zero(played_games, price, per_game):
    found = balances(played_games, price, per_game)
    assert sum(found.values()) == 0
    assert set(found) == (set(PEOPLE) if played_games else set())


def settle_balances(amounts):
    """Balances that sum to zero, and the payments that settle them."""
    owing = {f"P{at}": amount for at, amount in enumerate([*amounts, -sum(amounts)])}
    left, found = dict(owing), payments(owing)
    for payment in found:
        assert payment.amount > 0
        left[payment.payer] += payment.amount
        left[payment.to] -= payment.amount
    assert set(left.values()) == {0}
    return owing, found


@given(st.lists(st.integers(-9, 9), min_size=1, max_size=7))
def test_debts_are_settled_with_fewest_payments(amounts):
    owing, found = settle_balances(amounts)
    assert len(found) == fewest_payments(owing)


@given(st.lists(st.integers(1, 99), min_size=MAX_SEARCHED_PEOPLE, max_size=60))
def test_payments_are_fewer_than_players(amounts):
    owing, found = settle_balances(amounts)
    assert len(found) < len(owing)


def test_bummerl_follow_players_to_new_sides():
    evening = played_evening("oberoesterreich", "A:9")
    swapped = [{"name": "Wir", "players": ["Anna", "Cilli"]}]
    swapped.append({"name": "Die", "players": ["Bert", "Dora"]})
    seated = [{"do": "sitzordnung", "sides": sides} for sides in (SEATED, swapped)]
    evening = evening_from([seated[0], *events("A:9 N"), seated[1], *events("B:2 A:9")])
    # First Cilli and Dora lose without a point, and then Bert and Dora with points.
    taken = bummerl_by_player(finished_games(evening))
    assert taken == {"Anna": 0, "Bert": 1, "Cilli": 2, "Dora": 3}


def test_unnamed_sides_settle_by_number():
    evening = played_evening("bayern", "A:9 A:9")
    assert balances(finished_games(evening), 100) == {"#1": 100, "#2": -100}
