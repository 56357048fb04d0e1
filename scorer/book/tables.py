"""Tables: evenings in a store, opened by keys."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scorer.book.stream_cache import (
    MAX_COST_PER_READ,
    OnChange,
    StreamCache,
    ignore_change,
    version_tag,
)
from scorer.book.table_event_limits import check_limits, check_new_event
from scorer.book.table_links import TableLinks, retry_taken, table_seals
from scorer.engine import (
    Evening,
    Head,
    Illegal,
    State,
    parse,
    read_head,
    replay,
)
from scorer.engine.scoring.blind_trump import visible_events
from scorer.engine.scoring.record import complete_head, read
from scorer.engine.telling.side_names import require_distinct_players
from scorer.store import NewStream, Stream
from scorer.store.keys import mint_code, new_stream_id
from scorer.store.roles import TABLE_KIND
from scorer.store.sql_store import Store


@dataclass(frozen=True, slots=True)
class Table:
    stream: str
    head: Mapping[str, Any]
    """The head as stored: the chain starts from it."""
    evening: Evening
    states: list[State]
    """The state before the first event and after each, so that a repeated request gets its first
    answer without another replay."""

    @property
    def recorded(self) -> list[Mapping[str, Any]]:
        return self.evening.recorded

    @property
    def seq(self) -> int:
        return len(self.recorded)

    @property
    def replay_cost(self) -> int:
        return self.evening.replay_cost

    @property
    def version_tag(self) -> str:
        return version_tag(self)

    def after(self, events: Iterable[Mapping[str, Any]]) -> Table:
        """:raises Illegal: the rules refuse an event"""
        evening, states = self.evening.copy(), self.states.copy()
        states += [evening.push(data) for data in events]
        return replace(self, evening=evening, states=states)

    def with_stored_event(self, data: Mapping[str, Any]) -> Table:
        return replace(self, evening=self.evening.with_stored_event(data))


@dataclass(frozen=True, slots=True)
class RecordedEvent:
    """The result of recording an event: the state after it, and whether it was new."""

    state: State
    seq: int
    is_new: bool
    table: Table
    """The table now, which may have later events."""


class Tables:
    """The tables of one store.

    :param on_change: called after each recorded event
    :param draw_code: draws a code for typing; None for tables without codes
    """

    def __init__(
        self,
        store: Store,
        on_change: OnChange = ignore_change,
        draw_code: Callable[[], str] | None = mint_code,
    ) -> None:
        self.store, self.links = store, TableLinks(store, draw_code)
        self._cache = StreamCache(store, _empty_table, on_change)

    def create(self, head: Head, key: str = "") -> dict[str, str]:
        """Create a table; return its keys by role, `code` included.

        :param key: the writer's key, '' for a new one
        :raises Unreadable: two players look alike
        :raises StreamKeyTaken: `key` is in use
        """
        return self._create(lambda: self.prepare_empty(head, key))

    def prepare_empty(self, head: Head, key: str = "") -> NewStream:
        """A table without events, to be created.

        :param key: the writer's key, '' for a new one
        :raises Unreadable: two players look alike
        """
        require_distinct_players(head.sides)
        return self.prepare(head.to_json(), key=key)

    def _create(self, prepare: Callable[[], NewStream]) -> dict[str, str]:
        def create_table() -> dict[str, str]:
            prepared = prepare()
            self.store.create(TABLE_KIND, prepared)
            return dict(prepared.grants)

        return retry_taken(create_table)

    def prepare(
        self,
        head: Mapping[str, Any],
        events: Sequence[Mapping[str, Any]] = (),
        key: str = "",
        stream: str = "",
    ) -> NewStream:
        """A table to be created.

        :param key: the writer's key, '' for a new one
        :param stream: the table's stream, '' for a new one
        """
        keys = self.links.mint_keys(key)
        return NewStream(head, keys, table_seals(keys), events, stream or new_stream_id())

    def create_from_record(self, record: Mapping[str, Any]) -> dict[str, str]:
        """Create a table with a whole record, as `record_of` returns it; return its keys by role.

        Events keep times, writers and hashes, even if the chain does not hold. Events without
        hashes are chained anew.

        :raises Unreadable: no record
        :raises Illegal: the rules refuse an event; nothing is stored
        """
        _, refusal = replay(record)
        if refusal is not None:
            raise refusal
        head = {name: value for name, value in record.items() if name != "events"}
        return self._create(lambda: self.prepare(complete_head(head), record.get("events", ())))

    def create_continued(
        self, head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], key: str, stream: str
    ) -> dict[str, str]:
        """Create a table with checked entries of another table; return its keys by role.

        :param key: the writer's key
        :param stream: the table's stream
        :raises StreamKeyTaken: `key` is in use
        """
        return self._create(lambda: self.prepare(head, events, key, stream))

    def current(self, stream: str) -> Table:
        return self._cache.current(stream)

    def current_all(self, streams: Collection[str]) -> dict[str, Table]:
        return self._cache.current_all(streams)

    def current_within(
        self, streams: Collection[str], max_cost: int = MAX_COST_PER_READ
    ) -> dict[str, Table]:
        """As many of the tables, in order, as a replay of `max_cost` reaches."""
        return self._cache.current_within(streams, max_cost)

    def drop_cached(self, stream: str) -> None:
        self._cache.drop_cached(stream)

    def record(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        idempotency_key: str,
        by: str,
        expected: int | None,
        max_games: int = 0,
        precondition: Callable[[Table], None] = lambda table: None,
    ) -> RecordedEvent:
        """Record one event; an `idempotency_key` records one event only.

        :param expected: required number of events, None for any
        :param max_games: limit of games, 0 for none
        :param precondition: raises if a new event is not to follow the table's last
        :raises Stale: the table has another number of events
        :raises Illegal: the rules refuse it
        :raises StoreError: it could not be stored
        """

        def check(table: Table) -> None:
            check_new_event(table.evening, body, max_games)
            precondition(table)

        appended, table = self._cache.append_body(
            stream,
            body,
            idempotency_key=idempotency_key,
            by=by,
            expected=expected,
            precondition=check,
        )
        return RecordedEvent(
            table.states[appended.stored.n], appended.stored.n, appended.is_new, table
        )


def _empty_table(stream: Stream) -> Table:
    evening = Evening(read_head(stream.head))
    return Table(stream.id, stream.head, evening, [evening.state])


def table_of_record(record: Mapping[str, Any]) -> tuple[Table, Illegal | None]:
    """A record as a table without a store, up to the first refused event, and that refusal.

    :raises Unreadable: no record
    """
    head, events = read(record)
    evening = Evening(head)
    stored_head = {name: value for name, value in record.items() if name != "events"}
    table = Table("", stored_head, evening, [evening.state])
    for index, event in enumerate(events):
        try:
            check_limits(evening, parse(event))
            table.states.append(evening.push(event))
        except Illegal as refusal:
            refusal.event = index
            return table, refusal
    return table, None


def record_of(table: Table) -> dict[str, Any]:
    """The table's whole record with its chain, as in docs/record.md."""
    return {**table.head, "events": list(table.evening.recorded)}


def shown_record(table: Table) -> dict[str, Any]:
    """The record as link holders may read it (`visible_events`)."""
    return {**table.head, "events": list(visible_events(table.evening))}
