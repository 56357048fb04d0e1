"""Append-only streams of events, and the keys that open them.

The store knows no cards and no tables: a stream has a head and JSON events in order, and every
key opens one stream in one role. `sqlite.SqliteStore` is the embedded default.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol


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


class Store(Protocol):
    """What every store does. All methods may raise `Unavailable`."""

    def create(self, kind: str, opening: Opening) -> Stream:
        """A new stream.

        :raises KeyTaken: one of its keys opens something already
        """

    def stream(self, stream: str) -> Stream:
        """A stream's own page.

        :raises UnknownStream: there is none
        """

    def known(self, kind: str, streams: Collection[str]) -> set[str]:
        """Those of `streams` that are here, and of this kind; what was erased is of none."""

    def append(
        self,
        stream: str,
        body: Mapping[str, Any],
        *,
        key: str,
        by: str,
        expected: int | None = None,
        opens: Mapping[str, Sequence[Opening]] | None = None,
    ) -> Appended:
        """Record `body` as the next event of `stream`, once for each `key`.

        :param expected: the length the stream must have, or None for any
        :param opens: new streams by kind, opened with a new event or not at all
        :raises KeyTaken: one of their keys opens something already
        :raises Stale: it has another length and `key` is new
        :raises KeyReused: `key` has recorded another body
        :raises UnknownStream: there is no such stream
        :raises ValueError: an empty key, one longer than 200 characters, or one with a character 0
        """

    def redact(
        self,
        stream: str,
        words: Callable[[Mapping[str, Any]], dict[str, Any]],
        check: Callable[[Mapping[str, Any], Sequence[Mapping[str, Any]]], None],
    ) -> Appended | None:
        """Put `words(entry)` in the place of the head and of each event; their hashes stay, and
        the stream's next event says which they are and what they hold since (`chain`).

        :param check: raises where head and events as they would then be must not be
        :returns: that event, or None where `words` changes nothing
        :raises UnknownStream: there is no such stream
        """

    def recorded(self, stream: str, key: str) -> Stored | None:
        """What `key` has recorded in `stream`."""

    def events(self, stream: str, after: int = 0) -> list[Stored]:
        """The events of `stream` behind its first `after`, in order."""

    def length(self, stream: str) -> int:
        """How many events `stream` has."""

    def moved(self, after: int) -> tuple[int, dict[str, int]]:
        """The database's newest seq, and the newest n of each stream that has grown since
        seq `after`."""

    def changes(self) -> int:
        """A cheap token that changes whenever any process has written."""

    def find(self, key: str) -> Access | None:
        """What `key` opens, if it has not been closed."""

    def grant(
        self,
        stream: str,
        grants: Mapping[str, str],
        *,
        revoke: Collection[str] = (),
        seals: Collection[Seal] = (),
    ) -> None:
        """Close all keys of the roles in `revoke` and open new ones, all or nothing.

        :raises KeyTaken: one of the new keys opens something already
        """

    def unseal(self, holder: str, role: str) -> str | None:
        """The key of `role` that was sealed for `holder`."""

    def dump(
        self, streams: Collection[str] | None = None, holders: Collection[str] = ()
    ) -> dict[str, Any]:
        """Everything there is, or only these streams with their keys, as `archive` has it.

        :param holders: digests of further secrets whose boxes are wanted too
        """

    def restore(self, data: Mapping[str, Any]) -> None:
        """Take in a checked archive, all or nothing.

        :raises Exists: one of its streams is here already
        """

    def waiting(self) -> AbstractContextManager[float]:
        """All waiting for other writers in here ends at one time, on the monotonic clock."""

    def backup(self, target: Path) -> None:
        """Copy the database as it is now into a new file, while others go on writing.

        The file is there once it is whole.
        """

    def streams(self, kind: str) -> list[str]:
        """Every stream of a kind, the oldest first."""

    def opened(self, stream: str) -> tuple[str, str] | None:
        """The two days that `note_opened` has last noted."""

    def note_opened(self, stream: str, since: str, seen: str) -> None:
        """Note two days for a stream."""

    def sealed_as(self, role: str) -> bool:
        """Whether anybody holds a sealed key of this role."""

    def sealed_for(self, role: str) -> list[str]:
        """The streams for whose keys a key of this role is sealed."""

    def erase(self, stream: str) -> None:
        """Empty a stream for good: of its head, events and keys nothing stays but their number."""

    def ready(self) -> None:
        """Write as an event would be written, and leave everything as it was.

        :raises Unavailable: nothing could be recorded now, or a later release wrote the database
        """

    def close(self) -> None:
        """Let go of the database."""
