"""The command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from gettext import gettext
from pathlib import Path
from typing import IO, Any, Final, NoReturn

import click

from scorer import __version__, maintenance_commands
from scorer.book.tables import Tables
from scorer.database_option import as_new, database, opened, telling
from scorer.engine import Illegal, Unreadable, judge, replay, result
from scorer.engine.input.strict_json import loads
from scorer.engine.telling.equity_questions import priced
from scorer.engine.telling.explain import refusal_text, region_words
from scorer.pocket.command import pocket
from scorer.store.atomic_file import atomic_file
from scorer.store.database_url import named

NO_FIT: Final = "event {event} does not fit the chain"
NOT_SEEN: Final = "from event {event} on this is not what was seen"
WEAK: Final = (
    "{seen}: {bits} bits prove little, since a forged record with the same digits is soon found; "
    "give the {digits} digits that score sheets show"
)
CUT_OFF: Final = "the record ends before event {event}, which was seen"


@click.group()
@click.version_option(__version__, help="Show the version and exit.")
def main() -> None:
    """The scorekeeping companion for the card game Watten."""


def _fail_unreadable(reason: str) -> NoReturn:
    click.echo(reason, err=True)
    sys.exit(2)


def _message(error: Unreadable) -> str:
    return f"{error.where}: {error.say()}"


def _refusal_message(refusal: Illegal, kind: str, head: Any) -> str:
    from scorer.tournament.messages import SENTENCES

    if kind == "table":
        sentence = refusal_text(refusal, words=region_words(head["rules"], "en"))
    else:
        sentence = refusal_text(refusal, sentences=SENTENCES)
    return f"event {refusal.event}: {refusal.code}: {sentence}"


def _read_json(file: IO[bytes]) -> Any:
    try:
        data = loads(file.read().decode("utf-8-sig"))
        # Lone surrogates can be escaped in JSON but not encoded.
        json.dumps(data, ensure_ascii=False).encode()
        return data
    except UnicodeEncodeError:
        _fail_unreadable(f"{file.name}: holds half a character (a lone surrogate)")
    except UnicodeDecodeError as error:
        _fail_unreadable(f"{file.name}: not UTF-8 at byte {error.start}")
    except Unreadable as error:
        _fail_unreadable(f"{file.name}: {_message(error)}")


@main.command("replay")
@click.argument("file", type=click.File("rb"))
def replay_command(file: IO[bytes]) -> None:
    """Print the state a record (or each record of an array) leads to.

    Exit status: 0 all legal, 1 some event illegal, 2 unreadable.
    """

    def state(record: Any) -> dict[str, Any]:
        evening, refusal = replay(record)
        return result(evening.state, refusal)

    answer, results = _map_json(file, state)
    print(json.dumps(answer, ensure_ascii=False))
    sys.exit(0 if all(item["ok"] for item in results) else 1)


@main.command("judge")
@click.argument("file", type=click.File("rb"))
def judge_command(file: IO[bytes]) -> None:
    """Print the answer to a question about cards (or to each question of an array).

    Exit status: 0, or 2 if a question is invalid.
    """
    answer, _ = _map_json(file, judge)
    print(json.dumps(answer, ensure_ascii=False))


@main.command("equity")
@click.argument("file", type=click.File("rb"))
def equity_command(file: IO[bytes]) -> None:
    """Print the value of a score and an open raise (or of each question of an array).

    Exit status: 0, or 2 if a question is invalid or the rules have no such score or raise.
    """
    answer, _ = _map_json(file, priced)
    print(json.dumps(answer, ensure_ascii=False))


def _map_json(file: IO[bytes], do: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """Applies `do` to a JSON file: to its object, or to each item of its array.

    :returns: the result or the array of results, to be printed; and all results as a list
    """
    data = _read_json(file)
    many = isinstance(data, list)
    results = []
    for index, item in enumerate(data if many else [data]):
        try:
            results.append(do(item))
        except Unreadable as error:
            place = f"[{index}]." if many else ""
            _fail_unreadable(f"{file.name}: {place}{_message(error)}")
    return (results if many else results[0]), results


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="Port to listen on; 0 for any free port.",
)
@database()
@click.option("--workers", default=2, show_default=True, help="Number of server processes.")
def serve(host: str, port: int, db: str, workers: int) -> None:
    """Run the server and print the address and QR code for the phones."""
    from scorer.serve import run, say_goodbye

    try:
        with telling(db, gettext):
            run(host, port, db, workers)
    except KeyboardInterrupt:
        say_goodbye()


@main.command()
@database()
def demo(db: str) -> None:
    """Create an example evening for each region and a tournament, and print their links."""
    from scorer.demo import preiswatten, write

    with telling(db):
        for region, keys in write(db):
            click.echo(f"{region:16} /t/{keys['scorer']}   /b/{keys['viewer']}   {keys['code']}")
        keys = preiswatten(db)
        click.echo(f"{'preiswatten':16} /p/{keys['director']}   /p/{keys['hall']}")


_NEW: Final = click.Path(dir_okay=False, path_type=Path)


@main.command()
@database(exists=True)
@click.option("--to", type=_NEW, help="Write a new file. A failure leaves no part of it.")
@click.argument("key", required=False)
def export(db: str, to: Path | None, key: str | None) -> None:
    """Print the table, tournament or ledger of KEY with its chain. Without KEY, print all."""

    with opened(db) as store:
        if key is None:
            data = store.dump()
        else:
            access = store.find(key)
            if access is None or access.role == "code":
                _fail_unreadable("no table opens with this key")
            events = [stored.event for stored in store.events(access.stream)]
            data = {**store.stream(access.stream).head, "events": events}
    if key is None and not data["streams"]:
        click.echo(f"{named(db)}: the score book is empty", err=True)
    text = json.dumps(data, ensure_ascii=False, indent=1) + "\n"
    if to is None:
        click.echo(text, nl=False)
    else:
        with telling(to), as_new(to), atomic_file(to) as unfinished:
            unfinished.write_text(text, encoding="utf-8")


@main.command("import")
@database()
@click.option("--unverified", is_flag=True, help="Keep a chain that is broken or missing.")
@click.argument("file", type=click.File("rb"))
def import_command(db: str, unverified: bool, file: IO[bytes]) -> None:
    """Import what `export` printed: a table or a whole database. A table's new links are printed.

    Exit status: 1 if a chain is broken or the rules refuse an event, 2 unreadable.
    """
    data = _read_json(file)
    if isinstance(data, dict) and "bummerl" in data:
        _import_all(db, file.name, data, unverified)
    else:
        _import_table(db, file.name, data, unverified)


def _import_table(db: str, name: str, data: Any, unverified: bool) -> None:
    if not unverified:
        _newest_hash(name, data)
    with opened(db) as store:
        try:
            keys = Tables(store).open_record(data)
        except Unreadable as error:
            _fail_unreadable(f"{name}: {_message(error)}")
        except Illegal as refusal:
            raise click.ClickException(_refusal_message(refusal, "table", data)) from None
    click.echo(f"/t/{keys['scorer']}   /b/{keys['viewer']}   {keys['code']}")


def _import_all(db: str, name: str, data: Any, unverified: bool) -> None:
    from scorer.store import Exists, archive, hash_chain

    try:
        archive.check(data)
    except archive.InvalidArchive as error:
        _fail_unreadable(f"{name}: {error}")
    for index, stream in enumerate(data["streams"]):
        events = [entry["event"] for entry in stream["events"]]
        wrong = hash_chain.check(stream["head"], events)
        if wrong is not None and not unverified:
            raise click.ClickException(f"streams[{index}]: {NO_FIT.format(event=wrong)}")
        _replayed(f"{name}: streams[{index}]", stream["kind"], stream["head"], events)
    with opened(db) as store:
        try:
            store.restore(data)
        except Exists:
            raise click.ClickException(f"{named(db)}: has some of these tables already") from None
    click.echo(f"{len(data['streams'])} streams")


def _replayed(where: str, kind: str, head: Any, events: list[Any]) -> None:
    """Raises an error if a stream's rules refuse an event."""
    from scorer.book.validation import first_refusal

    try:
        refusal = first_refusal(kind, head, events)
    except Unreadable as error:
        _fail_unreadable(f"{where}.{_message(error)}")
    if refusal is not None:
        raise click.ClickException(f"{where}: {_refusal_message(refusal, kind, head)}")


