"""Contents of the page of records that no server has."""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from markupsafe import Markup

from scorer.book.tables import record_of
from scorer.engine import State, parse, replay
from scorer.engine.telling.slate import SlateLine, lines_of_evening
from scorer.store.archive import archive_of
from scorer.store.roles import LEDGER_KIND, TABLE_KIND, TOURNAMENT_KIND, WRITER
from scorer.store.sqlite.phone_store import PhoneStore
from scorer.web.frame.access import ledgers, tables, tournaments
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.entry_times import time_of
from scorer.web.table.event_texts import event_text
from scorer.web.table.table_view import TableView

"""The role that may strike out events of others."""


@dataclass(frozen=True, slots=True)
class WaitingStream:
    """A stream that is sent as soon as a server can be reached."""

    name: str
    count: int


@dataclass(frozen=True, slots=True)
class Conflict:
    """A stream that needs a decision: its versions differ, or the server refused it."""

    stream: str
    name: str
    closed: bool
    """Whether the server accepts nothing from this phone's key any more."""
    refused: str
    """The server's reason for a refusal, or ""."""
    is_new: bool
    """Whether the server does not have the stream at all."""
    count: int
    """Number of events that the server does not have."""


@dataclass(frozen=True, slots=True)
class TableVersion:
    state: State
    lines: list[SlateLine]


@dataclass(frozen=True, slots=True)
class TableConflict(Conflict):
    """A table with two versions."""

    on_phone: TableVersion
    on_server: TableVersion
    has_writer: bool
    """Whether the writer is on this phone, which only then can strike out events."""
    entries: list[tuple[Markup, str]]
    """Times and texts of the events that the server does not have."""
    file: str
    """The phone's whole version as a data URL."""


@dataclass(frozen=True, slots=True)
class TournamentVersion:
    """Progress of one version of a tournament."""

    rounds: int
    results: int


@dataclass(frozen=True, slots=True)
class TournamentConflict(Conflict):
    """A tournament with two versions."""

    on_phone: TournamentVersion
    on_server: TournamentVersion


@dataclass(frozen=True, slots=True)
class UnsentRecords:
    waiting: list[WaitingStream] = field(default_factory=list)
    evenings: list[TableConflict] = field(default_factory=list)
    desks: list[TournamentConflict] = field(default_factory=list)
    ledgers: list[Conflict] = field(default_factory=list)


def unsent(store: PhoneStore) -> UnsentRecords:
    """All streams of this phone with records that no server has."""
    records = UnsentRecords()
    for waiting in store.unsent():
        records.waiting.append(
            WaitingStream(_stream_name(waiting.stream, waiting.kind), waiting.count)
        )
    for stream, copy in store.conflicts().items():
        kind = archive_of(copy, stream)["kind"]
        if kind == LEDGER_KIND:
            records.ledgers.append(Conflict(**_conflict_fields(store, stream, copy)))
        elif kind == TOURNAMENT_KIND:
            records.desks.append(_tournament_conflict(store, stream, copy))
        else:
            records.evenings.append(_table_conflict(store, stream, copy))
    return records


def _stream_name(stream: str, kind: str) -> str:
    if kind == TABLE_KIND:
        return " – ".join(TableView(tables().current(stream), says_we=True).side_names.for_lists)
    if kind == LEDGER_KIND:
        return ledgers().current(stream).name
    return tournaments().current(stream).settings.name


def _conflict_fields(store: PhoneStore, stream: str, copy: Mapping[str, Any]) -> dict[str, Any]:
    """The fields common to all conflicts."""
    return {
        "stream": stream,
        "name": _stream_name(stream, archive_of(copy, stream)["kind"]),
        "closed": copy.get("closed", False),
        "refused": copy.get("refused", ""),
        "is_new": copy.get("birth", False),
        "count": store.length(stream) - store.server_length(stream),
    }


def _table_conflict(store: PhoneStore, stream: str, copy: Mapping[str, Any]) -> TableConflict:
    table = tables().current(stream)
    record, unsent_entries = record_of(table), table.evening.recorded[store.server_length(stream) :]
    view = TableView(table, says_we=True)
    return TableConflict(
        **_conflict_fields(store, stream, copy),
        on_phone=_version(record),
        on_server=_version(full_record(archive_of(copy, stream))),
        has_writer=WRITER in {author_of(entry).role for entry in unsent_entries},
        entries=[(time_of(entry), event_text(view, parse(entry))) for entry in unsent_entries],
        file=_data_url(record),
    )


def full_record(stream: Mapping[str, Any]) -> dict[str, Any]:
    return {**stream["head"], "events": [entry["event"] for entry in stream["events"]]}


def _version(record: Mapping[str, Any]) -> TableVersion:
    evening, _ = replay(record)
    return TableVersion(evening.state, lines_of_evening(evening))


def _data_url(record: Mapping[str, Any]) -> str:
    encoded = b64encode(json.dumps(record, ensure_ascii=False).encode()).decode()
    return f"data:application/json;base64,{encoded}"


def _tournament_conflict(
    store: PhoneStore, stream: str, copy: Mapping[str, Any]
) -> TournamentConflict:
    on_phone = _tournament_version(stored.event for stored in store.events(stream))
    on_server = _tournament_version(entry["event"] for entry in archive_of(copy, stream)["events"])
    return TournamentConflict(
        **_conflict_fields(store, stream, copy), on_phone=on_phone, on_server=on_server
    )


def _tournament_version(events: Iterable[Mapping[str, Any]]) -> TournamentVersion:
    counts = Counter(event["do"] for event in events)
    return TournamentVersion(counts["auslosung"] - counts["ruecknahme"], counts["ergebnis"])
