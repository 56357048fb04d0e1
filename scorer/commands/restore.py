"""`bummerl restore`."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import click

from scorer.commands.database_option import database, report_unavailable
from scorer.store.database_url import is_remote


@click.command()
@database()
@click.argument("copy", type=click.Path(dir_okay=False, exists=True, path_type=Path))
def restore(db: str, copy: Path) -> None:
    """Replace the database by a COPY that `backup` made. Stop the server first.

    The old database is kept in the same folder.
    """
    from scorer.backups import restore_copy

    if is_remote(db):
        raise click.UsageError(f"bummerl copy {copy} TO puts it into a new, empty database")
    with report_unavailable(copy):
        former = restore_copy(copy, Path(db), datetime.now())
    if former is not None:
        click.echo(f"the old database: {former}")
