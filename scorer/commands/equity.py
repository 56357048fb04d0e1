"""`bummerl equity`."""

from __future__ import annotations

import json
from typing import IO

import click

from scorer.commands.json_file import map_json
from scorer.engine.telling.equity_questions import equity_or_unreadable


@click.command("equity")
@click.argument("file", type=click.File("rb"))
def equity_command(file: IO[bytes]) -> None:
    """Print the value of a score and an open raise (or of each question of an array).

    Exit status: 0, or 2 if a question is invalid or the rules have no such score or raise.
    """
    answer, _ = map_json(file, equity_or_unreadable)
    print(json.dumps(answer, ensure_ascii=False))
