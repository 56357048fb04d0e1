"""The store of a phone: a score book in one file, synchronized with a server.

A stream was either created here and is unknown to the server, or is a copy of a server's stream,
perhaps with events appended without network. A new stream is sent in one request. Its events that
do not fit, and events added to a copy, are sent one by one afterwards. The server records each
event anew with its own time, so hashes differ, and the server's version replaces the local one.

The phone sends each event with the number of events before it. The server answers with
its entry, which replaces the phone's at once. If the server has more, it refuses: the versions have
diverged. Both are kept, the stream is not sent, and a person decides
(`scorer/web/pocket/sync_conflicts.py`), because an event's meaning depends on the events before it.
Two cases need no decision: ledgers, because their events may be in any order, and erasures of
names, because they change no play. There the phone's events go after the server's.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

from scorer.engine.scoring.record import with_references
from scorer.store import Seal, Unavailable, archive
from scorer.store.hash_chain import (
    ERASURE,
    HEAD_INDEX,
    canonical_json,
    entry_hash,
    erased_entries,
    starting_hash,
)
from scorer.store.keys import digest
from scorer.store.name_redaction import free_texts, with_name_replaced
from scorer.store.roles import LEDGER_KIND, TABLE_KIND
from scorer.store.sql_inserts import (
    INSERT_BOX,
    INSERT_KEY,
    INSERT_STREAM,
    REPLACE_BOX,
    REPLACE_KEY,
    put_event,
)
from scorer.store.sql_store import Run, utc_now
from scorer.store.sqlite.migrations import refusal_trigger
from scorer.store.sqlite.store import SqliteStore

_SYNC: Final = """create table if not exists server (
    stream text primary key references streams(id), events integer not null, other text
) strict"""
"""One row for each stream that the server knows or has refused. `events` is how many of its first
events the server has; `other` is an archive of the server's version while the stream is put aside.
"""


class Adoption(StrEnum):
    """The effect of a server's version of a stream on the phone's.

    The app's scripts read the values."""

    UPDATED = "updated"
    """It brought events or a new stream."""
    CONFLICT = "conflict"
    """Both sides wrote, but not to a ledger. The server's version is kept aside for a decision."""
    UNCHANGED = "unchanged"
    """It brought nothing."""


@dataclass(frozen=True, slots=True)
class UnsentStream:
    stream: str
    kind: str
    is_new: bool
    """Whether the server does not know the stream."""
    base: int
    """Number of events the server has."""
    events: tuple[dict[str, Any], ...]
    """The later events, as `archive.entry`; empty for a new stream."""
    count: int
    """Number of entries to send; at least 1 for a new stream."""


@dataclass(slots=True)
class Merged:
    """The streams of a saved book, by the result of merging each."""

    new: list[str] = field(default_factory=list)
    """Were not on this phone."""
    continued: list[str] = field(default_factory=list)
    """Have more events now."""
    unchanged: list[str] = field(default_factory=list)
    """Have no event that this phone did not have."""
    conflicting: list[str] = field(default_factory=list)
    """Have other events on this phone, and stayed as they were."""


