"""The events that each side of a table may record."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import abort

from scorer.engine import Head, Uebernahme
from scorer.store.hash_chain import ERASURE
from scorer.store.roles import OPPONENT, WRITER
from scorer.web.frame.access import KeyHolder, tables

OURS: Final = (0,)
"""The side of the writer."""
THEIRS: Final = (1, 2)
"""The other sides, as the writer sees them."""
BIDDING_EVENTS: Final = ("bieten", "bleiben", "gehen")
"""Events the other side may record if the table allows it."""
SIDES_ALLOWED: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    "einig": {WRITER: OURS, OPPONENT: THEIRS},
    # The side that did not write confirms.
    "bestaetigt": {OPPONENT: THEIRS},
    "strittig": {WRITER: OURS, OPPONENT: THEIRS},
    "geklaert": {WRITER: OURS, OPPONENT: THEIRS},
    # Either party proposes, and the other answers. To reject one's own proposal withdraws it.
    "vorschlag": {WRITER: OURS, OPPONENT: THEIRS},
    "zusage": {WRITER: OURS, OPPONENT: THEIRS},
    "absage": {WRITER: OURS, OPPONENT: THEIRS},
    # The writer sets it for all sides.
    "preis": {WRITER: OURS},
    # Recorded by opening the link.
    Uebernahme.do: {},
    # Recorded by a command on the server.
    ERASURE: {},
}
"""Sides for which a role may record an event."""


def sides_of(holder: KeyHolder, do: str) -> tuple[int, ...]:
    return SIDES_ALLOWED[do].get(holder.role, ())


def authorise_event(holder: KeyHolder, body: Any) -> None:
    """Check that a key may record an event.

    :raises Forbidden: 403
    """
    # Only the other side's permissions depend on the table.
    is_opponent = holder.role == OPPONENT
    head = tables().current(holder.stream).evening.head if is_opponent else None
    if error_code := permission_error(holder.role, body, head):
        abort(403, error_code)


def permission_error(role: str, body: Any, head: Head | None) -> str:
    """Error code if a role may not record an event, else "".

    :param head: the table's; only needed for the other side
    """
    event = body if isinstance(body, Mapping) else {}
    do = str(event.get("do"))
    if do in SIDES_ALLOWED:
        return "" if event.get("side", 0) in SIDES_ALLOWED[do].get(role, ()) else "not-yours"
    may_bid = (
        do in BIDDING_EVENTS and event.get("side") in THEIRS and head is not None and head.answers
    )
    return "" if role == WRITER or (role == OPPONENT and may_bid) else "not-the-writer"
