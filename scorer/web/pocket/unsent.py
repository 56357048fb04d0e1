"""What of this phone no server has, as its page shows it: what waits for the network, and what for
a person."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scorer.book.tables import record_of
from scorer.engine import State, parse, replay
from scorer.engine.telling.slate import SlateLine, all_lines
from scorer.store.archive import archive_of
from scorer.store.sqlite.phone_store import PhoneStore
from scorer.web.frame.access import ledgers, tables, tournaments
from scorer.web.table.event_texts import event_text
from scorer.web.table.seat_claim import signer
from scorer.web.table.signatures import clock
from scorer.web.table.table_view import View

WRITES: Final = "scorer"
"""The role that strikes out what others wrote."""


@dataclass(frozen=True, slots=True)
class Waits:
    """What is sent by itself as soon as a server answers."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Aside:
    """What a person decides about: a version that parted, or what a server did not take."""

    stream: str
    name: str
    closed: bool
    """Whether the server takes nothing more from this phone's link."""
    refused: str
    """The server's words where it did not take it, or nothing."""
    birth: bool
    """Whether the server knows nothing of it at all."""
    count: int
    """How many events of this phone the server has not."""


@dataclass(frozen=True, slots=True)
class Version:
    """One of two versions of an evening."""

    state: State
    lines: list[SlateLine]


@dataclass(frozen=True, slots=True)
class Parted(Aside):
    """An evening of which two versions parted."""

    here: Version
    there: Version
    writes: bool
    """Whether the writer wrote on this phone: nobody else strikes out what others wrote."""
    entries: list[tuple[str, str]]
    """When what the server has not was recorded, and what it says."""
    file: str
    """The whole evening as this phone has it: a link that needs no network."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far one version of a Preiswatten is."""

    rounds: int
    results: int


@dataclass(frozen=True, slots=True)
class PartedDesk(Aside):
    """A Preiswatten of which two versions parted."""

    here: Progress
    there: Progress


@dataclass(frozen=True, slots=True)
class Unsent:
    """Everything that no server has."""

    waits: list[Waits] = field(default_factory=list)
    evenings: list[Parted] = field(default_factory=list)
    desks: list[PartedDesk] = field(default_factory=list)
    ledgers: list[Aside] = field(default_factory=list)


def unsent(store: PhoneStore) -> Unsent:
    """What of this phone no server has."""
    found = Unsent()
    for waiting in store.unsent():
        found.waits.append(Waits(_name(waiting.stream, waiting.kind), waiting.count))
    for stream, copy in store.parted().items():
        kind = archive_of(copy, stream)["kind"]
        if kind == "group":
            found.ledgers.append(Aside(**_aside(store, stream, copy)))
        elif kind == "tournament":
            found.desks.append(_desks(store, stream, copy))
        else:
            found.evenings.append(_evening(store, stream, copy))
    return found


def _name(stream: str, kind: str) -> str:
    if kind == "table":
        return " – ".join(View(tables().reading(stream), ours=True).listed)
    if kind == "group":
        return ledgers().reading(stream).name
    return tournaments().reading(stream).settings.name


def _aside(store: PhoneStore, stream: str, copy: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of any `Aside`."""
    return {
        "stream": stream,
        "name": _name(stream, archive_of(copy, stream)["kind"]),
        "closed": copy.get("closed", False),
        "refused": copy.get("refused", ""),
        "birth": copy.get("birth", False),
        "count": store.length(stream) - store.base(stream),
    }


def _evening(store: PhoneStore, stream: str, copy: Mapping[str, Any]) -> Parted:
    table = tables().reading(stream)
    record, behind = record_of(table), table.evening.recorded[store.base(stream) :]
    view = View(table, ours=True)
    return Parted(
        **_aside(store, stream, copy),
        here=_version(record),
        there=_version(full_record(archive_of(copy, stream))),
        writes=WRITES in {signer(entry)[0] for entry in behind},
        entries=[(clock(entry), event_text(view, parse(entry))) for entry in behind],
        file=_file(record),
    )


def full_record(stream: Mapping[str, Any]) -> dict[str, Any]:
    """The record of a table from an archive."""
    return {**stream["head"], "events": [entry["event"] for entry in stream["events"]]}


def _version(record: Mapping[str, Any]) -> Version:
    evening, _ = replay(record)
    return Version(evening.state, all_lines(evening))


def _file(record: Mapping[str, Any]) -> str:
    packed = b64encode(json.dumps(record, ensure_ascii=False).encode()).decode()
    return f"data:application/json;base64,{packed}"


def _desks(store: PhoneStore, stream: str, copy: Mapping[str, Any]) -> PartedDesk:
    here = _desk(stored.event for stored in store.events(stream))
    there = _desk(entry["event"] for entry in archive_of(copy, stream)["events"])
    return PartedDesk(**_aside(store, stream, copy), here=here, there=there)


def _desk(events: Iterable[Mapping[str, Any]]) -> Progress:
    said = Counter(event["do"] for event in events)
    return Progress(said["auslosung"] - said["ruecknahme"], said["ergebnis"])
