"""The hash chain: every event carries a hash over itself and the hash before.

>>> head = {"watten": 1}
>>> event = {"do": "gewinnt", "side": 0}
>>> event["hash"] = link(first(head), event)
>>> check(head, [event]), check(head, [{**event, "side": 1}])
(None, 0)

When a person's name is erased, an entry's text changes and its hash stays. The erasure is an event
with the digest of each changed entry, so the chain can still be checked: a `SealedEntry` against
the erasure, all others against their hash.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scorer.store.name_redaction import salted

_json: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical(value: Any) -> str:
    return _json.encode(value)


def first(head: Mapping[str, Any]) -> str:
    """The hash a chain starts from: the head's."""
    return _hash(canonical(head))


def link(previous: str, event: Mapping[str, Any]) -> str:
    """The hash of `event` behind `previous`; the event's own `hash` field is ignored."""
    body = {name: value for name, value in event.items() if name != "hash"}
    return _hash(previous + canonical(body))


RECEIVED: Final = "received"
"""Field of an entry recorded on a phone without network: when the server received it. `at` is then
the phone's clock, else the server's."""


def chained(
    previous: str, body: Mapping[str, Any], at: str, by: str, received: str = ""
) -> dict[str, Any]:
    """The entry recorded for `body`; `at`, `by` and `hash` in `body` are replaced.

    :param previous: the hash of the entry before
    :param received: when the server received it, if `at` is a phone's
    """
    entry = unchained(body, at, by, received)
    return {**entry, "hash": link(previous, entry)}


def unchained(body: Mapping[str, Any], at: str, by: str, received: str = "") -> dict[str, Any]:
    """The entry of `chained` without its hash."""
    entry = {name: value for name, value in body.items() if name not in (RECEIVED, "hash")}
    entry |= {"at": at, "by": by} | ({RECEIVED: received} if received else {})
    return salted(entry)


ERASURE: Final = "loeschung"
"""Kind of the event that lists the entries with an erased name."""
HEAD: Final = -1
_SEAL: Final = re.compile("(?:([0-9]{1,9})|head ([0-9a-f]{64})) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """An entry in which a name was erased."""

    digest: str
    by: int
    """Index of the erasure."""
    was: str = ""
    """Hash of the head before the erasure."""


def seal(place: int, entry: Mapping[str, Any], was: str = "") -> str:
    return f"head {was} {content(entry)}" if place == HEAD else f"{place} {content(entry)}"


def content(entry: Mapping[str, Any]) -> str:
    return _hash(canonical({name: value for name, value in entry.items() if name != "hash"}))


def sealed(events: Sequence[Mapping[str, Any]]) -> dict[int, SealedEntry]:
    """The sealed entries by index, as the last erasure of each has it."""
    seals: dict[int, SealedEntry] = {}
    for by, event in enumerate(events):
        for text in _seals(event) or ():
            if (match := _SEAL.fullmatch(text)) is not None:
                place = HEAD if match[1] is None else int(match[1])
                seals[place] = SealedEntry(match[3], by, match[2] or "")
    return seals


def _seals(event: Mapping[str, Any]) -> list[str] | None:
    """The texts of an erasure; [] for other events, None for a malformed erasure."""
    if event.get("do") != ERASURE:
        return []
    texts = event.get("sealed")
    return (
        texts if isinstance(texts, list) and all(isinstance(text, str) for text in texts) else None
    )


def erasure_notes(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each erasure, saying what the chain does not prove any more."""
    lines, seals = [], sealed(events)
    for by, event in enumerate(events):
        places = [place for place, entry in seals.items() if entry.by == by]
        if places:
            named = ", ".join(
                "the head" if place == HEAD else f"event {place}" for place in sorted(places)
            )
            lines.append(
                f"a name was erased at event {by} ({str(event.get('at', ''))[:10]}) in {named}: "
                f"what else stands there is proven from event {by} on; all the rest from the start"
            )
    return lines


def origin(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    """The hash a chain starts from, whether its head is sealed or not."""
    sealed_head = sealed(events).get(HEAD)
    return first(head) if sealed_head is None else sealed_head.was


def check(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the first event that does not fit, or None if the chain holds."""
    seals = sealed(events)
    if HEAD in seals and seals[HEAD].digest != content(head):
        return 0
    previous = origin(head, events)
    for index, event in enumerate(events):
        entry = seals.get(index)
        if entry is None:
            previous = link(previous, event)
            fits = event.get("hash") == previous
        else:
            previous = str(event.get("hash"))
            fits = entry.by > index and entry.digest == content(event)
            fits = fits and event.get("do") != ERASURE
        if not fits or _seals(event) is None:
            return index
    return None


SHORT: Final = 20
"""Hex digits of a short hash: 80 bits, too many for a brute-force search."""


def short(digest: str) -> str:
    return digest[:SHORT]


@dataclass(frozen=True, slots=True)
class Witness:
    """A noted state of a chain: the hash behind its first `count` entries.

    >>> Witness("7f3a91c20b4e66d1a90277", 12).text
    '12:7f3a-91c2-0b4e-66d1-a902'
    >>> read_witness("12:7F3A-91C2-0B4E-66D1-A902") == Witness("7f3a91c20b4e66d1a902", 12)
    True
    """

    digest: str
    count: int | None = None
    """None if only the hash is known."""

    @property
    def weak(self) -> bool:
        return len(self.digest) < SHORT

    @property
    def text(self) -> str:
        digits = short(self.digest)
        groups = "-".join(digits[start : start + 4] for start in range(0, len(digits), 4))
        return groups if self.count is None else f"{self.count}:{groups}"


def read_witness(text: str) -> Witness:
    """A witness as typed; the count and the separators are optional.

    Sheets of release 0.1 show 8 digits: these are read and are `weak`.

    :raises ValueError: malformed, or fewer than 8 digits
    """
    match = re.fullmatch(r"(?:([0-9]{1,6}):)?([0-9a-f]{8,64})", re.sub(r"[\s-]", "", text).lower())
    if match is None:
        raise ValueError("must be the hash on the sheet, such as 12:7f3a-91c2-0b4e-66d1-a902")
    return Witness(match[2], None if match[1] is None else int(match[1]))


def unseen(
    head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], witnesses: Sequence[Witness]
) -> int | None:
    """The index of the first entry that contradicts a witness, or None if none does.

    The chain itself must hold; later entries are allowed. An index equal to the number of
    entries means that entries are missing at the end.

    >>> head, event = {"watten": 1}, {"do": "gewinnt", "side": 0}
    >>> event["hash"] = link(first(head), event)
    >>> witness = Witness(event["hash"], 1)
    >>> unseen(head, [event, event], [witness]), unseen(head, [], [witness])
    (None, 0)
    """
    places = [entries_before(head, events, witness) for witness in witnesses]
    agreed = max((place for place in places if place is not None), default=0)
    missing = [witness for witness, place in zip(witnesses, places, strict=True) if place is None]
    if not missing:
        return None
    cut = all((witness.count or 0) > len(events) for witness in missing)
    return len(events) if cut else agreed


def entries_before(
    head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], witness: Witness
) -> int | None:
    """The number of entries before the witness's hash; None if it is not in the chain."""
    counts = range(len(events) + 1) if witness.count is None else [witness.count]
    for count in counts:
        if count <= len(events) and _hash_after(head, events, count).startswith(witness.digest):
            return count
    return None


def _hash_after(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], count: int) -> str:
    """The hash of the chain after so many entries."""
    return str(events[count - 1].get("hash", "")) if count else origin(head, events)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
