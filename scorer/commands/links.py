"""`bummerl links`."""

from __future__ import annotations

import click

from scorer.book.tables import Tables
from scorer.commands.database_option import database, open_database
from scorer.store.roles import TOURNAMENT_KIND


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
    from scorer.book.recovery_file import recovery_secret
    from scorer.book.tournaments import Tournaments
    from scorer.gunicorn_server import print_code, root_url
    from scorer.store.database_url import own_file

    root = (url or root_url()).rstrip("/")
    with open_database(db) as store:
        tournaments = Tournaments(store, Tables(store), recovery_secret(own_file(db)))
        streams = store.streams(TOURNAMENT_KIND)
        if stream_to_renew and stream_to_renew not in streams:
            raise click.ClickException(f"there is no tournament {stream_to_renew}")
        if stream_to_renew:
            tournaments.keyrings.renew_all(stream_to_renew)
        for tournament in map(store.stream, streams):
            click.echo(f"{tournament.head['name']}  ({tournament.id}, {tournament.created[:10]})")
            key = tournaments.keyrings.director_key(tournament.id)
            if key is None:
                renew_command = f"bummerl links --renew {tournament.id}"
                click.echo(f"  not remembered here: {renew_command}")
            else:
                print_code(f"{root}/p/{key}")
                click.echo(f"  {root}/p/{key}")
