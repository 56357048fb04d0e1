"""The events of a tournament. Like a table's, they say what happened and no more.

>>> parse({"do": "abmeldung", "pair": 3})
Abmeldung(pair=3)
>>> parse({"do": "ergebnis", "round": 1, "table": 2, "who": "director", "games": [[15, 8]]}).games
((15, 8),)
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from scorer.engine import Unreadable
from scorer.engine.rules.fields import LONGEST_NOTE, flag, text, whole
from scorer.engine.rules.fields import name as read_name
from scorer.engine.scoring.events import ABOUT
from scorer.tournament.results import HIGHEST, Games
from scorer.tournament.settings import Pair, read_pair

WHO: Final = ("director", "a", "b")
"""Who enters or confirms a result: the director, or the first or second pair of the table."""


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that can happen; `do` is its name in the stream."""

    do: ClassVar[str] = ""


@dataclass(frozen=True, slots=True)
class Anmeldung(Event):
    """A pair signs up, before the first draw or late."""

    do = "anmeldung"
    entry: Pair


@dataclass(frozen=True, slots=True)
class Einzeln(Event):
    """A player without a partner signs up, to be given one by lot."""

    do = "einzeln"
    name: str
    club: str = ""


@dataclass(frozen=True, slots=True)
class Zulosung(Event):
    """The players without a partner are paired by lot: the pairs that come of it."""

    do = "zulosung"
    entries: tuple[Pair, ...]


@dataclass(frozen=True, slots=True)
class Aenderung(Event):
    """A pair is called otherwise, or belongs to another club."""

    do = "aenderung"
    pair: int
    entry: Pair


@dataclass(frozen=True, slots=True)
class Abmeldung(Event):
    """A pair withdraws: it is drawn no more."""

    do = "abmeldung"
    pair: int


@dataclass(frozen=True, slots=True)
class Rueckkehr(Event):
    """A pair that had withdrawn plays on."""

    do = "rueckkehr"
    pair: int


@dataclass(frozen=True, slots=True)
class Vermerk(Event):
    """Whether a pair has paid, and whether it is here, as it now is."""

    do = "vermerk"
    pair: int
    paid: bool = False
    here: bool = False


@dataclass(frozen=True, slots=True)
class Drawn:
    """One table of a draw."""

    table: int
    pairs: tuple[int, int]
    lots: tuple[int, int]
    """The lots that play: in a knock-out a pair may hold several, else its own number."""
    stream: str = ""
    """The table's own evening, where it is scored live."""
    notes: tuple[str, ...] = ()
    """What had to give here: `rematch`, `same-club`."""


@dataclass(frozen=True, slots=True)
class Auslosung(Event):
    """A round is drawn; what came out is part of the event, so it is never drawn again."""

    do = "auslosung"
    round: int
    stage: str
    tables: tuple[Drawn, ...]
    byes: tuple[int, ...] = ()
    """The lots that have a bye."""
    notes: tuple[str, ...] = ()
    """What had to give among the byes: `second-bye`."""
    anyway: bool = False
    """Drawn by decision although results were missing."""
    circles: tuple[tuple[int, ...], ...] = ()
    """Where everybody meets everybody: the seats of each circle, 0 an empty one."""
    leg: int = 0
    """Which turn of the circles this round is."""


@dataclass(frozen=True, slots=True)
class Ruecknahme(Event):
    """The newest draw is taken back."""

    do = "ruecknahme"
    round: int


@dataclass(frozen=True, slots=True)
class Ergebnis(Event):
    """The games of a table, as the director or one of its pairs says."""

    do = "ergebnis"
    round: int
    table: int
    who: str
    games: Games
    retour: tuple[int, ...] = ()
    """The games, from 1, won against a gespannt side after standing at 0."""
    walkover: str = ""
    """`a` or `b`: the pair whose opponents did not play; then there are no games."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Bestaetigung(Event):
    """The other pair says that the result entered, `games` as it saw them, is right."""

    do = "bestaetigung"
    round: int
    table: int
    who: str
    games: Games


@dataclass(frozen=True, slots=True)
class Sperre(Event):
    """The director locks a table's result, or lets it be changed again (`open`)."""

    do = "sperre"
    round: int
    table: int
    open: bool = False


@dataclass(frozen=True, slots=True)
class Stechen(Event):
    """A deciding game between two pairs that are level: `winner` goes before `loser`."""

    do = "stechen"
    winner: int
    loser: int


