"""HTTP API for exchanging streams with the app on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.helper_links import parse_helper_role
from scorer.book.match_tables import TOURNAMENT_SEAL
from scorer.book.replication import CopyRefused, Replication
from scorer.engine import Illegal, Unreadable
from scorer.engine.scoring.blind_trump import visible_events
from scorer.store import MAX_KEY_LENGTH, IdempotencyKeyReused, Stale
from scorer.store.hash_chain import ERASURE, RECEIVED
from scorer.store.roles import DIRECTOR, MEMBER, OPPONENT, TABLE_KIND, TOURNAMENT_KIND, WRITER
from scorer.tournament.seeds import hides_seed
from scorer.web.frame import device_identity, remembered_keys, resent_forms
from scorer.web.frame.access import (
    ROLES,
    KeyHolder,
    holder_of,
    holder_of_sent_key,
    ledgers,
    retention,
    store,
    tables,
    tournaments,
)
from scorer.web.frame.errors import error_response, message, unreadable_text
from scorer.web.frame.json_body import json_body
from scorer.web.frame.language import COOKIE
from scorer.web.frame.rate_limits import COSTLY, CREATE, RUN_TOURNAMENT, limited
from scorer.web.pocket import offline_streams
from scorer.web.table import seat_claim, tournament_table
from scorer.web.table.display_options import OPTION_NAMES
from scorer.web.table.event_permissions import authorise_event
from scorer.web.table.table_view import TableView
from scorer.web.tournament.error_handlers import coded_text
from scorer.web.tournament.visibility import seen_by

blueprint = Blueprint("pocket_api", __name__, url_prefix="/pocket/streams")

SETTINGS_COOKIES: Final = (COOKIE, *OPTION_NAMES, remembered_keys.SECOND_WRITER_COOKIE)
"""Cookies with this phone's name and display settings."""
COPY_FORMAT: Final = "2"
"""Value of the header `Bummerl-Copy` sent by apps that can read received events."""
UploadedEvent = tuple[int, Mapping[str, Any], bool]
"""The number of an event, its entry, and whether it is new."""
MAX_COPY_BYTES: Final = 4 * 1024 * 1024
"""Largest stream in bytes; proxies must allow as much (deploy/)."""


def _holder(key: str) -> KeyHolder:
    return holder_of_sent_key(key) or abort(404, "unknown-key")


def _replication() -> Replication:
    return Replication(store())


@blueprint.get("")
def shelf() -> Response:
    """The keys on this device's start page by kind, newest first."""
    return jsonify(
        {
            cookie: [
                holder.key
                for holder in remembered_keys.kept_holders(cookie)
                if not parse_helper_role(holder.role)
            ]
            for cookie in remembered_keys.KEY_COOKIES
        }
    )


@blueprint.get("/<key>")
def copy(key: str) -> AnyResponse:
    """A copy of the key's stream for use offline, with this device's name and settings.

    :raises Forbidden: 403, the copy would tell more than the key may see
    :raises Conflict: 409, the app is too old for events in the stream
    """
    holder = _holder(key)
    if _may_not_copy(holder):
        abort(403, "not-the-director")
    reads_received = request.headers.get("Bummerl-Copy") == COPY_FORMAT
    if not reads_received and any(
        RECEIVED in stored.event for stored in store().events(holder.stream)
    ):
        # Older apps would take received events for those of another device.
        abort(409, "stale")
    settings = {name: value for name, value in request.cookies.items() if name in SETTINGS_COOKIES}
    device_values = {"phone": "", "chosen": settings, **_signing_names()}
    if holder.role == DIRECTOR:
        # A desk needs its tables.
        version, archive_parts = tournaments().archive(holder.stream, key)
        text = chain(['{"copy":'], archive_parts, [f",{json.dumps(device_values)[1:]}"])
        response = Response(text, mimetype="application/json")
        response.set_etag(sha256(f"{version} {device_values}".encode()).hexdigest())
    else:
        response = jsonify(copy=_copy_for(holder), **device_values)
        response.add_etag()
    return device_identity.set_secret(response).make_conditional(request)


def _signing_names() -> dict[str, str]:
    """Names with which the app signs as this device; earlier releases of it read `name`."""
    return {"seed": device_identity.device_seed(), "name": device_identity.former_name()}


def _copy_for(holder: KeyHolder) -> dict[str, Any]:
    """A stream as an archive, with a table's entries as far as its key may see them."""
    stream_copy = _replication().seen_by(holder.stream, holder.key)
    if holder.role in ROLES[TABLE_KIND] and holder.role != WRITER:
        [stream] = stream_copy["streams"]
        shown_count = len(visible_events(tables().current(holder.stream).evening))
        stream["events"] = stream["events"][:shown_count]
    return stream_copy


def _may_not_copy(holder: KeyHolder) -> bool:
    """Whether the copy would tell more than the key may see: helpers get none, and a tournament's
    visitors only once its seed and its final standings are public.
    """
    is_visitor = holder.role in ROLES[TOURNAMENT_KIND] and holder.role != DIRECTOR
    return bool(parse_helper_role(holder.role)) or (
        is_visitor and hides_seed(seen_by(tournaments().current(holder.stream), holder.role))
    )


