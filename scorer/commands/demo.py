"""`bummerl demo`."""

from __future__ import annotations

import click

from scorer.commands.database_option import database, report_unavailable
from scorer.store.roles import CODE, DIRECTOR, HALL_VIEWER, VIEWER, WRITER


@click.command()
@database()
def demo(db: str) -> None:
    """Create an example evening for each region and a tournament, and print their links."""
    from scorer.demo import preiswatten, write

    with report_unavailable(db):
        for region, keys in write(db):
            click.echo(f"{region:16} /t/{keys[WRITER]}   /b/{keys[VIEWER]}   {keys[CODE]}")
        keys = preiswatten(db)
        click.echo(f"{'preiswatten':16} /p/{keys[DIRECTOR]}   /p/{keys[HALL_VIEWER]}")
