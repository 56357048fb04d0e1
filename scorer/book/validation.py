"""Checks streams from other score books by their own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scorer.book import keyrings, ledgers, table_links, tables
from scorer.book.ledger_state import new_ledger
from scorer.book.tournament_event_limits import not_full
from scorer.engine import Illegal, replay
from scorer.engine.input.fields import one_of
from scorer.tournament import new_tournament as opened_tournament
from scorer.tournament import read_settings

Head = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]

ROLES: Final[Mapping[str, Sequence[str]]] = {
    "table": (*table_links.ROLES, "code"),
    "group": ledgers.ROLES,
    "tournament": keyrings.ROLES,
}
"""Roles of the keys, by kind of stream."""


def first_refusal(
    kind: str, head: Head, events: Events, *, bounded: bool = False
) -> Illegal | None:
    """The first event that the stream's rules refuse, or None.

    :param bounded: also apply the limits for new events
    :raises Unreadable: no such kind, head or event
    """
    one_of(*ROLES)("kind", kind)
    try:
        _REPLAYED[kind](head, events, bounded)
    except Illegal as refusal:
        return refusal
    return None


def _table(head: Head, events: Events, bounded: bool) -> None:
    record = {**head, "events": list(events)}
    _, refusal = tables.imported(record) if bounded else replay(record)
    if refusal is not None:
        raise refusal


def _ledger(head: Head, events: Events, bounded: bool) -> None:
    new_ledger(head).after(events, ledgers.not_full if bounded else None)


def _tournament(head: Head, events: Events, bounded: bool) -> None:
    opened_tournament(read_settings(head)).after(events, not_full if bounded else None)


_REPLAYED: Final[Mapping[str, Callable[[Head, Events, bool], None]]] = {
    "table": _table,
    "group": _ledger,
    "tournament": _tournament,
}
