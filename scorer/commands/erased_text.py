"""Removes erased text from the database's files."""

from __future__ import annotations

from pathlib import Path

import click

from scorer.store.sql_store import Store


def empty_log(db: str, store: Store, name: str = "") -> None:
    """Make sure that the database's files do not hold the erased text."""
    from scorer.book import erasure
    from scorer.store.sqlite import SqliteStore

    if not isinstance(store, SqliteStore):
        click.echo(
            "PostgreSQL's files and its log contain the erased text until they are rewritten: "
            "run VACUUM FULL there"
        )
        return
    empty = store.empty_log()
    if name and erasure.contains_name(Path(db), name):
        empty = store.empty_log(rewrite=True)
    if not empty:
        click.echo(f"{db}-wal still contains it: run this again when the server is idle")
