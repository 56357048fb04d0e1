"""Both matching libraries find rounds of the same cost."""

from hypothesis import given
from hypothesis import strategies as st

from scorer.tournament.min_cost_matching import by_networkx, by_rustworkx


@given(
    count=st.integers(1, 8).map(lambda half: 2 * half),
    costs=st.lists(st.integers(0, 50), min_size=120, max_size=120),
)
def test_both_matching_libraries_find_equal_cost(count, costs):
    pairs = [(a, b) for b in range(count) for a in range(b)]
    gains = [(a, b, 50 - costs[at]) for at, (a, b) in enumerate(pairs)]
    worth = {(a, b): gain for a, b, gain in gains}
    sums = [
        sum(worth[min(pair), max(pair)] for pair in library(count, gains))
        for library in (by_rustworkx, by_networkx)
    ]
    assert sums[0] == sums[1]
