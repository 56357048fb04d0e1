"""Commands for a database: check, back up, restore, copy, erase, print links."""

from __future__ import annotations

import sys
from datetime import datetime
from pathlib import Path
from typing import Final

import click

from scorer.book.tables import Tables
from scorer.commands.database_option import (
    Database,
    database,
    open_database,
    report_existing,
    report_unavailable,
)
from scorer.store.database_url import is_remote, without_password
from scorer.store.sql_store import Store


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
            _empty_log(db, store, name.strip())
    if not places:
        click.echo("the name was not found")
    _report_files(db, name.strip())


def _empty_log(db: str, store: Store, name: str = "") -> None:
    """Makes sure that the database's files do not hold the erased text."""
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


def _report_files(db: str, name: str) -> None:
    """Names the files beside the database that still hold the name."""
    from scorer.book import erasure

    if not is_remote(db):
        database_files = {Path(f"{db}{part}") for part in ("", "-wal", "-shm")}
        for file in erasure.files_with_name(Path(db), name):
            if file not in database_files:
                click.echo(
                    f"{file}: contains the name; delete it, or erase the name there with --db"
                )


@click.command()
@database(exists=True)
@click.option(
    "--months",
    type=click.IntRange(0),
    default=0,
    envvar="BUMMERL_RETENTION",
    help="Months without a visit. The server uses the same BUMMERL_RETENTION.",
)
@click.option("--erase", is_flag=True, help="Erase them. Without this they are only listed.")
def expire(db: str, months: int, erase: bool) -> None:
    """List or erase evenings that nobody has opened for so long, once their notice has expired.

    Evenings of a ledger or tournament are kept. With 0 months, the default, all are kept.
    """
    from scorer.book.retention import Retention

    if not months:
        click.echo("all evenings are kept, because no months are set")
        return
    with open_database(db) as store:
        for stream in list(Retention(store, months).due()):
            created = store.stream(stream).created[:10]
            if erase:
                store.erase(stream)
            click.echo(f"{stream}  {created}{'  erased' if erase else ''}")
        if erase:
            _empty_log(db, store)


@click.command()
@database(exists=True)
@click.option("--url", default="", help="The server's address, such as http://192.168.0.5:8000.")
@click.option(
    "--renew", "stream_to_renew", default="", help="Make new links for the tournament with this id."
)
def links(db: str, url: str, stream_to_renew: str) -> None:
    """Print the director's link of every tournament, with a QR code.

    This machine keeps the secret for them beside its database (`DB.key`). If a link cannot be
    printed, --renew closes the old links and makes new ones.
    """
    from scorer.book.machine_secret import machine_key
    from scorer.book.tournaments import Tournaments
    from scorer.serve import print_code, root_url
    from scorer.store.database_url import own_file

    root = (url or root_url()).rstrip("/")
    with open_database(db) as store:
        tournaments = Tournaments(store, Tables(store), machine_key(own_file(db)))
        streams = store.streams("tournament")
        if stream_to_renew and stream_to_renew not in streams:
            raise click.ClickException(f"there is no tournament {stream_to_renew}")
        if stream_to_renew:
            tournaments.keyrings.renew_all(stream_to_renew)
        for tournament in map(store.stream, streams):
            click.echo(f"{tournament.head['name']}  ({tournament.id}, {tournament.created[:10]})")
            key = tournaments.keyrings.recovered_director_key(tournament.id)
            if key is None:
                renew_command = f"bummerl links --renew {tournament.id}"
                click.echo(f"  not remembered here: {renew_command}")
            else:
                print_code(f"{root}/p/{key}")
                click.echo(f"  {root}/p/{key}")


@click.command()
@database()
def doctor(db: str) -> None:
    """Check this machine and the database, and print what to do.

    Exit status: 0, or 1 if there is something to do.
    """
    from scorer.doctor import examine

    findings = list(examine(db))
    for finding in findings:
        label = "ok" if finding.is_ok else "LOOK"
        click.echo(f"{label:7}{finding.text}")
    sys.exit(0 if all(finding.is_ok for finding in findings) else 1)


COMMANDS: Final = (backup, restore, copy, forget, expire, links, doctor)
