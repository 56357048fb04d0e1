"""The chain: every event carries a hash over itself and the one before.

>>> head = {"watten": 1}
>>> event = {"do": "gewinnt", "side": 0}
>>> event["hash"] = link(first(head), event)
>>> check(head, [event]), check(head, [{**event, "side": 1}])
(None, 0)

Where a person's name was erased, an entry keeps the hash of what it was and has other words now.
The erasure, an event itself, holds the digest of each such entry as it is since then: so the rest
of the chain holds as before, and a sealed entry holds from the erasure on.
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
    """`value` as JSON in its one form."""
    return _json.encode(value)


def first(head: Mapping[str, Any]) -> str:
    """The hash a chain starts from: its head's."""
    return _hash(canonical(head))


def link(previous: str, event: Mapping[str, Any]) -> str:
    """The hash of `event` behind `previous`; a hash the event carries does not count."""
    body = {name: value for name, value in event.items() if name != "hash"}
    return _hash(previous + canonical(body))


RECEIVED: Final = "received"
"""In an entry that a phone wrote alone and brought home: when the server had it. Its `at` is by the
phone's clock; of an entry without this field `at` is the server's."""


def chained(
    previous: str, body: Mapping[str, Any], at: str, by: str, received: str = ""
) -> dict[str, Any]:
    """The entry that is recorded of `body`: whatever that says of them, time and signature are the
    recorder's.

    :param previous: the hash behind which it stands
    :param received: when the server had it, where `at` is a phone's
    """
    entry = {name: value for name, value in body.items() if name not in (RECEIVED, "hash")}
    entry |= {"at": at, "by": by} | ({RECEIVED: received} if received else {})
    entry = salted(entry)
    entry["hash"] = link(previous, entry)
    return entry


