"""Assigning hall tables and waves to the matches of a round."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from scorer.tournament.match import Round
from scorer.tournament.min_cost_matching import assign
from scorer.tournament.pairing_costs import MAX_RANDOM_COST
from scorer.tournament.round_plan import Pairing, RoundPlan
from scorer.tournament.state import Tournament


@dataclass(frozen=True, slots=True)
class TableSlot:
    table: int
    """Number of the match in its round; in the first wave equal to the hall table's."""
    hall_table: int
    wave: int


def assign_tables(tournament: Tournament, plan: RoundPlan, rng: random.Random) -> list[TableSlot]:
    """A slot for each match of a plan, in its order."""
    hall = tournament.settings.hall
    # A pair with several lots plays at one table after the other.
    waves = _waves([pairs_of(tournament, pairing) for pairing in plan.pairings], hall.count)
    places: dict[int, TableSlot] = {}
    for wave in range(1, max(waves, default=0) + 1):
        indexes = [index for index, match_wave in enumerate(waves) if match_wave == wave]
        free = hall.numbers(len(indexes))
        if plan.stage != "final":
            # The order of a final's tables is its bracket.
            free = _spread_over_tables(
                tournament, [plan.pairings[index] for index in indexes], free, rng
            )
        highest = max((place.table for place in places.values()), default=0)
        for count, (index, hall_table) in enumerate(sorted(zip(indexes, free, strict=True)), 1):
            places[index] = TableSlot(
                hall_table if wave == 1 else highest + count, hall_table, wave
            )
    return [places[index] for index in range(len(plan.pairings))]


def extra_table(tournament: Tournament, drawn: Round) -> TableSlot:
    """A slot for one more match in a drawn round: the next free table."""
    hall, matches = tournament.settings.hall, drawn.matches.values()
    wave = max((match.drawn_table.wave for match in matches), default=1)
    busy_tables = {match.hall_table for match in matches if match.drawn_table.wave == wave}
    free = [table for table in hall.numbers(len(drawn.matches) + 1) if table not in busy_tables]
    if not free:
        wave, free = wave + 1, hall.numbers(1)
    table = free[0] if wave == 1 else max(drawn.matches, default=0) + 1
    return TableSlot(table, free[0], wave)


def _waves(matches: Sequence[Pairing], count: int) -> list[int]:
    """The wave of each match, the earliest in which its pairs and a table are free.

    >>> _waves([(1, 2), (3, 1), (4, 5)], 0), _waves([(1, 2), (3, 4), (5, 6)], 2)
    ([1, 2, 1], [1, 1, 2])
    """
    busy_pairs: list[set[int]] = []
    match_counts: list[int] = []
    waves = []
    for pairing in matches:
        wave = 0
        while wave < len(busy_pairs) and (
            busy_pairs[wave] & set(pairing) or (count and match_counts[wave] >= count)
        ):
            wave += 1
        if wave == len(busy_pairs):
            busy_pairs.append(set())
            match_counts.append(0)
        busy_pairs[wave] |= set(pairing)
        match_counts[wave] += 1
        waves.append(wave + 1)
    return waves


def _spread_over_tables(
    tournament: Tournament, pairings: Sequence[Pairing], free: Sequence[int], rng: random.Random
) -> list[int]:
    """A free table for each match, so that pairs play at different tables as evenly as possible."""
    table_counts: Counter[tuple[int, int]] = Counter()
    for round_ in tournament.rounds:
        for match in round_.matches.values():
            table_counts.update((pair, match.hall_table) for pair in match.drawn_table.pairs)
    rows = [
        [
            sum(table_counts[pair, table] ** 2 for pair in pairs_of(tournament, pairing))
            * MAX_RANDOM_COST
            + rng.randrange(MAX_RANDOM_COST)
            for table in free
        ]
        for pairing in pairings
    ]
    return [free[column] for column in assign(rows)]


def pairs_of(tournament: Tournament, pairing: Pairing) -> Pairing:
    return tournament.pair_of(pairing[0]), tournament.pair_of(pairing[1])
