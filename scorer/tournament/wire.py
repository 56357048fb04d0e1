"""The events of a tournament as JSON, and back.

>>> parse({"do": "abmeldung", "pair": 3})
Abmeldung(pair=3)
>>> parse({"do": "ergebnis", "round": 1, "table": 2, "who": "director", "games": [[15, 8]]}).games
((15, 8),)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from typing import Any, Final

from scorer.engine import Unreadable
from scorer.engine.input.fields import (
    LONGEST_NOTE,
    Reader,
    flag,
    listed,
    one_of,
    or_none,
    text,
    whole,
)
from scorer.engine.input.fields import name as read_name
from scorer.engine.scoring.events import ABOUT
from scorer.engine.translatable import N_
from scorer.tournament.events import COLLECTS, CONSOLED, EVENTS, MOST_BESIDE, WHO, Drawn, Event
from scorer.tournament.reading import read_pair
from scorer.tournament.results import HIGHEST
from scorer.tournament.settings import Pair


def to_json(event: Event) -> dict[str, Any]:
    """The event as the stream keeps it, what is empty left out."""
    return {"do": event.do, **_plain(event)}


def _plain(value: Any) -> Any:
    if isinstance(value, Pair):
        return value.to_json()
    if dataclasses.is_dataclass(value):
        return {
            item.name: _plain(getattr(value, item.name))
            for item in dataclasses.fields(value)
            if item.default is dataclasses.MISSING or getattr(value, item.name) != item.default
        }
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _teams(where: str, value: Any) -> tuple[tuple[int, ...], ...]:
    teams = listed(listed(_number, 2), 2)(where, value)
    if len(teams) not in (0, 2) or not all(teams):
        raise Unreadable(where, N_("must name who plays on either side"))
    return teams


def _settings(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise Unreadable(where, N_("must be an object of settings"))
    return value


def _two(read: Reader[int]) -> Reader[tuple[int, int]]:
    def reader(where: str, value: Any) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise Unreadable(where, N_("must be a list of two numbers"))
        return read(f"{where}[0]", value[0]), read(f"{where}[1]", value[1])

    two = {"type": "array", "items": read.schema, "minItems": 2, "maxItems": 2}
    return Reader(reader, two)


_number = whole(1, 9999)


def _drawn(where: str, value: Any) -> Drawn:
    if not isinstance(value, Mapping):
        raise Unreadable(where, N_("must be an object"))
    pairs = _two(_number)(f"{where}.pairs", value.get("pairs"))
    return Drawn(
        _number(f"{where}.table", value.get("table")),
        pairs,
        _two(_number)(f"{where}.lots", value.get("lots", list(pairs))),
        text(40)(f"{where}.stream", value.get("stream", "")),
        listed(text(40))(f"{where}.notes", value.get("notes", [])),
        _teams(f"{where}.teams", value.get("teams", [])),
        whole(0, 9999)(f"{where}.seat", value.get("seat", 0)),
        whole(1, 99)(f"{where}.wave", value.get("wave", 1)),
    )


_games_won: Final = listed(whole(1, 20), 20)


def _retour(where: str, value: Any) -> tuple[int, ...]:
    return tuple(sorted(set(_games_won(where, value))))


_READ: Final[Mapping[str, Reader[Any]]] = {
    "entry": read_pair,
    "entries": listed(read_pair),
    "waiting": flag,
    "signed": listed(whole(1, 10**6)),
    "pairs": listed(_number),
    "absent": listed(_number),
    "set": Reader(_settings, {"type": "object"}),
    "text": text(300),
    "until": whole(0, 2**33),
    "lots": _two(_number),
    "undone": flag,
    "opened": listed(text(40), 2),
    "stream": text(40),
    "name": read_name,
    "club": read_name,
    "pair": _number,
    "paid": flag,
    "here": flag,
    "round": whole(1, 999),
    "table": _number,
    "stage": text(20),
    "tables": listed(Reader(_drawn, {"type": "object"})),
    "byes": listed(_number),
    "notes": listed(text(200)),
    "who": one_of(*WHO),
    "games": listed(_two(whole(0, HIGHEST)), 20),
    "retour": Reader(_retour, _games_won.schema),
    "reason": text(200),
    "open": flag,
    "anyway": flag,
    "back": whole(0, 999),
    "circles": listed(listed(whole(0, 9999))),
    "leg": whole(0, 9999),
    "seed": text(80),
    "sealed": listed(text(140), 100_000),
    "walkover": one_of("a", "b", "none"),
    "winner": _number,
    "loser": _number,
    "of": listed(text(40), MOST_BESIDE),
    "rule": text(40),
    "collects": one_of(*COLLECTS),
    "lines": listed(text(200), 200),
    "consolation": text(200),
    "to": one_of(*CONSOLED),
}


_OWN: Final[Mapping[tuple[str, str], Reader[Any]]] = {
    ("tausch", "tables"): _two(_number),
    ("stechtisch", "pairs"): _two(_number),
}
"""The fields that one event has of another kind than all others."""


def _reader(kind: type[Event], field: str) -> Reader[Any]:
    return _OWN.get((kind.do, field)) or _READ[field]


def schema(kind: type[Event], left_out: Collection[str] = ()) -> dict[str, Any]:
    """The fields of an event as JSON Schema, by the readers that read them.

    >>> from scorer.tournament.events import Stechtisch
    >>> schema(Stechtisch)["properties"]["pairs"]["maxItems"]
    2
    """
    fields = [field for field in dataclasses.fields(kind) if field.name not in left_out]
    taken = {field.name: _reader(kind, field.name) for field in fields}
    needed = [field.name for field in fields if field.default is dataclasses.MISSING]
    return {
        "type": "object",
        "properties": {
            name: read.schema if name in needed else or_none(read).schema
            for name, read in taken.items()
        },
        "required": needed,
        "additionalProperties": False,
    }


def parse(data: Any) -> Event:
    """The event that `data` (decoded JSON) describes.

    :raises Unreadable: the field and the reason
    """
    if not isinstance(data, Mapping):
        raise Unreadable("event", N_("must be an object with a field do"))
    kind = EVENTS.get(str(data.get("do")))
    if kind is None:
        raise Unreadable("do", N_("must be one of {known}"), known=", ".join(EVENTS))
    values: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if data.get(field.name) is not None:
            values[field.name] = _reader(kind, field.name)(field.name, data[field.name])
        elif field.default is dataclasses.MISSING:
            raise Unreadable(field.name, N_("is missing"))
    known = {"do", *ABOUT, *(field.name for field in dataclasses.fields(kind))}
    if unknown := sorted(set(data) - known):
        raise Unreadable(unknown[0], N_("{kind} has no such field"), kind=kind.do)
    for name in ABOUT:
        if name in data:
            text(LONGEST_NOTE)(name, data[name])
    return kind(**values)
