"""Append-only streams of events, and the keys that open them.

The store knows no cards and no tables: a stream has a head and JSON events in order, and every
key opens one stream in one role. `sqlite.SqliteStore` is the embedded default.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final


class StoreError(Exception):
    """Anything a store may answer instead of doing."""


class Stale(StoreError):
    """The stream has moved on; `n` is its length now."""

    def __init__(self, n: int) -> None:
        super().__init__(f"the stream has {n} events")
        self.n = n


class KeyReused(StoreError):
    """This idempotency key has recorded another body."""


class KeyTaken(StoreError):
    """A key that was to be granted opens something already."""


class UnknownStream(StoreError):
    """There is no such stream."""


class Exists(StoreError):
    """The database has one of these streams already."""


class Unavailable(StoreError):
    """The store cannot do it now.

    `reason`: "full" (the disk), "read-only", "locked" (another writer would not let go), "broken"
    (the disk answers with errors), "gone" (its server does not answer), "damaged" (the file is no
    database, or not a whole one), "foreign" (it is another program's), "newer" (a later release
    wrote it), "driver" (what speaks to it is not installed), "encoding" (it cannot hold every
    letter), "replaced" (it is not the book any more that was opened) or "alone" (only the server
    can do it, and this is a phone without network). `sure`: nothing was written; else it may have
    been. `said`: the database's own words, for whoever runs it.
    """

    def __init__(self, reason: str, *, sure: bool = True, said: str = "") -> None:
        super().__init__(reason)
        self.reason, self.sure, self.said = reason, sure, said


@dataclass(frozen=True, slots=True)
class Stored:
    """An event as it is stored."""

    seq: int
    """Its place in the whole database."""
    n: int
    """Its place in its stream, from 1."""
    event: dict[str, Any]
    """What was recorded, with `at`, `by` and its `hash` in the chain."""


@dataclass(frozen=True, slots=True)
class Appended:
    """The answer to an append; `fresh` is False where the key had recorded it before."""

    stored: Stored
    fresh: bool


LONGEST_KEY: Final = 200
"""Characters of the name under which an event is recorded once."""
NEWEST: Final = 2**62
"""Behind every seq: `Store.moved` since then tells the newest one and nothing else."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream's own page: what stands before its first event."""

    id: str
    kind: str
    head: dict[str, Any]
    created: str


@dataclass(frozen=True, slots=True)
class Access:
    """What a key opens, and as whom."""

    stream: str
    role: str
    sees: frozenset[str] = field(default=frozenset(), compare=False)
    """The roles whose keys it lets one see (`Seal`)."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Lets whoever holds the key `holder` see the `key` of another `role`."""

    holder: str
    role: str
    key: str


def seals(keys: Mapping[str, str], shown: Iterable[tuple[str, str]]) -> list[Seal]:
    """For each of the pairs, what lets the holder of the first role's key see the second's; of keys
    that came from elsewhere some may not be known.

    >>> [(seal.holder, seal.key) for seal in seals({"a": "1", "b": "2"}, [("a", "b"), ("a", "c")])]
    [('1', '2')]
    """
    known = ((holder, role) for holder, role in shown if {holder, role} <= set(keys))
    return [Seal(keys[holder], role, keys[role]) for holder, role in known]


@dataclass(frozen=True, slots=True)
class Opening:
    """A stream to be opened: its head, a key for each role, and events recorded elsewhere, which
    keep the hashes they carry."""

    head: Mapping[str, Any]
    grants: Mapping[str, str]
    seals: Collection[Seal] = ()
    events: Sequence[Mapping[str, Any]] = ()
    id: str = ""
    """What the stream is called, where that must be known before; else it gets a new name."""
