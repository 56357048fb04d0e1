"""Commands for records in files: export, import, verify."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import IO, Any, Final

import click

from scorer.book.tables import Tables
from scorer.commands.database_option import (
    database,
    open_database,
    report_existing,
    report_unavailable,
)
from scorer.commands.json_file import fail_unreadable, message, read_json
from scorer.engine import Illegal, Unreadable
from scorer.engine.telling.explain import refusal_text, region_words
from scorer.store.atomic_file import atomic_file
from scorer.store.database_url import without_password

BROKEN_CHAIN: Final = "event {event} does not fit the chain"
OTHER_RECORD: Final = "from event {event} on this is not what was seen"
SHORT_HASH: Final = (
    "{seen}: {bits} bits prove little, since a forged record with the same digits is soon found; "
    "give the {digits} digits that score sheets show"
)
CUT_RECORD: Final = "the record ends before event {event}, which was seen"
_NEW_FILE: Final = click.Path(dir_okay=False, path_type=Path)


@click.command()
@database(exists=True)
@click.option("--to", type=_NEW_FILE, help="Write a new file. A failure leaves no part of it.")
@click.argument("key", required=False)
def export(db: str, to: Path | None, key: str | None) -> None:
    """Print the table, tournament or ledger of KEY with its chain. Without KEY, print all."""

    with open_database(db) as store:
        if key is None:
            data = store.dump()
        else:
            access = store.find(key)
            if access is None or access.role == "code":
                fail_unreadable("no table opens with this key")
            events = [stored.event for stored in store.events(access.stream)]
            data = {**store.stream(access.stream).head, "events": events}
    if key is None and not data["streams"]:
        click.echo(f"{without_password(db)}: the score book is empty", err=True)
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if to is None:
        click.echo(text, nl=False)
    else:
        with report_unavailable(to), report_existing(to), atomic_file(to) as unfinished:
            unfinished.write_text(text, encoding="utf-8")


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
        _newest_hash(name, data)
    with open_database(db) as store:
        try:
            keys = Tables(store).open_record(data)
        except Unreadable as error:
            fail_unreadable(f"{name}: {message(error)}")
        except Illegal as refusal:
            raise click.ClickException(_refusal_message(refusal, "table", data)) from None
    click.echo(f"/t/{keys['scorer']}   /b/{keys['viewer']}   {keys['code']}")


def _import_all(db: str, name: str, data: Any, unverified: bool) -> None:
    from scorer.store import Exists, archive, hash_chain

    try:
        archive.check(data)
    except archive.InvalidArchive as error:
        fail_unreadable(f"{name}: {error}")
    for index, stream in enumerate(data["streams"]):
        events = [entry["event"] for entry in stream["events"]]
        first_wrong = hash_chain.check(stream["head"], events)
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
    """Raises an error if a stream's rules refuse an event."""
    from scorer.book.validation import first_refusal

    try:
        refusal = first_refusal(kind, head, events)
    except Unreadable as error:
        fail_unreadable(f"{place}.{message(error)}")
    if refusal is not None:
        raise click.ClickException(f"{place}: {_refusal_message(refusal, kind, head)}")


def _newest_hash(name: str, data: Any) -> str:
    """The newest hash of a record whose chain is intact; ends the command otherwise."""
    from scorer.store import hash_chain

    if not isinstance(data, dict) or not isinstance(data.get("events"), list):
        fail_unreadable(f"{name}: not an exported record")
    head = {field: value for field, value in data.items() if field != "events"}
    events = data["events"]
    if not all(isinstance(event, dict) and "hash" in event for event in events):
        fail_unreadable(f"{name}: its events carry no chain")
    first_wrong = hash_chain.check(head, events)
    if first_wrong is not None:
        click.echo(BROKEN_CHAIN.format(event=first_wrong), err=True)
        sys.exit(1)
    return str(events[-1]["hash"]) if events else hash_chain.first(head)


@click.command()
@click.option(
    "--seen", multiple=True, metavar="HASH", help="A hash that the score sheet showed; repeatable."
)
@click.argument("file", type=click.File("rb"))
def verify(file: IO[bytes], seen: tuple[str, ...]) -> None:
    """Check the chain of an exported record, and that it contains the hashes somebody saw.

    Exit status: 0 and the newest short hash, 1 if an event does not fit or a hash is missing,
    2 unreadable, 3 if all fits but a hash is shorter than 80 bits.
    """
    from scorer.store import hash_chain

    try:
        witnesses = [hash_chain.read_witness(text) for text in seen]
    except ValueError as error:
        fail_unreadable(f"--seen: {error}")
    data = read_json(file)
    newest = _newest_hash(file.name, data)
    head = {field: value for field, value in data.items() if field != "events"}
    first_other = hash_chain.first_contradiction(head, data["events"], witnesses)
    if first_other is not None:
        is_cut = first_other == len(data["events"])
        click.echo((CUT_RECORD if is_cut else OTHER_RECORD).format(event=first_other), err=True)
        sys.exit(1)
    click.echo(hash_chain.short(newest))
    for line in hash_chain.erasure_notes(data["events"]):
        click.echo(line)
    weak = [witness for witness in witnesses if witness.weak]
    for witness in weak:
        bits = 4 * len(witness.digest)
        text = SHORT_HASH.format(seen=witness.text, bits=bits, digits=hash_chain.SHORT_LENGTH)
        click.echo(text, err=True)
    if weak:
        sys.exit(3)


def _refusal_message(refusal: Illegal, kind: str, head: Any) -> str:
    from scorer.tournament.messages import SENTENCES

    if kind == "table":
        sentence = refusal_text(refusal, words=region_words(head["rules"], "en"))
    else:
        sentence = refusal_text(refusal, sentences=SENTENCES)
    return f"event {refusal.event}: {refusal.code}: {sentence}"


COMMANDS: Final = (export, import_command, verify)
