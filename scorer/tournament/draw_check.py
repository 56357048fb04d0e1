"""Check that a round drawn elsewhere follows from its seed.

Different libraries may find different pairings of the same least cost (`min_cost_matching`), so
only the cost of the pairing is compared; everything else has to be equal.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import Final

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.tournament.bye_allocation import NOBODY
from scorer.tournament.draw import fresh_draw, taken_back_draw
from scorer.tournament.event_types.draws import Auslosung
from scorer.tournament.min_cost_matching import Cost, pair_up
from scorer.tournament.state import Tournament

MAX_SOLVED: Final = 128
"""Up to this many items the least cost is computed. Beyond, only exchanges between two matches are
tried, which takes a tenth of the time."""


def check_draw(tournament: Tournament, submitted: Auslosung) -> None:
    """Check that `submitted` is a possible draw of the next round.

    :raises Illegal: no round can be drawn
    :raises Unreadable: the seed leads to another draw
    """
    partner = _partner_of_each(submitted)

    def pairing_of_event(labels: Sequence[Hashable], cost: Cost) -> list[tuple[int, int]]:
        count = len(labels)
        costs = {(a, b): cost(a, b) for b in range(count) for a in range(b)}
        places = {label: index for index, label in enumerate(labels)}
        others = {index: places.get(partner.get(label)) for label, index in places.items()}
        pairings = sorted(
            (index, other) for index, other in others.items() if other is not None and index < other
        )
        if sorted(index for pairing in pairings for index in pairing) != list(range(count)):
            # If two lots of one pair meet, the event has no table for them.
            return pair_up(count, lambda a, b: costs[a, b])
        if not _is_cheapest(pairings, costs, count):
            raise _differs_from_seed()
        return pairings

    expected_draw = taken_back_draw(tournament, submitted.anyway)
    if expected_draw is None or expected_draw.seed != submitted.seed:
        expected_draw = fresh_draw(tournament, submitted.anyway, pairing_of_event)
    if _comparable_parts(expected_draw) != _comparable_parts(submitted):
        raise _differs_from_seed()


def _differs_from_seed() -> Unreadable:
    return Unreadable("tables", N_("must be as the seed draws them"))


def _partner_of_each(submitted: Auslosung) -> Mapping[Hashable, Hashable]:
    """The partner of each lot, player or team in a draw."""
    pairings: list[tuple[Hashable, Hashable]] = [(lot, NOBODY) for lot in submitted.byes]
    for table in submitted.tables:
        if table.teams:
            first, second = map(frozenset, table.teams)
            pairings += [(first, second), *(team for team in table.teams if len(team) == 2)]
        else:
            pairings.append(table.lots)
    return {one: other for pairing in pairings for one, other in (pairing, pairing[::-1])}


def _is_cheapest(
    pairings: list[tuple[int, int]], costs: Mapping[tuple[int, int], int], count: int
) -> bool:
    """Whether a pairing has the least cost, or with many items, no cheaper single exchange."""
    if count <= MAX_SOLVED:
        best = pair_up(count, lambda a, b: costs[a, b])
        return sum(costs[pairing] for pairing in pairings) == sum(
            costs[pairing] for pairing in best
        )

    def pair_cost(a: int, b: int) -> int:
        return costs[min(a, b), max(a, b)]

    return all(
        costs[a, b] + costs[c, d]
        <= min(pair_cost(a, c) + pair_cost(b, d), pair_cost(a, d) + pair_cost(b, c))
        for (a, b), (c, d) in combinations(pairings, 2)
    )


def _comparable_parts(drawn: Auslosung) -> tuple[object, ...]:
    """The parts of a draw that follow from its seed, without table numbers and order of names."""
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
        # The order of partners is free.
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
