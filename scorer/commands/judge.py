"""`bummerl judge`."""

from __future__ import annotations

import json
from typing import IO

import click

from scorer.commands.json_file import map_json
from scorer.engine import judge


@click.command("judge")
@click.argument("file", type=click.File("rb"))
def judge_command(file: IO[bytes]) -> None:
    """Print the answer to a question about cards (or to each question of an array).

    Exit status: 0, or 2 if a question is invalid.
    """
    answer, _ = map_json(file, judge)
    print(json.dumps(answer, ensure_ascii=False))
