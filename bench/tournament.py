"""Drawing 256 pairs, against the matching library on a graph of the same size."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.ratios import Ratio, ratio, seconds
from scorer.tournament import draw, new_tournament, read_settings, standings
from scorer.tournament.min_cost_matching import pair_up

PAIRS = 256


def measure() -> Iterator[Ratio]:
    pairs = [{"name": f"Pair {n}", "club": f"Club {n % 40}"} for n in range(PAIRS)]
    given = {"name": "Bench", "rules": "bayern", "rounds": 9, "games_per_round": 1, "seed": "1"}
    found = new_tournament(read_settings({**given, "pairs": pairs}))
    for _ in range(4):
        found = found.after([draw(found).to_json()])
        result = {"do": "ergebnis", "round": len(found.rounds), "who": "director"}
        tables = found.rounds[-1].matches
        found = found.after({**result, "table": table, "games": [[15, 8]]} for table in tables)
    rng = random.Random(1)

    def bare() -> None:
        pair_up(PAIRS, lambda a, b: rng.randrange(1000))

    name = f"drawing a fifth round of {PAIRS} pairs"
    yield ratio(name, lambda: draw(found), "one bare matching of as many", bare)
    yield ratio("its standings", lambda: standings(found), "one bare matching of as many", bare)
    yield Ratio(name, "2 seconds", seconds(lambda: draw(found)) / 2, aim="below 1")