class PhoneStore(SqliteStore):
    """A `Store` that tracks which events the server has."""

    def __init__(self, path: str | Path, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(path, clock=clock, journal="delete")
        with self._db.writing() as (run, _):
            run(_SYNC)

    def adopt(self, copy: Mapping[str, Any]) -> Adoption:
        """Take in an archive of a server: a stream and the streams that belong to it.

        :returns: CONFLICT if any of them is, else UPDATED if any is, else UNCHANGED
        """
        adopted = dict[str, Adoption]()
        with self._db.writing() as (run, _):
            for theirs in copy["streams"]:
                self._erase_names(run, theirs)
                adopted[theirs["id"]] = _adopt_stream(run, theirs, copy)
            # The keys of a conflicting version are taken over with that version.
            _grant_all(
                run,
                copy,
                {name for name, outcome in adopted.items() if outcome == Adoption.CONFLICT},
            )
        # Replaced events have other hashes, which would look like those of another database.
        self._newest_hashes.clear()
        by_priority = (Adoption.CONFLICT, Adoption.UPDATED)
        return next(
            (outcome for outcome in by_priority if outcome in adopted.values()), Adoption.UNCHANGED
        )

    def _erase_names(self, run: Run, theirs: Mapping[str, Any]) -> None:
        """Erase the names that a server has erased from a stream, in unsent events too."""
        stream = theirs["id"]
        replacements = _erased_names(run, theirs)
        if not replacements:
            return

        def without(entry: Mapping[str, Any]) -> dict[str, Any]:
            for name, instead in replacements.items():
                entry = with_name_replaced(entry, name, instead)
            return dict(entry)

        server_entries = {entry["event"]["hash"]: entry for entry in theirs["events"]}
        local_entries = _entries_after(run, stream, 0)
        local_hashes = [entry["event"]["hash"] for entry in local_entries]
        shared = [server_entries[hash_] for hash_ in local_hashes if hash_ in server_entries]
        later = [
            {**entry, "body": without(entry["body"]), "event": without(entry["event"])}
            for entry in local_entries[len(shared) :]
        ]
        with self._allow_updates(run):
            run("update streams set head = ? where id = ?", canonical_json(theirs["head"]), stream)
        _replace(run, stream, 0, shared, later)

    def replace_first_unsent(self, stream: str, seq: int, event: Mapping[str, Any]) -> None:
        """Replace the first unsent event by the server's entry of it.

        :param seq: its place on the server; after events of others, the entry comes with `adopt`
        """
        base = self.server_length(stream)
        with self._db.writing() as (run, _):
            unsent = _entries_after(run, stream, base)
            if unsent and seq == base + 1:
                _replace(run, stream, base, [{**unsent[0], "event": event}], unsent[1:])
                _set_server_state(run, stream, seq)
        self._newest_hashes.clear()

    def replace_by_server_version(self, stream: str, copy: Mapping[str, Any]) -> None:
        """Replace a stream by the server's version."""
        events = archive.archive_of(copy, stream)["events"]
        with self._db.writing() as (run, _):
            _replace(run, stream, 0, events, ())
            _grant_all(run, copy)
            _set_server_state(run, stream, len(events))
        self._newest_hashes.clear()

    def server_has(self) -> list[dict[str, Any]]:
        """The streams that the server knows and how much of each it has, for a saved book."""
        rows = self._db.rows("select stream, events, other from server order by stream")
        return [
            {"stream": stream, "events": events, "other": other and json.loads(other)}
            for stream, events, other in rows
        ]

    def merge(self, saved: Mapping[str, Any], server_has: Sequence[Mapping[str, Any]]) -> Merged:
        """Add the streams and events of a saved book that this phone lacks; overwrite nothing.

        :param saved: its archive, checked
        :param server_has: as `server_has` returned it
        """
        merged = Merged()
        saved_states = {row["stream"]: row for row in server_has}
        with self._db.writing() as (run, _):
            for stream in saved["streams"]:
                _merge_stream(run, stream, saved_states.get(stream["id"]), merged)
            added = {*merged.new, *merged.continued}
            for stream in saved["streams"]:
                for key in stream["keys"] if stream["id"] in added else ():
                    row = (stream["id"], key["role"], key["created"], key["revoked"])
                    run(f"{INSERT_KEY} on conflict do nothing", key["digest"], *row)
            for box in saved["boxes"]:
                row = (box["holder"], box["role"], box["nonce"], box["box"])
                run(f"{INSERT_BOX} on conflict do nothing", *row)
        self._newest_hashes.clear()
        return merged

    def free_disk_share(self) -> float:
        # The browser stores the file, and reports an error when its storage is full.
        return 1.0

    def grant(
        self,
        stream: str,
        grants: Mapping[str, str],
        *,
        revoke: Collection[str] = (),
        seals: Collection[Seal] = (),
    ) -> None:
        on_server = self._db.rows("select 1 from server where stream = ?", stream)
        if revoke and on_server:
            # Only the server can revoke keys of its version.
            raise Unavailable("alone")
        super().grant(stream, grants, revoke=revoke, seals=seals)

    def note_created(self, stream: str, events: int) -> None:
        """Note that the server has a stream of this phone with its first `events`."""
        with self._db.writing() as (run, _):
            _set_server_state(run, stream, events)

    def put_aside_revoked(self, stream: str, key: str) -> None:
        """Put a stream aside for a decision because the server has revoked `key`."""
        copy = self._sent(stream)
        for row in archive.archive_of(copy, stream)["keys"]:
            if row["digest"] == digest(key):
                row["revoked"] = self._clock()
        self._put_aside(stream, {**copy, "closed": True})

    def put_aside_refused(self, stream: str, why: str) -> None:
        """Put a stream aside for a decision because the server refuses its next event.

        :param why: the server's message
        """
        is_new = not self._db.rows("select 1 from server where stream = ?", stream)
        copy = self._sent(stream)
        self._put_aside(stream, {**copy, "refused": why, "birth": is_new})

    def allow_resending(self, stream: str) -> None:
        """Let a stream that was put aside be sent again."""
        is_new, events = self.conflicts()[stream].get("birth"), self.server_length(stream)
        with self._db.writing() as (run, _):
            if is_new:
                run("delete from server where stream = ?", stream)
            else:
                _set_server_state(run, stream, events)

    def keep_unsent(self, stream: str) -> None:
        """Keep a stream that was put aside and is unknown to the server from ever being sent.

        Its row stays: without it the stream would count as new and be sent.
        """
        self._put_aside(stream, {**self.conflicts()[stream], "left": True})

    def _sent(self, stream: str) -> dict[str, Any]:
        """An archive of the part of a stream that the server has."""
        copy = self.dump([stream])
        archived = archive.archive_of(copy, stream)
        archived["events"] = archived["events"][: self.server_length(stream)]
        return copy

    def _put_aside(self, stream: str, copy: Mapping[str, Any]) -> None:
        base = self.server_length(stream)
        with self._db.writing() as (run, _):
            _set_server_state(run, stream, base, canonical_json(copy))

    def unsent(self) -> list[UnsentStream]:
        """The streams to send, without those put aside: new streams first, and tables before
        others, because a ledger or tournament may name them."""
        sent = {
            stream: (events, other)
            for stream, events, other in self._db.rows("select stream, events, other from server")
        }
        unsent = []
        for stream, kind in self._db.rows("select id, kind from streams order by created, id"):
            events, other = sent.get(stream, (None, None))
            if events is None:
                unsent.append(UnsentStream(stream, kind, True, 0, (), max(1, self.length(stream))))
            elif other is None:
                sql = "select key, body, event from events where stream = ? and n > ? order by n"
                later = tuple(archive.entry(*row) for row in self._db.rows(sql, stream, events))
                if later:
                    unsent.append(UnsentStream(stream, kind, False, events, later, len(later)))
        return sorted(unsent, key=lambda waiting: (not waiting.is_new, waiting.kind != TABLE_KIND))

    def server_length(self, stream: str) -> int:
        rows = self._db.rows("select events from server where stream = ?", stream)
        return int(rows[0][0]) if rows else 0

    def conflicts(self) -> dict[str, dict[str, Any]]:
        """The streams put aside and undecided, each with an archive of the server's version.

        A version has `closed` if its key was revoked, `refused` with the server's message if the
        server refused an event, and the field `birth` if it refused the whole stream.
        """
        sql = "select stream, other from server where other is not null"
        others = {stream: json.loads(other) for stream, other in self._db.rows(sql)}
        return {stream: copy for stream, copy in others.items() if "left" not in copy}


def _adopt_stream(run: Run, theirs: Mapping[str, Any], copy: Mapping[str, Any]) -> Adoption:
    """Take in one stream of a copy; return as `PhoneStore.adopt`."""
    stream, server_entries = theirs["id"], theirs["events"]
    is_new = not run("select 1 from streams where id = ?", stream)
    if is_new:
        run(
            INSERT_STREAM, stream, theirs["kind"], canonical_json(theirs["head"]), theirs["created"]
        )
    local_rows = run("select hash, key, body from events where stream = ? order by n", stream)
    common = _common_length(local_rows, server_entries)
    local_after_common = _entries_after(run, stream, common)
    local_events = set(map(_key_and_body, local_after_common))
    server_events = set(map(_key_and_body, server_entries[common:]))
    unsent = [entry for entry in local_after_common if _key_and_body(entry) not in server_events]
    if (
        unsent
        and theirs["kind"] != LEDGER_KIND
        and any(_is_foreign_play(entry, local_events) for entry in server_entries[common:])
    ):
        _set_server_state(run, stream, common, canonical_json(copy))
        return Adoption.CONFLICT
    kept_count = next(
        (
            index
            for index in range(common)
            if local_rows[index][0] != server_entries[index]["event"]["hash"]
        ),
        common,
    )
    new_entries = server_entries[kept_count:]
    if new_entries:
        if theirs["kind"] == TABLE_KIND:
            unsent = _with_new_references(unsent, local_after_common, server_entries, common)
        _replace(run, stream, kept_count, new_entries, unsent)
    _set_server_state(run, stream, len(server_entries))
    return Adoption.UPDATED if is_new or new_entries else Adoption.UNCHANGED


def _with_new_references(
    unsent: Sequence[Mapping[str, Any]],
    local_after_common: Sequence[Mapping[str, Any]],
    server_entries: Sequence[Mapping[str, Any]],
    common: int,
) -> list[dict[str, Any]]:
    """The unsent entries of a table, to follow the server's, with references to the new indexes.

    :param local_after_common: the local entries after the first `common` ones, unsent or not
    """
    new_entries = [*server_entries[common:], *unsent]
    new_index_by_event = {
        _key_and_body(entry): index for index, entry in enumerate(new_entries, common)
    }
    new_index_of = {
        index: new_index_by_event[_key_and_body(entry)]
        for index, entry in enumerate(local_after_common, common)
    }
    return [_with_moved_references(entry, new_index_of) for entry in unsent]


def _merge_stream(
    run: Run, saved: Mapping[str, Any], saved_state: Mapping[str, Any] | None, merged: Merged
) -> None:
    """Add the events of one saved stream that this phone lacks; note the result in `merged`.

    :param saved_state: what the server had of the stream, as `server_has` returned it
    """
    stream, saved_entries = saved["id"], saved["events"]
    kind_and_head = (saved["kind"], canonical_json(saved["head"]))
    existing = run("select kind, head from streams where id = ?", stream)
    own_hashes = [
        hash_ for (hash_,) in run("select hash from events where stream = ? order by n", stream)
    ]
    saved_hashes = [entry["event"]["hash"] for entry in saved_entries]
    own_states = run("select events, other from server where stream = ?", stream)
    own_sent_count, server_version = own_states[0] if own_states else (0, None)
    if not existing:
        run(INSERT_STREAM, stream, *kind_and_head, saved["created"])
        merged.new.append(stream)
    elif existing != [kind_and_head] or server_version is not None:
        merged.conflicting.append(stream)
        return
    elif saved_hashes == own_hashes[: len(saved_hashes)]:
        merged.unchanged.append(stream)
        return
    elif own_hashes == saved_hashes[: len(own_hashes)]:
        merged.continued.append(stream)
    else:
        merged.conflicting.append(stream)
        return
    _replace(run, stream, len(own_hashes), saved_entries[len(own_hashes) :], ())
    if saved_state is not None:
        other = None if saved_state["other"] is None else canonical_json(saved_state["other"])
        _set_server_state(run, stream, max(saved_state["events"], own_sent_count), other)


def _common_length(
    local_rows: Sequence[Sequence[str]], server_entries: Sequence[Mapping[str, Any]]
) -> int:
    """The number of common first events: equal hash, or equal key and body if the server
    recorded an event of this phone.

    :param local_rows: hash, key and body of each
    """
    for index, (row, entry) in enumerate(zip(local_rows, server_entries, strict=False)):
        hash_, key, body = row
        is_same_event = (key, body) == _key_and_body(entry)
        if hash_ != entry["event"]["hash"] and not is_same_event:
            return index
    return min(len(local_rows), len(server_entries))


def _key_and_body(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Key and body of an event, which are the same on the phone and on the server."""
    return entry["key"], canonical_json(entry["body"])


def _is_foreign_play(entry: Mapping[str, Any], local_events: Collection[tuple[str, str]]) -> bool:
    """Whether a server's entry is play that another phone recorded."""
    return entry["body"].get("do") != ERASURE and _key_and_body(entry) not in local_events


def _with_moved_references(
    entry: Mapping[str, Any], new_indexes: Mapping[int, int]
) -> dict[str, Any]:
    """An entry whose references follow events that have moved."""

    def place(index: int) -> int:
        return new_indexes.get(index, index)

    return {**entry, **{part: with_references(entry[part], place) for part in ("body", "event")}}


def _erased_names(run: Run, theirs: Mapping[str, Any]) -> dict[str, str]:
    """The texts of this phone that a server has erased from a stream, with their replacements."""
    stream, replacements = theirs["id"], dict[str, str]()
    for place in erased_entries([entry["event"] for entry in theirs["events"]]):
        if place == HEAD_INDEX:
            after = theirs["head"]
            rows = run("select head from streams where id = ?", stream)
        else:
            after, key = theirs["events"][place]["event"], theirs["events"][place]["key"]
            rows = run("select event from events where stream = ? and key = ?", stream, key)
        for (before,) in rows:
            pairs = zip(free_texts(json.loads(before)), free_texts(after), strict=False)
            replacements.update((old, new) for old, new in pairs if old != new)
    return replacements


def _entries_after(run: Run, stream: str, count: int) -> list[dict[str, Any]]:
    sql = "select key, body, event from events where stream = ? and n > ? order by n"
    return [archive.entry(*row) for row in run(sql, stream, count)]


def _replace(
    run: Run,
    stream: str,
    kept_count: int,
    events: Sequence[Mapping[str, Any]],
    later: Sequence[Mapping[str, Any]],
) -> None:
    """Replace a stream's events after the first `kept_count` by a server's, and append the
    `later` ones, with new hashes."""
    run("drop trigger events_no_delete")
    run("delete from events where stream = ? and n > ?", stream, kept_count)
    run(refusal_trigger("events", "delete"))
    for n, new in enumerate(events, kept_count + 1):
        put_event(run, stream, n, new["key"], new["body"], new["event"])
    count = kept_count + len(events)
    rows = run("select hash from events where stream = ? and n = ?", stream, count)
    [(head,)] = run("select head from streams where id = ?", stream)
    previous = rows[0][0] if rows else starting_hash(json.loads(head), ())
    for n, entry in enumerate(later, count + 1):
        event = {name: value for name, value in entry["event"].items() if name != "hash"}
        previous = event["hash"] = entry_hash(previous, event)
        put_event(run, stream, n, entry["key"], entry["body"], event)


def _grant_all(run: Run, copy: Mapping[str, Any], conflicts: Collection[str] = ()) -> None:
    """Take over the keys and boxes of a copy, without those of the streams in `conflicts`."""
    withheld = set[str]()
    for stream in copy["streams"]:
        for key in stream["keys"]:
            if stream["id"] in conflicts:
                withheld.add(key["digest"])
                continue
            opened = (stream["id"], key["role"], key["created"], key["revoked"])
            run(REPLACE_KEY, key["digest"], *opened)
    for box in copy["boxes"]:
        if box["holder"] not in withheld:
            run(REPLACE_BOX, box["holder"], box["role"], box["nonce"], box["box"])


def _set_server_state(
    run: Run, stream: str, sent_count: int, server_version: str | None = None
) -> None:
    """Note how many events of a stream the server has.

    :param server_version: an archive of its version, while the stream is put aside
    """
    run(
        "insert or replace into server (stream, events, other) values (?, ?, ?)",
        *(stream, sent_count, server_version),
    )
