"""What every event of a tournament is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine import aggregate
from scorer.engine.input.fields import listed, text, whole
from scorer.tournament.state import Tournament

EntryNumber = Annotated[int, whole(1, 10**6)]
"""The place of a recorded event, from 1."""
GLANCE: Final = 8
"""Pairs, tables or notes that are looked at in a step where little is made of them."""
Sealed = Annotated[tuple[str, ...], listed(text(140), 100_000)]


@dataclass(frozen=True, slots=True)
class Event(aggregate.Event[Tournament]):
    """Anything that can happen to a tournament."""
