"""Streams copied from one score book to another, with their keys' digests and their chains."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from scorer.store import Exists, archive
from scorer.store.keys import digest
from scorer.store.sql_store import Store

WHOLE: Final = ("scorer", "director", "member")
"""The roles whose holders may have all of a stream's keys' digests."""

STREAM_ID: Final = re.compile("[0-9a-f]{16}")
"""What a stream is called."""
_SEALED: Final = {
    # The id is that of the table where a pair sits next.
    "table": re.compile(f"opponent|viewer|code|tournament|{STREAM_ID.pattern}"),
    "group": re.compile(f"reader|table {STREAM_ID.pattern}"),
    "tournament": re.compile("desk-ring|hall-ring|hall|signup"),
}
"""What is sealed for the holders of a stream's keys, by its kind."""


class CopyRefused(ValueError):
    """A copy that is none, or cannot be: why."""


class Replication:
    """The copies of one store's streams."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def seen_by(self, stream: str, key: str) -> dict[str, Any]:
        """One stream as an archive, with no more keys than the holder of `key` may have."""
        copy, own = self._store.dump([stream]), digest(key)
        access = self._store.find(key)
        if access is None or access.role not in WHOLE:
            for held in copy["streams"]:
                held["keys"] = [row for row in held["keys"] if row["digest"] == own]
            copy["boxes"] = [box for box in copy["boxes"] if box["holder"] == own]
        return copy

    def seal(self, stream: str, boxes: Any, others: Collection[str] = ()) -> None:
        """Take in boxes that were sealed elsewhere for the holders of a stream's keys.

        What is sealed here already stays as it is.

        :param others: digests of further secrets that keys of streams may be sealed for
        :raises Refused: they are no boxes, or somebody else's
        """
        fresh = {"bummerl": archive.VERSION, "streams": [], "boxes": boxes}
        try:
            archive.check(fresh)
        except archive.InvalidArchive as error:
            raise CopyRefused(str(error)) from None
        here = self._store.dump([stream], {box["holder"] for box in boxes})
        known = {(box["holder"], box["role"]) for box in here["boxes"]}
        missing = [box for box in boxes if (box["holder"], box["role"]) not in known]
        [copy] = here["streams"]
        check_boxes(missing, copy["kind"], {row["digest"] for row in copy["keys"]}, others)
        # Sent twice at once, they are here.
        with suppress(Exists):
            self._store.restore({**fresh, "boxes": missing})


def check_boxes(
    boxes: Iterable[Mapping[str, str]], kind: str, own: Collection[str], others: Collection[str]
) -> None:
    """Let boxes pass that are sealed for the holders of a stream's own keys, for what these open,
    or under other secrets for keys of streams.

    :param own: the digests of the stream's keys
    :param others: the digests of other secrets
    :raises Refused: one is of another stream
    """
    for box in boxes:
        fits = box["holder"] in own and _SEALED[kind].fullmatch(box["role"])
        if not fits and not (box["holder"] in others and STREAM_ID.fullmatch(box["role"])):
            raise CopyRefused("boxes: of another stream")
