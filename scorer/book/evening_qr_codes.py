"""A record as texts for QR codes, to be transferred without network.

Hashes are left out except the last one, which proves the computed chain. The texts use upper
case, digits and full stops only: compact in QR codes and allowed in URL fragments.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.engine.input.strict_json import loads
from scorer.engine.translatable import N_
from scorer.store.hash_chain import canonical_json, entry_hash, head_hash

_FOLDER: Final = Path(__file__).parent
DICTIONARIES: Final[Mapping[str, bytes]] = {
    "W1": (_FOLDER / "qr_dictionary_1.txt").read_bytes(),
    "W2": (_FOLDER / "qr_dictionary_2.txt").read_bytes(),
}
"""zlib dictionaries by version mark, with which every text begins. They are fixed: another
dictionary is a new version."""
MARK: Final = "W2"
"""The version that is written."""
CODE_CAPACITY: Final = 600
"""Characters of data per code, few enough for an old phone's camera."""
MAX_BYTES: Final = 1024 * 1024
"""Limit of a decoded record, in bytes."""
TEXT_PATTERN: Final = re.compile(
    rf"({'|'.join(DICTIONARIES)})\.([0-9]{{1,3}})\.([0-9]{{1,3}})\.([0-9A-F]{{8}})\.([A-Z2-7]+)"
)
"""Version, number of the code, count of codes, checksum of the whole, part of the data."""

NO_EVENING: Final = N_("This code carries no evening of Bummerl.")
DAMAGED: Final = N_("This code was damaged on its way. Scan it again.")


class InvalidCodes(ValueError):
    """The codes hold no record; `reason` is a translatable sentence."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class ScannedRecord:
    record: dict[str, Any]
    """The record, its events chained again."""
    is_intact: bool
    """Whether the computed chain ends with the transferred hash."""


def texts(record: Mapping[str, Any]) -> list[str]:
    """The texts of a record's codes, in order.

    >>> [text] = texts({"watten": 1, "rules": "bayern", "events": []})
    >>> text[:7], read([text]).record == {"watten": 1, "rules": "bayern", "events": []}
    ('W2.1.1.', True)

    :param record: as in docs/record.md, with its chain
    """
    unhashed_events = [
        {name: event[name] for name in event if name != "hash"} for event in record["events"]
    ]
    last = record["events"][-1].get("hash") if record["events"] else None
    compressor = zlib.compressobj(9, zdict=DICTIONARIES[MARK])
    packed = compressor.compress(
        canonical_json([{**record, "events": unhashed_events}, last]).encode()
    )
    packed += compressor.flush()
    letters = base64.b32encode(packed).decode().rstrip("=")
    count = -(-len(letters) // CODE_CAPACITY)
    # Parts of equal length make codes of equal size.
    part_length = -(-len(letters) // count)
    parts = [letters[start : start + part_length] for start in range(0, len(letters), part_length)]
    head = _checksum(letters)
    return [f"{MARK}.{n}.{len(parts)}.{head}.{part}" for n, part in enumerate(parts, 1)]


def read(scanned: Sequence[str]) -> ScannedRecord:
    """The record in the codes, which may be in any order.

    :raises InvalidCodes: invalid, incomplete or of several records
    """
    return _chain_again(_unpack(*_joined_letters(scanned)))


def _joined_letters(scanned: Sequence[str]) -> tuple[str, str]:
    """The version mark and the joined data of the codes."""
    read_texts = [TEXT_PATTERN.fullmatch(text) for text in scanned]
    if not scanned or None in read_texts:
        is_known_version = bool(scanned) and all(
            text.partition(".")[0] in DICTIONARIES for text in scanned
        )
        raise InvalidCodes(DAMAGED if is_known_version else NO_EVENING)
    parts = {int(text[2]): text for text in read_texts if text}
    heads = {(text[1], text[3], text[4]) for text in parts.values()}
    if len(heads) != 1:
        raise InvalidCodes(N_("These codes belong to different evenings."))
    [(mark, count, head)] = heads
    if sorted(parts) != list(range(1, int(count) + 1)):
        raise InvalidCodes(N_("Some codes of this evening are still missing."))
    letters = "".join(parts[n][5] for n in sorted(parts))
    if _checksum(letters) != head:
        raise InvalidCodes(DAMAGED)
    return mark, letters


def _checksum(letters: str) -> str:
    return hashlib.sha256(letters.encode()).hexdigest()[:8].upper()


def _unpack(mark: str, letters: str) -> Any:
    try:
        packed = base64.b32decode(letters + "=" * (-len(letters) % 8))
        decompressor = zlib.decompressobj(zdict=DICTIONARIES[mark])
        data = decompressor.decompress(packed, MAX_BYTES)
        if not decompressor.eof:
            raise InvalidCodes(N_("What this code carries is too long for an evening."))
        return loads(data.decode())
    except (binascii.Error, zlib.error, ValueError) as error:
        if isinstance(error, InvalidCodes):
            raise
        raise InvalidCodes(NO_EVENING) from None


def _chain_again(data: Any) -> ScannedRecord:
    """The record of the decoded data: `[record without hashes, last hash]`."""
    if not isinstance(data, list) or len(data) != 2 or not isinstance(data[0], dict):
        raise InvalidCodes(NO_EVENING)
    head: dict[str, Any] = {name: data[0][name] for name in data[0] if name != "events"}
    events = data[0].get("events")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise InvalidCodes(NO_EVENING)
    chained, previous = [], head_hash(head)
    for event in events:
        previous = entry_hash(previous, event)
        chained.append({**event, "hash": previous})
    return ScannedRecord({**head, "events": chained}, not events or data[1] == previous)
