"""The cost of a ledger of thirty evenings on a page, unchanged and after one has changed."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.ratios import TURNS, Ratio, seconds
from scorer.book.ledger_cache import LedgerTotals
from scorer.book.tables import Tables
from scorer.demo import random_event
from scorer.engine import REGIONS, Evening, read_head
from scorer.store.sqlite import SqliteStore

EVENINGS, GAMES = 30, 4
PEOPLE = ("Anna", "Bert", "Cilli", "Dora")
PAGE = 0.005
"""Seconds that a page may add."""


def record(seed: int) -> dict[str, object]:
    """A record of some games with random partners."""
    rng = random.Random(seed)
    names = rng.sample(PEOPLE, len(PEOPLE))
    sides = [{"name": "Wir", "players": names[:2]}, {"name": "Die", "players": names[2:]}]
    head = read_head({"watten": 1, "rules": REGIONS[seed % len(REGIONS)], "sides": sides})
    played = Evening(head)
    while len(played.state.games) < GAMES:
        played.push(random_event(played.state, rng).to_json())
    return {**head.to_json(), "events": played.recorded}


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        store = SqliteStore(Path(folder) / "x.db")
        tables, totals = Tables(store), LedgerTotals()
        keys = [tables.create_from_record(record(seed)) for seed in range(EVENINGS)]
        streams = [found.stream for made in keys if (found := store.find(made["scorer"]))]

        def read() -> None:
            totals.total(tables.current(stream) for stream in streams)

        def moved(turn: int) -> float:
            said = {"do": "einig", "side": turn % 2}
            tables.record(streams[turn], said, idempotency_key="moved", by="bench", expected=None)
            return seconds(read)

        read()
        name = f"the ledger of {EVENINGS} evenings on a page"
        yield Ratio(name, "5 ms", median(seconds(read) for _ in range(TURNS)) / PAGE, "below 1")
        again = median(moved(turn) for turn in range(TURNS)) / PAGE
        yield Ratio("where one of them has moved", "5 ms", again)
        store.close()
