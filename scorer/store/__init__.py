"""Append-only streams of events, and the keys that open them.

A stream has a head and JSON events in order; a key opens one stream in one role. The store does
not interpret either. `sqlite.SqliteStore` is the default.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final


class StoreError(Exception):
    """A store refused or failed."""


class Stale(StoreError):
    """The stream has a length other than the expected one; `n` is its current length."""

    def __init__(self, n: int) -> None:
        super().__init__(f"the stream has {n} events")
        self.n = n


class IdempotencyKeyReused(StoreError):
    """The idempotency key is already used for another body."""


class StreamKeyTaken(StoreError):
    """A key to be granted already exists."""


class UnknownStream(StoreError):
    """No stream has this id."""


class Exists(StoreError):
    """The database already contains one of these streams."""


class Unavailable(StoreError):
    """The database cannot be used now.

    `reason`: "full" (disk full), "scarce" (too little disk for new streams), "read-only", "locked"
    (timeout waiting for another writer), "broken" (I/O error), "gone" (the server does not
    answer), "damaged" (not a complete database), "foreign" (another program's database), "newer"
    (written by a later release), "driver" (psycopg is not installed), "encoding" (not UTF-8),
    "replaced" (not the database that was opened) or "alone" (a phone without network would need a
    server). `may_be_recorded`: False if nothing was written.
    `database_message`: the database's own error message.
    """

    def __init__(
        self, reason: str, *, may_be_recorded: bool = False, database_message: str = ""
    ) -> None:
        super().__init__(reason)
        self.reason, self.may_be_recorded, self.database_message = (
            reason,
            may_be_recorded,
            database_message,
        )


@dataclass(frozen=True, slots=True)
class Stored:
    position: int
    """Its number in the whole database."""
    n: int
    """Its number in its stream, from 1."""
    event: dict[str, Any]
    """The recorded event with `at`, `by` and its chain `hash`."""


@dataclass(frozen=True, slots=True)
class Appended:
    """The result of an append; `is_new` is False if the key had recorded it before."""

    stored: Stored
    is_new: bool


MAX_KEY_LENGTH: Final = 200
"""Length limit of an idempotency key, in characters."""
NEWEST: Final = 2**62
"""Greater than every position: `Store.grown_streams(NEWEST)` returns the newest position and no
streams."""


@dataclass(frozen=True, slots=True)
class Stream:
    """A stream without its events."""

    id: str
    kind: str
    head: dict[str, Any]
    created: str


@dataclass(frozen=True, slots=True)
class Access:
    """The stream that a key opens, and the role."""

    stream: str
    role: str
    visible_roles: frozenset[str] = field(default=frozenset(), compare=False)
    """Roles whose sealed keys it can unseal (`Seal`)."""


@dataclass(frozen=True, slots=True)
class Seal:
    """Lets the holder of the key `holder` unseal the `key` of another `role`."""

    holder: str
    role: str
    key: str


def seals(keys: Mapping[str, str], role_pairs: Iterable[tuple[str, str]]) -> list[Seal]:
    """A seal for each (holder's role, shown role) pair of which both keys are in `keys`.

    >>> [(seal.holder, seal.key) for seal in seals({"a": "1", "b": "2"}, [("a", "b"), ("a", "c")])]
    [('1', '2')]
    """
    present = ((holder, role) for holder, role in role_pairs if {holder, role} <= set(keys))
    return [Seal(keys[holder], role, keys[role]) for holder, role in present]


@dataclass(frozen=True, slots=True)
class NewStream:
    """A stream to create: its head, a key per role, and events recorded elsewhere with their
    hashes."""

    head: Mapping[str, Any]
    grants: Mapping[str, str]
    seals: Collection[Seal] = ()
    events: Sequence[Mapping[str, Any]] = ()
    id: str = ""
    """Id of the stream if it must be known beforehand, else ''."""
