"""Checks streams from other score books by their own rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from scorer.book import keyrings, ledgers, table_links, tables
from scorer.book.ledger_state import new_ledger
from scorer.book.tournament_event_limits import require_not_full
from scorer.engine import Illegal, replay
from scorer.engine.input.field_readers import one_of
from scorer.store.roles import CODE, LEDGER_KIND, TABLE_KIND, TOURNAMENT_KIND
from scorer.tournament import new_tournament, read_settings

Head = Mapping[str, Any]
Events = Sequence[Mapping[str, Any]]

ROLES: Final[Mapping[str, Sequence[str]]] = {
    TABLE_KIND: (*table_links.ROLES, CODE),
    LEDGER_KIND: ledgers.ROLES,
    TOURNAMENT_KIND: keyrings.ROLES,
}
"""Roles of the keys, by kind of stream."""


def first_refusal(
    kind: str, head: Head, events: Events, *, with_limits: bool = False
) -> Illegal | None:
    """The first event that the stream's rules refuse, or None.

    :param with_limits: also apply the limits for new events
    :raises Unreadable: no such kind, head or event
    """
    one_of(*ROLES)("kind", kind)
    try:
        _REPLAYS[kind](head, events, with_limits)
    except Illegal as refusal:
        return refusal
    return None


def _replay_table(head: Head, events: Events, with_limits: bool) -> None:
    record = {**head, "events": list(events)}
    _, refusal = tables.table_of_record(record) if with_limits else replay(record)
    if refusal is not None:
        raise refusal


def _replay_ledger(head: Head, events: Events, with_limits: bool) -> None:
    new_ledger(head).after(events, ledgers.require_not_full if with_limits else None)


def _replay_tournament(head: Head, events: Events, with_limits: bool) -> None:
    new_tournament(read_settings(head)).after(events, require_not_full if with_limits else None)


_REPLAYS: Final[Mapping[str, Callable[[Head, Events, bool], None]]] = {
    TABLE_KIND: _replay_table,
    LEDGER_KIND: _replay_ledger,
    TOURNAMENT_KIND: _replay_tournament,
}
