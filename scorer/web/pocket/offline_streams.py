"""Streams opened offline on a phone, checked as if they were opened and written on this server.

Only the head, the event bodies, their roles and the phone's times are taken over. Authors and times
of receipt are set here, and every event is recorded anew with the checks of the single-event API.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from scorer.book.helper_links import helper_link
from scorer.book.key_check import ArchiveKeyring, tables_written_with
from scorer.book.keyrings import RINGS
from scorer.book.ledger_state import Ledger
from scorer.book.ledger_state import new_ledger as opened_ledger
from scorer.book.ledgers import MOST_EVENTS
from scorer.book.pairing_process import check_draws
from scorer.book.replication import STREAM_ID, CopyRefused, check_boxes
from scorer.book.table_event_limits import admit
from scorer.book.tables import Table
from scorer.book.tournaments import require_distinct_names
from scorer.book.validation import ROLES
from scorer.engine import Evening, Illegal, Unreadable, read_head
from scorer.engine.scoring.record import moment
from scorer.engine.telling.side_names import require_distinct_players
from scorer.store import LONGEST_KEY, Exists, UnknownStream, archive, hash_chain
from scorer.store.hash_chain import ERASURE, RECEIVED, chain_entry, first
from scorer.store.keys import digest, is_key
from scorer.store.name_redaction import SALT
from scorer.store.sql_store import utc_now
from scorer.tournament import Tournament, read_settings
from scorer.tournament import new_tournament as opened_tournament
from scorer.web.frame import device_cookies
from scorer.web.frame.access import ledgers, store, tournaments
from scorer.web.frame.rate_limits import wrong_key
from scorer.web.table.statements import forbidden

Body = Mapping[str, Any]

SIGNERS: Final[Mapping[str, Sequence[str]]] = {
    "table": ("scorer", "opponent"),
    "group": ("member",),
    "tournament": ("director", "scorer", "opponent", "signup"),
}
"""The roles whose events a phone may send, by kind of stream; the first is the opener's."""
SHOWN: Final = {"table": "code", "group": "", "tournament": ""}
"""The role whose key is only issued by the server, by kind of stream."""
_RECORDED: Final = ("at", "by", RECEIVED, SALT, "hash")
_DIGEST: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class OfflineStream:
    """A received stream with the keys that prove access."""

    stream: Mapping[str, Any]
    boxes: Sequence[Mapping[str, str]]
    key: str
    """The opener's key, or ""."""
    others: Collection[str]
    """Writer's keys of the evenings in a ledger."""

    @property
    def kind(self) -> str:
        return str(self.stream["kind"])

    @property
    def ring(self) -> ArchiveKeyring:
        """The sealed keys in the stream together with those in the store."""
        return ArchiveKeyring(store(), self.boxes)


def accept(copy: Any, key: str = "", *others: str) -> bool:
    """Take in a stream that was opened on a phone, once.

    :param key: the opener's key, which leads to the stream's other keys
    :param others: writer's keys of the evenings in a ledger
    :returns: whether the stream is new
    :raises CopyRefused: the archive is invalid, or its stream would be refused here
    :raises TooManyRequests: 429, too many unproven keys
    """
    offline = _read(copy, key, others)
    if not store().existing_streams(offline.kind, [offline.stream["id"]]):
        keys = _keys(offline)
        boxes = _own_boxes(offline, keys)
        entries = _judged(offline)
        if offline.kind == "tournament":
            _as_drawn(offline, entries)
        with suppress(Exists):
            store().restore(_archive(offline, keys, boxes, entries))
            return True
    return _again(offline.stream)


def _read(copy: Any, key: str, others: Collection[str]) -> OfflineStream:
    """:raises CopyRefused: it is not an archive of one stream"""
    try:
        archive.check(copy)
    except archive.InvalidArchive as error:
        raise CopyRefused(str(error)) from None
    if len(copy["streams"]) != 1:
        raise CopyRefused("streams: must be one")
    [stream] = copy["streams"]
    if stream["kind"] not in ROLES:
        raise CopyRefused(f"kind: must be one of {', '.join(ROLES)}")
    if not STREAM_ID.fullmatch(stream["id"]):
        raise CopyRefused("id: must be one of ours")
    names = [entry["key"] for entry in stream["events"]]
    if len(set(names)) < len(names) or not all(0 < len(name) <= LONGEST_KEY for name in names):
        raise CopyRefused("events: each must have a name of its own")
    written = [entry["event"] for entry in stream["events"]]
    bodies = [entry["body"] for entry in stream["events"]]
    if list(map(_words, written)) != list(map(_words, bodies)):
        raise CopyRefused("events: each must hold what was said")
    if hash_chain.check(stream["head"], written) is not None:
        raise CopyRefused("events: the chain does not hold")
    return OfflineStream(stream, copy["boxes"], key, others)


