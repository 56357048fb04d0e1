"""`bummerl verify`."""

from __future__ import annotations

import sys
from typing import IO, Final

import click

from scorer.commands.chain_check import newest_hash
from scorer.commands.json_file import fail_unreadable, read_json

OTHER_RECORD: Final = "from event {event} on this is not what was seen"
SHORT_HASH: Final = (
    "{seen}: {bits} bits prove little, since a forged record with the same digits is soon found; "
    "give the {digits} digits that score sheets show"
)
CUT_RECORD: Final = "the record ends before event {event}, which was seen"


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
    newest = newest_hash(file.name, data)
    head = {field: value for field, value in data.items() if field != "events"}
    first_other = hash_chain.first_contradiction(head, data["events"], witnesses)
    if first_other is not None:
        is_cut = first_other == len(data["events"])
        click.echo((CUT_RECORD if is_cut else OTHER_RECORD).format(event=first_other), err=True)
        sys.exit(1)
    click.echo(hash_chain.short_hash(newest))
    for line in hash_chain.erasure_notes(data["events"]):
        click.echo(line)
    weak = [witness for witness in witnesses if witness.weak]
    for witness in weak:
        bits = 4 * len(witness.digest)
        text = SHORT_HASH.format(seen=witness.text, bits=bits, digits=hash_chain.SHORT_LENGTH)
        click.echo(text, err=True)
    if weak:
        sys.exit(3)
