"""What every event is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cache
from typing import Any, ClassVar

from scorer.engine.scoring.state import State


@dataclass(frozen=True, slots=True)
class Event:
    """Anything that can happen; `do` is its name in the record."""

    do: ClassVar[str] = ""
    aside: ClassVar[bool] = False
    """Said beside the play: undo leaves it alone."""

    def to_json(self) -> dict[str, Any]:
        """The event as the record writes it, fields without a value left out."""
        data: dict[str, Any] = {"do": self.do}
        kind: Any = type(self)
        for name in _names(kind):
            value = getattr(self, name)
            if value is not None:
                data[name] = value
        return data

    def check(self, state: State) -> None:
        """Let it pass if it is legal in `state`.

        :raises Illegal: the code, rule and figures of the first rule that refuses it
        :raises TypeError: it is about the record, which an `Evening` keeps, not about a state
        """
        raise TypeError(f"{self.do} is about the record: push it onto an Evening")

    def effect(self, state: State) -> State:
        """The state after it, where it is legal; `because` has its reasons."""
        return state

    def written(self, state: State) -> State:
        """The state with its points on the slate, before the round or the game ends by them.

        For whoever asks only what a legal event writes: that takes a third of `effect`.
        """
        return self.effect(state)

    @staticmethod
    def candidates(state: State) -> Iterable[Event]:
        """Those of its kind that some state of these rules takes, for `legal` to choose from.

        Empty for what names players or stays beside the play: the table itself words that.
        """
        return ()


@cache
def _names(kind: type[Event]) -> tuple[str, ...]:
    """The fields of a kind of event."""
    return tuple(field.name for field in fields(kind))
