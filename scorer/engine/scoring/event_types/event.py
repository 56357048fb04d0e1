"""What every event is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, ClassVar, Final

from scorer.engine import aggregate
from scorer.engine.input.fields import whole
from scorer.engine.scoring.state import State

SideIndex = Annotated[int, whole(0, 2)]
"""A side, from 0."""
EventIndex = Annotated[int, whole(0, 10**9)]
"""The place of a recorded event, from 0."""


@dataclass(frozen=True, slots=True)
class Event(aggregate.Event[State]):
    """Anything that can happen at a table."""

    aside: ClassVar[bool] = False
    """Said beside the play: undo leaves it alone."""

    def check(self, state: State) -> None:
        """Let it pass if it is legal in `state`.

        :raises Illegal: the code, rule and figures of the first rule that refuses it
        :raises TypeError: it is about the record, which an `Evening` keeps, not about a state
        """
        raise TypeError(f"{self.do} is about the record: push it onto an Evening")

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


KINDS: Final[aggregate.Kinds[Event]] = aggregate.Kinds()
"""Every kind of event, once `scoring.events` is loaded."""
