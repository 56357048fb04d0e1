"""The hash chain: every event carries a hash over itself and the hash before.

>>> head = {"watten": 1}
>>> event = {"do": "gewinnt", "side": 0}
>>> event["hash"] = entry_hash(head_hash(head), event)
>>> first_broken_entry(head, [event]), first_broken_entry(head, [{**event, "side": 1}])
(None, 0)

When a person's name is erased, an entry's text changes and its hash stays. The erasure is an event
with the digest of each changed entry, so the chain can still be checked: an `ErasedEntry` against
the erasure, all others against their hash.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scorer.store.name_redaction import with_salt

_json: Final = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def canonical_json(value: Any) -> str:
    return _json.encode(value)


def head_hash(head: Mapping[str, Any]) -> str:
    """The hash a chain starts from: the head's."""
    return _hash(canonical_json(head))


def entry_hash(previous: str, event: Mapping[str, Any]) -> str:
    """The hash of `event` after the hash `previous`; the event's own `hash` field is ignored."""
    body = {name: value for name, value in event.items() if name != "hash"}
    return _hash(previous + canonical_json(body))


RECEIVED: Final = "received"
"""Field of an entry recorded on a phone without network: when the server received it. `at` is then
the phone's clock, else the server's."""


def chain_entry(
    previous: str, body: Mapping[str, Any], at: str, by: str, received: str = ""
) -> dict[str, Any]:
    """The entry recorded for `body`; `at`, `by` and `hash` in `body` are replaced.

    :param previous: the hash of the entry before
    :param received: when the server received it, if `at` is a phone's
    """
    entry = entry_without_hash(body, at, by, received)
    return {**entry, "hash": entry_hash(previous, entry)}


def entry_without_hash(
    body: Mapping[str, Any], at: str, by: str, received: str = ""
) -> dict[str, Any]:
    """The entry of `chain_entry` without its hash."""
    entry = {name: value for name, value in body.items() if name not in (RECEIVED, "hash")}
    entry |= {"at": at, "by": by} | ({RECEIVED: received} if received else {})
    return with_salt(entry)


ERASURE: Final = "loeschung"
"""Kind of the event that lists the entries with an erased name."""
HEAD_INDEX: Final = -1
"""The index of the head in a list of erased entries."""
_SEAL_PATTERN: Final = re.compile("(?:([0-9]{1,9})|head ([0-9a-f]{64})) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class ErasedEntry:
    """An entry in which a name was erased."""

    digest: str
    erasure_index: int
    """Index of the erasure."""
    unerased_head_hash: str = ""
    """Hash of the head before the erasure."""


def erasure_text(index: int, entry: Mapping[str, Any], unerased_head_hash: str = "") -> str:
    return (
        f"head {unerased_head_hash} {content_digest(entry)}"
        if index == HEAD_INDEX
        else f"{index} {content_digest(entry)}"
    )


def content_digest(entry: Mapping[str, Any]) -> str:
    return _hash(canonical_json({name: value for name, value in entry.items() if name != "hash"}))


def erased_entries(events: Sequence[Mapping[str, Any]]) -> dict[int, ErasedEntry]:
    """The entries in which a name was erased, by index, as the last erasure of each has it."""
    erased: dict[int, ErasedEntry] = {}
    for erasure_index, event in enumerate(events):
        for text in _seal_texts(event) or ():
            if (match := _SEAL_PATTERN.fullmatch(text)) is not None:
                index = HEAD_INDEX if match[1] is None else int(match[1])
                erased[index] = ErasedEntry(match[3], erasure_index, match[2] or "")
    return erased


def _seal_texts(event: Mapping[str, Any]) -> list[str] | None:
    """The texts of an erasure; [] for other events, None for a malformed erasure."""
    if event.get("do") != ERASURE:
        return []
    texts = event.get("sealed")
    return (
        texts if isinstance(texts, list) and all(isinstance(text, str) for text in texts) else None
    )


def erasure_notes(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """A line for each erasure, with the entries that the chain no longer proves from the start."""
    lines, erased = [], erased_entries(events)
    for number, event in enumerate(events):
        indexes = [index for index, entry in erased.items() if entry.erasure_index == number]
        if indexes:
            named = ", ".join(
                "the head" if index == HEAD_INDEX else f"event {index}" for index in sorted(indexes)
            )
            lines.append(
                f"a name was erased at event {number} ({str(event.get('at', ''))[:10]}) in "
                f"{named}: these entries are proven only since event {number}. "
                "All others are proven from the start."
            )
    return lines


def starting_hash(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    """The hash a chain starts from, whether its head is sealed or not."""
    sealed_head = erased_entries(events).get(HEAD_INDEX)
    return head_hash(head) if sealed_head is None else sealed_head.unerased_head_hash


def first_broken_entry(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the first event that does not fit, or None if the chain holds. A head that does
    not fit counts as the first event."""
    erased = erased_entries(events)
    if HEAD_INDEX in erased and erased[HEAD_INDEX].digest != content_digest(head):
        return 0
    previous = starting_hash(head, events)
    for index, event in enumerate(events):
        entry = erased.get(index)
        if entry is None:
            previous = entry_hash(previous, event)
            fits = event.get("hash") == previous
        else:
            previous = str(event.get("hash"))
            fits = entry.erasure_index > index and entry.digest == content_digest(event)
            fits = fits and event.get("do") != ERASURE
        if not fits or _seal_texts(event) is None:
            return index
    return None


SHORT_LENGTH: Final = 20
"""Hex digits of a short hash: 80 bits, too many for a brute-force search."""


def short_hash(digest: str) -> str:
    return digest[:SHORT_LENGTH]


@dataclass(frozen=True, slots=True)
class Witness:
    """A noted state of a chain: the hash after its first `count` entries.

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
        return len(self.digest) < SHORT_LENGTH

    @property
    def text(self) -> str:
        digits = short_hash(self.digest)
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


def first_contradiction(
    head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], witnesses: Sequence[Witness]
) -> int | None:
    """The index of the first entry that contradicts a witness, or None if none does.

    The chain itself must hold; later entries are allowed. An index equal to the number of
    entries means that entries are missing at the end.

    >>> head, event = {"watten": 1}, {"do": "gewinnt", "side": 0}
    >>> event["hash"] = entry_hash(head_hash(head), event)
    >>> witness = Witness(event["hash"], 1)
    >>> [first_contradiction(head, events, [witness]) for events in ([event, event], [])]
    [None, 0]
    """
    counts = [entries_up_to(head, events, witness) for witness in witnesses]
    proven_count = max((count for count in counts if count is not None), default=0)
    missing = [witness for witness, count in zip(witnesses, counts, strict=True) if count is None]
    if not missing:
        return None
    is_cut_off = all((witness.count or 0) > len(events) for witness in missing)
    return len(events) if is_cut_off else proven_count


def entries_up_to(
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
    return str(events[count - 1].get("hash", "")) if count else starting_hash(head, events)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