def _words(entry: Body) -> Body:
    """The body of an event, without time, author and chain."""
    return {name: value for name, value in entry.items() if name not in _RECORDED}


# Keys


def _keys(offline: OfflineStream) -> dict[str, str]:
    """Digests of the valid keys by role, without revoked ones, those of helpers, and the role in
    `SHOWN`.

    :raises CopyRefused: a role is unknown or has two keys
    """
    rows, keys = offline.stream["keys"], dict[str, str]()
    for row in rows:
        role = row["role"]
        if helper_link(role):
            continue
        if role not in ROLES[offline.kind] or not _DIGEST.fullmatch(row["digest"]):
            raise CopyRefused("keys: of no role here")
        if row["revoked"] is not None or role == SHOWN[offline.kind]:
            continue
        if role in keys:
            raise CopyRefused("keys: two of one role")
        keys[role] = row["digest"]
    shown = {digest(key) for key in _shown(offline)}
    # An unproven digest may belong to any key, even a short code: it counts as a wrong key.
    wrong_key(len(set(keys.values()) - shown))
    return keys


def _shown(offline: OfflineStream) -> Iterator[str]:
    """The stream's keys that the opener's key unseals, if they have the form of random keys."""
    if not is_key(offline.key):
        return
    yield offline.key
    for role in ROLES[offline.kind]:
        key = offline.ring.unseal(offline.key, role)
        if key and is_key(key):
            yield key


def _own_boxes(offline: OfflineStream, keys: Mapping[str, str]) -> list[Mapping[str, str]]:
    """The sealed keys for holders of the stream's keys.

    :raises CopyRefused: one is sealed for another holder
    """
    closed = {row["digest"] for row in offline.stream["keys"]} - set(keys.values())
    boxes = [
        box
        for box in offline.boxes
        if box["holder"] not in closed and box["role"] != SHOWN[offline.kind]
    ]
    rings = filter(None, (offline.ring.unseal(offline.key, name) for name in RINGS))
    check_boxes(boxes, offline.kind, set(keys.values()), set(map(digest, rings)))
    return boxes


# Events


def _judged(offline: OfflineStream) -> list[dict[str, Any]]:
    """The events as they are recorded here.

    :raises CopyRefused: the first event that would be refused
    """
    try:
        fold, allow = _JUDGES[offline.kind](offline)
    except Unreadable as error:
        raise CopyRefused(str(error)) from None
    except Illegal as refusal:
        raise CopyRefused(refusal.code) from None
    now, previous = utc_now(), first(offline.stream["head"])
    entries = []
    for index, sent in enumerate(offline.stream["events"]):
        role = _role(offline.kind, sent["event"])
        time, by = _clock(sent["event"], now), device_cookies.signature(role, offline.stream["id"])
        try:
            allow(fold, role, sent["body"])
            entry = chain_entry(previous, sent["body"], time, by, received=now)
            fold = fold.after([entry])
        except Illegal as refusal:
            raise CopyRefused(f"events[{index}]: {refusal.code}") from None
        except Unreadable as error:
            raise CopyRefused(f"events[{index}].{error}") from None
        previous = entry["hash"]
        entries.append({"key": sent["key"], "body": sent["body"], "event": entry})
    return entries


def at_new_table(
    head: Mapping[str, Any], events: Sequence[Body], stream: str
) -> list[dict[str, Any]]:
    """The entries of a table from elsewhere, as this device records them at a new table.

    :param stream: the new table's stream
    :raises CopyRefused: the first event that would be refused
    """
    sent = [{"key": "", "body": _words(entry), "event": entry} for entry in events]
    table = {"id": stream, "kind": "table", "head": head, "events": sent}
    return [entry["event"] for entry in _judged(OfflineStream(table, (), "", ()))]


