"""The command line: `bummerl serve`, `bummerl demo`, and all of `scorer.commands`."""

from __future__ import annotations

from gettext import gettext

import click

from scorer import __version__
from scorer.commands.backup import backup
from scorer.commands.copy_database import copy
from scorer.commands.database_option import database, report_unavailable
from scorer.commands.doctor import doctor
from scorer.commands.equity import equity_command
from scorer.commands.expire import expire
from scorer.commands.export import export
from scorer.commands.forget import forget
from scorer.commands.import_records import import_command
from scorer.commands.judge import judge_command
from scorer.commands.links import links
from scorer.commands.replay import replay_command
from scorer.commands.restore import restore
from scorer.commands.verify import verify
from scorer.pocket.command import pocket
from scorer.store.roles import CODE, DIRECTOR, HALL_VIEWER, VIEWER, WRITER


@click.group()
@click.version_option(__version__, help="Show the version and exit.")
def main() -> None:
    """The scorekeeping companion for the card game Watten."""


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
        with report_unavailable(db, gettext):
            run(host, port, db, workers)
    except KeyboardInterrupt:
        say_goodbye()


@main.command()
@database()
def demo(db: str) -> None:
    """Create an example evening for each region and a tournament, and print their links."""
    from scorer.demo import preiswatten, write

    with report_unavailable(db):
        for region, keys in write(db):
            click.echo(f"{region:16} /t/{keys[WRITER]}   /b/{keys[VIEWER]}   {keys[CODE]}")
        keys = preiswatten(db)
        click.echo(f"{'preiswatten':16} /p/{keys[DIRECTOR]}   /p/{keys[HALL_VIEWER]}")


for command in (
    pocket,
    replay_command,
    judge_command,
    equity_command,
    export,
    import_command,
    verify,
    backup,
    restore,
    copy,
    forget,
    expire,
    links,
    doctor,
):
    main.add_command(command)
