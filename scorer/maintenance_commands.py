"""Maintenance commands: back up, restore, copy, and erase names or old evenings."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

import click

from scorer.database_option import Database, as_new, database, opened, telling
from scorer.store.database_url import is_remote, named
from scorer.store.sql_store import Store


@click.command()
@database(exists=True)
@click.option(
    "--keep",
    type=click.IntRange(1),
    help="TARGET is a folder, made where there is none: delete all but so many of the newest.",
)
@click.argument("target", type=click.Path(path_type=Path))
def backup(db: str, keep: int | None, target: Path) -> None:
    """Copy the database into the new file TARGET, or a dated one in the folder TARGET, while the
    server goes on."""
    from scorer.backups import dated, thin

    if keep is not None:
        try:
            target.mkdir(parents=True, exist_ok=True)
        except OSError:
            raise click.UsageError("--keep needs a folder") from None
    folder = target if target.is_dir() else None
    copy = target if folder is None else dated(folder, datetime.now())
    with opened(db) as store, telling(copy), as_new(copy):
        store.backup(copy)
    if folder is not None:
        click.echo(copy)
        if keep is not None:
            thin(folder, keep)


@click.command()
@database()
@click.argument("copy", type=click.Path(dir_okay=False, exists=True, path_type=Path))
def restore(db: str, copy: Path) -> None:
    """Put the copy that `backup` made in the place of the database; stop the server first.

    The database that was there stays beside it.
    """
    from scorer.backups import put_back

    if is_remote(db):
        raise click.UsageError(f"bummerl copy {copy} TO puts it into a new, empty database")
    with telling(copy):
        former = put_back(copy, Path(db), datetime.now())
    if former is not None:
        click.echo(f"what was there before: {former}")


@click.command()
@click.argument("source", metavar="FROM", type=Database(exists=True))
@click.argument("target", metavar="TO", type=Database())
def copy(source: str, target: str) -> None:
    """Copy everything from one database into another, new one, while the server goes on.

    Each is a file or postgresql://...; copied there and back, all is as it was.
    """
    from scorer.store import Exists
    from scorer.store.sqlite import into_file

    with opened(source) as book:
        if is_remote(target):
            with opened(target) as new:
                try:
                    new.take_all(book)
                except Exists:
                    raise click.ClickException(f"{named(target)}: is not empty") from None
        else:
            with telling(target), as_new(Path(target)):
                into_file(Path(target), book)


@click.command()
@database(exists=True)
@click.option("--from", "streams", multiple=True, metavar="ID", help="Erase it there; repeatable.")
@click.option("--everywhere", is_flag=True, help="Erase it wherever it stands.")
@click.argument("name")
def forget(db: str, streams: tuple[str, ...], everywhere: bool, name: str) -> None:
    """Show where a person's NAME stands; with --from or --everywhere, erase it there.

    Points, Bummerl and places stay, and `verify` says what was erased. Copies that others have,
    on paper, on phones and in backups, are theirs to erase.
    """
    from scorer.book import erasure

    if not name.strip():
        raise click.UsageError("an empty name stands everywhere")
    with opened(db) as store:
        places = list(erasure.find(store, name.strip()))
        if unknown := sorted(set(streams) - {place.stream for place in places}):
            raise click.ClickException(f"the name does not stand in {', '.join(unknown)}")
        instead = erasure.pseudonym()
        for place in places:
            if not everywhere and place.stream not in streams:
                details = ", ".join(place.said[:5])
                click.echo(f"{place.stream}  {place.kind}, {place.created[:10]}: {details}")
                continue
            try:
                entries = erasure.erase(store, place.stream, name.strip(), instead)
            except erasure.NotErased as error:
                raise click.ClickException(
                    f"{place.stream}: nothing was changed: {error}"
                ) from None
            details = f"erased in {entries} entries; now {instead}"
            click.echo(f"{place.stream}  {details}")
        if streams or everywhere:
            _empty_log(db, store, name.strip())
    if not places:
        click.echo("the name stands nowhere")
    _report_files(db, name.strip())


def _empty_log(db: str, store: Store, name: str = "") -> None:
    """Makes sure that the database's files do not hold what was just erased."""
    from scorer.book import erasure
    from scorer.store.sqlite import SqliteStore

    if not isinstance(store, SqliteStore):
        click.echo(
            "PostgreSQL's files and its log hold what was erased until they are written anew: "
            "run VACUUM FULL there"
        )
        return
    empty = store.empty_log()
    if name and erasure.contains(Path(db), name):
        empty = store.empty_log(rewrite=True)
    if not empty:
        click.echo(f"{db}-wal holds it until the server has a quiet moment: run this again then")


def _report_files(db: str, name: str) -> None:
    """Names the files beside the database that still hold the name."""
    from scorer.book import erasure

    if not is_remote(db):
        database_files = {Path(f"{db}{part}") for part in ("", "-wal", "-shm")}
        for file in erasure.files_with(Path(db), name):
            if file not in database_files:
                click.echo(f"{file}: holds the name; delete it, or erase the name there with --db")


@click.command()
@database(exists=True)
@click.option(
    "--months",
    type=click.IntRange(0),
    default=0,
    envvar="BUMMERL_RETENTION",
    help="Without being opened; else what BUMMERL_RETENTION says, as the server takes it.",
)
@click.option("--erase", is_flag=True, help="Erase them; else they are only listed.")
def expire(db: str, months: int, erase: bool) -> None:
    """List, or erase, the evenings that nobody opened for so long and whose notice is over.

    Evenings of a ledger or of a tournament stay. With 0 months, the default, all do.
    """
    from scorer.book.retention import Retention

    if not months:
        click.echo("evenings are kept for ever: no months are set")
        return
    with opened(db) as store:
        for stream in list(Retention(store, months).due()):
            created = store.stream(stream).created[:10]
            if erase:
                store.erase(stream)
            click.echo(f"{stream}  {created}{'  erased' if erase else ''}")
        if erase:
            _empty_log(db, store)


COMMANDS: Final = (backup, restore, copy, forget, expire)
