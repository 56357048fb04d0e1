"""Events about the record itself, handled by `EffectiveEvents` and not by `State`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

from scorer.engine.input.codec import Json
from scorer.engine.input.field_readers import Reader, Unreadable, integer, listed
from scorer.engine.scoring.event_types.event import EVENT_CLASSES, Event, EventIndex, SideIndex
from scorer.engine.translatable import N_


def _read(where: str, value: Any) -> tuple[Event, ...]:
    items = value if isinstance(value, list) else [] if value is None else [value]
    if len(items) > 50:
        raise Unreadable(where, N_("must not be more than 50 events"))
    for item in items:
        # Checked before parsing, which would recurse through nested corrections.
        kind = EVENT_CLASSES.class_named_by(item)
        if kind is not None and (kind is Korrektur or kind.is_statement):
            raise Unreadable(where, _NOT_REPLACING)
    return tuple(EVENT_CLASSES.read(item, f"{where}[{index}]") for index, item in enumerate(items))


def _write(events: tuple[Event, ...]) -> Any:
    """One event as an object, several as a list, none as null."""
    objects = [event.to_json() for event in events]
    return objects[0] if len(objects) == 1 else objects or None


_NOT_REPLACING: Final = N_("must not contain a correction or what is said beside the play")
_PLAYED_EVENT: Final = {"$ref": "#/components/schemas/Played"}
_SCHEMA: Final = {
    "anyOf": [
        _PLAYED_EVENT,
        {"type": "array", "items": _PLAYED_EVENT, "maxItems": 50},
        {"type": "null"},
    ]
}
Replacement = Annotated[
    tuple[Event, ...],
    Reader(_read, _SCHEMA),
    Json("with", required=True, null=True, always=True, write=_write),
]
"""The replacing events: one, several or none."""
INDICES: Final = listed(integer(0, 10**9), 10_000)
"""Reader of a list of recorded indices."""


@dataclass(frozen=True, slots=True)
class Korrektur(Event):
    """Replaces the event at index `of` by the events of `with_`; if there are none, strikes it out.

    With `through` it replaces all events from `of` to that index, such as a whole round. `also`
    lists later events that become impossible; they are struck out too.
    """

    do = "korrektur"
    of: EventIndex
    with_: Replacement = ()
    through: EventIndex | None = None
    also: Annotated[tuple[EventIndex, ...], INDICES] = ()

    @property
    def last_index(self) -> int:
        return self.of if self.through is None else self.through

    @property
    def replaced_indices(self) -> list[int]:
        """The indices it replaces or strikes out."""
        return sorted({*range(self.of, self.last_index + 1), *self.also})

    def missing_index(self, count: int) -> int | None:
        """An index that it mentions but a record of `count` events does not have, or None."""
        if not self.of <= self.last_index < count:
            return self.of if self.of >= count else self.last_index
        return next((index for index in self.also if index >= count), None)


@dataclass(frozen=True, slots=True)
class Vorschlag(Event):
    """The side proposes a correction, which takes effect when another side says yes."""

    do = "vorschlag"
    side: SideIndex
    of: EventIndex
    with_: Replacement = ()
    through: EventIndex | None = None
    also: Annotated[tuple[EventIndex, ...], INDICES] = ()
    is_statement = True

    @property
    def correction(self) -> Korrektur:
        return Korrektur(self.of, self.with_, self.through, self.also)


@dataclass(frozen=True, slots=True)
class Zusage(Event):
    """The side says yes to the proposal recorded at index `of`."""

    do = "zusage"
    side: SideIndex
    of: EventIndex
    is_statement = True


@dataclass(frozen=True, slots=True)
class Absage(Event):
    """The side says no to the proposal recorded at index `of`, or takes back its own."""

    do = "absage"
    side: SideIndex
    of: EventIndex
    is_statement = True
