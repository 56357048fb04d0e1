"""Events as compact JSON, for the forms of pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Final

from scorer.engine import Event

_encode: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def event_json(event: Event) -> str:
    """
    >>> from scorer.engine import Gewinnt
    >>> event_json(Gewinnt(0))
    '{"do":"gewinnt","side":0}'
    """
    return _encode(event.to_json())


def bodies_json(bodies: Sequence[object]) -> str:
    """Events given as JSON objects: one as an object, several as a list."""
    return _encode(bodies if len(bodies) > 1 else bodies[0])


def events_json(events: Iterable[Event]) -> str:
    """Several events as one list."""
    return _encode([event.to_json() for event in events])
