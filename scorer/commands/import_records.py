"""`bummerl import`."""

from __future__ import annotations

from typing import IO, Any

import click

from scorer.book.tables import Tables
from scorer.commands.chain_check import BROKEN_CHAIN, newest_hash
from scorer.commands.database_option import database, open_database
from scorer.commands.json_file import fail_unreadable, message, read_json
from scorer.engine import Illegal, Unreadable
from scorer.engine.telling.filled_sentences import refusal_text, region_words
from scorer.store.database_url import without_password
from scorer.store.roles import CODE, TABLE_KIND, VIEWER, WRITER


@click.command("import")
@database()
@click.option("--unverified", is_flag=True, help="Keep a chain that is broken or missing.")
@click.argument("file", type=click.File("rb"))
def import_command(db: str, unverified: bool, file: IO[bytes]) -> None:
    """Import what `export` printed: a table or a whole database. A table's new links are printed.

    Exit status: 1 if a chain is broken or the rules refuse an event, 2 unreadable.
    """
    data = read_json(file)
    if isinstance(data, dict) and "bummerl" in data:
        _import_all(db, file.name, data, unverified)
    else:
        _import_table(db, file.name, data, unverified)


def _import_table(db: str, name: str, data: Any, unverified: bool) -> None:
    if not unverified:
        newest_hash(name, data)
    with open_database(db) as store:
        try:
            keys = Tables(store).create_from_record(data)
        except Unreadable as error:
            fail_unreadable(f"{name}: {message(error)}")
        except Illegal as refusal:
            raise click.ClickException(_refusal_message(refusal, TABLE_KIND, data)) from None
    click.echo(f"/t/{keys[WRITER]}   /b/{keys[VIEWER]}   {keys[CODE]}")


def _import_all(db: str, name: str, data: Any, unverified: bool) -> None:
    from scorer.store import Exists, archive, hash_chain

    try:
        archive.check(data)
    except archive.InvalidArchive as error:
        fail_unreadable(f"{name}: {error}")
    for index, stream in enumerate(data["streams"]):
        events = [entry["event"] for entry in stream["events"]]
        first_wrong = hash_chain.first_broken_entry(stream["head"], events)
        if first_wrong is not None and not unverified:
            raise click.ClickException(
                f"streams[{index}]: {BROKEN_CHAIN.format(event=first_wrong)}"
            )
        _check_rules(f"{name}: streams[{index}]", stream["kind"], stream["head"], events)
    with open_database(db) as store:
        try:
            store.restore(data)
        except Exists:
            raise click.ClickException(
                f"{without_password(db)}: has some of these tables already"
            ) from None
    click.echo(f"{len(data['streams'])} streams")


def _check_rules(place: str, kind: str, head: Any, events: list[Any]) -> None:
    """Raise an error if a stream's rules refuse an event."""
    from scorer.book.validation import first_refusal

    try:
        refusal = first_refusal(kind, head, events)
    except Unreadable as error:
        fail_unreadable(f"{place}.{message(error)}")
    if refusal is not None:
        raise click.ClickException(f"{place}: {_refusal_message(refusal, kind, head)}")


def _refusal_message(refusal: Illegal, kind: str, head: Any) -> str:
    from scorer.tournament.english_sentences import SENTENCES

    if kind == TABLE_KIND:
        sentence = refusal_text(refusal, words=region_words(head["rules"], "en"))
    else:
        sentence = refusal_text(refusal, sentences=SENTENCES)
    return f"event {refusal.event}: {refusal.code}: {sentence}"
