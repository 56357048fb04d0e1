"""All event classes of a record, and the parsing of events from JSON.

An event says what happened at the table, not its consequences; docs/record.md names the fields.
Metadata (`player`, `at`, `by`, `note`) stays in the recorded JSON.

>>> parse({"do": "bieten", "side": 0})
Bieten(side=0, to=None)
>>> parse({"do": "gewinnt", "side": 1, "stake": 4}).to_json()
{'do': 'gewinnt', 'side': 1, 'stake': 4}
>>> parse({"do": "bieten", "side": "Anna"})
Traceback (most recent call last):
scorer.engine.input.field_readers.Unreadable: side: must be a whole number from 0 to 2, not 'Anna'
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from scorer.engine.aggregate import codec_of, defined_in
from scorer.engine.scoring.event_types import (
    before_bidding,
    bids,
    corrections,
    penalties,
    round_end,
    statements,
)
from scorer.engine.scoring.event_types.event import EVENT_CLASSES, Event

EVENT_CLASSES.add(defined_in(bids, round_end, penalties, before_bidding, statements, corrections))
EVENTS: Final[Mapping[str, type[Event]]] = EVENT_CLASSES.by_name
"""All event classes by name, in the order in which screens list them."""
schema: Final = EVENT_CLASSES.schema


def parse(data: Any, where: str = "event") -> Event:
    """Parse an event from decoded JSON.

    :param where: the place of `data`, for error messages
    :raises Unreadable: not an event, with the field and the reason
    """
    return EVENT_CLASSES.read(data, where)


def fields_of(do: Any) -> Collection[str]:
    """The JSON field names of an event class; empty for an unknown name.

    >>> sorted(fields_of("ansage")), [*fields_of("nonsense")]
    (['schlag', 'trumpf'], [])
    """
    kind = EVENT_CLASSES.class_named_by({"do": do})
    return codec_of(kind).names if kind else ()
