"""The store of one phone: a score book in a single file, part of which a server has too.

Every stream is either born here, so no server has it yet, or a copy of a server's, perhaps with
events behind it that were recorded without network. A stream born here goes to the server whole,
with its chain. Events behind a copy go one by one, and the server records each anew, with its own
time: so what stands here then has other hashes than what stands there, and the server's version
takes its place.

An event is sent with the number of events it was recorded behind. Where the server has more, other
people wrote meanwhile, it refuses, and the two versions have parted: both are kept, nothing of the
stream is sent, and a person decides (`scorer/web/pocket/sync_conflicts.py`). For an event may name
others by their place, and the rules judge it by all before it: behind what it was not recorded
behind it may say something else. Only a ledger's may stand in any order, so of two versions both
count.
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
"""A row for each stream a server knows: how many of its first events it has, and in `other` the
server's version, where one is put aside until a person has decided."""


@dataclass(frozen=True, slots=True)
class UnsentStream:
    """What a server does not have yet of one stream."""

    stream: str
    kind: str
    birth: bool
    """Whether the server does not know the stream at all."""
    base: int
    """How many events the server has."""
    events: tuple[dict[str, Any], ...]
    """Each event behind those, with the name it was recorded under and its writer; none of a new
    stream, which is sent whole."""
    count: int
    """How many entries are to be sent; a new stream without any is one itself."""


