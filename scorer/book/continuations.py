"""Evenings that another phone has continued at a table of its own."""

from __future__ import annotations

from collections.abc import Collection

from scorer.book.tables import Table
from scorer.store.hash_chain import Witness, read_witness


def continued(tables: Collection[Table]) -> frozenset[str]:
    """The streams of the tables that another of these tables continues.

    A ledger counts only the later table, because it contains the rounds of both.
    """
    named = [table.evening.head.continues for table in tables]
    witnesses = [read_witness(text) for text in named if text]
    return frozenset(
        table.stream for table in tables for witness in witnesses if _has(table, witness)
    )


def _has(table: Table, witness: Witness) -> bool:
    recorded, count = table.evening.recorded, witness.count or 0
    if not 0 < count <= len(recorded):
        return False
    return str(recorded[count - 1].get("hash", "")).startswith(witness.digest)
