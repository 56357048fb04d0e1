"""`bummerl backup`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from scorer.commands.database_option import (
    database,
    open_database,
    report_existing,
    report_unavailable,
)


@click.command()
@database(exists=True)
@click.option(
    "--keep",
    type=click.IntRange(1),
    help="TARGET is a folder, created if missing. Keep so many of its newest backups.",
)
@click.argument("target", type=click.Path(path_type=Path))
def backup(db: str, keep: int | None, target: Path) -> None:
    """Copy the database into the new file TARGET, or into a dated file if TARGET is a folder.

    The server may keep running.
    """
    from scorer.backups import dated_path, delete_old_copies

    if keep is not None:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise click.UsageError("--keep needs a folder") from None
    folder = target if target.is_dir() else None
    copy = target if folder is None else dated_path(folder, datetime.now())
    with open_database(db) as store, report_unavailable(copy), report_existing(copy):
        store.backup(copy)
    if folder is not None:
        click.echo(copy)
        if keep is not None:
            delete_old_copies(folder, keep)
