"""`bummerl copy`."""

from __future__ import annotations

from pathlib import Path

import click

from scorer.commands.database_option import (
    Database,
    open_database,
    report_existing,
    report_unavailable,
)
from scorer.store.database_url import is_remote, without_password


@click.command()
@click.argument("source", metavar="FROM", type=Database(exists=True))
@click.argument("target", metavar="TO", type=Database())
def copy(source: str, target: str) -> None:
    """Copy a database into another, new one. The server may keep running.

    Each is a file or a postgresql://... address. A copy of the copy equals the original.
    """
    from scorer.store import Exists
    from scorer.store.sqlite import into_file

    with open_database(source) as source_store:
        if is_remote(target):
            with open_database(target) as target_store:
                try:
                    target_store.copy_all_from(source_store)
                except Exists:
                    raise click.ClickException(
                        f"{without_password(target)}: is not empty"
                    ) from None
        else:
            with report_unavailable(target), report_existing(Path(target)):
                into_file(Path(target), source_store)
