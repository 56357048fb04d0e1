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
scorer.engine.rules.fields.Unreadable: side: must be a whole number from 0 to 2, not 'Anna'
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

from scorer.engine.rules.cards import SCHLAEGE, SUITS
from scorer.engine.rules.fields import LONGEST_NOTE, Unreadable, flag, name, one_of, text, whole
from scorer.engine.rules.marked import N_
from scorer.engine.rules.ruleset import OFFENCES

ABOUT: Final = ("player", "at", "by", "note", "hash")
"""What an event may carry beside its meaning."""
UNITS: Final = ("euro", "runden")
"""What a price is counted in: cents, or rounds of drinks."""
PER: Final = ("bummerl", "spiel")
"""What a price is for."""


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that can happen; `do` is its name in the record."""

    do: ClassVar[str] = ""
    aside: ClassVar[bool] = False
    """Said beside the play: undo leaves it alone."""

    def to_json(self) -> dict[str, Any]:
        """The event as the record writes it, fields without a value left out."""
        data: dict[str, Any] = {"do": self.do}
        for field in _fields_of(type(self)):
            value = getattr(self, field)
            if value is not None:
                data[_JSON_NAME.get(field, field)] = value
        return data


@dataclass(frozen=True, slots=True)
class Bieten(Event):
    """The side raises by one step; `to`, if given, must be the stake it would then name."""

    do = "bieten"
    side: int
    to: int | None = None


@dataclass(frozen=True, slots=True)
class Bleiben(Event):
    """The side stays on a raise, or plays on where a decision is asked of it."""

    do = "bleiben"
    side: int


@dataclass(frozen=True, slots=True)
class Gehen(Event):
    """The side folds, or gives the round away where a decision is asked of it."""

    do = "gehen"
    side: int


@dataclass(frozen=True, slots=True)
class Gewinnt(Event):
    """The side took the round; `stake` is for a round whose raises nobody noted."""

    do = "gewinnt"
    side: int
    tricks: int | None = None
    stake: int | None = None


@dataclass(frozen=True, slots=True)
class Strafe(Event):
    """The side committed an offence; `points` only where it is `sonstige`."""

    do = "strafe"
    side: int
    offence: str
    points: int | None = None


@dataclass(frozen=True, slots=True)
class Streichen(Event):
    """The side has its own points struck."""

    do = "streichen"
    side: int


@dataclass(frozen=True, slots=True)
class Gespannt(Event):
    """The side has nothing left to bet: it gives up the round, and there is a new deal (Y4)."""

    do = "gespannt"
    side: int


@dataclass(frozen=True, slots=True)
class Ansage(Event):
    """What was announced."""

    do = "ansage"
    schlag: str | None = None
    trumpf: str | None = None


@dataclass(frozen=True, slots=True)
class Schoenere(Event):
    """A side asked for better cards; `agreed`: the other announcer said yes."""

    do = "schoenere"
    side: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class Schlagtausch(Event):
    """A side asked to swap the announcers' roles."""

    do = "schlagtausch"
    side: int
    agreed: bool


@dataclass(frozen=True, slots=True)
class NeuesSpiel(Event):
    """The next game of the evening; `dealer` is a player's name."""

    do = "neues_spiel"
    dealer: str | None = None


@dataclass(frozen=True, slots=True)
class SetztAus(Event):
    """Who sits out this round, three sides only."""

    do = "setzt_aus"
    side: int


@dataclass(frozen=True, slots=True)
class Sitzordnung(Event):
    """Who sits where and who deals from now on; the tally stays as it is."""

    do = "sitzordnung"
    sides: tuple[Side, ...] | None = None
    dealer: str | None = None

    def to_json(self) -> dict[str, Any]:
        data: dict[str, Any] = {"do": self.do}
        if self.sides is not None:
            data["sides"] = [side.to_json() for side in self.sides]
        if self.dealer is not None:
            data["dealer"] = self.dealer
        return data


@dataclass(frozen=True, slots=True)
class Einig(Event):
    """The side agrees to the rules of the table; the tally stays as it is."""

    do = "einig"
    side: int
    aside = True


@dataclass(frozen=True, slots=True)
class Bestaetigt(Event):
    """The side confirms how a game ended; `stand` is what it saw, such as `9:4`."""

    do = "bestaetigt"
    side: int
    game: int
    stand: str
    aside = True


@dataclass(frozen=True, slots=True)
class Strittig(Event):
    """The side disputes the round of the recorded event `of`."""

    do = "strittig"
    side: int
    of: int
    aside = True


@dataclass(frozen=True, slots=True)
class Geklaert(Event):
    """The dispute about the round of the recorded event `of` is settled."""

    do = "geklaert"
    side: int
    of: int
    aside = True


@dataclass(frozen=True, slots=True)
class Korrektur(Event):
    """Replaces the event at index `of` by the events of `with_`; none strikes it out.

    With `through` it replaces all events from `of` to there together: a whole round.
    """

    do = "korrektur"
    of: int
    with_: tuple[Event, ...] = ()
    through: int | None = None

    @property
    def last(self) -> int:
        """The index of the last event it replaces."""
        return self.of if self.through is None else self.through

    def to_json(self) -> dict[str, Any]:
        replacement = [event.to_json() for event in self.with_]
        through = {} if self.through is None else {"through": self.through}
        return {
            "do": self.do,
            "of": self.of,
            **through,
            "with": replacement[0] if len(replacement) == 1 else replacement or None,
        }