class PhoneStore(SqliteStore):
    """A `Store` that also knows what a server has of it."""

    def __init__(self, path: str | Path, *, clock: Callable[[], str] = utc_now) -> None:
        super().__init__(path, clock=clock, journal="delete")
        with self._db.writing() as run:
            run(_SYNC)

    def adopt(self, copy: Mapping[str, Any]) -> str:
        """Take in a server's archive: a stream, and what belongs to it.

        :returns: "same", "moved" where it brought something, or "parted" where both sides wrote:
            then the server's version is put aside for a person to decide
        """
        with self._db.writing() as run:
            adopted = {_adopted(run, theirs, copy) for theirs in copy["streams"]}
            for theirs in copy["streams"]:
                if sealed([entry["event"] for entry in theirs["events"]]):
                    self._erase_too(run, theirs)
            # What a parted version's keys open there is taken over with that version.
            if "parted" not in adopted:
                _grant_all(run, copy)
        if "moved" in adopted:
            # What was known of an entry that the server signed anew is rightly gone.
            self._seen.clear()
        return next((what for what in ("parted", "moved") if what in adopted), "same")

    def _erase_too(self, run: Run, theirs: Mapping[str, Any]) -> None:
        """A name that the server has erased is erased here: such an entry keeps its hash, by which
        it is found, and has other words."""
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
        """Put the server's version of a stream in the place of this phone's, whose first `sent`
        events it has; what was recorded meanwhile stays behind it.

        Where others wrote meanwhile, too, only those first events are taken: what stays was not
        recorded behind the others'. It is sent as ever, and the server says that they parted, or
        that it has it already under its name.
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
        # What was known of the old version is rightly gone.
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
            # Only the server can close what opens its version.
            raise Unavailable("alone")
        super().grant(stream, grants, revoke=revoke, seals=seals)

    def born(self, stream: str, events: int) -> None:
        """Take note that a server has a stream of this phone with its first `events`."""
        with self._db.writing() as run:
            _mark(run, stream, events)

    def closed(self, stream: str, key: str, events: int) -> None:
        """Put aside, for a person to decide, what a server takes no more of: `key` opens nothing
        there. What stands there is known as far as it was sent.

        :param events: how many events of this phone the server has
        """
        copy = self._sent(stream, events)
        for row in archive.archive_of(copy, stream)["keys"]:
            if row["digest"] == digest(key):
                row["revoked"] = self._clock()
        self._put_aside(stream, events, {**copy, "closed": True})

    def refused(self, stream: str, events: int, why: str) -> None:
        """Put aside, for a person to decide, what a server does not take.

        :param events: how many events of this phone the server has
        :param why: its words
        """
        birth = not self._db.rows("select 1 from server where stream = ?", stream)
        copy = self._sent(stream, events)
        self._put_aside(stream, events, {**copy, "refused": why, "birth": birth})

    def again(self, stream: str) -> None:
        """What was put aside waits to be sent once more."""
        birth, events = self.parted()[stream].get("birth"), self.base(stream)
        with self._db.writing() as run:
            if birth:
                run("delete from server where stream = ?", stream)
            else:
                _mark(run, stream, events)

    def leave(self, stream: str) -> None:
        """What was put aside and no server ever knew is never sent, nor asked about again.

        It stays: what is recorded cannot be deleted, and without its row it would be sent.
        """
        self._put_aside(stream, 0, {**self.parted()[stream], "left": True})

    def _sent(self, stream: str, events: int) -> dict[str, Any]:
        """An archive of a stream as far as a server has it."""
        copy = self.dump([stream])
        own = archive.archive_of(copy, stream)
        own["events"] = own["events"][:events]
        return copy

    def _put_aside(self, stream: str, events: int, copy: Mapping[str, Any]) -> None:
        with self._db.writing() as run:
            _mark(run, stream, events, canonical(copy))

    def unsent(self) -> list[UnsentStream]:
        """What has to go to the server: first the streams it does not know, and of these the
        tables: a ledger or a tournament that names one the server has not is refused."""
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
        """How many events of a stream the server has as this phone has them."""
        rows = self._db.rows("select events from server where stream = ?", stream)
        return int(rows[0][0]) if rows else 0

    def parted(self) -> dict[str, dict[str, Any]]:
        """The server's versions that wait for a person's decision, by stream.

        A version is marked `closed` where its link is, so nobody can write behind it, and with the
        server's words where it `refused` what came behind; `birth` where it refused the whole.
        """
        sql = "select stream, other from server where other is not null"
        others = {stream: json.loads(other) for stream, other in self._db.rows(sql)}
        return {stream: copy for stream, copy in others.items() if "left" not in copy}


def _adopted(run: Run, theirs: Mapping[str, Any], copy: Mapping[str, Any]) -> str:
    """Take in one stream of a copy; what came of it, as `PhoneStore.adopt` says."""
    stream = theirs["id"]
    known = run("select 1 from streams where id = ?", stream)
    if not known:
        run(INSERT_STREAM, stream, theirs["kind"], canonical(theirs["head"]), theirs["created"])
    mine = run("select hash, key, body from events where stream = ? order by n", stream)
    hashes = [entry["event"]["hash"] for entry in theirs["events"]]
    common = _common(mine, theirs["events"])
    if common < min(len(mine), len(hashes)):
        # Evenings are counted in a ledger in any order: of two versions both count.
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
    """How many events both have alike: what a phone brought home the server has signed anew, with
    another hash, under the name that it has on the phone.

    :param mine: hash, name and body of each
    """
    for at, ((hash_, name, body), there) in enumerate(zip(mine, theirs, strict=False)):
        same = (name, body) == (there["key"], canonical(there["body"]))
        if hash_ != there["event"]["hash"] and not (same and RECEIVED in there["event"]):
            return at
    return min(len(mine), len(theirs))


def _behind(run: Run, stream: str, count: int) -> list[dict[str, Any]]:
    """The events of a stream behind its first `count`."""
    sql = "select key, body, event from events where stream = ? and n > ? order by n"
    return [archive.entry(*row) for row in run(sql, stream, count)]


def _replace(
    run: Run,
    theirs: Mapping[str, Any],
    events: Sequence[Mapping[str, Any]],
    later: Sequence[Mapping[str, Any]],
) -> None:
    """Put a server's events in the place of a stream's own, with what was recorded later chained
    behind them."""
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
    """The keys and sealed boxes of a copy, as they stand on the server."""
    for stream in copy["streams"]:
        for key in stream["keys"]:
            opened = (stream["id"], key["role"], key["created"], key["revoked"])
            run(REPLACE_KEY, key["digest"], *opened)
    for box in copy["boxes"]:
        run(REPLACE_BOX, box["holder"], box["role"], box["nonce"], box["box"])


def _mark(run: Run, stream: str, events: int, other: str | None = None) -> None:
    """Take note of how much of a stream a server has."""
    run(
        "insert or replace into server (stream, events, other) values (?, ?, ?)",
        *(stream, events, other),
    )
