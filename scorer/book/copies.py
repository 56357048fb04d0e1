"""Streams copied from one score book to another, with their keys' digests and their chains."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Any, Final

from scorer.engine import Unreadable, replay
from scorer.store import Exists, Store, UnknownStream, archive, chain
from scorer.store.keys import digest

WHOLE: Final = ("scorer", "director", "member")
"""The roles whose holders may have all of a stream's keys' digests."""


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
            for one in copy["streams"]:
                one["keys"] = [row for row in one["keys"] if row["digest"] == own]
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
        holders = {row["digest"] for own in here["streams"] for row in own["keys"]} | set(rings)
        if not {box["holder"] for box in boxes} <= holders:
            raise Refused("boxes: of another stream")
        known = {(box["holder"], box["role"]) for box in here["boxes"]}
        missing = [box for box in boxes if (box["holder"], box["role"]) not in known]
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
    events = [entry["event"] for entry in stream["events"]]
    if chain.check(stream["head"], events) is not None:
        raise Refused("events: the chain does not hold")
    if stream["kind"] != "table":
        return
    try:
        _, refusal = replay({**stream["head"], "events": events})
    except Unreadable as error:
        raise Refused(str(error)) from None
    if refusal is not None:
        raise Refused(f"events[{refusal.event}]: {refusal.code}")
