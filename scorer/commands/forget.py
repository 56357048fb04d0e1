"""`bummerl forget`: erases a name."""

from __future__ import annotations

from pathlib import Path

import click

from scorer.commands.database_option import database, open_database
from scorer.commands.erased_text import empty_log
from scorer.store.database_url import is_remote


@click.command()
@database(exists=True)
@click.option(
    "--from", "streams", multiple=True, metavar="ID", help="Erase it in this stream; repeatable."
)
@click.option("--everywhere", is_flag=True, help="Erase it in every stream.")
@click.argument("name")
def forget(db: str, streams: tuple[str, ...], everywhere: bool, name: str) -> None:
    """List the streams that contain a person's NAME. With --from or --everywhere, erase it.

    Points, Bummerl and places stay, and `verify` lists the erased entries. Paper, other people's
    copies and backups keep the name.
    """
    from scorer.book import erasure

    if not name.strip():
        raise click.UsageError("the name is empty")
    with open_database(db) as store:
        places = list(erasure.find_name(store, name.strip()))
        if unknown := sorted(set(streams) - {place.stream for place in places}):
            raise click.ClickException(f"the name was not found in {', '.join(unknown)}")
        pseudonym = erasure.pseudonym()
        for place in places:
            if not everywhere and place.stream not in streams:
                details = ", ".join(place.texts[:5])
                click.echo(f"{place.stream}  {place.kind}, {place.created[:10]}: {details}")
                continue
            try:
                entries = erasure.erase(store, place.stream, name.strip(), pseudonym)
            except erasure.NotErased as error:
                raise click.ClickException(
                    f"{place.stream}: nothing was changed: {error}"
                ) from None
            details = f"erased in {entries} entries; now {pseudonym}"
            click.echo(f"{place.stream}  {details}")
        if streams or everywhere:
            empty_log(db, store, name.strip())
    if not places:
        click.echo("the name was not found")
    _report_files(db, name.strip())


def _report_files(db: str, name: str) -> None:
    """Name the files beside the database that still hold the name."""
    from scorer.book import erasure

    if not is_remote(db):
        database_files = {Path(f"{db}{part}") for part in ("", "-wal", "-shm")}
        for file in erasure.files_with_name(Path(db), name):
            if file not in database_files:
                click.echo(
                    f"{file}: contains the name; delete it, or erase the name there with --db"
                )
