"""An evening as a few texts that fit QR codes, to be shown and read without any network.

The record goes without its hashes, which can be reckoned again, and with the last of them, which
proves that it is as it was written. A code's text is upper case, figures and full stops: QR
codes hold such signs in the least space, and a link's fragment may carry them.
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
from scorer.store.hash_chain import canonical, first, link

_FOLDER: Final = Path(__file__).parent
DICTIONARIES: Final[Mapping[str, bytes]] = {
    "W1": (_FOLDER / "codes.txt").read_bytes(),
    "W2": (_FOLDER / "codes-2.txt").read_bytes(),
}
"""What records are made of, known to both sides and so never sent, by the mark that every text of a
version begins with. Each is fixed: records made of other things are a new version."""
MARK: Final = "W2"
"""The version that is written."""
ROOM: Final = 600
"""Letters of the record that one code carries: few enough for the camera of an old phone."""
MOST: Final = 1024 * 1024
"""Bytes of a record that is read from codes."""
SHAPE: Final = re.compile(
    rf"({'|'.join(DICTIONARIES)})\.([0-9]{{1,3}})\.([0-9]{{1,3}})\.([0-9A-F]{{8}})\.([A-Z2-7]+)"
)
"""Version, number of the code, how many there are, checksum of the whole, a part of the record."""

NONE: Final = N_("This code carries no evening of Bummerl.")
DAMAGED: Final = N_("This code was damaged on its way. Scan it again.")


class InvalidCodes(ValueError):
    """A text that carries no evening: why, as a sentence of the language files."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Scanned:
    """A record that came by codes."""

    record: dict[str, Any]
    """The record, its events chained anew."""
    sound: bool
    """Whether its chain ends as the writer's did."""


def texts(record: Mapping[str, Any]) -> list[str]:
    """A record as the texts of its codes, in their order.

    >>> [text] = texts({"watten": 1, "rules": "bayern", "events": []})
    >>> text[:7], read([text]).record == {"watten": 1, "rules": "bayern", "events": []}
    ('W2.1.1.', True)

    :param record: as docs/record.md has it, with its chain
    """
    bare = [{name: event[name] for name in event if name != "hash"} for event in record["events"]]
    last = record["events"][-1].get("hash") if record["events"] else None
    packing = zlib.compressobj(9, zdict=DICTIONARIES[MARK])
    packed = packing.compress(canonical([{**record, "events": bare}, last]).encode())
    packed += packing.flush()
    letters = base64.b32encode(packed).decode().rstrip("=")
    count = -(-len(letters) // ROOM)
    # Codes of one length look alike: none of them is a scrap.
    room = -(-len(letters) // count)
    parts = [letters[at : at + room] for at in range(0, len(letters), room)]
    head = _checksum(letters)
    return [f"{MARK}.{n}.{len(parts)}.{head}.{part}" for n, part in enumerate(parts, 1)]


def read(scanned: Sequence[str]) -> Scanned:
    """The record that all texts of one evening carry, in any order.

    :raises InvalidCodes: they do not
    """
    return _chained(_unpacked(*_letters(scanned)))


def _letters(scanned: Sequence[str]) -> tuple[str, str]:
    """The version of one evening's codes, and what their parts carry together."""
    read_texts = [SHAPE.fullmatch(text) for text in scanned]
    if not scanned or None in read_texts:
        ours = bool(scanned) and all(text.partition(".")[0] in DICTIONARIES for text in scanned)
        raise InvalidCodes(DAMAGED if ours else NONE)
    parts = {int(text[2]): text for text in read_texts if text}
    sums = {(text[1], text[3], text[4]) for text in parts.values()}
    if len(sums) != 1:
        raise InvalidCodes(N_("These codes belong to different evenings."))
    [(mark, count, head)] = sums
    if sorted(parts) != list(range(1, int(count) + 1)):
        raise InvalidCodes(N_("Some codes of this evening are still missing."))
    letters = "".join(parts[n][5] for n in sorted(parts))
    if _checksum(letters) != head:
        raise InvalidCodes(DAMAGED)
    return mark, letters


def _checksum(letters: str) -> str:
    return hashlib.sha256(letters.encode()).hexdigest()[:8].upper()


def _unpacked(mark: str, letters: str) -> Any:
    try:
        packed = base64.b32decode(letters + "=" * (-len(letters) % 8))
        unpacking = zlib.decompressobj(zdict=DICTIONARIES[mark])
        data = unpacking.decompress(packed, MOST)
        if not unpacking.eof:
            raise InvalidCodes(N_("What this code carries is too long for an evening."))
        return loads(data.decode())
    except (binascii.Error, zlib.error, ValueError) as error:
        if isinstance(error, InvalidCodes):
            raise
        raise InvalidCodes(NONE) from None


def _chained(data: Any) -> Scanned:
    """The record of what `texts` packed: itself without hashes, and the last of them."""
    if not isinstance(data, list) or len(data) != 2 or not isinstance(data[0], dict):
        raise InvalidCodes(NONE)
    head: dict[str, Any] = {name: data[0][name] for name in data[0] if name != "events"}
    events = data[0].get("events")
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        raise InvalidCodes(NONE)
    chained, previous = [], first(head)
    for event in events:
        previous = link(previous, event)
        chained.append({**event, "hash": previous})
    return Scanned({**head, "events": chained}, not events or data[1] == previous)