@main.command()
@database(exists=True)
@click.option("--url", default="", help="The server's address, such as http://192.168.0.5:8000.")
@click.option("--renew", "lost", default="", help="Make new links for the tournament with this id.")
def links(db: str, url: str, lost: str) -> None:
    """Print the director's link of every tournament, with a QR code.

    This machine keeps the secret for them beside its database (`DB.key`). If a link cannot be
    printed, --renew closes the old links and makes new ones.
    """
    from scorer.book.machine_secret import machine_key
    from scorer.book.tournaments import Tournaments
    from scorer.serve import print_code, root_url
    from scorer.store.database_url import own_file

    root = (url or root_url()).rstrip("/")
    with opened(db) as store:
        book = Tournaments(store, Tables(store), machine_key(own_file(db)))
        streams = store.streams("tournament")
        if lost and lost not in streams:
            raise click.ClickException(f"there is no tournament {lost}")
        if lost:
            book.keyrings.renew_all(lost)
        for tournament in map(store.stream, streams):
            click.echo(f"{tournament.head['name']}  ({tournament.id}, {tournament.created[:10]})")
            key = book.keyrings.recovered_director_key(tournament.id)
            if key is None:
                renewing = f"bummerl links --renew {tournament.id}"
                click.echo(f"  not remembered here: {renewing}")
            else:
                print_code(f"{root}/p/{key}")
                click.echo(f"  {root}/p/{key}")


