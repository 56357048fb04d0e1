"""Checks that a request which names a stream has a key of it: stream ids are public."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Protocol

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.store import Access
from scorer.store.keys import digest, unseal_key
from scorer.store.roles import WRITER
from scorer.store.sql_store import Store


class KeyLookup(Protocol):
    """Looks up keys and sealed boxes; a `Store` is one."""

    def find(self, key: str) -> Access | None: ...

    def unseal(self, holder_key: str, role: str) -> str | None: ...


class ArchiveKeyLookup:
    """Looks in an archive's boxes and the store's keys, before the archive is stored.

    :param boxes: of a checked archive
    """

    def __init__(self, store: Store, boxes: Iterable[Mapping[str, str]]) -> None:
        self._store = store
        self._boxes = {(box["holder"], box["role"]): box for box in boxes}

    def find(self, key: str) -> Access | None:
        return self._store.find(key)

    def unseal(self, holder_key: str, role: str) -> str | None:
        box = self._boxes.get((digest(holder_key), role))
        return unseal_key(box["nonce"], box["box"], holder_key) if box else None


def opening_key(
    lookup: KeyLookup, holder_key: str | None, seal_role: str, stream: str, roles: Collection[str]
) -> str | None:
    """The key sealed for `holder_key` as `seal_role`; None unless it opens `stream` in one of
    `roles`.

    Do not pass the role of six-character codes: `rate_limits.count_code_guess` limits how often one
    may guess these.
    """
    key = holder_key and lookup.unseal(holder_key, seal_role)
    access = lookup.find(key) if key else None
    return key if access and access.stream == stream and access.role in roles else None


def tables_written_with(store: Store, keys: Iterable[str]) -> set[str]:
    accesses = map(store.find, keys)
    return {access.stream for access in accesses if access and access.role == WRITER}


def missing_key_error(field: str) -> Unreadable:
    """The error for a named stream without a key of it."""
    return Unreadable(field, N_("needs a link that still opens it"))