@dataclass(frozen=True, slots=True)
class Side:
    """One side of the table: its name and its players in their order of play."""

    name: str = ""
    players: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {"name": self.name, "players": list(self.players)}


@dataclass(frozen=True, slots=True)
class Vorschlag(Event):
    """The side proposes a correction, which stands once another side says yes to it."""

    do = "vorschlag"
    side: int
    of: int
    with_: tuple[Event, ...] = ()
    through: int | None = None
    aside = True

    @property
    def correction(self) -> Korrektur:
        """What is proposed."""
        return Korrektur(self.of, self.with_, self.through)

    def to_json(self) -> dict[str, Any]:
        return {**self.correction.to_json(), "do": self.do, "side": self.side}


@dataclass(frozen=True, slots=True)
class Zusage(Event):
    """The side says yes to the proposal recorded at index `of`."""

    do = "zusage"
    side: int
    of: int
    aside = True


@dataclass(frozen=True, slots=True)
class Absage(Event):
    """The side says no to the proposal recorded at index `of`, or takes back its own."""

    do = "absage"
    side: int
    of: int
    aside = True


@dataclass(frozen=True, slots=True)
class Uebernahme(Event):
    """The phone that signs this speaks for the other side from now on; `link` tells its link."""

    do = "uebernahme"
    link: str
    aside = True


@dataclass(frozen=True, slots=True)
class Preis(Event):
    """What the table plays for: `amount` in cents or in whole rounds of drinks; 0: for nothing."""

    do = "preis"
    amount: int
    unit: str
    per: str
    aside = True


EVENTS: Final[Mapping[str, type[Event]]] = {
    kind.do: kind
    for kind in (
        Bieten,
        Bleiben,
        Gehen,
        Gewinnt,
        Strafe,
        Streichen,
        Gespannt,
        Ansage,
        Schoenere,
        Schlagtausch,
        NeuesSpiel,
        SetztAus,
        Sitzordnung,
        Einig,
        Bestaetigt,
        Strittig,
        Geklaert,
        Korrektur,
        Vorschlag,
        Zusage,
        Absage,
        Uebernahme,
        Preis,
    )
}
_JSON_NAME: Final = {"with_": "with"}


def _fields_of(kind: type[Event]) -> tuple[str, ...]:
    return tuple(item.name for item in dataclasses.fields(kind))


# One reader a field name: a name means the same in every event.


def read_sides(where: str, value: Any) -> tuple[Side, ...]:
    """Two or three sides with their players, at most two a side.

    :raises Unreadable: something else
    """
    if not isinstance(value, list) or len(value) not in (2, 3):
        raise Unreadable(where, "must be a list of two or three sides")
    return tuple(_side(f"{where}[{at}]", item) for at, item in enumerate(value))


def _side(where: str, value: Any) -> Side:
    if not isinstance(value, Mapping) or set(value) - {"name", "players"}:
        raise Unreadable(where, "must have a name and players, and nothing else")
    players = value.get("players", [])
    if not isinstance(players, list) or len(players) > 2:
        raise Unreadable(f"{where}.players", N_("must be a list of at most two names"))
    return Side(
        name(f"{where}.name", value.get("name", "")),
        tuple(name(f"{where}.players[{at}]", player) for at, player in enumerate(players)),
    )


def _replacement(where: str, value: Any) -> tuple[Event, ...]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    if len(items) > 50:
        raise Unreadable(where, "must not be more than 50 events")
    for item in items:
        # Before it is read: a correction in a correction in a correction has no end.
        kind = EVENTS.get(str(item.get("do"))) if isinstance(item, Mapping) else None
        if kind is not None and (kind is Korrektur or kind.aside):
            raise Unreadable(where, "must not contain a correction or what is said beside the play")
    return tuple(parse(item, f"{where}[{at}]") for at, item in enumerate(items))


_READ: Final[Mapping[str, Callable[[str, Any], Any]]] = {
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
    "game": whole(1, 10**6),
    "stand": text(20),
    "link": text(20),
    "with_": _replacement,
    "sides": read_sides,
    "amount": whole(0, 999_999),
    "unit": one_of(*UNITS),
    "per": one_of(*PER),
}
_REQUIRED: Final = (
    *("side", "offence", "agreed", "of", "with_", "game", "stand", "link"),
    *("amount", "unit", "per"),
)


def parse(data: Any, where: str = "event") -> Event:
    """The event that `data` (decoded JSON) describes.

    :param where: how errors name the place
    :raises Unreadable: not an event, with the field and the reason
    """
    prefix = "" if where == "event" else f"{where}."
    if not isinstance(data, Mapping):
        raise Unreadable(where, "must be an object with a field do")
    do = data.get("do")
    kind = EVENTS.get(do) if isinstance(do, str) else None
    if kind is None:
        raise Unreadable(f"{prefix}do", f"must be one of {', '.join(EVENTS)}")
    values: dict[str, Any] = {}
    for field in _fields_of(kind):
        written = _JSON_NAME.get(field, field)
        if written in data and (data[written] is not None or field == "with_"):
            values[field] = _READ[field](prefix + written, data[written])
        elif field in _REQUIRED:
            raise Unreadable(prefix + written, "is missing")
    known = {"do", *ABOUT, *(_JSON_NAME.get(field, field) for field in _fields_of(kind))}
    if unknown := sorted(set(data) - known):
        raise Unreadable(prefix + unknown[0], f"{kind.do} has no such field")
    for field in ABOUT:
        if field in data:
            text(LONGEST_NOTE)(prefix + field, data[field])
    return kind(**values)