@dataclass(frozen=True, slots=True)
class Preise(Event):
    """The prizes, one line a place, and the consolation prize; free text."""

    do = "preise"
    lines: tuple[str, ...]
    consolation: str = ""
    to: str = "last"
    """Who gets the consolation prize: the `last`, or the `last-but-one`."""


EVENTS: Final[Mapping[str, type[Event]]] = {
    kind.do: kind
    for kind in (
        Anmeldung,
        Einzeln,
        Zulosung,
        Aenderung,
        Abmeldung,
        Rueckkehr,
        Vermerk,
        Auslosung,
        Ruecknahme,
        Ergebnis,
        Bestaetigung,
        Sperre,
        Stechen,
        Preise,
    )
}


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


def _listed(read: Callable[[str, Any], Any], most: int = 1024) -> Callable[[str, Any], Any]:
    def reader(where: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise Unreadable(where, f"must be a list of at most {most}")
        return tuple(read(f"{where}[{at}]", item) for at, item in enumerate(value))

    return reader


def _two(read: Callable[[str, Any], int]) -> Callable[[str, Any], tuple[int, int]]:
    def reader(where: str, value: Any) -> tuple[int, int]:
        if not isinstance(value, list) or len(value) != 2:
            raise Unreadable(where, "must be a list of two numbers")
        return read(f"{where}[0]", value[0]), read(f"{where}[1]", value[1])

    return reader


_number = whole(1, 9999)


def _drawn(where: str, value: Any) -> Drawn:
    if not isinstance(value, Mapping):
        raise Unreadable(where, "must be an object")
    pairs = _two(_number)(f"{where}.pairs", value.get("pairs"))
    return Drawn(
        _number(f"{where}.table", value.get("table")),
        pairs,
        _two(_number)(f"{where}.lots", value.get("lots", list(pairs))),
        text(40)(f"{where}.stream", value.get("stream", "")),
        _listed(text(40))(f"{where}.notes", value.get("notes", [])),
    )


def _who(where: str, value: Any) -> str:
    if value not in WHO:
        raise Unreadable(where, f"must be one of {', '.join(WHO)}")
    return str(value)


def _walkover(where: str, value: Any) -> str:
    if value not in ("a", "b"):
        raise Unreadable(where, "must be a or b")
    return str(value)


def _retour(where: str, value: Any) -> tuple[int, ...]:
    return tuple(sorted(set(_listed(whole(1, 20), 20)(where, value))))


def _consoled(where: str, value: Any) -> str:
    if value not in ("last", "last-but-one"):
        raise Unreadable(where, "must be last or last-but-one")
    return str(value)


_READ: Final[Mapping[str, Callable[[str, Any], Any]]] = {
    "entry": read_pair,
    "entries": _listed(read_pair),
    "name": read_name,
    "club": read_name,
    "pair": _number,
    "paid": flag,
    "here": flag,
    "round": whole(1, 999),
    "table": _number,
    "stage": text(20),
    "tables": _listed(_drawn),
    "byes": _listed(_number),
    "notes": _listed(text(200)),
    "who": _who,
    "games": _listed(_two(whole(0, HIGHEST)), 20),
    "retour": _retour,
    "reason": text(200),
    "open": flag,
    "anyway": flag,
    "circles": _listed(_listed(whole(0, 9999))),
    "leg": whole(0, 9999),
    "walkover": _walkover,
    "winner": _number,
    "loser": _number,
    "lines": _listed(text(200), 200),
    "consolation": text(200),
    "to": _consoled,
}


def parse(data: Any) -> Event:
    """The event that `data` (decoded JSON) describes.

    :raises Unreadable: the field and the reason
    """
    if not isinstance(data, Mapping):
        raise Unreadable("event", "must be an object with a field do")
    kind = EVENTS.get(str(data.get("do")))
    if kind is None:
        raise Unreadable("do", f"must be one of {', '.join(EVENTS)}")
    values: dict[str, Any] = {}
    for field in dataclasses.fields(kind):
        if data.get(field.name) is not None:
            values[field.name] = _READ[field.name](field.name, data[field.name])
        elif field.default is dataclasses.MISSING:
            raise Unreadable(field.name, "is missing")
    known = {"do", *ABOUT, *(field.name for field in dataclasses.fields(kind))}
    if unknown := sorted(set(data) - known):
        raise Unreadable(unknown[0], f"{kind.do} has no such field")
    for name in ABOUT:
        if name in data:
            text(LONGEST_NOTE)(name, data[name])
    return kind(**values)
