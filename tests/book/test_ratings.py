"""Ratings of players who change partners."""

from itertools import combinations

from scorer.book.ratings import ratings
from tests.engine.notation import evening_from

PEOPLE = ("Alice", "Bob", "Charlie", "Dora")


def evening_of(first, second, text):
    sides = [{"players": list(first)}, {"players": list(second)}]
    return evening_from(text, rules="bayern", sides=sides)


def won_by_alice(times):
    """Yield evenings that Alice and her changing partner win, `times` for each seating."""
    for first in list(combinations(PEOPLE, 2)) * times:
        second = tuple(name for name in PEOPLE if name not in first)
        yield evening_of(first, second, "A:15" if "Alice" in first else "B:15")


def test_ratings_need_many_games():
    """The player who always wins is first, but differs clearly only after many games."""
    few, many = ratings(won_by_alice(1)), ratings(won_by_alice(20))
    assert few[0].name == many[0].name == "Alice"
    assert few[0].low < few[1].high
    assert many[0].low > many[1].high
    assert many[0].games == 20 * 6
    for one in few:
        assert one.low < one.middle < one.high
    assert many[0].high - many[0].low < few[0].high - few[0].low


def test_fixed_partners_get_no_rating():
    assert ratings([evening_of(PEOPLE[:2], PEOPLE[2:], "A:15 N B:15")]) == []


def test_unnamed_players_and_namesakes_get_no_rating():
    assert ratings([evening_of((), (), "A:15")]) == []
    assert ratings([evening_of(("Alice", "Bob"), ("Bob", "Dora"), "A:15")]) == []
