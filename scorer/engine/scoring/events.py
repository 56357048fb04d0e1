"""The events of a record, as small frozen types, and their reading and writing as JSON.

An event says what happened at the table and nothing about its consequences; docs/record.md names
the fields. What does not change the tally (`player`, `at`, `by`, `note`) stays beside the event, in
the recorded JSON.

>>> parse({"do": "bieten", "side": 0})
Bieten(side=0, to=None)
>>> parse({"do": "gewinnt", "side": 1, "stake": 4}).to_json()
{'do': 'gewinnt', 'side': 1, 'stake': 4}
>>> parse({"do": "bieten", "side": "Anna"})
Traceback (most recent call last):
scorer.engine.input.fields.Unreadable: side: must be a whole number from 0 to 2, not 'Anna'
"""

from __future__ import annotations

import dataclasses
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any, Final

from scorer.engine.input.fields import (
    LONGEST_NOTE,
    Reader,
    Unreadable,
    flag,
    listed,
    name,
    one_of,
    or_none,
    text,
    whole,
)
from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.rules.ruleset import OFFENCES
from scorer.engine.scoring.kinds import bids, corrections, deal, points, said
from scorer.engine.scoring.kinds.event import Event
from scorer.engine.scoring.state import Side
from scorer.engine.translatable import N_

ABOUT: Final = ("player", "at", "by", "note", "salt", "hash")
"""What an event may carry beside its meaning."""
UNITS: Final = ("euro", "runden")
"""What a price is counted in: cents, or rounds of drinks."""
PER: Final = ("bummerl", "spiel")
"""What a price is for."""
EVENTS: Final[Mapping[str, type[Event]]] = {
    kind.do: kind
    for kind in (
        bids.Bieten,
        bids.Bleiben,
        bids.Gehen,
        points.Gewinnt,
        points.Streichen,
        bids.Gespannt,
        points.Strafe,
        deal.Schoenere,
        deal.Schlagtausch,
        deal.SetztAus,
        deal.Ansage,
        deal.NeuesSpiel,
        deal.Sitzordnung,
        said.Einig,
        said.Bestaetigt,
        said.Strittig,
        said.Geklaert,
        said.Uebernahme,
        said.Loeschung,
        said.Preis,
        corrections.Korrektur,
        corrections.Vorschlag,
        corrections.Zusage,
        corrections.Absage,
    )
}
"""Every kind of event by its name, in the order a screen lists them."""
_JSON_NAME: Final = {"with_": "with"}


# One reader a field name: a name means the same in every event.


_players: Final = listed(name, 2)


def _sides(where: str, value: Any) -> tuple[Side, ...]:
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise Unreadable(where, N_("must be a list of two or three sides"))
    return tuple(_side(f"{where}[{at}]", item) for at, item in enumerate(value))


def _side(where: str, value: Any) -> Side:
    if not isinstance(value, Mapping) or set(value) - {"name", "players"}:
        raise Unreadable(where, N_("must have a name and players, and nothing else"))
    players = value.get("players", [])
    if not isinstance(players, list) or len(players) > 2:
        raise Unreadable(f"{where}.players", N_("must be a list of at most two names"))
    return Side(
        name(f"{where}.name", value.get("name", "")),
        tuple(name(f"{where}.players[{at}]", player) for at, player in enumerate(players)),
    )


_SIDE: Final = {
    "type": "object",
    "properties": {"name": name.schema, "players": _players.schema},
    "additionalProperties": False,
}
read_sides: Final = Reader(_sides, {"type": "array", "items": _SIDE, "minItems": 2, "maxItems": 3})
"""A reader of two or three sides with their players, at most two a side."""


_NOT_WITHIN: Final = N_("must not contain a correction or what is said beside the play")


def _replacement(where: str, value: Any) -> tuple[Event, ...]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    if len(items) > 50:
        raise Unreadable(where, N_("must not be more than 50 events"))
    for item in items:
        # Before it is read: a correction in a correction in a correction has no end.
        kind = EVENTS.get(str(item.get("do"))) if isinstance(item, Mapping) else None
        if kind is not None and (kind is corrections.Korrektur or kind.aside):
            raise Unreadable(where, _NOT_WITHIN)
    return tuple(parse(item, f"{where}[{at}]") for at, item in enumerate(items))


