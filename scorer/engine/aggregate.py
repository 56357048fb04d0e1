"""Event sourcing: events as classes, immutable states, and the replay of a stream.

Tables, ledgers and tournaments share it. An event is parsed from JSON into its class, validated by
`check` and applied by `effect`, which returns the next state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from types import ModuleType
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from scorer.engine.input.codec import Codec, codec, require_known_fields
from scorer.engine.input.field_readers import MAX_NOTE_LENGTH, Unreadable, code, text
from scorer.engine.translatable import N_

S = TypeVar("S")

METADATA: Final = ("player", "at", "by", "note", "received", "salt", "hash")
"""Metadata fields that a recorded event may have beside the fields of its class."""
_DO_AND_METADATA: Final = {"do", *METADATA}
_FREE_TEXT: Final = ("player", "note")
_read_metadata: Final = code(MAX_NOTE_LENGTH)
METADATA_SCHEMA: Final = {
    name: (text(MAX_NOTE_LENGTH) if name in _FREE_TEXT else _read_metadata).schema
    for name in METADATA
}
"""JSON Schema of the metadata fields."""


class Illegal(ValueError):
    """An event that the rules refuse: error code, rule ids, and values for the message.

    The sentence of each code is in `scorer/engine/telling/english_sentences.py`, for tournaments in
    `scorer/tournament/english_sentences.py`.

    `event` is the index of the refused event in its record, or None if not known. `house_rules`
    are those that the refusal rests on, as `HouseRule` of `engine/rules/grounds.py`.
    """

    def __init__(self, code: str, rule_ids: tuple[str, ...] = (), **values: int | str) -> None:
        super().__init__(code)
        self.code, self.rule_ids, self.values = code, rule_ids, values
        self.event: int | None = None
        self.house_rules: tuple[Any, ...] = ()

    @property
    def rule(self) -> str:
        """The first rule id; empty if the record format refuses, not a rule."""
        return self.rule_ids[0] if self.rule_ids else ""


@dataclass(frozen=True, slots=True)
class Event(Generic[S]):
    """Base class of events; `do` is the event's name in JSON."""

    do: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """The event as recorded, without fields that equal their defaults."""
        return {"do": self.do, **codec_of(type(self)).write(self)}

    def check(self, state: S) -> None:
        """Validate the event against `state`.

        :raises Illegal: with the code of the first rule that refuses it
        """

    def replay_cost(self, state: S) -> int:
        """The cost of applying this event, in steps; computed before it is applied."""
        return 1

    def effect(self, state: S) -> S:
        """The next state; call `check` first."""
        return state


E = TypeVar("E", bound=Event[Any])


def codec_of(event_class: type[E]) -> Codec[E]:
    """The codec of an event class; null counts as not given."""
    return codec(event_class, null_is_missing=True)


def defined_in(*modules: ModuleType) -> Iterator[Any]:
    """The event classes that the modules define, in source order."""
    for module in modules:
        for event_class in vars(module).values():
            is_event = (
                isinstance(event_class, type) and issubclass(event_class, Event) and event_class.do
            )
            if is_event and event_class.__module__ == module.__name__:
                yield event_class


class EventClasses(Generic[E]):
    """A registry of event classes by their JSON name (`do`)."""

    def __init__(self) -> None:
        self.by_name: dict[str, type[E]] = {}

    def add(self, event_classes: Iterable[type[E]]) -> None:
        self.by_name.update({event_class.do: event_class for event_class in event_classes})

    def class_named_by(self, data: Any) -> type[E] | None:
        """The event class that `data["do"]` names, or None."""
        do = data.get("do") if isinstance(data, Mapping) else None
        return self.by_name.get(do) if isinstance(do, str) else None

    def read(self, data: Any, where: str = "event") -> E:
        """Parse an event from decoded JSON.

        :param where: the place of `data`, for error messages
        :raises Unreadable: not an event, with the field and the reason
        """
        if not isinstance(data, Mapping):
            raise Unreadable(where, N_("must be an object with a field do"))
        prefix = "" if where == "event" else f"{where}."
        event_class = self.class_named_by(data)
        if event_class is None:
            names = ", ".join(self.by_name)
            raise Unreadable(f"{prefix}do", N_("must be one of {known}"), known=names)
        event_codec = codec_of(event_class)
        event = event_class(**event_codec.values(data, prefix))
        other_names = data.keys() - event_codec.names
        require_known_fields(
            other_names,
            _DO_AND_METADATA,
            N_("{kind} has no such field"),
            prefix,
            kind=event_class.do,
        )
        # `do` is always one of them.
        if len(other_names) > 1:
            for name in METADATA:
                if name in other_names:
                    _read_metadata(prefix + name, data[name])
        return event

    def schema(self, event_class: type[E]) -> dict[str, Any]:
        event_schema = codec_of(event_class).schema()
        return {
            **event_schema,
            "description": " ".join((event_class.__doc__ or "").split()),
            "properties": {
                "do": {"const": event_class.do},
                **event_schema["properties"],
                **METADATA_SCHEMA,
            },
            "required": ["do", *event_schema["required"]],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A stream: its recorded events and, in subclasses, the state after them. Immutable."""

    event_classes: ClassVar[EventClasses[Any]]
    recorded: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    seq: int = 0
    """The number of events, including the one being applied."""
    replay_cost: int = field(default=0, repr=False)
    """The total cost of folding them (`Event.replay_cost`)."""

    def after(
        self,
        events: Iterable[Mapping[str, Any]],
        require_allowed: Callable[[Self], None] | None = None,
    ) -> Self:
        """The aggregate after more events.

        :param require_allowed: called with the state before each event, which
            it refuses by raising `Illegal`
        :raises Unreadable: an event cannot be parsed
        :raises Illegal: an event is refused; its `event` is the index in the stream
        """
        state, recorded = self, [*self.recorded]
        for data in events:
            event = self.event_classes.read(data)
            recorded.append(data)
            try:
                if require_allowed is not None:
                    require_allowed(state)
                replay_cost = state.replay_cost + event.replay_cost(state)
                state = apply(replace(state, seq=len(recorded), replay_cost=replay_cost), event)
            except Illegal as refusal:
                refusal.event = len(recorded) - 1
                raise
        return replace(state, recorded=tuple(recorded))

    def with_stored_event(self, data: Mapping[str, Any]) -> Self:
        """A copy whose newest event is replaced by its stored form, which includes the hash."""
        return replace(self, recorded=(*self.recorded[:-1], data))


def apply(state: S, event: Event[S]) -> S:
    """The state after an event.

    :raises Illegal: the event is refused
    """
    event.check(state)
    return event.effect(state)


_accessors: Final[dict[type, tuple[dict[str, Any], attrgetter[Any]]]] = {}
"""For each class: the setter of each field, and one getter that reads all fields."""


def replace(value: S, **changes: Any) -> S:
    """`dataclasses.replace` for frozen dataclasses with two or more slots, in half the time."""
    kind: Any = type(value)
    if kind not in _accessors:
        setters = {item.name: getattr(kind, item.name).__set__ for item in fields(kind)}
        _accessors[kind] = setters, attrgetter(*setters)
    setters, getter = _accessors[kind]
    copy: S = object.__new__(kind)
    for setter, part in zip(setters.values(), getter(value), strict=True):
        setter(copy, part)
    for name, part in changes.items():
        setters[name](copy, part)
    return copy
