"""The best pairing of many, by a library that does nothing else."""

from __future__ import annotations

from collections.abc import Callable, Sequence


def pair_up(count: int, cost: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """All of `count` (even) put in twos at the least cost.

    >>> pair_up(4, lambda a, b: 0 if a + b == 3 else 1)
    [(0, 3), (1, 2)]

    :param cost: of putting two of 0 ... count - 1 together, the lower first
    """
    edges = [(a, b, cost(a, b)) for b in range(count) for a in range(b)]
    return sorted(_matched(count, edges))


def assign(rows: Sequence[Sequence[int]]) -> list[int]:
    """For each row another column, at the least sum of the costs in `rows`.

    >>> assign([[5, 1], [0, 9]])
    [1, 0]
    """
    count = len(rows)
    edges = [
        (row, count + at, cost) for row, costs in enumerate(rows) for at, cost in enumerate(costs)
    ]
    return [at - count for _, at in sorted(_matched(2 * count, edges))]


def _matched(nodes: int, edges: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    """A matching of all nodes with the least cost: the library's greatest, upside down."""
    # Only who draws pays for it: it brings numpy.
    import rustworkx

    graph = rustworkx.PyGraph()
    graph.add_nodes_from(list(range(nodes)))
    highest = max((cost for _, _, cost in edges), default=0)
    graph.add_edges_from([(a, b, highest - cost) for a, b, cost in edges])
    found = rustworkx.max_weight_matching(graph, max_cardinality=True, weight_fn=int)
    return [(min(two), max(two)) for two in found]
