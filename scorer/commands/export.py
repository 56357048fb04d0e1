"""`bummerl export`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import click

from scorer.commands.database_option import (
    database,
    open_database,
    report_existing,
    report_unavailable,
)
from scorer.commands.json_file import fail_unreadable
from scorer.store.atomic_file import atomic_file
from scorer.store.database_url import without_password
from scorer.store.roles import CODE

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
            if access is None or access.role == CODE:
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
