"""Base class of a tournament's events."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from scorer.engine import aggregate
from scorer.engine.input.field_readers import code, listed
from scorer.tournament.state import Tournament

GLANCE: Final = 8
"""How many pairs, tables or notes count as one replay step."""
Sealed = Annotated[tuple[str, ...], listed(code(140), 100_000)]


@dataclass(frozen=True, slots=True)
class Event(aggregate.Event[Tournament]):
    """Base class of all events of a tournament."""
