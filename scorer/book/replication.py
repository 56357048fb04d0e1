"""Copies streams between score books, with their keys' digests and chains."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from scorer.book.helper_links import ROLE
from scorer.store import Exists, archive
from scorer.store.keys import digest
from scorer.store.roles import DIRECTOR, LEDGER_KIND, MEMBER, TOURNAMENT_KIND, WRITER
from scorer.store.sql_store import Store

FULL_COPY_ROLES: Final = (WRITER, DIRECTOR, MEMBER)
"""Roles whose copies contain all key digests of a stream."""

STREAM_ID: Final = re.compile("[0-9a-f]{16}")
_SEALABLE_ROLES: Final = {
    # The id is of a pair's next table.
    "table": re.compile(f"opponent|viewer|code|tournament|{STREAM_ID.pattern}"),
    LEDGER_KIND: re.compile(f"reader|table {STREAM_ID.pattern}"),
    TOURNAMENT_KIND: re.compile(f"desk-ring|hall-ring|hall|signup|{ROLE.pattern}"),
}
"""Roles that may be sealed for the holders of a stream's keys, by kind."""


class CopyRefused(ValueError):
    """The copy is invalid; the text is the reason."""


class Replication:
    def __init__(self, store: Store) -> None:
        self._store = store

    def seen_by(self, stream: str, key: str) -> dict[str, Any]:
        """A stream as an archive, with the keys and boxes that the holder of `key` may have."""
        copy, key_digest = self._store.dump([stream]), digest(key)
        access = self._store.find(key)
        if access is None or access.role not in FULL_COPY_ROLES:
            for archived in copy["streams"]:
                archived["keys"] = [row for row in archived["keys"] if row["digest"] == key_digest]
            copy["boxes"] = [box for box in copy["boxes"] if box["holder"] == key_digest]
        return copy

    def seal(self, stream: str, boxes: Any, others: Collection[str] = ()) -> None:
        """Add boxes sealed elsewhere for the holders of a stream's keys; existing boxes stay.

        :param others: digests of further holders, for keys of streams
        :raises CopyRefused: invalid boxes, or of another stream
        """
        fresh = {"bummerl": archive.VERSION, "streams": [], "boxes": boxes}
        try:
            archive.check(fresh)
        except archive.InvalidArchive as error:
            raise CopyRefused(str(error)) from None
        local_copy = self._store.dump([stream], {box["holder"] for box in boxes})
        present = {(box["holder"], box["role"]) for box in local_copy["boxes"]}
        missing = [box for box in boxes if (box["holder"], box["role"]) not in present]
        [copy] = local_copy["streams"]
        check_boxes(missing, copy["kind"], {row["digest"] for row in copy["keys"]}, others)
        # Two equal requests at once.
        with suppress(Exists):
            self._store.restore({**fresh, "boxes": missing})


def check_boxes(
    boxes: Iterable[Mapping[str, str]], kind: str, holders: Collection[str], others: Collection[str]
) -> None:
    """Check that boxes belong to a stream.

    :param holders: digests of the stream's keys
    :param others: digests of further holders, for keys of streams
    :raises CopyRefused: one is of another stream
    """
    for box in boxes:
        fits = box["holder"] in holders and _SEALABLE_ROLES[kind].fullmatch(box["role"])
        if not fits and not (box["holder"] in others and STREAM_ID.fullmatch(box["role"])):
            raise CopyRefused("boxes: of another stream")
