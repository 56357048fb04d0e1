"""Streams opened offline on a phone, checked as if they were opened and written on this server.

Only the head, the event bodies, their roles and the phone's times are taken over. Authors and times
of receipt are set here, and every event is recorded anew with the checks of the single-event API.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from scorer.book.helper_links import parse_helper_role
from scorer.book.key_check import ArchiveKeyLookup, tables_written_with
from scorer.book.keyrings import RINGS
from scorer.book.ledger_state import Ledger
from scorer.book.ledger_state import new_ledger as opened_ledger
from scorer.book.ledgers import MAX_LEDGER_EVENTS
from scorer.book.pairing_process import check_draws
from scorer.book.replication import STREAM_ID, CopyRefused, check_boxes
from scorer.book.table_event_limits import check_new_event
from scorer.book.tables import Table
from scorer.book.tournaments import require_distinct_names
from scorer.book.validation import ROLES
from scorer.engine import Evening, Illegal, Unreadable, read_head
from scorer.engine.scoring.record import entry_time
from scorer.engine.telling.side_names import require_distinct_players
from scorer.store import MAX_KEY_LENGTH, Exists, UnknownStream, archive, hash_chain
from scorer.store.hash_chain import ERASURE, RECEIVED, chain_entry, head_hash
from scorer.store.keys import digest, is_key
from scorer.store.name_redaction import SALT
from scorer.store.roles import (
    CODE,
    DIRECTOR,
    LEDGER_KIND,
    MEMBER,
    OPPONENT,
    SIGNUP,
    TABLE_KIND,
    TOURNAMENT_KIND,
    WRITER,
)
from scorer.store.sql_store import utc_now, utc_text
from scorer.tournament import Tournament, read_settings
from scorer.tournament import new_tournament as opened_tournament
from scorer.web.frame import device_identity
from scorer.web.frame.access import ledgers, store, tournaments
from scorer.web.frame.rate_limits import count_wrong_keys
from scorer.web.table.event_permissions import permission_error

Body = Mapping[str, Any]

SIGNERS: Final[Mapping[str, Sequence[str]]] = {
    TABLE_KIND: (WRITER, OPPONENT),
    LEDGER_KIND: (MEMBER,),
    TOURNAMENT_KIND: (DIRECTOR, WRITER, OPPONENT, SIGNUP),
}
"""The roles whose events a phone may send, by kind of stream; the first is the opener's."""
SERVER_ROLE: Final = {TABLE_KIND: CODE, LEDGER_KIND: "", TOURNAMENT_KIND: ""}
"""The role whose key is only issued by the server, by kind of stream."""
_SERVER_FIELDS: Final = ("at", "by", RECEIVED, SALT, "hash")
_DIGEST: Final = re.compile("[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class OfflineStream:
    """A received stream with the keys that prove access."""

    stream: Mapping[str, Any]
    boxes: Sequence[Mapping[str, str]]
    key: str
    """The opener's key, or ""."""
    writer_keys: Collection[str]
    """Writer's keys of the evenings in a ledger."""

    @property
    def kind(self) -> str:
        return str(self.stream["kind"])

    @property
    def ring(self) -> ArchiveKeyLookup:
        """The sealed keys in the stream together with those in the store."""
        return ArchiveKeyLookup(store(), self.boxes)


def accept(copy: Any, key: str = "", *writer_keys: str) -> bool:
    """Take in a stream that was opened on a phone, once.

    :param key: the opener's key, which leads to the stream's other keys
    :param writer_keys: writer's keys of the evenings in a ledger
    :returns: whether the stream is new
    :raises CopyRefused: the archive is invalid, or its stream would be refused here
    :raises TooManyRequests: 429, too many unproven keys
    """
    offline = _read(copy, key, writer_keys)
    if not store().existing_streams(offline.kind, [offline.stream["id"]]):
        keys = _keys(offline)
        boxes = _own_boxes(offline, keys)
        entries = _checked_entries(offline)
        if offline.kind == TOURNAMENT_KIND:
            _check_drawn_rounds(offline, entries)
        with suppress(Exists):
            store().restore(_archive(offline, keys, boxes, entries))
            return True
    _require_same_stream(offline.stream)
    return False


def _read(copy: Any, key: str, writer_keys: Collection[str]) -> OfflineStream:
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
    if len(set(names)) < len(names) or not all(0 < len(name) <= MAX_KEY_LENGTH for name in names):
        raise CopyRefused("events: each must have a name of its own")
    signed_entries = [entry["event"] for entry in stream["events"]]
    bodies = [entry["body"] for entry in stream["events"]]
    if list(map(_body_of, signed_entries)) != list(map(_body_of, bodies)):
        raise CopyRefused("events: each must hold what was said")
    if hash_chain.first_broken_entry(stream["head"], signed_entries) is not None:
        raise CopyRefused("events: the chain does not hold")
    return OfflineStream(stream, copy["boxes"], key, writer_keys)


def _body_of(entry: Body) -> Body:
    """The body of an event, without time, author and chain."""
    return {name: value for name, value in entry.items() if name not in _SERVER_FIELDS}


# Keys


def _keys(offline: OfflineStream) -> dict[str, str]:
    """Digests of the valid keys by role, without revoked ones, those of helpers, and the role in
    `SERVER_ROLE`.

    :raises CopyRefused: a role is unknown or has two keys
    """
    rows, keys = offline.stream["keys"], dict[str, str]()
    for row in rows:
        role = row["role"]
        if parse_helper_role(role):
            continue
        if role not in ROLES[offline.kind] or not _DIGEST.fullmatch(row["digest"]):
            raise CopyRefused("keys: of no role here")
        if row["revoked"] is not None or role == SERVER_ROLE[offline.kind]:
            continue
        if role in keys:
            raise CopyRefused("keys: two of one role")
        keys[role] = row["digest"]
    proven = {digest(key) for key in _proven_keys(offline)}
    # An unproven digest may belong to any key, even a short code, so it counts as a wrong key.
    count_wrong_keys(len(set(keys.values()) - proven))
    return keys


def _proven_keys(offline: OfflineStream) -> Iterator[str]:
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
    invalid_holders = {row["digest"] for row in offline.stream["keys"]} - set(keys.values())
    boxes = [
        box
        for box in offline.boxes
        if box["holder"] not in invalid_holders and box["role"] != SERVER_ROLE[offline.kind]
    ]
    ring_keys = filter(None, (offline.ring.unseal(offline.key, name) for name in RINGS))
    check_boxes(boxes, offline.kind, set(keys.values()), set(map(digest, ring_keys)))
    return boxes


# Events


def _checked_entries(offline: OfflineStream) -> list[dict[str, Any]]:
    """The events as they are recorded here.

    :raises CopyRefused: the first event that would be refused
    """
    try:
        stream_state, check = _CHECKS[offline.kind](offline)
    except Unreadable as error:
        raise CopyRefused(str(error)) from None
    except Illegal as refusal:
        raise CopyRefused(refusal.code) from None
    now, previous = utc_now(), head_hash(offline.stream["head"])
    entries = []
    for index, upload in enumerate(offline.stream["events"]):
        role = _signer_role(offline.kind, upload["event"])
        time = _event_time(upload["event"], now)
        by = device_identity.author_of_request(role, offline.stream["id"])
        try:
            check(stream_state, role, upload["body"])
            entry = chain_entry(previous, upload["body"], time, by, received=now)
            stream_state = stream_state.after([entry])
        except Illegal as refusal:
            raise CopyRefused(f"events[{index}]: {refusal.code}") from None
        except Unreadable as error:
            raise CopyRefused(f"events[{index}].{error}") from None
        previous = entry["hash"]
        entries.append({"key": upload["key"], "body": upload["body"], "event": entry})
    return entries


def at_new_table(
    head: Mapping[str, Any], events: Sequence[Body], stream: str
) -> list[dict[str, Any]]:
    """The entries of a table from elsewhere, as this device records them at a new table.

    :param stream: the new table's stream
    :raises CopyRefused: the first event that would be refused
    """
    uploads = [{"key": "", "body": _body_of(entry), "event": entry} for entry in events]
    table = {"id": stream, "kind": TABLE_KIND, "head": head, "events": uploads}
    return [entry["event"] for entry in _checked_entries(OfflineStream(table, (), "", ()))]


def _check_drawn_rounds(offline: OfflineStream, entries: Sequence[Mapping[str, Any]]) -> None:
    """Check that the drawn rounds follow from their seeds. A draw that was taken back and
    made again is checked twice: at its first place and at its present one.

    :raises CopyRefused: a round does not follow from its seed
    """
    standing_draws: list[int] = []
    index_by_draw: dict[tuple[Any, Any], int] = {}
    for index, entry in enumerate(entries):
        body = entry["body"]
        match body.get("do"):
            case "auslosung":
                index_by_draw.setdefault(_draw_key(body), index)
                standing_draws.append(index)
            case "ruecknahme":
                standing_draws.pop()
    if standing_draws:
        first_indices = {
            index_by_draw[_draw_key(entries[index]["body"])] for index in standing_draws
        }
        draws_to_check = {
            index: entries[index]["body"] for index in first_indices.union(standing_draws)
        }
        try:
            opening = read_settings(offline.stream["head"])
            check_draws(opening, [entry["event"] for entry in entries], draws_to_check)
        except Unreadable as error:
            raise CopyRefused(str(error)) from None
        except Illegal as refusal:
            raise CopyRefused(refusal.code) from None


def _draw_key(body: Body) -> tuple[Any, Any]:
    """Number and seed of a draw."""
    return body.get("round"), body.get("seed", "")


def _signer_role(kind: str, event: Body) -> str:
    """The role of an event; the opener's if the phone recorded none."""
    role = device_identity.author_of(event).role
    return role if role in SIGNERS[kind] else SIGNERS[kind][0]


def _event_time(event: Body, now: str) -> str:
    """The event's time by the phone's clock, at most `now`."""
    time = entry_time(event)
    if time is None:
        return now
    return utc_text(time) if time <= datetime.fromisoformat(now) else now


StreamCheck = tuple[Any, Callable[[Any, str, Body], None]]
"""A stream before its first event, and a check that raises if an event is not allowed."""


def _table_check(offline: OfflineStream) -> StreamCheck:
    head = read_head(offline.stream["head"])
    require_distinct_players(head.sides)
    evening = Evening(head)

    def check(table: Table, role: str, body: Body) -> None:
        if error_code := "" if _takes_seat(role, body) else permission_error(role, body, head):
            raise Illegal(error_code)
        check_new_event(table.evening, body)

    return Table(offline.stream["id"], offline.stream["head"], evening, [evening.state]), check


def _takes_seat(role: str, body: Body) -> bool:
    """Whether an opponent takes over entry on another phone."""
    return role == OPPONENT and body.get("do") == "uebernahme"


def _ledger_check(offline: OfflineStream) -> StreamCheck:
    if len(offline.stream["events"]) > MAX_LEDGER_EVENTS:
        raise Illegal("ledger-full", most=MAX_LEDGER_EVENTS)
    written_tables = tables_written_with(store(), offline.writer_keys)

    def check(ledger: Ledger, _role: str, body: Body) -> None:
        ledgers().check_uploaded_event(ledger, body, offline.ring, offline.key, written_tables)

    return opened_ledger(offline.stream["head"]), check


def _tournament_check(offline: OfflineStream) -> StreamCheck:
    settings = read_settings(offline.stream["head"])
    require_distinct_names(settings)

    def check(tournament: Tournament, _role: str, body: Body) -> None:
        if body.get("do") == ERASURE:
            raise Illegal("not-yours")
        tournaments().check_uploaded_event(tournament, body, offline.ring, offline.key)

    return opened_tournament(settings), check


_CHECKS: Final[Mapping[str, Callable[[OfflineStream], StreamCheck]]] = {
    TABLE_KIND: _table_check,
    LEDGER_KIND: _ledger_check,
    TOURNAMENT_KIND: _tournament_check,
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
    description = {"id": offline.stream["id"], "kind": offline.kind, "head": offline.stream["head"]}
    stream = {**description, "created": now, "events": entries, "keys": rows}
    return {"bummerl": archive.VERSION, "streams": [stream], "boxes": boxes}


def _require_same_stream(stream: Mapping[str, Any]) -> None:
    """Accept a stream that is stored already, perhaps with more events.

    :raises CopyRefused: another stream has its id or keys
    """
    try:
        stored = store().dump([stream["id"]])["streams"][0]
    except (UnknownStream, IndexError):
        raise CopyRefused("keys: must be new ones") from None
    named_bodies = [
        [(entry["key"], entry["body"]) for entry in s["events"]] for s in (stored, stream)
    ]
    if (
        stored["head"] != stream["head"]
        or named_bodies[0][: len(named_bodies[1])] != named_bodies[1]
    ):
        raise CopyRefused("id: another stream has it")
