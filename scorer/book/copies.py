"""Streams copied from one score book to another, with their keys' digests and their chains."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Final

from scorer.book.sound import ROLES, refused
from scorer.book.tournaments import opens
from scorer.engine import Unreadable
from scorer.store import Exists, Store, UnknownStream, archive, chain
from scorer.store.keys import digest
from scorer.tournament import parse

WHOLE: Final = ("scorer", "director", "member")
"""The roles whose holders may have all of a stream's keys' digests."""

_ID: Final = re.compile("[0-9a-f]{16}")
"""What a stream is called."""
_SEALED: Final = {
    # The id is that of the table where a pair sits next.
    "table": re.compile(f"opponent|viewer|code|tournament|{_ID.pattern}"),
    "group": re.compile(f"reader|table {_ID.pattern}"),
    "tournament": re.compile("desk-ring|hall-ring|hall|signup"),
}
"""What is sealed for the holders of a stream's keys, by its kind."""


class Refused(ValueError):
    """A copy that is none, or cannot be: why."""


class Copies:
    """The copies of one store's streams."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def seen_by(self, stream: str, key: str) -> dict[str, Any]:
        """One stream as an archive, with no more keys than the holder of `key` may have."""
        copy, own = self._store.dump([stream]), digest(key)
        access = self._store.find(key)
        if access is None or access.role not in WHOLE:
            for found in copy["streams"]:
                found["keys"] = [row for row in found["keys"] if row["digest"] == own]
            copy["boxes"] = [box for box in copy["boxes"] if box["holder"] == own]
        return copy

    def take(self, copy: Any) -> bool:
        """Take in one stream that was opened elsewhere, exactly once.

        :returns: whether it was new
        :raises Refused: it is no such archive, its chain is broken, or the rules refuse it
        """
        try:
            archive.check(copy)
        except archive.NoArchive as error:
            raise Refused(str(error)) from None
        if len(copy["streams"]) != 1:
            raise Refused("streams: must be one")
        [stream] = copy["streams"]
        _sound(stream)
        # Whose the rings of a tournament are no server knows; what they open has a table's name.
        tables = {table for table in _opened(stream) if _ID.fullmatch(table)}
        if not all(_own_box(box, stream) or box["role"] in tables for box in copy["boxes"]):
            raise Refused("boxes: of another stream")
        try:
            self._store.restore(copy)
        except Exists:
            return self._again(stream)
        return True

    def seal(self, stream: str, boxes: Any, rings: Collection[str] = ()) -> None:
        """Take in boxes that were sealed elsewhere for the holders of a stream's keys.

        What is sealed here already stays as it is.

        :param rings: digests of further secrets they may be sealed for
        :raises Refused: they are no boxes, or somebody else's
        """
        fresh = {"bummerl": archive.VERSION, "streams": [], "boxes": boxes}
        try:
            archive.check(fresh)
        except archive.NoArchive as error:
            raise Refused(str(error)) from None
        here = self._store.dump([stream], rings)
        known = {(box["holder"], box["role"]) for box in here["boxes"]}
        missing = [box for box in boxes if (box["holder"], box["role"]) not in known]
        [found] = here["streams"]
        for box in missing:
            if not (_ID.fullmatch(box["role"]) if box["holder"] in rings else _own_box(box, found)):
                raise Refused("boxes: of another stream")
        # Sent twice at once, they are here.
        with suppress(Exists):
            self._store.restore({**fresh, "boxes": missing})

    def _again(self, stream: Mapping[str, Any]) -> bool:
        """The same stream sent once more is no news; another under its name is refused."""
        try:
            here = self._store.dump([stream["id"]])["streams"][0]
        except (UnknownStream, IndexError):
            raise Refused("keys: one of them is in use") from None
        hashes = [[entry["event"]["hash"] for entry in s["events"]] for s in (here, stream)]
        if here["head"] != stream["head"] or hashes[0][: len(hashes[1])] != hashes[1]:
            raise Refused("id: another stream has it")
        return False


def _sound(stream: Mapping[str, Any]) -> None:
    """Refuse a stream that is not as its own rules would have taken it."""
    kind, events = stream["kind"], [entry["event"] for entry in stream["events"]]
    if chain.check(stream["head"], events) is not None:
        raise Refused("events: the chain does not hold")
    try:
        refusal = refused(kind, stream["head"], events, bounded=True)
    except Unreadable as error:
        raise Refused(str(error)) from None
    if refusal is not None:
        raise Refused(f"events[{refusal.event}]: {refusal.code}")
    if not _ID.fullmatch(stream["id"]):
        raise Refused("id: must be one of ours")
    if not {row["role"] for row in stream["keys"]} <= set(ROLES[kind]):
        raise Refused("keys: of no role here")


def _own_box(box: Mapping[str, str], stream: Mapping[str, Any]) -> bool:
    """Whether a box is for the holder of one of a stream's keys, and for what that opens."""
    holders = (row["digest"] for row in stream["keys"])
    return box["holder"] in holders and bool(_SEALED[stream["kind"]].fullmatch(box["role"]))


def _opened(stream: Mapping[str, Any]) -> set[str]:
    """The tables that a tournament has opened, whose keys are sealed under its rings."""
    if stream["kind"] != "tournament":
        return set()
    return {table for entry in stream["events"] for table in opens(parse(entry["event"]))}
