"""Event sourcing: a class for each event, states that never change, and the fold of a stream.

Tables, ledgers and tournaments are aggregates alike: an event is read from JSON by its class, asked
whether it may happen (`check`), and says the next state (`effect`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from operator import attrgetter
from types import ModuleType
from typing import Any, ClassVar, Final, Generic, Self, TypeVar

from scorer.engine.input.codec import Codec, codec
from scorer.engine.input.fields import LONGEST_NOTE, Unreadable, text
from scorer.engine.translatable import N_

S = TypeVar("S")

ABOUT: Final = ("player", "at", "by", "note", "received", "salt", "hash")
"""What an event may carry beside its meaning, as it is recorded."""
_BESIDE: Final = {"do", *ABOUT}
_note: Final = text(LONGEST_NOTE)


class Illegal(ValueError):
    """An event the rules refuse: a code, the rules that say so, and the figures for the words.

    `event` is the index of the refused event in its record, once that is known.
    """

    def __init__(self, code: str, rules: tuple[str, ...] = (), **values: int | str) -> None:
        super().__init__(code)
        self.code, self.rules, self.values = code, rules, values
        self.event: int | None = None

    @property
    def rule(self) -> str:
        """The first rule id, or an empty text where the record's own contract refuses."""
        return self.rules[0] if self.rules else ""


@dataclass(frozen=True, slots=True)
class Event(Generic[S]):
    """Anything that can happen to a state; `do` is its name in JSON."""

    do: ClassVar[str] = ""

    def to_json(self) -> dict[str, Any]:
        """The event as it is recorded, fields with their default left out."""
        return {"do": self.do, **codec_of(type(self)).write(self)}

    def check(self, state: S) -> None:
        """Let it pass if it may happen in `state`.

        :raises Illegal: the first rule that refuses it, by its code
        """

    def steps(self, state: S) -> int:
        """What it costs to fold behind `state`, known before; most events cost one step."""
        return 1

    def effect(self, state: S) -> S:
        """The state after it, where `check` lets it pass."""
        return state


E = TypeVar("E", bound=Event[Any])


def codec_of(kind: type[E]) -> Codec[E]:
    """What reads and writes a kind of event; null is as good as no value."""
    return codec(kind, null=True)


def defined_in(*modules: ModuleType) -> Iterator[Any]:
    """The kinds of events that modules define, in their order."""
    for module in modules:
        for kind in vars(module).values():
            event = isinstance(kind, type) and issubclass(kind, Event) and kind.do
            if event and kind.__module__ == module.__name__:
                yield kind


class Kinds(Generic[E]):
    """Kinds of events, told apart in JSON by their name under `do`."""

    def __init__(self) -> None:
        self.by_name: dict[str, type[E]] = {}

    def add(self, kinds: Iterable[type[E]]) -> None:
        """Read these kinds, too."""
        self.by_name.update({kind.do: kind for kind in kinds})

    def named(self, data: Any) -> type[E] | None:
        """The kind of event that `data` claims to be, or None."""
        do = data.get("do") if isinstance(data, Mapping) else None
        return self.by_name.get(do) if isinstance(do, str) else None

    def read(self, data: Any, where: str = "event") -> E:
        """The event that `data` (decoded JSON) describes.

        :param where: how errors name the place
        :raises Unreadable: not an event, with the field and the reason
        """
        if not isinstance(data, Mapping):
            raise Unreadable(where, N_("must be an object with a field do"))
        prefix = "" if where == "event" else f"{where}."
        kind = self.named(data)
        if kind is None:
            known = ", ".join(self.by_name)
            raise Unreadable(f"{prefix}do", N_("must be one of {known}"), known=known)
        fields = codec_of(kind)
        event = kind(**fields.values(data, prefix))
        beside = data.keys() - fields.names
        if not beside <= _BESIDE:
            unknown = min(beside - _BESIDE)
            raise Unreadable(prefix + unknown, N_("{kind} has no such field"), kind=kind.do)
        if len(beside) > 1:
            for name in ABOUT:
                if name in beside:
                    _note(prefix + name, data[name])
        return event

    def schema(self, kind: type[E]) -> dict[str, Any]:
        """A kind of event as JSON Schema, with its name and what it may carry besides."""
        shown = codec_of(kind).schema()
        about = dict.fromkeys(ABOUT, _note.schema)
        return {
            **shown,
            "description": " ".join((kind.__doc__ or "").split()),
            "properties": {"do": {"const": kind.do}, **shown["properties"], **about},
            "required": ["do", *shown["required"]],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Aggregate:
    """A stream as it stands: its recorded events and, in subclasses, the state they lead to.

    A value: what is recorded next gives another.
    """

    kinds: ClassVar[Kinds[Any]]
    """The events it takes."""
    recorded: tuple[Mapping[str, Any], ...] = field(default=(), repr=False)
    """The events as JSON, with who recorded them and when."""
    seq: int = 0
    """How many events are recorded, the one that is being carried out among them."""
    folded: int = field(default=0, repr=False)
    """The steps that folding them takes (`Event.steps`)."""

    def after(
        self, events: Iterable[Mapping[str, Any]], allowed: Callable[[Self], None] | None = None
    ) -> Self:
        """The aggregate after more events.

        :param allowed: raises where the stream as it then is takes no further event
        :raises Unreadable: one is none
        :raises Illegal: one cannot be; its `event` is the index in the stream
        """
        state, recorded = self, [*self.recorded]
        for data in events:
            event = self.kinds.read(data)
            recorded.append(data)
            try:
                if allowed is not None:
                    allowed(state)
                folded = state.folded + event.steps(state)
                state = apply(replace(state, seq=len(recorded), folded=folded), event)
            except Illegal as refusal:
                refusal.event = len(recorded) - 1
                raise
        return replace(state, recorded=tuple(recorded))

    def stored(self, data: Mapping[str, Any]) -> Self:
        """The same with its newest event as the store has it, hash and all."""
        return replace(self, recorded=(*self.recorded[:-1], data))


def apply(state: S, event: Event[S]) -> S:
    """The state after an event, whose place in the stream is `seq` of an aggregate.

    :raises Illegal: it cannot be
    """
    event.check(state)
    return event.effect(state)


_parts: Final[dict[type, tuple[dict[str, Any], attrgetter[Any]]]] = {}
"""For each class how its fields are put, and got all at once."""


def replace(value: S, **changed: Any) -> S:
    """A frozen value with slots with other fields, as `dataclasses.replace` makes it in twice the
    time: a fold does little else.
    """
    kind: Any = type(value)
    if kind not in _parts:
        puts = {item.name: getattr(kind, item.name).__set__ for item in fields(kind)}
        _parts[kind] = puts, attrgetter(*puts)
    puts, values = _parts[kind]
    other: S = object.__new__(kind)
    for put, part in zip(puts.values(), values(value), strict=True):
        put(other, part)
    for name, part in changed.items():
        puts[name](other, part)
    return other
