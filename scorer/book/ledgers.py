"""Ledgers: streams of the kind `group` that list the evenings of regular players."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from scorer.book import table_links
from scorer.book.key_check import KeyLookup, missing_key_error, opening_key, tables_written_with
from scorer.book.ledger_state import EVENT_CLASSES, VERSION, Abend, Austragen, Ledger, new_ledger
from scorer.book.stream_cache import EventToAppend, StreamCache
from scorer.engine import Illegal, Unreadable
from scorer.engine.input.field_readers import name as read_name
from scorer.engine.translatable import N_
from scorer.store import Appended, NewStream, Seal
from scorer.store.keys import mint
from scorer.store.roles import LEDGER_KIND, MEMBER, READER, TABLE_KIND, VIEWER
from scorer.store.sql_store import Store

ROLES: Final = (MEMBER, READER)
"""A member adds evenings; a reader only reads."""
MAX_LEDGER_EVENTS: Final = 5000
"""Limit of events of a ledger."""
_FIELDS: Final = {"do", "table"}
_INVALID_ENTRY: Final = N_("must be abend or austragen with a table")


class Ledgers:
    def __init__(self, store: Store) -> None:
        self.store = store
        self._cache = StreamCache(store, lambda stream: new_ledger(stream.head))

    def create(self, name: str, key: str = "") -> dict[str, str]:
        """Create a ledger; return its keys by role.

        :param key: the member's key, '' for a new one
        :raises Unreadable: no name
        :raises StreamKeyTaken: `key` is in use
        """
        head = {"group": VERSION, "name": read_name("name", name)}
        keys = {MEMBER: key or mint(), READER: mint()}
        self.store.create(LEDGER_KIND, NewStream(head, keys, _seals(keys)))
        return keys

    def current(self, stream: str) -> Ledger:
        return self._cache.current(stream)

    def drop_cached(self, stream: str) -> None:
        self._cache.drop_cached(stream)

    def keys(self, member_key: str) -> dict[str, str]:
        """The ledger's keys by role, as far as they are sealed for a member."""
        reader = self.store.unseal(member_key, READER)
        return {MEMBER: member_key, **({READER: reader} if reader else {})}

    def add(self, stream: str, member_key: str, table: str, viewer_key: str, by: str) -> None:
        """Add a table's evening and seal its viewer's key for the ledger's readers.

        :raises Illegal: the ledger is full
        """
        seal = Seal(self._reader_key(stream, member_key), seal_role(table), viewer_key)
        self.store.grant(stream, {}, seals=[seal])
        self._set_counted(stream, Abend(table), by)

    def open(
        self,
        stream: str,
        member_key: str,
        prepare: Callable[[], NewStream],
        *,
        idempotency_key: str,
        by: str,
    ) -> None:
        """Open a table and add it to the ledger, once per `idempotency_key`.

        :param prepare: returns the table to be created
        :raises Illegal: the ledger is full
        """
        reader = self._reader_key(stream, member_key)

        def compose(ledger: Ledger) -> EventToAppend:
            require_not_full(ledger)
            table = prepare()
            board = Seal(reader, seal_role(str(table.id)), table.grants[VIEWER])
            sealed = replace(table, seals=[*table.seals, board])
            return EventToAppend(Abend(str(table.id)).to_json(), {"table": [sealed]})

        self._cache.append_composed(stream, compose, idempotency_key=idempotency_key, by=by)

    def _reader_key(self, stream: str, member_key: str) -> str:
        """The readers' key; a new one if none is sealed for the member."""
        reader_key = self.keys(member_key).get(READER)
        return reader_key or self.renew(stream, member_key, READER, revoke=False)[READER]

    def drop(self, stream: str, table: str, by: str) -> bool:
        """Stop counting a table's evening; return whether it was counted.

        :raises Illegal: the ledger is full
        """
        return self._set_counted(stream, Austragen(table), by)

    def restore(self, stream: str, table: str, by: str) -> None:
        """Count an evening again that was dropped; do nothing for one never counted or since
        erased.

        :raises Illegal: the ledger is full
        """
        if self._was_counted(self._cache.current(stream), table):
            self._set_counted(stream, Abend(table), by)

    def record_upload(
        self,
        stream: str,
        member_key: str,
        body: Any,
        *,
        idempotency_key: str,
        by: str,
        writer_key: str = "",
    ) -> Appended:
        """Record an event of another score book.

        :param writer_key: the evening's writer's key, which allows adding it
        :raises Unreadable: no such event, or no writer's key of its evening, or no readers' key
            to its board
        :raises Illegal: the ledger is full
        """

        def precondition(ledger: Ledger) -> None:
            self.check_uploaded_event(
                ledger, body, self.store, member_key, tables_written_with(self.store, [writer_key])
            )

        return self._cache.append_body(
            stream, body, idempotency_key=idempotency_key, by=by, precondition=precondition
        )[0]

    def check_uploaded_event(
        self,
        ledger: Ledger,
        body: Any,
        ring: KeyLookup,
        member_key: str,
        writable_tables: Collection[str],
    ) -> None:
        """Check an event of another score book.

        :param ring: where the evening's board is sealed for the readers
        :param writable_tables: the tables that the sender writes
        :raises Unreadable: no such event, or an evening not in `writable_tables`, or without a
            readers' key to its board
        :raises Illegal: the ledger is full
        """
        if not isinstance(body, dict) or set(body) != _FIELDS:
            raise Unreadable("event", _INVALID_ENTRY)
        event = EVENT_CLASSES.read(body)
        assert isinstance(event, Abend | Austragen)
        require_not_full(ledger)
        table = event.table
        # An evening counted before may be dropped and restored even if its link is revoked.
        addable = (
            isinstance(event, Abend)
            and table in writable_tables
            and reader_can_open(ring, member_key, table)
        )
        if not addable and not self._was_counted(ledger, table):
            raise missing_key_error("table")

    def _was_counted(self, ledger: Ledger, table: str) -> bool:
        return table in ledger.counted and bool(self.store.existing_streams(TABLE_KIND, [table]))

    def _set_counted(self, stream: str, event: Abend | Austragen, by: str) -> bool:
        if self._cache.current(stream).counts(event.table) == isinstance(event, Abend):
            return False
        self._cache.append_body(
            stream, event.to_json(), idempotency_key=mint(), by=by, precondition=require_not_full
        )
        return True

    def boards(self, reader_key: str | None, ledger: Ledger) -> Iterator[tuple[str, str | None]]:
        """Each evening's stream with the key of its board, None if that is revoked or unknown."""
        for table in ledger.evenings:
            yield table, board_key(self.store, reader_key, table)

    def renew(
        self, stream: str, member_key: str, role: str, *, revoke: bool = True
    ) -> dict[str, str]:
        keys = self.keys(member_key)
        old_key = keys.get(READER)
        keys[role] = mint()
        boards = self.boards(old_key, self.current(stream))
        board_seals = [Seal(keys[READER], seal_role(table), key) for table, key in boards if key]
        revoked_roles = (role,) if revoke else ()
        self.store.grant(
            stream, {role: keys[role]}, revoke=revoked_roles, seals=[*_seals(keys), *board_seals]
        )
        return keys


def seal_role(table: str) -> str:
    """The role under which a ledger seals the viewer's key of a table. A tournament uses the
    table's stream itself."""
    return f"table {table}"


def board_key(ring: KeyLookup, reader_key: str | None, table: str) -> str | None:
    """The readers' key of an evening's board, or None if it is revoked or unknown."""
    return opening_key(ring, reader_key, seal_role(table), table, table_links.ROLES)


def reader_can_open(ring: KeyLookup, member_key: str, table: str) -> bool:
    return board_key(ring, ring.unseal(member_key, READER), table) is not None


def require_not_full(ledger: Ledger) -> None:
    """:raises Illegal: the ledger is full"""
    if ledger.seq >= MAX_LEDGER_EVENTS:
        raise Illegal("ledger-full", most=MAX_LEDGER_EVENTS)


def _seals(keys: dict[str, str]) -> list[Seal]:
    return [Seal(keys[MEMBER], READER, keys[READER])]
