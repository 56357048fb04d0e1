"""Reads the JSON file that a command is given; an invalid one ends the command."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import IO, Any, NoReturn

import click

from scorer.engine import Unreadable
from scorer.engine.input.strict_json import loads


def fail_unreadable(reason: str) -> NoReturn:
    click.echo(reason, err=True)
    sys.exit(2)


def message(error: Unreadable) -> str:
    return f"{error.where}: {error.say()}"


def read_json(file: IO[bytes]) -> Any:
    try:
        data = loads(file.read().decode("utf-8-sig"))
        # Lone surrogates can be escaped in JSON but not encoded.
        json.dumps(data, ensure_ascii=False).encode()
        return data
    except UnicodeEncodeError:
        fail_unreadable(f"{file.name}: holds half a character (a lone surrogate)")
    except UnicodeDecodeError as error:
        fail_unreadable(f"{file.name}: not UTF-8 at byte {error.start}")
    except Unreadable as error:
        fail_unreadable(f"{file.name}: {message(error)}")


def map_json(file: IO[bytes], do: Callable[[Any], Any]) -> tuple[Any, list[Any]]:
    """Apply `do` to a JSON file: to its object, or to each item of its array.

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