ERASURE: Final = "loeschung"
"""The event that says which entries had a name erased."""
HEAD: Final = -1
"""The head's place among what is sealed."""
_SEAL: Final = re.compile("(?:([0-9]{1,9})|head ([0-9a-f]{64})) ([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class SealedEntry:
    """An entry whose words were erased."""

    digest: str
    """Of the entry as it is since then."""
    by: int
    """The index of the erasure."""
    was: str = ""
    """The hash of the head as it was."""


def seal(place: int, entry: Mapping[str, Any], was: str = "") -> str:
    """What an erasure says of one entry."""
    return f"head {was} {content(entry)}" if place == HEAD else f"{place} {content(entry)}"


def content(entry: Mapping[str, Any]) -> str:
    """The digest of an entry alone."""
    return _hash(canonical({name: value for name, value in entry.items() if name != "hash"}))


def sealed(events: Sequence[Mapping[str, Any]]) -> dict[int, SealedEntry]:
    """What is sealed, by its index: each as the last erasure that names it says."""
    seals: dict[int, SealedEntry] = {}
    for by, event in enumerate(events):
        for said in _seals(event) or ():
            if (match := _SEAL.fullmatch(said)) is not None:
                place = HEAD if match[1] is None else int(match[1])
                seals[place] = SealedEntry(match[3], by, match[2] or "")
    return seals


def _seals(event: Mapping[str, Any]) -> list[str] | None:
    """What an event seals; None where it is an erasure that does not say it in a list of texts."""
    if event.get("do") != ERASURE:
        return []
    said = event.get("sealed")
    return said if isinstance(said, list) and all(isinstance(text, str) for text in said) else None


def erasure_notes(events: Sequence[Mapping[str, Any]]) -> list[str]:
    """What was erased, in a line an erasure: whoever checks a chain is told what it proves not."""
    lines, seals = [], sealed(events)
    for by, event in enumerate(events):
        places = [at for at, known in seals.items() if known.by == by]
        if places:
            named = ", ".join("the head" if at == HEAD else f"event {at}" for at in sorted(places))
            lines.append(
                f"a name was erased at event {by} ({str(event.get('at', ''))[:10]}) in {named}: "
                f"what else stands there is proven from event {by} on; all the rest from the start"
            )
    return lines


def origin(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> str:
    """The hash a chain starts from, its head sealed or not."""
    known = sealed(events).get(HEAD)
    return first(head) if known is None else known.was


def check(head: Mapping[str, Any], events: Sequence[Mapping[str, Any]]) -> int | None:
    """The index of the first event that does not fit, or None where the chain holds."""
    seals = sealed(events)
    if HEAD in seals and seals[HEAD].digest != content(head):
        return 0
    previous = origin(head, events)
    for index, event in enumerate(events):
        known = seals.get(index)
        if known is None:
            previous = link(previous, event)
            fits = event.get("hash") == previous
        else:
            previous = str(event.get("hash"))
            fits = known.by > index and known.digest == content(event)
            fits = fits and event.get("do") != ERASURE
        if not fits or _seals(event) is None:
            return index
    return None


SHORT: Final = 20
"""The digits of a short hash: 80 bits, which nobody can search through."""


def short(digest: str) -> str:
    """A hash as commands print it."""
    return digest[:SHORT]


@dataclass(frozen=True, slots=True)
class Witness:
    """What somebody saw of a chain: the hash behind its first `count` entries.

    >>> Witness("7f3a91c20b4e66d1a90277", 12).text
    '12:7f3a-91c2-0b4e-66d1-a902'
    >>> read_witness("12:7F3A-91C2-0B4E-66D1-A902") == Witness("7f3a91c20b4e66d1a902", 12)
    True
    """

    digest: str
    count: int | None = None
    """None where only the hash is known."""

    @property
    def weak(self) -> bool:
        """Whether it has fewer digits than a forger can search through."""
        return len(self.digest) < SHORT

    @property
    def text(self) -> str:
        """As people compare it: the count, and the short hash in groups."""
        digits = short(self.digest)
        groups = "-".join(digits[at : at + 4] for at in range(0, len(digits), 4))
        return groups if self.count is None else f"{self.count}:{groups}"


def read_witness(text: str) -> Witness:
    """A witness as somebody types it; the count and the separators may be left out.

    Sheets of release 0.1 showed 8 digits: such a short one is read, and is `weak`.

    :raises ValueError: no such thing, or fewer than 8 digits
    """
    found = re.fullmatch(r"(?:([0-9]{1,6}):)?([0-9a-f]{8,64})", re.sub(r"[\s-]", "", text).lower())
    if found is None:
        raise ValueError("must be the hash on the sheet, such as 12:7f3a-91c2-0b4e-66d1-a902")
    return Witness(found[2], None if found[1] is None else int(found[1]))


def unseen(
    head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], seen: Sequence[Witness]
) -> int | None:
    """The index of the first entry from which a chain that holds is not what was seen.

    None where it is all of what was seen: later entries may have come to it. An index that is the
    number of entries says that the rest was cut off.

    >>> head, event = {"watten": 1}, {"do": "gewinnt", "side": 0}
    >>> event["hash"] = link(first(head), event)
    >>> witness = Witness(event["hash"], 1)
    >>> unseen(head, [event, event], [witness]), unseen(head, [], [witness])
    (None, 0)
    """
    places = [entries_before(head, events, witness) for witness in seen]
    agreed = max((at for at in places if at is not None), default=0)
    missing = [witness for witness, at in zip(seen, places, strict=True) if at is None]
    if not missing:
        return None
    cut = all((witness.count or 0) > len(events) for witness in missing)
    return len(events) if cut else agreed


def entries_before(
    head: Mapping[str, Any], events: Sequence[Mapping[str, Any]], witness: Witness
) -> int | None:
    """Behind how many entries the hash stands that was seen; None where it stands nowhere."""
    digests = [origin(head, events), *(str(event.get("hash", "")) for event in events)]
    counts = range(len(digests)) if witness.count is None else [witness.count]
    for count in counts:
        if count < len(digests) and digests[count].startswith(witness.digest):
            return count
    return None


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
