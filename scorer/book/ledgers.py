"""The ledgers of regulars, who play together often: which evenings count, and who may read.

A ledger is a stream of the kind `group`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import replace
from typing import Any, Final

from scorer.book import tables
from scorer.book.folds import Command, Folds
from scorer.book.key_check import Keyring, opening_key, tables_written_with, unproven
from scorer.book.ledger import KINDS, VERSION, Abend, Austragen, Ledger, new_ledger
from scorer.engine import Illegal, Unreadable
from scorer.engine.input.fields import name as read_name
from scorer.engine.translatable import N_
from scorer.store import Appended, Opening, Seal
from scorer.store.keys import mint
from scorer.store.sql_store import Store

ROLES: Final = ("member", "reader")
"""A member adds evenings; a reader reads."""
MOST_EVENTS: Final = 5000
"""Entries of a ledger: more than a lifetime of Thursdays, and few enough to be read in a moment."""
_FIELDS: Final = {"do", "table"}
_NO_ENTRY: Final = N_("must be abend or austragen with a table")


class Ledgers:
    """The ledgers of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._folds = Folds(store, lambda stream: new_ledger(stream.head))

    def create(self, name: str, key: str = "") -> dict[str, str]:
        """A new ledger; returns its keys by role.

        :param key: the member's, where it is known beforehand
        :raises Unreadable: no name
        :raises KeyTaken: `key` opens something already
        """
        head = {"group": VERSION, "name": read_name("name", name)}
        keys = {"member": key or mint(), "reader": mint()}
        self.store.create("group", Opening(head, keys, _seals(keys)))
        return keys

    def reading(self, stream: str) -> Ledger:
        """The ledger as it now is."""
        return self._folds.reading(stream)

    def forget(self, stream: str) -> None:
        """Read the ledger anew when it is next asked for."""
        self._folds.forget(stream)

    def links(self, member_key: str) -> dict[str, str]:
        """The keys of a ledger as a member may see them."""
        reader = self.store.unseal(member_key, "reader")
        return {"member": member_key, **({"reader": reader} if reader else {})}

    def add(self, stream: str, member_key: str, table: str, viewer_key: str, by: str) -> None:
        """Count a table's evening in, and let the ledger's readers open its board.

        :raises Illegal: the ledger is full
        """
        seal = Seal(self._reader(stream, member_key), f"table {table}", viewer_key)
        self.store.grant(stream, {}, seals=[seal])
        self._say(stream, Abend(table), by)

    def open(
        self, stream: str, member_key: str, opening: Callable[[], Opening], *, key: str, by: str
    ) -> None:
        """Open a table and count its evening in, both or neither, once for each `key`.

        :param opening: the table with its keys
        :raises Illegal: the ledger is full
        """
        reader = self._reader(stream, member_key)

        def say(ledger: Ledger) -> Command:
            not_full(ledger)
            table = opening()
            board = Seal(reader, f"table {table.id}", table.grants["viewer"])
            sealed = replace(table, seals=[*table.seals, board])
            return Command(Abend(str(table.id)).to_json(), {"table": [sealed]})

        self._folds.compose(stream, say, key=key, by=by)

    def _reader(self, stream: str, member_key: str) -> str:
        """The readers' key, under which boards are sealed; one more where none is known."""
        known = self.links(member_key).get("reader")
        return known or self.renew(stream, member_key, "reader", closing=False)["reader"]

    def drop(self, stream: str, table: str, by: str) -> bool:
        """Count a table's evening no longer; returns whether it was counted.

        :raises Illegal: the ledger is full
        """
        return self._say(stream, Austragen(table), by)

    def restore(self, stream: str, table: str, by: str) -> None:
        """Count an evening again that was counted before; another is not brought in by it, nor one
        that was erased since.

        :raises Illegal: the ledger is full
        """
        if self._counted(self._folds.reading(stream), table):
            self._say(stream, Abend(table), by)

    def record(
        self, stream: str, member_key: str, body: Any, *, key: str, by: str, writer_key: str = ""
    ) -> Appended:
        """Record what was said of an evening elsewhere.

        :param writer_key: the evening's own: who writes it has it counted
        :raises Unreadable: no such event, or of an evening that is not the asker's to count, or of
            which the ledger has no key
        :raises Illegal: the ledger is full
        """

        def allowed(ledger: Ledger) -> None:
            self.admit(
                ledger, body, self.store, member_key, tables_written_with(self.store, [writer_key])
            )

        return self._folds.record(stream, body, key=key, by=by, allowed=allowed)[0]

    def admit(
        self, ledger: Ledger, body: Any, ring: Keyring, member_key: str, own: Collection[str]
    ) -> None:
        """Let an entry pass that was made elsewhere.

        :param ring: where the board of the evening is sealed for the ledger's readers
        :param own: the tables that the asker writes
        :raises Unreadable: no such event, or of an evening that is not the asker's to count, or of
            which the ledger has no key
        :raises Illegal: the ledger is full
        """
        if not isinstance(body, dict) or set(body) != _FIELDS:
            raise Unreadable("event", _NO_ENTRY)
        event = KINDS.read(body)
        assert isinstance(event, Abend | Austragen)
        not_full(ledger)
        table = event.table
        # What was counted before is dropped, and put back, with a link that is closed, too.
        held = isinstance(event, Abend) and table in own and opens(ring, member_key, table)
        if not held and not self._counted(ledger, table):
            raise unproven("table")

    def _counted(self, ledger: Ledger, table: str) -> bool:
        """Whether an evening that is here was ever counted."""
        return table in ledger.counted and bool(self.store.known("table", [table]))

    def _say(self, stream: str, event: Abend | Austragen, by: str) -> bool:
        if self._folds.reading(stream).counts(event.table) == isinstance(event, Abend):
            return False
        self._folds.record(stream, event.to_json(), key=mint(), by=by, allowed=not_full)
        return True

    def boards(self, reader_key: str | None, ledger: Ledger) -> Iterator[tuple[str, str | None]]:
        """Each evening's stream with the key of its board, if that still opens."""
        for table in ledger.evenings:
            yield table, board(self.store, reader_key, table)

    def renew(
        self, stream: str, member_key: str, role: str, *, closing: bool = True
    ) -> dict[str, str]:
        """New keys for a role: the old ones are closed."""
        keys = self.links(member_key)
        old = keys.get("reader")
        keys[role] = mint()
        boards = self.boards(old, self.reading(stream))
        again = [Seal(keys["reader"], f"table {table}", key) for table, key in boards if key]
        revoke = (role,) if closing else ()
        self.store.grant(stream, {role: keys[role]}, revoke=revoke, seals=[*_seals(keys), *again])
        return keys


def board(ring: Keyring, reader_key: str | None, table: str) -> str | None:
    """The key of an evening's board, as a ledger's readers have it, if that still opens."""
    return opening_key(ring, reader_key, f"table {table}", table, tables.ROLES)


def opens(ring: Keyring, member_key: str, table: str) -> bool:
    """Whether a ledger's readers can open the board of an evening."""
    return board(ring, ring.unseal(member_key, "reader"), table) is not None


def not_full(ledger: Ledger) -> None:
    """Let one more entry pass.

    :raises Illegal: the ledger is full
    """
    if ledger.seq >= MOST_EVENTS:
        raise Illegal("ledger-full", most=MOST_EVENTS)


def _seals(keys: dict[str, str]) -> list[Seal]:
    return [Seal(keys["member"], "reader", keys["reader"])]
