"""Evenings that another phone has continued at a table of its own."""

from __future__ import annotations

from collections.abc import Collection

from scorer.book.tables import Table
from scorer.store.hash_chain import entries_up_to, read_witness


def continued_streams(tables: Collection[Table]) -> frozenset[str]:
    """The streams of those tables whose evening another of these tables continues.

    A ledger counts only the later table, because it contains the rounds of both.
    """
    witness_texts = [table.evening.head.continues for table in tables]
    witnesses = [read_witness(text) for text in witness_texts if text]
    return frozenset(
        table.stream
        for table in tables
        for witness in witnesses
        if entries_up_to(table.head, table.evening.recorded, witness)
    )
