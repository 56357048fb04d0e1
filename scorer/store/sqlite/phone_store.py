"""The store of a phone: a score book in one file, synchronized with a server.

A stream was either created here and is unknown to the server, or is a copy of a server's stream,
perhaps with events appended without network. A new stream is sent whole, as far as one request
takes it; events behind a copy are sent one by one. The server records each event anew with its
own time, so hashes differ, and the server's version replaces the local one.

Each event is sent with the length it was recorded behind. If the server has more, it refuses:
the versions have diverged. Both are kept, the stream is not sent, and a person decides
(`scorer/web/pocket/sync_conflicts.py`), because an event's meaning depends on the events before
it. Only ledgers are merged automatically: their events may be in any order.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from scorer.store import Seal, Unavailable, archive
from scorer.store.hash_chain import RECEIVED, canonical, link, origin, sealed
from scorer.store.keys import digest
from scorer.store.sql_inserts import INSERT_STREAM, REPLACE_BOX, REPLACE_KEY, put_event
from scorer.store.sql_store import Run, utc_now
from scorer.store.sqlite.migrations import refusing
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
    birth: bool
    """Whether the server does not know the stream."""
    base: int
    """Number of events the server has."""
    events: tuple[dict[str, Any], ...]
    """The later events, as `archive.entry`; empty for a new stream."""
    count: int
    """Number of entries to send; at least 1 for a new stream."""


class PhoneStore(SqliteStore):
    """A `Store` that tracks what the server has."""

    def __init__(self, path: str | Path, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(path, clock=clock, journal="delete")
        with self._db.writing() as run:
            run(_SYNC)

    def adopt(self, copy: Mapping[str, Any]) -> str:
        """Takes in an archive of a server: a stream and the streams that belong to it.

        :returns: "moved" if it brought events or a new stream; "parted" if both sides wrote,
            except to a ledger: the server's version is then kept aside for a decision; else "same"
        """
        with self._db.writing() as run:
            adopted = {_adopted(run, theirs, copy) for theirs in copy["streams"]}
            for theirs in copy["streams"]:
                if sealed([entry["event"] for entry in theirs["events"]]):
                    self._erase_too(run, theirs)
            # The keys of a conflicting version are taken over with that version.
            if "parted" not in adopted:
                _grant_all(run, copy)
        if "moved" in adopted:
            # Replaced events have other hashes, which would look like those of another database.
            self._seen.clear()
        return next((what for what in ("parted", "moved") if what in adopted), "same")

    def _erase_too(self, run: Run, theirs: Mapping[str, Any]) -> None:
        """Writes the server's head and entries, some with erased names, over those with the same
        hash."""
        stream = theirs["id"]
        with self._loosened(run):
            run("update streams set head = ? where id = ?", canonical(theirs["head"]), stream)
            for entry in theirs["events"]:
                event = entry["event"]
                run(
                    "update events set body = ?, event = ? where stream = ? and hash = ?",
                    *(canonical(entry["body"]), canonical(event), stream, event["hash"]),
                )

    def settle(self, stream: str, copy: Mapping[str, Any], sent: int) -> None:
        """Replaces a stream by the server's version, which includes the first `sent` events of this
        phone; later local events are appended.

        If the server also has events of others, only the sent events are taken: the remaining
        ones were not recorded behind the others'. They are sent as before, and the server
        reports a conflict or a known idempotency key.
        """
        server = archive.archive_of(copy, stream)
        events = server["events"]
        with self._db.writing() as run:
            later = _behind(run, stream, sent)
            if later and server["kind"] != "group":
                events = events[:sent]
            _replace(run, server, events, later)
            _grant_all(run, copy)
            _mark(run, stream, len(events))
        # Replaced events have other hashes, which would look like those of another database.
        self._seen.clear()

    def grant(
        self,
        stream: str,
        grants: Mapping[str, str],
        *,
        revoke: Collection[str] = (),
        seals: Collection[Seal] = (),
    ) -> None:
        known = self._db.rows("select 1 from server where stream = ?", stream)
        if revoke and known:
            # Only the server can revoke keys of its version.
            raise Unavailable("alone")
        super().grant(stream, grants, revoke=revoke, seals=seals)

    def born(self, stream: str, events: int) -> None:
        """Notes that the server has a stream of this phone with its first `events`."""
        with self._db.writing() as run:
            _mark(run, stream, events)

    def closed(self, stream: str, key: str, events: int) -> None:
        """Puts a stream aside for a decision because the server has revoked `key`.

        :param events: how many events of this phone the server has
        """
        copy = self._sent(stream, events)
        for row in archive.archive_of(copy, stream)["keys"]:
            if row["digest"] == digest(key):
                row["revoked"] = self._clock()
        self._put_aside(stream, events, {**copy, "closed": True})

    def refused(self, stream: str, events: int, why: str) -> None:
        """Puts a stream aside for a decision because the server refuses its next event.

        :param events: how many events of this phone the server has
        :param why: the server's message
        """
        birth = not self._db.rows("select 1 from server where stream = ?", stream)
        copy = self._sent(stream, events)
        self._put_aside(stream, events, {**copy, "refused": why, "birth": birth})

    def again(self, stream: str) -> None:
        """Lets a stream that was put aside be sent again."""
        birth, events = self.parted()[stream].get("birth"), self.base(stream)
        with self._db.writing() as run:
            if birth:
                run("delete from server where stream = ?", stream)
            else:
                _mark(run, stream, events)

    def leave(self, stream: str) -> None:
        """Keeps a stream that was put aside and is unknown to the server from ever being sent.

        Its row stays: without it the stream would count as new and be sent.
        """
        self._put_aside(stream, 0, {**self.parted()[stream], "left": True})

    def _sent(self, stream: str, events: int) -> dict[str, Any]:
        """An archive of the part of a stream that the server has."""
        copy = self.dump([stream])
        own = archive.archive_of(copy, stream)
        own["events"] = own["events"][:events]
        return copy

    def _put_aside(self, stream: str, events: int, copy: Mapping[str, Any]) -> None:
        with self._db.writing() as run:
            _mark(run, stream, events, canonical(copy))

    def unsent(self) -> list[UnsentStream]:
        """What is to be sent, without streams put aside: new streams first, and tables before
        others, because a ledger or tournament may name them."""
        known = {
            stream: (events, other)
            for stream, events, other in self._db.rows("select stream, events, other from server")
        }
        unsent = []
        for stream, kind in self._db.rows("select id, kind from streams order by created, id"):
            events, other = known.get(stream, (None, None))
            if events is None:
                unsent.append(UnsentStream(stream, kind, True, 0, (), max(1, self.length(stream))))
            elif other is None:
                sql = "select key, body, event from events where stream = ? and n > ? order by n"
                behind = tuple(archive.entry(*row) for row in self._db.rows(sql, stream, events))
                if behind:
                    unsent.append(UnsentStream(stream, kind, False, events, behind, len(behind)))
        return sorted(unsent, key=lambda waiting: (not waiting.birth, waiting.kind != "table"))

    def base(self, stream: str) -> int:
        rows = self._db.rows("select events from server where stream = ?", stream)
        return int(rows[0][0]) if rows else 0

    def parted(self) -> dict[str, dict[str, Any]]:
        """The streams put aside and undecided, each with an archive of what the server has.

        A version has `closed` if its key was revoked, `refused` with the server's message if it
        refused an event, and `birth` if it refused the whole stream.
        """
        sql = "select stream, other from server where other is not null"
        others = {stream: json.loads(other) for stream, other in self._db.rows(sql)}
        return {stream: copy for stream, copy in others.items() if "left" not in copy}


def _adopted(run: Run, theirs: Mapping[str, Any], copy: Mapping[str, Any]) -> str:
    """Takes in one stream of a copy; returns as `PhoneStore.adopt`."""
    stream = theirs["id"]
    known = run("select 1 from streams where id = ?", stream)
    if not known:
        run(INSERT_STREAM, stream, theirs["kind"], canonical(theirs["head"]), theirs["created"])
    mine = run("select hash, key, body from events where stream = ? order by n", stream)
    hashes = [entry["event"]["hash"] for entry in theirs["events"]]
    common = _common(mine, theirs["events"])
    if common < min(len(mine), len(hashes)):
        # A ledger's events may be in any order: ours are sent, then `settle` takes theirs.
        merges = theirs["kind"] == "group"
        _mark(run, stream, common, None if merges else canonical(copy))
        return "same" if merges else "parted"
    signed_anew = hashes[:common] != [hash_ for hash_, _, _ in mine[:common]]
    if signed_anew:
        _replace(run, theirs, theirs["events"], _behind(run, stream, common))
    else:
        for n, new in enumerate(theirs["events"][common:], common + 1):
            put_event(run, stream, n, new["key"], new["body"], new["event"])
    _mark(run, stream, len(hashes))
    return "same" if known and len(hashes) <= len(mine) and not signed_anew else "moved"


def _common(mine: Sequence[Sequence[str]], theirs: Sequence[Mapping[str, Any]]) -> int:
    """The number of common first events: equal hash, or equal key and body if the server
    recorded the event with the phone's new stream.

    :param mine: hash, key and body of each
    """
    for at, ((hash_, name, body), there) in enumerate(zip(mine, theirs, strict=False)):
        same = (name, body) == (there["key"], canonical(there["body"]))
        if hash_ != there["event"]["hash"] and not (same and RECEIVED in there["event"]):
            return at
    return min(len(mine), len(theirs))


def _behind(run: Run, stream: str, count: int) -> list[dict[str, Any]]:
    sql = "select key, body, event from events where stream = ? and n > ? order by n"
    return [archive.entry(*row) for row in run(sql, stream, count)]


def _replace(
    run: Run,
    theirs: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    later: Sequence[Mapping[str, Any]],
) -> None:
    """Replaces a stream's events by a server's, and chains `later` ones behind them."""
    stream = theirs["id"]
    run("drop trigger events_no_delete")
    run("delete from events where stream = ?", stream)
    run(refusing("events", "delete"))
    previous = events[-1]["event"]["hash"] if events else origin(theirs["head"], ())
    for n, new in enumerate(events, 1):
        put_event(run, stream, n, new["key"], new["body"], new["event"])
    for n, mine in enumerate(later, len(events) + 1):
        event = {name: value for name, value in mine["event"].items() if name != "hash"}
        previous = event["hash"] = link(previous, event)
        put_event(run, stream, n, mine["key"], mine["body"], event)


def _grant_all(run: Run, copy: Mapping[str, Any]) -> None:
    for stream in copy["streams"]:
        for key in stream["keys"]:
            opened = (stream["id"], key["role"], key["created"], key["revoked"])
            run(REPLACE_KEY, key["digest"], *opened)
    for box in copy["boxes"]:
        run(REPLACE_BOX, box["holder"], box["role"], box["nonce"], box["box"])


def _mark(run: Run, stream: str, events: int, other: str | None = None) -> None:
    run(
        "insert or replace into server (stream, events, other) values (?, ?, ?)",
        *(stream, events, other),
    )
