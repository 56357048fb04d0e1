"""A list of pairs as people have it: typed, pasted from a spreadsheet, or a CSV file.

>>> [pair.name for pair in read_list("Anna;Bert;Ranshofen\\nCilli & Dora")]
['Anna & Bert', 'Cilli & Dora']
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from typing import Final

from scorer.engine import Unreadable
from scorer.engine.rules.marked import N_
from scorer.tournament.reading import read_pair
from scorer.tournament.settings import Pair

_HEADS: Final = {
    "name": ("paar", "name", "team", "pair", "mannschaft"),
    "one": ("spieler 1", "spieler1", "player 1", "player1", "spieler", "player"),
    "two": ("spieler 2", "spieler2", "player 2", "player2", "partner"),
    "club": ("verein", "ort", "club", "gemeinde", "village"),
    "entries": ("lose", "entries", "lots"),
}
_COLUMNS: Final = {
    1: ("name",),
    2: ("one", "two"),
    3: ("one", "two", "club"),
    4: ("name", "one", "two", "club"),
    5: ("name", "one", "two", "club", "entries"),
}
"""What the columns mean where no line says so."""
_BETWEEN: Final = re.compile(r"\s*(?:&|/|\+|\bund\b|\band\b)\s*")


def decoded(data: bytes) -> str:
    """A file's text: UTF-8 with or without a mark, else Latin-1, as old spreadsheets write."""
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("cp1252", errors="replace")


def read_list(text: str, taken: Iterable[str] = ()) -> list[Pair]:
    """The pairs of a list, one a line; empty lines are nothing.

    :param taken: names of pairs that are there already
    :raises Unreadable: the number of the line and what is wrong with it
    """
    rows = _rows(text.removeprefix("\ufeff"))
    names = {name: 0 for name in taken}
    widest = max((len(cells) for _, cells in rows if len(cells) in _COLUMNS), default=0)
    columns: Sequence[str] | None = None
    found = []
    for number, cells in rows:
        if columns is None and (headed := _headed(cells)):
            columns = headed
            continue
        pair = _pair(f"line {number}", cells, columns, widest)
        if pair.name in names:
            raise Unreadable(f"line {number}", N_("{name} is on the list already"), name=pair.name)
        names[pair.name] = number
        found.append(pair)
    return found


def _rows(text: str) -> list[tuple[int, list[str]]]:
    """The lines that say something, with their numbers and cells."""
    lines = text.splitlines()
    # What most lines have; a comma may also stand inside a name.
    separator = max("\t;,", key=lambda sign: sum(sign in line for line in lines))
    found = []
    for number, line in enumerate(lines, 1):
        own = next((sign for sign in (separator, *"\t;,") if sign in line), separator)
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=own), [])]
        while cells and not cells[-1]:
            cells.pop()
        if any(cell.strip("\t;,") for cell in cells):
            found.append((number, cells))
    return found


def _headed(cells: Sequence[str]) -> list[str] | None:
    """What a line of headings says of the columns, if it is one."""
    known = {word: column for column, words in _HEADS.items() for word in words}
    named = [known.get(cell.casefold(), "") for cell in cells]
    return named if all(named) else None


def _pair(where: str, cells: list[str], columns: Sequence[str] | None, widest: int) -> Pair:
    # All lines mean the same by their columns, even where the last ones are empty.
    meaning = columns or _COLUMNS.get(widest if len(cells) > 1 else 1)
    if meaning is None or len(cells) > len(meaning):
        raise Unreadable(where, N_("has {count} columns, more than a pair needs"), count=len(cells))
    cell = dict(zip(meaning, cells, strict=False))
    players = [cell[name] for name in ("one", "two") if cell.get(name)]
    if not players:
        players = [name for name in _BETWEEN.split(cell.get("name", "")) if name][:2]
        players = players if len(players) == 2 else []
    entries = cell.get("entries") or "1"
    if not entries.isdecimal():
        raise Unreadable(where, N_("{entries} is no number of lots"), entries=entries)
    data = {"name": cell.get("name") or None, "players": players, "club": cell.get("club")}
    try:
        return read_pair(where, {**data, "entries": int(entries[:4])})
    except Unreadable as error:
        raise Unreadable(where, error.reason, **error.values) from None