@blueprint.post("")
@limited(CREATE)
def accept_stream() -> tuple[Response, int] | Response:
    """Take in a stream that was opened offline; it carries digests of its keys only."""
    request.max_content_length = MAX_COPY_BYTES
    body, proof_keys = json_body(), _proof_keys()
    try:
        fresh = offline_streams.accept(body, *proof_keys)
    except CopyRefused as refusal:
        return error_response(422, "bad-copy", message("bad-copy", reason=str(refusal)))
    response = jsonify(fresh=fresh)
    [stream] = body["streams"]
    holder = holder_of(proof_keys[0])
    if holder and holder.stream == stream["id"] and TOURNAMENT_SEAL not in holder.visible_roles:
        remembered_keys.remember_opened(
            response, holder.key, remembered_keys.COOKIE_OF_KIND[stream["kind"]]
        )
    return response, 201 if fresh else 200


def _proof_keys() -> list[str]:
    """Keys in the header `Bummerl-Key`: of a director or member, then of tables' writers."""
    return request.headers.get("Bummerl-Key", "").split(".")


@blueprint.post("/<key>/boxes")
@limited(COSTLY)
def boxes(key: str) -> tuple[Response, int] | Response:
    """Store the sealed keys of a ledger or a tournament."""
    holder = _holder(key)
    request.max_content_length = MAX_COPY_BYTES
    if holder.role not in (MEMBER, DIRECTOR):
        abort(403, "not-the-writer")
    book, holder_digests = tournaments(), list[str]()
    if holder.role == DIRECTOR:
        holder_digests = [
            *book.keyrings.ring_digests(key),
            *book.seat_key_digests(holder.stream, key),
        ]
    try:
        _replication().seal(holder.stream, json_body(), holder_digests)
    except CopyRefused as refusal:
        return error_response(422, "bad-copy", message("bad-copy", reason=str(refusal)))
    return jsonify(done=True)


@blueprint.post("/<key>/events")
@limited(RUN_TOURNAMENT)
def event(key: str) -> tuple[Response, int] | Response:
    """Record an event that was written offline."""
    holder = _holder(key)
    if holder.role not in RECORDERS:
        abort(403, "not-the-writer")
    idempotency_key = request.headers.get("Idempotency-Key", "")
    expected = (request.if_match.to_header() or "").strip('"')
    if not 0 < len(idempotency_key) <= MAX_KEY_LENGTH or not (
        expected.isdecimal() and len(expected) < 10
    ):
        abort(400)
    body, idempotency_key = (
        json_body(),
        resent_forms.uploaded_idempotency_key(holder.stream, idempotency_key),
    )
    try:
        seq, event, fresh = RECORDERS[holder.role](holder, body, idempotency_key, int(expected))
    except (Stale, IdempotencyKeyReused):
        return error_response(409, "stale")
    except (Illegal, Unreadable) as refusal:
        return error_response(
            422, getattr(refusal, "code", "bad-event"), _refusal_text(holder, refusal)
        )
    return jsonify(seq=seq, event=event), 201 if fresh else 200


def _refusal_text(holder: KeyHolder, refusal: Illegal | Unreadable) -> str:
    """The reason for a refusal in the reader's language."""
    if isinstance(refusal, Unreadable):
        return message("bad-event", reason=unreadable_text(refusal))
    if holder.role == MEMBER:
        return message(refusal.code)
    if holder.role == DIRECTOR:
        return coded_text(refusal)
    return TableView(tables().current(holder.stream)).refusal_text(refusal)


def _record_at_table(
    holder: KeyHolder, body: Any, idempotency_key: str, expected: int
) -> UploadedEvent:
    if not seat_claim.is_own_claim(holder, body):
        authorise_event(holder, body)
        if not seat_claim.claim_seat(holder):
            abort(403, "held-elsewhere")
    by = device_identity.author_of_request(holder.role, holder.stream)
    tap = tournament_table.record_within_terms(
        holder, body, idempotency_key=idempotency_key, by=by, expected=expected
    )
    return tap.seq, tap.table.evening.recorded[tap.seq - 1], tap.is_new


def _record_in_ledger(
    holder: KeyHolder, body: Any, idempotency_key: str, _expected: int
) -> UploadedEvent:
    """The sequence number is ignored, as evenings can be added in any order."""
    by = device_identity.author_of_request(holder.role, holder.stream)
    [writer_key, *_] = _proof_keys()
    done = ledgers().record_upload(
        holder.stream,
        holder.key,
        body,
        idempotency_key=idempotency_key,
        by=by,
        writer_key=writer_key,
    )
    if body["do"] == "austragen":
        retention().extend(body["table"])
    return done.stored.n, done.stored.event, done.is_new


def _record_at_desk(
    holder: KeyHolder, body: Any, idempotency_key: str, expected: int
) -> UploadedEvent:
    if isinstance(body, dict) and body.get("do") == ERASURE:
        # Names are only erased by a command on the server.
        abort(403, "not-yours")
    by = device_identity.author_of_request(holder.role, holder.stream)
    book = tournaments()
    done = book.record_upload(
        holder.stream, holder.key, body, idempotency_key=idempotency_key, by=by, expected=expected
    )
    return done.stored.n, done.stored.event, done.is_new


RECORDERS: Final[Mapping[str, Callable[[KeyHolder, Any, str, int], UploadedEvent]]] = {
    WRITER: _record_at_table,
    OPPONENT: _record_at_table,
    MEMBER: _record_in_ledger,
    DIRECTOR: _record_at_desk,
}
"""Recording by role."""
