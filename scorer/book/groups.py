"""The regulars: people whose evenings belong together, and the keys that open their ledger."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from scorer.book import tables
from scorer.book.proof import Keyring, opening, unproven
from scorer.engine import Illegal, Unreadable
from scorer.engine.rules.fields import name as read_name
from scorer.engine.rules.fields import text
from scorer.engine.rules.marked import N_
from scorer.store import Appended, Opening, Seal, Store
from scorer.store.keys import mint

ROLES: Final = ("member", "reader")
"""A member adds evenings; a reader reads."""
MOST_EVENTS: Final = 5000
"""Entries of a ledger: more than a lifetime of Thursdays, and few enough to be read in a moment."""
VERSION: Final = 1
_SAYS: Final = ("abend", "austragen")
_FIELDS: Final = {"do", "table"}
_NO_ENTRY: Final = N_("must be abend or austragen with a table")
_STREAM: Final = text(40)


@dataclass(frozen=True, slots=True)
class Group:
    """A group as it now stands."""

    name: str
    evenings: tuple[str, ...]
    """The streams of its tables, in the order they were added."""


class Groups:
    """The groups of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def create(self, name: str) -> dict[str, str]:
        """A new group; returns its keys by role.

        :raises Unreadable: no name
        """
        head = {"group": VERSION, "name": read_name("name", name)}
        keys = {role: mint() for role in ROLES}
        self.store.create("group", Opening(head, keys, _seals(keys)))
        return keys

    def reading(self, stream: str) -> Group:
        """The group as it now is."""
        found: dict[str, None] = {}
        for stored in self.store.events(stream):
            event = stored.event
            if event["do"] == "abend":
                found[event["table"]] = None
            elif event["do"] == "austragen":
                found.pop(event["table"], None)
        return Group(self.store.stream(stream).head["name"], tuple(found))

    def links(self, member_key: str) -> dict[str, str]:
        """The keys of a group as a member may see them."""
        reader = self.store.unseal(member_key, "reader")
        return {"member": member_key, **({"reader": reader} if reader else {})}

    def room(self, stream: str) -> None:
        """Whether there is room for one more entry.

        :raises Illegal: the ledger is full
        """
        not_full(self.store.length(stream))

    def add(self, stream: str, member_key: str, table: str, viewer_key: str, by: str) -> None:
        """Count a table's evening in, and let the group's readers open its board.

        :raises Illegal: the ledger is full
        """
        self.room(stream)
        known = self.links(member_key).get("reader")
        reader = known or self.renew(stream, member_key, "reader", closing=False)["reader"]
        self.store.grant(stream, {}, seals=[Seal(reader, f"table {table}", viewer_key)])
        self._say(stream, "abend", table, by)

    def drop(self, stream: str, table: str, by: str) -> bool:
        """Count a table's evening no longer; returns whether it was counted.

        :raises Illegal: the ledger is full
        """
        return self._say(stream, "austragen", table, by)

    def restore(self, stream: str, table: str, by: str) -> None:
        """Count an evening again that was counted before; another is not brought in by it, nor one
        that was erased since.

        :raises Illegal: the ledger is full
        """
        if self._counted(stream, table):
            self._say(stream, "abend", table, by)

    def record(self, stream: str, member_key: str, body: Any, *, key: str, by: str) -> Appended:
        """Record what was said of an evening elsewhere.

        :raises Unreadable: no such event, or of an evening the ledger has no key of
        :raises Illegal: the ledger is full
        """
        if not isinstance(body, dict) or set(body) != _FIELDS:
            raise Unreadable("event", _NO_ENTRY)
        read_entry(body)
        table, brought = _STREAM("table", body["table"]), body["do"] == "abend"
        if self.store.recorded(stream, key) is None:
            self.room(stream)
            # What was counted before is dropped, and put back, with a link that is closed, too.
            held = brought and opens(self.store, member_key, table)
            if not held and not self._counted(stream, table):
                raise unproven("table")
        return self.store.append(stream, body, key=key, by=by)

    def _counted(self, stream: str, table: str) -> bool:
        """Whether an evening that is here was ever counted."""
        told = (stored.event for stored in self.store.events(stream))
        counted = any(event["do"] == "abend" and event["table"] == table for event in told)
        return counted and bool(self.store.known("table", [table]))

    def _say(self, stream: str, do: str, table: str, by: str) -> bool:
        present = table in self.reading(stream).evenings
        if present == (do == "abend"):
            return False
        self.room(stream)
        said = {"do": do, "table": table}
        self.store.append(stream, said, key=mint(), by=by)
        return True

    def boards(self, reader_key: str | None, group: Group) -> Iterator[tuple[str, str | None]]:
        """Each evening's stream with the key of its board, if that still opens."""
        for table in group.evenings:
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
    return opening(ring, reader_key, f"table {table}", table, tables.ROLES)


def opens(ring: Keyring, member_key: str, table: str) -> bool:
    """Whether a ledger's readers can open the board of an evening."""
    return board(ring, ring.unseal(member_key, "reader"), table) is not None


def not_full(entries: int) -> None:
    """Let one more entry pass.

    :raises Illegal: there are too many
    """
    if entries >= MOST_EVENTS:
        raise Illegal("ledger-full", most=MOST_EVENTS)


def read_head(head: Mapping[str, Any]) -> str:
    """The name of a group that was opened elsewhere.

    :raises Unreadable: no group
    """
    if head.get("group") != VERSION:
        raise Unreadable("group", N_("must be {version}"), version=VERSION)
    return read_name("name", head.get("name"))


def read_entry(event: Mapping[str, Any]) -> None:
    """Whether an event is an entry of a group.

    :raises Unreadable: it is none
    """
    if event.get("do") not in _SAYS or not isinstance(event.get("table"), str):
        raise Unreadable("event", _NO_ENTRY)


def _seals(keys: dict[str, str]) -> list[Seal]:
    return [Seal(keys["member"], "reader", keys["reader"])]
