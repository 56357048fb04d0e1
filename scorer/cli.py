"""The command line, made of `scorer.commands` and `scorer.pocket.command`."""

from __future__ import annotations

import click

from scorer import __version__
from scorer.commands.backup import backup
from scorer.commands.copy_database import copy
from scorer.commands.demo import demo
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
from scorer.commands.serve import serve
from scorer.commands.verify import verify
from scorer.pocket.command import pocket


@click.group()
@click.version_option(__version__, help="Show the version and exit.")
def main() -> None:
    """The scorekeeping companion for the card game Watten."""


for command in (
    serve,
    demo,
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
