"""`bummerl serve`."""

from __future__ import annotations

from gettext import gettext

import click

from scorer.commands.database_option import database, report_unavailable


@click.command()
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
    from scorer.gunicorn_server import run, say_goodbye

    try:
        with report_unavailable(db, gettext):
            run(host, port, db, workers)
    except KeyboardInterrupt:
        say_goodbye()