def _as_drawn(offline: OfflineStream, entries: Sequence[Mapping[str, Any]]) -> None:
    """Check that the drawn rounds follow from their seeds. A draw that returned is checked at both
    places: where it was first made, and that it is still the same.

    :raises CopyRefused: one does not
    """
    standing: list[int] = []
    first: dict[tuple[Any, Any], int] = {}
    for place, entry in enumerate(entries):
        body = entry["body"]
        match body.get("do"):
            case "auslosung":
                first.setdefault(_drawn_from(body), place)
                standing.append(place)
            case "ruecknahme":
                standing.pop()
    if standing:
        made = {first[_drawn_from(entries[place]["body"])] for place in standing}
        drawn = {place: entries[place]["body"] for place in made.union(standing)}
        try:
            opening = read_settings(offline.stream["head"])
            check_draws(opening, [entry["event"] for entry in entries], drawn)
        except Unreadable as error:
            raise CopyRefused(str(error)) from None
        except Illegal as refusal:
            raise CopyRefused(refusal.code) from None


def _drawn_from(body: Body) -> tuple[Any, Any]:
    """Number and seed of a draw."""
    return body.get("round"), body.get("seed", "")


def _role(kind: str, event: Body) -> str:
    """The role of an event; the opener's if the phone recorded none."""
    role = str(event.get("by", "")).partition(" ")[0]
    return role if role in SIGNERS[kind] else SIGNERS[kind][0]


def _clock(event: Body, now: str) -> str:
    """The event's time by the phone's clock, at most `now`."""
    time = moment(event)
    if time is None:
        return now
    utc = time.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    return utc if time <= datetime.fromisoformat(now) else now


Judge = tuple[Any, Callable[[Any, str, Body], None]]
"""A stream before its first event, and a check that raises if an event is not allowed."""


def _table(offline: OfflineStream) -> Judge:
    head = read_head(offline.stream["head"])
    require_distinct_players(head.sides)
    evening = Evening(head)

    def allow(table: Table, role: str, body: Body) -> None:
        if why := "" if _took(role, body) else forbidden(role, body, head):
            raise Illegal(why)
        admit(table.evening, body)

    return Table(offline.stream["id"], offline.stream["head"], evening, [evening.state]), allow


def _took(role: str, body: Body) -> bool:
    """Whether an opponent takes over entry on another phone."""
    return role == "opponent" and body.get("do") == "uebernahme"


def _ledger(offline: OfflineStream) -> Judge:
    if len(offline.stream["events"]) > MOST_EVENTS:
        raise Illegal("ledger-full", most=MOST_EVENTS)
    written = tables_written_with(store(), offline.others)

    def allow(ledger: Ledger, _role: str, body: Body) -> None:
        ledgers().admit(ledger, body, offline.ring, offline.key, written)

    return opened_ledger(offline.stream["head"]), allow


def _tournament(offline: OfflineStream) -> Judge:
    settings = read_settings(offline.stream["head"])
    require_distinct_names(settings)

    def allow(tournament: Tournament, _role: str, body: Body) -> None:
        if body.get("do") == ERASURE:
            raise Illegal("not-yours")
        tournaments().admit(tournament, body, offline.ring, offline.key)

    return opened_tournament(settings), allow


_JUDGES: Final[Mapping[str, Callable[[OfflineStream], Judge]]] = {
    "table": _table,
    "group": _ledger,
    "tournament": _tournament,
}


# The store


def _archive(
    offline: OfflineStream,
    keys: Mapping[str, str],
    boxes: Sequence[Mapping[str, str]],
    entries: Sequence[Mapping[str, Any]],
) -> dict[str, Any]:
    now = utc_now()
    rows = [
        {"digest": key, "role": role, "created": now, "revoked": None} for role, key in keys.items()
    ]
    opened = {"id": offline.stream["id"], "kind": offline.kind, "head": offline.stream["head"]}
    stream = {**opened, "created": now, "events": entries, "keys": rows}
    return {"bummerl": archive.VERSION, "streams": [stream], "boxes": boxes}


def _again(stream: Mapping[str, Any]) -> bool:
    """False if the same stream is stored already, perhaps with more events.

    :raises CopyRefused: another stream has its id or keys
    """
    try:
        here = store().dump([stream["id"]])["streams"][0]
    except (UnknownStream, IndexError):
        raise CopyRefused("keys: must be new ones") from None
    named_bodies = [
        [(entry["key"], entry["body"]) for entry in s["events"]] for s in (here, stream)
    ]
    if here["head"] != stream["head"] or named_bodies[0][: len(named_bodies[1])] != named_bodies[1]:
        raise CopyRefused("id: another stream has it")
    return False
