"""The base class of a table's events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from scorer.engine import aggregate
from scorer.engine.input.field_readers import integer
from scorer.engine.scoring.state import State

SideIndex = Annotated[int, integer(0, 2)]
EventIndex = Annotated[int, integer(0, 10**9)]


@dataclass(frozen=True, slots=True)
class Event(aggregate.Event[State]):
    """An event at a table."""

    is_statement: ClassVar[bool] = False
    """A statement beside the play, such as agreeing to the rules; undo skips it."""

    def check(self, state: State) -> None:
        """Validate the event against `state`.

        :raises Illegal: with code, rule ids and values of the first rule that refuses it
        :raises TypeError: an event about the record, which belongs in an `Evening`
        """
        raise TypeError(f"{self.do} is about the record: push it onto an Evening")

    def with_round_points(self, state: State) -> State:
        """The state with the event's points, before the round or the game ends.

        Costs a third of `effect`; the event must be legal.
        """
        return self.effect(state)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        """The events of this class that may be legal in some state under these rules.

        Empty for events that name players and for statements.
        """
        return ()


EVENT_CLASSES: Final[aggregate.EventClasses[Event]] = aggregate.EventClasses()
"""All event classes, once `scoring.events` is imported."""
