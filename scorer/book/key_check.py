"""Who names a stream shows a key of it: an id stands on every board, and opens nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.store import Access
from scorer.store.keys import digest, unwrap
from scorer.store.sql_store import Store


class Keyring(Protocol):
    """Where a key is asked what it opens, and what it finds sealed: a store is one."""

    def find(self, key: str) -> Access | None: ...

    def unseal(self, holder: str, role: str) -> str | None: ...


class Carried:
    """A copy on its way into a store: its own boxes, and what opens there.

    :param boxes: as `archive` has them, checked
    """

    def __init__(self, store: Store, boxes: Iterable[Mapping[str, str]]) -> None:
        self._store = store
        self._boxes = {(box["holder"], box["role"]): box for box in boxes}

    def find(self, key: str) -> Access | None:
        return self._store.find(key)

    def unseal(self, holder: str, role: str) -> str | None:
        box = self._boxes.get((digest(holder), role))
        return unwrap(box["nonce"], box["box"], holder) if box else None


def opening_key(
    ring: Keyring, holder: str | None, sealed: str, stream: str, roles: Collection[str]
) -> str | None:
    """The key that is sealed for `holder` as `sealed`, if it opens `stream` in one of these roles.

    A code of six letters is in none: who guesses one asks where guessing is slowed down.
    """
    key = holder and ring.unseal(holder, sealed)
    access = ring.find(key) if key else None
    return key if access and access.stream == stream and access.role in roles else None


def tables_written_with(store: Store, keys: Iterable[str]) -> set[str]:
    """The tables that the holder of these keys writes."""
    opened = map(store.find, keys)
    return {access.stream for access in opened if access and access.role == "scorer"}


def unproven(field: str) -> Unreadable:
    """What is answered to who names a stream and has no key of it."""
    return Unreadable(field, N_("needs a link that still opens it"))
