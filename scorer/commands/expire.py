"""`bummerl expire`: lists unused evenings, and erases them with `--erase`."""

from __future__ import annotations

import click

from scorer.commands.database_option import database, open_database
from scorer.commands.erased_text import empty_log


@click.command()
@database(exists=True)
@click.option(
    "--months",
    type=click.IntRange(0),
    default=0,
    envvar="BUMMERL_RETENTION",
    help="Months without a visit. The server uses the same BUMMERL_RETENTION.",
)
@click.option(
    "--erase",
    is_flag=True,
    help="Erase them. Without this they are only listed; the day is noted as announced.",
)
def expire(db: str, months: int, erase: bool) -> None:
    """List or erase evenings that nobody has opened for this many months, once their notice has
    expired.

    Evenings of a ledger or tournament are kept. With 0 months, the default, all are kept.
    """
    from scorer.book.retention import Retention

    if not months:
        click.echo("all evenings are kept, because no months are set")
        return
    with open_database(db) as store:
        for stream in list(Retention(store, months).announce_and_list_due()):
            created = store.stream(stream).created[:10]
            if erase:
                store.erase(stream)
            click.echo(f"{stream}  {created}{'  erased' if erase else ''}")
        if erase:
            empty_log(db, store)
