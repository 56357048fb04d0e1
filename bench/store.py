"""A recorded round, against a plain insert with the same durability."""

from __future__ import annotations

import itertools
import sqlite3
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.ratios import Ratio, ratio
from scorer.book.tables import Tables
from scorer.engine import read_head
from scorer.store.sqlite import SqliteStore

MANY = 100


def measure() -> Iterator[Ratio]:
    with tempfile.TemporaryDirectory() as folder:
        bare = sqlite3.connect(Path(folder) / "bare.db", isolation_level=None)
        bare.execute("pragma journal_mode=wal")
        bare.execute("pragma synchronous=full")
        bare.execute("create table events (n integer primary key, event text)")
        store = SqliteStore(Path(folder) / "bummerl.db")
        tables = Tables(store)
        keys = tables.create(read_head({"watten": 1, "rules": "oberoesterreich"}))
        access = store.find(keys["scorer"])
        assert access is not None
        names = itertools.count()

        def rounds() -> None:
            for _ in range(MANY):
                number = next(names)
                event = {"do": "ansage", "schlag": "7" if number % 2 else "8"}
                tables.record(
                    access.stream, event, idempotency_key=str(number), by="bench", expected=None
                )

        def inserts() -> None:
            for _ in range(MANY):
                bare.execute('insert into events (event) values (\'{"do":"ansage"}\')')

        yield ratio("recording a round", rounds, "a bare durable insert", inserts)
        store.close()
        bare.close()