_PLAYED: Final = {"$ref": "#/components/schemas/Played"}
_INSTEAD: Final = {
    "anyOf": [_PLAYED, {"type": "array", "items": _PLAYED, "maxItems": 50}, {"type": "null"}]
}
READERS: Final[Mapping[str, Reader[Any]]] = {
    "side": whole(0, 2),
    "to": whole(1, 999),
    "tricks": whole(3, 5),
    "stake": whole(1, 999),
    "points": whole(1, 99),
    "offence": one_of(*OFFENCES),
    "schlag": one_of(*SCHLAEGE),
    "trumpf": one_of(*SUITS),
    "agreed": flag,
    "dealer": name,
    "of": whole(0, 10**9),
    "through": whole(0, 10**9),
    "also": listed(whole(0, 10**9), 10_000),
    "game": whole(1, 10**6),
    "stand": text(20),
    "link": text(20),
    "sealed": listed(text(140), 100_000),
    "with_": Reader(_replacement, _INSTEAD),
    "sides": read_sides,
    "amount": whole(0, 999_999),
    "unit": one_of(*UNITS),
    "per": one_of(*PER),
}
_REQUIRED: Final = (
    *("side", "offence", "agreed", "of", "with_", "game", "stand", "link", "sealed"),
    *("amount", "unit", "per"),
)


_note: Final = text(LONGEST_NOTE)


@cache
def _fields(do: str) -> dict[str, str]:
    """The fields of a kind of event, as they are called in JSON."""
    names = (field.name for field in dataclasses.fields(EVENTS[do]))
    return {name: _JSON_NAME.get(name, name) for name in names}


def fields_of(do: object) -> Collection[str]:
    """What a kind of event may say, as it is called in JSON; of no kind nothing.

    >>> [*fields_of("ansage")], [*fields_of("nonsense")]
    (['schlag', 'trumpf'], [])
    """
    return _fields(do).values() if isinstance(do, str) and do in EVENTS else ()


def schema(kind: type[Event]) -> dict[str, Any]:
    """An event as JSON Schema, by the same readers that read it.

    >>> schema(bids.Bieten)["required"]
    ['do', 'side']
    """
    properties: dict[str, Any] = {"do": {"const": kind.do}}
    required = ["do"]
    for field, written in _fields(kind.do).items():
        read = READERS[field]
        if field in _REQUIRED:
            required.append(written)
        properties[written] = (read if field in _REQUIRED else or_none(read)).schema
    properties |= dict.fromkeys(ABOUT, _note.schema)
    return {
        "type": "object",
        "description": " ".join((kind.__doc__ or "").split()),
        "properties": properties,
        "required": required,
        "additionalProperties": False,
    }


def parse(data: Any, where: str = "event") -> Event:
    """The event that `data` (decoded JSON) describes.

    :param where: how errors name the place
    :raises Unreadable: not an event, with the field and the reason
    """
    prefix = "" if where == "event" else f"{where}."
    if not isinstance(data, Mapping):
        raise Unreadable(where, N_("must be an object with a field do"))
    do = data.get("do")
    kind = EVENTS.get(do) if isinstance(do, str) else None
    if kind is None:
        raise Unreadable(f"{prefix}do", N_("must be one of {known}"), known=", ".join(EVENTS))
    values: dict[str, Any] = {}
    fields = _fields(kind.do)
    for field, written in fields.items():
        if written in data and (data[written] is not None or field == "with_"):
            values[field] = READERS[field](prefix + written, data[written])
        elif field in _REQUIRED:
            raise Unreadable(prefix + written, N_("is missing"))
    if unknown := sorted(set(data) - {"do", *ABOUT, *fields.values()}):
        raise Unreadable(prefix + unknown[0], N_("{kind} has no such field"), kind=kind.do)
    for field in ABOUT:
        if field in data:
            _note(prefix + field, data[field])
    return kind(**values)
