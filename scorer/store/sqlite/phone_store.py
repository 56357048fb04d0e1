"""The store of a phone: a score book in one file, synchronized with a server.

A stream was either created here and is unknown to the server, or is a copy of a server's stream,
perhaps with events appended without network. The phone sends a new stream in one request; what does
not fit follows later. Events after a copy are sent one by one. The server records each event anew
with its own time, so hashes differ, and the server's version replaces the local one.

The phone sends each event with the number of events before it. The server answers with
its entry, which replaces the phone's at once. If the server has more, it refuses: the versions have
diverged. Both are kept, the stream is not sent, and a person decides
(`scorer/web/pocket/sync_conflicts.py`), because an event's meaning depends on the events before it.
Two cases need no decision, and the phone's events go after the server's: ledgers, whose events may
be in any order, and erasures of names, which change no play.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from scorer.engine.scoring.record import with_references
from scorer.store import Seal, Unavailable, archive
from scorer.store.hash_chain import ERASURE, HEAD, canonical, link, origin, sealed_entries
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
"""One row for each stream that the server knows or has refused: how many of its first events the
server has, and in `other` an archive of these while the stream is put aside."""


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
    known: list[str] = field(default_factory=list)
    """Have no event that this phone did not have."""
    different: list[str] = field(default_factory=list)
    """Have other events here, and stayed as they were."""


class PhoneStore(SqliteStore):
    """A `Store` that tracks which events the server has."""

    def __init__(self, path: str | Path, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(path, clock=clock, journal="delete")
        with self._db.writing() as (run, _):
            run(_SYNC)

    def adopt(self, copy: Mapping[str, Any]) -> str:
        """Takes in an archive of a server: a stream and the streams that belong to it.

        :returns: "moved" if it brought events or a new stream; "parted" if both sides wrote,
            except to a ledger: the server's version is then kept aside for a decision; else "same"
        """
        adopted = dict[str, str]()
        with self._db.writing() as (run, _):
            for theirs in copy["streams"]:
                self._erase_names(run, theirs)
                adopted[theirs["id"]] = _adopt_stream(run, theirs, copy)
            # The keys of a conflicting version are taken over with that version.
            _grant_all(
                run, copy, {name for name, outcome in adopted.items() if outcome == "parted"}
            )
        # Replaced events have other hashes, which would look like those of another database.
        self._newest_hashes.clear()
        return next(
            (outcome for outcome in ("parted", "moved") if outcome in adopted.values()), "same"
        )

    def _erase_names(self, run: Run, theirs: Mapping[str, Any]) -> None:
        """Erases the names that a server has erased from a stream, in unsent events too."""
        stream = theirs["id"]
        replacements = _erased_names(run, theirs)
        if not replacements:
            return

        def without(entry: Mapping[str, Any]) -> dict[str, Any]:
            for name, instead in replacements.items():
                entry = with_name_replaced(entry, name, instead)
            return dict(entry)

        there = {entry["event"]["hash"]: entry for entry in theirs["events"]}
        own_entries = _entries_after(run, stream, 0)
        shared = [there[e["event"]["hash"]] for e in own_entries if e["event"]["hash"] in there]
        later = [
            {**entry, "body": without(entry["body"]), "event": without(entry["event"])}
            for entry in own_entries[len(shared) :]
        ]
        with self._allow_updates(run):
            run("update streams set head = ? where id = ?", canonical(theirs["head"]), stream)
        _replace(run, stream, 0, shared, later)

    def replace_first_unsent(self, stream: str, seq: int, event: Mapping[str, Any]) -> None:
        """Replaces the first unsent event by the server's entry of it.

        :param seq: its place there; behind events of others it waits for `adopt`
        """
        base = self.base(stream)
        with self._db.writing() as (run, _):
            unsent = _entries_after(run, stream, base)
            if unsent and seq == base + 1:
                _replace(run, stream, base, [{**unsent[0], "event": event}], unsent[1:])
                _mark(run, stream, seq)
        self._newest_hashes.clear()

    def settle(self, stream: str, copy: Mapping[str, Any]) -> None:
        """Replaces a stream by the server's version."""
        events = archive.archive_of(copy, stream)["events"]
        with self._db.writing() as (run, _):
            _replace(run, stream, 0, events, ())
            _grant_all(run, copy)
            _mark(run, stream, len(events))
        self._newest_hashes.clear()

    def server_has(self) -> list[dict[str, Any]]:
        """What the server has of each stream that it knows, for a saved book."""
        rows = self._db.rows("select stream, events, other from server order by stream")
        return [
            {"stream": stream, "events": events, "other": other and json.loads(other)}
            for stream, events, other in rows
        ]

    def merge(self, saved: Mapping[str, Any], server_has: Sequence[Mapping[str, Any]]) -> Merged:
        """Adds the streams and events of a saved book that this phone lacks; overwrites nothing.

        :param saved: its archive, checked
        :param server_has: as `server_has` returned it
        """
        merged = Merged()
        known = {row["stream"]: row for row in server_has}
        with self._db.writing() as (run, _):
            for stream in saved["streams"]:
                _merge_stream(run, stream, known.get(stream["id"]), merged)
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
        """Notes that the server has a stream of this phone with its first `events`."""
        with self._db.writing() as (run, _):
            _mark(run, stream, events)

    def put_aside_revoked(self, stream: str, key: str) -> None:
        """Puts a stream aside for a decision because the server has revoked `key`."""
        copy = self._sent(stream)
        for row in archive.archive_of(copy, stream)["keys"]:
            if row["digest"] == digest(key):
                row["revoked"] = self._clock()
        self._put_aside(stream, {**copy, "closed": True})

    def put_aside_refused(self, stream: str, why: str) -> None:
        """Puts a stream aside for a decision because the server refuses its next event.

        :param why: the server's message
        """
        is_new = not self._db.rows("select 1 from server where stream = ?", stream)
        copy = self._sent(stream)
        self._put_aside(stream, {**copy, "refused": why, "birth": is_new})

    def allow_resending(self, stream: str) -> None:
        """Lets a stream that was put aside be sent again."""
        is_new, events = self.conflicts()[stream].get("birth"), self.base(stream)
        with self._db.writing() as (run, _):
            if is_new:
                run("delete from server where stream = ?", stream)
            else:
                _mark(run, stream, events)

    def keep_unsent(self, stream: str) -> None:
        """Keeps a stream that was put aside and is unknown to the server from ever being sent.

        Its row stays: without it the stream would count as new and be sent.
        """
        self._put_aside(stream, {**self.conflicts()[stream], "left": True})

    def _sent(self, stream: str) -> dict[str, Any]:
        """An archive of the part of a stream that the server has."""
        copy = self.dump([stream])
        archived = archive.archive_of(copy, stream)
        archived["events"] = archived["events"][: self.base(stream)]
        return copy

    def _put_aside(self, stream: str, copy: Mapping[str, Any]) -> None:
        base = self.base(stream)
        with self._db.writing() as (run, _):
            _mark(run, stream, base, canonical(copy))

    def unsent(self) -> list[UnsentStream]:
        """What is to be sent, without streams put aside: new streams first, and tables before
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
                behind = tuple(archive.entry(*row) for row in self._db.rows(sql, stream, events))
                if behind:
                    unsent.append(UnsentStream(stream, kind, False, events, behind, len(behind)))
        return sorted(unsent, key=lambda waiting: (not waiting.is_new, waiting.kind != TABLE_KIND))

    def base(self, stream: str) -> int:
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


def _adopt_stream(run: Run, theirs: Mapping[str, Any], copy: Mapping[str, Any]) -> str:
    """Takes in one stream of a copy; returns as `PhoneStore.adopt`."""
    stream, there = theirs["id"], theirs["events"]
    existing = run("select 1 from streams where id = ?", stream)
    if not existing:
        run(INSERT_STREAM, stream, theirs["kind"], canonical(theirs["head"]), theirs["created"])
    own_entries = run("select hash, key, body from events where stream = ? order by n", stream)
    common = _common_length(own_entries, there)
    behind = _entries_after(run, stream, common)
    indexes = {_key_and_body(entry): index for index, entry in enumerate(there[common:], common)}
    unsent = [entry for entry in behind if _key_and_body(entry) not in indexes]
    own_events = set(map(_key_and_body, behind))
    if (
        unsent
        and theirs["kind"] != LEDGER_KIND
        and any(_is_foreign_play(e, own_events) for e in there[common:])
    ):
        _mark(run, stream, common, canonical(copy))
        return "parted"
    indexes |= {_key_and_body(entry): index for index, entry in enumerate(unsent, len(there))}
    new_indexes = {
        index: indexes[_key_and_body(entry)] for index, entry in enumerate(behind, common)
    }
    kept_count = next(
        (
            index
            for index in range(common)
            if own_entries[index][0] != there[index]["event"]["hash"]
        ),
        common,
    )
    if there[kept_count:]:
        table = theirs["kind"] == TABLE_KIND
        later = (
            [_with_moved_references(entry, new_indexes) for entry in unsent] if table else unsent
        )
        _replace(run, stream, kept_count, there[kept_count:], later)
    _mark(run, stream, len(there))
    return "same" if existing and not there[kept_count:] else "moved"


def _merge_stream(
    run: Run, saved: Mapping[str, Any], known: Mapping[str, Any] | None, merged: Merged
) -> None:
    """Adds the events of one saved stream that this phone lacks; notes the result in `merged`."""
    stream, there = saved["id"], saved["events"]
    head = (saved["kind"], canonical(saved["head"]))
    existing = run("select kind, head from streams where id = ?", stream)
    own_entries = [
        hash_ for (hash_,) in run("select hash from events where stream = ? order by n", stream)
    ]
    hashes = [entry["event"]["hash"] for entry in there]
    here = run("select events, other from server where stream = ?", stream)
    if not existing:
        run(INSERT_STREAM, stream, *head, saved["created"])
        merged.new.append(stream)
    elif existing != [head] or (here and here[0][1] is not None):
        merged.different.append(stream)
        return
    elif hashes == own_entries[: len(hashes)]:
        merged.known.append(stream)
        return
    elif own_entries == hashes[: len(own_entries)]:
        merged.continued.append(stream)
    else:
        merged.different.append(stream)
        return
    _replace(run, stream, len(own_entries), there[len(own_entries) :], ())
    if known is not None:
        other = None if known["other"] is None else canonical(known["other"])
        _mark(run, stream, max(known["events"], here[0][0] if here else 0), other)


def _common_length(
    own_entries: Sequence[Sequence[str]], theirs: Sequence[Mapping[str, Any]]
) -> int:
    """The number of common first events: equal hash, or equal key and body if the server
    recorded an event of this phone.

    :param own_entries: hash, key and body of each
    """
    for index, ((hash_, name, body), there) in enumerate(zip(own_entries, theirs, strict=False)):
        same = (name, body) == (there["key"], canonical(there["body"]))
        if hash_ != there["event"]["hash"] and not same:
            return index
    return min(len(own_entries), len(theirs))


def _key_and_body(entry: Mapping[str, Any]) -> tuple[str, str]:
    """Key and body of an event, which are the same on the phone and on the server."""
    return entry["key"], canonical(entry["body"])


def _is_foreign_play(entry: Mapping[str, Any], own_events: Collection[tuple[str, str]]) -> bool:
    """Whether a server's entry is play that another phone recorded."""
    return entry["body"].get("do") != ERASURE and _key_and_body(entry) not in own_events


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
    for place in sealed_entries([entry["event"] for entry in theirs["events"]]):
        if place == HEAD:
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
    """Replaces a stream's events after the first `kept_count` by a server's, and chains `later`
    ones behind them."""
    run("drop trigger events_no_delete")
    run("delete from events where stream = ? and n > ?", stream, kept_count)
    run(refusal_trigger("events", "delete"))
    for n, new in enumerate(events, kept_count + 1):
        put_event(run, stream, n, new["key"], new["body"], new["event"])
    count = kept_count + len(events)
    rows = run("select hash from events where stream = ? and n = ?", stream, count)
    [(head,)] = run("select head from streams where id = ?", stream)
    previous = rows[0][0] if rows else origin(json.loads(head), ())
    for n, own_entry in enumerate(later, count + 1):
        event = {name: value for name, value in own_entry["event"].items() if name != "hash"}
        previous = event["hash"] = link(previous, event)
        put_event(run, stream, n, own_entry["key"], own_entry["body"], event)


def _grant_all(run: Run, copy: Mapping[str, Any], conflicts: Collection[str] = ()) -> None:
    """Takes over the keys and boxes of a copy, without those of the streams in `conflicts`."""
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


def _mark(run: Run, stream: str, events: int, other: str | None = None) -> None:
    run(
        "insert or replace into server (stream, events, other) values (?, ?, ?)",
        *(stream, events, other),
    )
