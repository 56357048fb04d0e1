"""Whether a round that was drawn elsewhere is one that its seed draws.

Two libraries may find different pairings of the same least cost (`min_cost_matching`), so what was
brought is not compared with a pairing but with its cost. Everything else has to be the same.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Final

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.tournament.draw import draw
from scorer.tournament.event_types.draws import Auslosung
from scorer.tournament.min_cost_matching import Cost, pair_up
from scorer.tournament.round_plan import NOBODY
from scorer.tournament.state import Tournament

SOLVED: Final = 128
"""Of as many the least cost is found. Of more, no two pairs of opponents may be cheaper by
exchanging theirs, which takes a tenth of the time."""


def check_draw(tournament: Tournament, brought: Auslosung) -> None:
    """Returns where the next round can be drawn so.

    :raises Illegal: no round can be drawn
    :raises Unreadable: its seed draws another one
    """
    partner = _partners(brought)

    def as_brought(labels: Sequence[Hashable], cost: Cost) -> list[tuple[int, int]]:
        count = len(labels)
        costs = {(a, b): cost(a, b) for b in range(count) for a in range(b)}
        places = {label: at for at, label in enumerate(labels)}
        others = {at: places.get(partner.get(label)) for label, at in places.items()}
        twos = sorted(
            (at, other) for at, other in others.items() if other is not None and at < other
        )
        if 2 * len(twos) != count:
            # A pair that would meet itself plays no table: only the draw knows who.
            return pair_up(count, lambda a, b: costs[a, b])
        if not _cheapest(twos, costs, count):
            raise _otherwise()
        return twos

    if _shape(draw(tournament, brought.anyway, as_brought)) != _shape(brought):
        raise _otherwise()


def _otherwise() -> Unreadable:
    return Unreadable("tables", N_("must be as the seed draws them"))


def _partners(brought: Auslosung) -> Mapping[Hashable, Hashable]:
    """Who is put together with whom, by what a draw matches: lots, players, teams."""
    twos: list[tuple[Hashable, Hashable]] = [(lot, NOBODY) for lot in brought.byes]
    for table in brought.tables:
        if table.teams:
            first, second = map(frozenset, table.teams)
            twos += [(first, second), *(team for team in table.teams if len(team) == 2)]
        else:
            twos.append(table.lots)
    return {one: other for two in twos for one, other in (two, two[::-1])}


def _cheapest(
    twos: list[tuple[int, int]], costs: Mapping[tuple[int, int], int], count: int
) -> bool:
    """Whether a pairing costs no more than the best, or where there are many, than any that
    exchanges two opponents."""
    if count <= SOLVED:
        best = pair_up(count, lambda a, b: costs[a, b])
        return sum(costs[two] for two in twos) == sum(costs[two] for two in best)

    def together(a: int, b: int) -> int:
        return costs[min(a, b), max(a, b)]

    return all(
        costs[a, b] + costs[c, d]
        <= min(together(a, c) + together(b, d), together(a, d) + together(b, c))
        for (a, b), (c, d) in combinations(twos, 2)
    )


def _shape(drawn: Auslosung) -> tuple[object, ...]:
    """What of a draw follows from its seed, however opponents are named and tables numbered."""
    tables = {
        (
            frozenset(table.lots),
            frozenset(map(frozenset, table.teams)),
            frozenset(table.pairs),
            table.notes,
        )
        for table in drawn.tables
    }
    if any(table.teams for table in drawn.tables):
        # Of partners either may be named first.
        tables = {(frozenset(), teams, frozenset(), notes) for _, teams, _, notes in tables}
    return (
        drawn.round,
        drawn.stage,
        tables,
        len(drawn.tables),
        sorted(drawn.byes),
        drawn.notes,
        drawn.circles,
        drawn.leg,
        drawn.seed,
    )
