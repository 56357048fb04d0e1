"""The state and events of a ledger: which evenings count."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final

from scorer.engine import Unreadable
from scorer.engine.aggregate import Aggregate, Event, EventClasses, replace
from scorer.engine.input.field_readers import code, listed
from scorer.engine.input.field_readers import name as read_name
from scorer.engine.translatable import N_

VERSION: Final = 1
EVENT_CLASSES: Final[EventClasses[Event[Ledger]]] = EventClasses()
TableStream = Annotated[str, code(40)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ledger(Aggregate):
    event_classes: ClassVar[EventClasses[Any]] = EVENT_CLASSES
    name: str
    counted: Mapping[str, bool] = field(default_factory=dict)
    """Every table ever counted, and whether it is now."""

    @property
    def evenings(self) -> tuple[str, ...]:
        """The streams of the counted tables, in the order they were added."""
        return tuple(table for table, now in self.counted.items() if now)

    def counts(self, table: str) -> bool:
        return self.counted.get(table, False)


@dataclass(frozen=True, slots=True)
class Abend(Event[Ledger]):
    """Adds an evening to the ledger."""

    do = "abend"
    table: TableStream

    def effect(self, state: Ledger) -> Ledger:
        if state.counts(self.table):
            return state
        counted = dict(state.counted)
        # A restored evening moves to the end.
        counted.pop(self.table, None)
        counted[self.table] = True
        return replace(state, counted=counted)


@dataclass(frozen=True, slots=True)
class Austragen(Event[Ledger]):
    """Removes an evening from the ledger."""

    do = "austragen"
    table: TableStream

    def effect(self, state: Ledger) -> Ledger:
        if self.table not in state.counted:
            return state
        return replace(state, counted={**state.counted, self.table: False})


@dataclass(frozen=True, slots=True)
class Loeschung(Event[Ledger]):
    """A person's name was erased; `sealed` lists the entries and their new hashes."""

    do = "loeschung"
    sealed: Annotated[tuple[str, ...], listed(code(140), 100_000)]


EVENT_CLASSES.add((Abend, Austragen, Loeschung))


def new_ledger(head: Mapping[str, Any]) -> Ledger:
    """A ledger before its first event.

    :raises Unreadable: invalid head
    """
    if head.get("group") != VERSION:
        raise Unreadable("group", N_("must be {version}"), version=VERSION)
    return Ledger(name=read_name("name", head.get("name")))
