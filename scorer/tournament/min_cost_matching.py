"""Minimum-cost matching with rustworkx, or with networkx in a browser.

Both find a matching of least cost. They are imported only when a round is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from importlib.util import find_spec

Edges = list[tuple[int, int, int]]
Cost = Callable[[int, int], int]
"""Cost of pairing two of 0 ... n - 1, the lower first; called once per pair, in a fixed order."""
PairingFinder = Callable[[Sequence[Hashable], Cost], list[tuple[int, int]]]
"""Pairs up labelled items and returns the pairs of their indices."""


def cheapest_pairing(labels: Sequence[Hashable], cost: Cost) -> list[tuple[int, int]]:
    """The default `PairingFinder`: all labels paired at the least total cost.

    >>> cheapest_pairing("abcd", lambda a, b: 0 if a + b == 3 else 1)
    [(0, 3), (1, 2)]
    """
    return pair_up(len(labels), cost)


def pair_up(count: int, cost: Cost) -> list[tuple[int, int]]:
    """All of `count` (even) numbers paired at the least total cost.

    >>> pair_up(4, lambda a, b: 0 if a + b == 3 else 1)
    [(0, 3), (1, 2)]

    :param cost: cost of pairing two of 0 ... count - 1, the lower first
    """
    edges = [(a, b, cost(a, b)) for b in range(count) for a in range(b)]
    return sorted(_matching(count, edges))


def assign(rows: Sequence[Sequence[int]]) -> list[int]:
    """A different column for each row, at the least total of the costs in `rows`.

    >>> assign([[5, 1], [0, 9]])
    [1, 0]
    """
    count = len(rows)
    edges = [
        (row, count + column, cost)
        for row, costs in enumerate(rows)
        for column, cost in enumerate(costs)
    ]
    return [column - count for _, column in sorted(_matching(2 * count, edges))]


def _matching(nodes: int, edges: Edges) -> list[tuple[int, int]]:
    highest = max((cost for _, _, cost in edges), default=0)
    gains = [(a, b, highest - cost) for a, b, cost in edges]
    library = by_rustworkx if find_spec("rustworkx") else by_networkx
    return [(min(pair), max(pair)) for pair in library(nodes, gains)]


def by_rustworkx(nodes: int, gains: Edges) -> Iterable[tuple[int, int]]:
    """A perfect matching of greatest weight, by compiled code."""
    import rustworkx

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(list(range(nodes)))
    graph.add_edges_from(gains)
    return rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)


def by_networkx(nodes: int, gains: Edges) -> Iterable[tuple[int, int]]:
    """A perfect matching of greatest weight, in pure Python."""
    import networkx

    graph = networkx.Graph()
    graph.add_nodes_from(range(nodes))
    graph.add_weighted_edges_from(gains)
    matching: set[tuple[int, int]] = networkx.max_weight_matching(graph, maxcardinality=True)
    return matching