def _newest_hash(name: str, data: Any) -> str:
    """The newest hash of a record whose chain is intact; ends the command otherwise."""
    from scorer.store import hash_chain

    if not isinstance(data, dict) or not isinstance(data.get("events"), list):
        _fail_unreadable(f"{name}: not an exported record")
    head = {field: value for field, value in data.items() if field != "events"}
    events = data["events"]
    if not all(isinstance(event, dict) and "hash" in event for event in events):
        _fail_unreadable(f"{name}: its events carry no chain")
    wrong = hash_chain.check(head, events)
    if wrong is not None:
        click.echo(NO_FIT.format(event=wrong), err=True)
        sys.exit(1)
    return str(events[-1]["hash"]) if events else hash_chain.first(head)


@main.command()
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
        _fail_unreadable(f"--seen: {error}")
    data = _read_json(file)
    newest = _newest_hash(file.name, data)
    head = {field: value for field, value in data.items() if field != "events"}
    other = hash_chain.unseen(head, data["events"], witnesses)
    if other is not None:
        ends = other == len(data["events"])
        click.echo((CUT_OFF if ends else NOT_SEEN).format(event=other), err=True)
        sys.exit(1)
    click.echo(hash_chain.short(newest))
    for line in hash_chain.erasure_notes(data["events"]):
        click.echo(line)
    weak = [witness for witness in witnesses if witness.weak]
    for witness in weak:
        bits = 4 * len(witness.digest)
        text = WEAK.format(seen=witness.text, bits=bits, digits=hash_chain.SHORT)
        click.echo(text, err=True)
    if weak:
        sys.exit(3)


@main.command()
@database()
def doctor(db: str) -> None:
    """Check this machine and the database, and print what to do.

    Exit status: 0, or 1 if there is something to do.
    """
    from scorer.doctor import examine

    findings = list(examine(db))
    for finding in findings:
        well = "ok" if finding.well else "LOOK"
        click.echo(f"{well:7}{finding.text}")
    sys.exit(0 if all(finding.well for finding in findings) else 1)


for command in (pocket, *maintenance_commands.COMMANDS):
    main.add_command(command)
