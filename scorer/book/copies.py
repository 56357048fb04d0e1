"""Streams copied from one score book to another, with their keys' digests and their chains."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from typing import Any, Final

from scorer.book import ledgers
from scorer.book.proof import Carried, unproven, written
from scorer.book.rings import RINGS
from scorer.book.sound import ROLES, refused
from scorer.book.tournaments import Tournaments
from scorer.engine import Unreadable
from scorer.store import Exists, UnknownStream, archive, chain
from scorer.store.keys import digest
from scorer.tournament import parse
from scorer.tournament.events import Serie

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
    """The copies of one store's streams.

    :param book: the store's tournaments
    """

    def __init__(self, book: Tournaments) -> None:
        self._book, self._store = book, book.store

    def seen_by(self, stream: str, key: str) -> dict[str, Any]:
        """One stream as an archive, with no more keys than the holder of `key` may have."""
        copy, own = self._store.dump([stream]), digest(key)
        access = self._store.find(key)
        if access is None or access.role not in WHOLE:
            for held in copy["streams"]:
                held["keys"] = [row for row in held["keys"] if row["digest"] == own]
            copy["boxes"] = [box for box in copy["boxes"] if box["holder"] == own]
        return copy

    def take(self, copy: Any, key: str = "", *others: str) -> bool:
        """Take in one stream that was opened elsewhere, exactly once.

        :param key: its director's or member's, by which other streams are found that it names
        :param others: the writers' keys of the evenings that a ledger counts
        :returns: whether it was new
        :raises Refused: it is no such archive, its chain is broken, the rules refuse it, or it
            names what it has no key of
        """
        try:
            archive.check(copy)
        except archive.NoArchive as error:
            raise Refused(str(error)) from None
        if len(copy["streams"]) != 1:
            raise Refused("streams: must be one")
        [stream] = copy["streams"]
        _sound(stream)
        ring = Carried(self._store, copy["boxes"])
        secrets = filter(None, (ring.unseal(key, name) for name in RINGS))
        _own_boxes(copy["boxes"], stream, set(map(digest, secrets)))
        if not self._store.known(stream["kind"], [stream["id"]]):
            self._proven(stream, key, ring, written(self._store, others))
            with suppress(Exists):
                self._store.restore(copy)
                return True
        return self._again(stream)

    def _proven(
        self, stream: Mapping[str, Any], key: str, ring: Carried, own: Collection[str]
    ) -> None:
        """Refuse a stream that names others, of which the holder of its `key` has none.

        :param own: the tables whose evenings are the holder's to count
        """
        series, events = Serie(()), [entry["event"] for entry in stream["events"]]
        for index, event in enumerate(events):
            try:
                if stream["kind"] == "tournament":
                    said = parse(event)
                    self._book.prove(ring, key, said, series)
                    series = said if isinstance(said, Serie) else series
                elif event["do"] == "abend":
                    table = event["table"]
                    if table not in own or not ledgers.opens(ring, key, table):
                        raise unproven("table")
            except Unreadable as error:
                raise Refused(f"events[{index}].{error}") from None

    def seal(self, stream: str, boxes: Any, others: Collection[str] = ()) -> None:
        """Take in boxes that were sealed elsewhere for the holders of a stream's keys.

        What is sealed here already stays as it is.

        :param others: digests of further secrets that keys of streams may be sealed for
        :raises Refused: they are no boxes, or somebody else's
        """
        fresh = {"bummerl": archive.VERSION, "streams": [], "boxes": boxes}
        try:
            archive.check(fresh)
        except archive.NoArchive as error:
            raise Refused(str(error)) from None
        here = self._store.dump([stream], {box["holder"] for box in boxes})
        known = {(box["holder"], box["role"]) for box in here["boxes"]}
        missing = [box for box in boxes if (box["holder"], box["role"]) not in known]
        [copy] = here["streams"]
        _own_boxes(missing, copy, others)
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


def _own_boxes(
    boxes: Iterable[Mapping[str, str]], stream: Mapping[str, Any], others: Collection[str]
) -> None:
    """Refuse a box that is not for the holder of one of a stream's keys, or of the other secrets
    under which it seals keys of streams, or not for what that opens."""
    holders, sealed = {row["digest"] for row in stream["keys"]}, _SEALED[stream["kind"]]
    for box in boxes:
        own = box["holder"] in holders and sealed.fullmatch(box["role"])
        if not own and not (box["holder"] in others and _ID.fullmatch(box["role"])):
            raise Refused("boxes: of another stream")
