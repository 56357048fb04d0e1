"""`bummerl replay`."""

from __future__ import annotations

import json
import sys
from typing import IO, Any

import click

from scorer.commands.json_file import map_json
from scorer.engine import replay, result


@click.command("replay")
@click.argument("file", type=click.File("rb"))
def replay_command(file: IO[bytes]) -> None:
    """Print the state a record (or each record of an array) leads to.

    Exit status: 0 all legal, 1 some event illegal, 2 unreadable.
    """

    def state(record: Any) -> dict[str, Any]:
        evening, refusal = replay(record)
        return result(evening.state, refusal)

    answer, results = map_json(file, state)
    print(json.dumps(answer, ensure_ascii=False))
    sys.exit(0 if all(item["ok"] for item in results) else 1)
