"""Commands that ask the engine: replay a record, judge cards, value a score."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import IO, Any, Final

import click

from scorer.commands.json_file import fail_unreadable, message, read_json
from scorer.engine import Unreadable, judge, replay, result
from scorer.engine.telling.equity_questions import equity_or_unreadable


@click.command("replay")
@click.argument("file", type=click.File("rb"))
def replay_command(file: IO[bytes]) -> None:
    """Print the state a record (or each record of an array) leads to.

    Exit status: 0 all legal, 1 some event illegal, 2 unreadable.
    """

    def state(record: Any) -> dict[str, Any]:
        evening, refusal = replay(record)
        return result(evening.state, refusal)

    answer, results = _map_json(file, state)
    print(json.dumps(answer, ensure_ascii=False))
    sys.exit(0 if all(item["ok"] for item in results) else 1)


@click.command("judge")
@click.argument("file", type=click.File("rb"))
def judge_command(file: IO[bytes]) -> None:
    """Print the answer to a question about cards (or to each question of an array).

    Exit status: 0, or 2 if a question is invalid.
    """
    answer, _ = _map_json(file, judge)
    print(json.dumps(answer, ensure_ascii=False))


@click.command("equity")
@click.argument("file", type=click.File("rb"))
def equity_command(file: IO[bytes]) -> None:
    """Print the value of a score and an open raise (or of each question of an array).

    Exit status: 0, or 2 if a question is invalid or the rules have no such score or raise.
    """
    answer, _ = _map_json(file, equity_or_unreadable)
    print(json.dumps(answer, ensure_ascii=False))


def _map_json(file: IO[bytes], do: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """Applies `do` to a JSON file: to its object, or to each item of its array.

    :returns: the result or the array of results, to be printed; and all results as a list
    """
    data = read_json(file)
    many = isinstance(data, list)
    results = []
    for index, item in enumerate(data if many else [data]):
        try:
            results.append(do(item))
        except Unreadable as error:
            place = f"[{index}]." if many else ""
            fail_unreadable(f"{file.name}: {place}{message(error)}")
    return (results if many else results[0]), results


COMMANDS: Final = (replay_command, judge_command, equity_command)
