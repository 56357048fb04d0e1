"""HTTP API for exchanging streams with the app on a phone."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from hashlib import sha256
from itertools import chain
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.helper_links import helper_link
from scorer.book.match_tables import TOURNAMENT_SEAL
from scorer.book.replication import CopyRefused, Replication
from scorer.engine import Illegal, Unreadable
from scorer.store import LONGEST_KEY, KeyReused, Stale
from scorer.store.hash_chain import ERASURE, RECEIVED
from scorer.tournament.draw import hides_seed
from scorer.web.frame import device_cookies
from scorer.web.frame.access import (
    ROLES,
    KeyHolder,
    holder_of,
    ledgers,
    opened,
    retention,
    store,
    tables,
    tournaments,
)
from scorer.web.frame.errors import answer, message, unreadable
from scorer.web.frame.json_body import json_body
from scorer.web.frame.language import COOKIE
from scorer.web.frame.rate_limits import COSTLY, CREATE, RUN_TOURNAMENT, limited
from scorer.web.pocket import offline_streams
from scorer.web.table import seat_claim, tournament_table
from scorer.web.table.display_options import LOOKS
from scorer.web.table.statements import authorise_event
from scorer.web.table.table_view import TableView
from scorer.web.tournament.tournament_view import coded_text

blueprint = Blueprint("pocket_api", __name__, url_prefix="/pocket/streams")

CHOSEN: Final = (COOKIE, *LOOKS, device_cookies.SECOND)
"""Cookies with this phone's name and display settings."""
READS: Final = "2"
"""Value of the header `Bummerl-Copy` sent by apps that can read received events."""
Recorded = tuple[int, Mapping[str, Any], bool]
"""The number of an event, its entry, and whether it is new."""
LARGEST_UPLOAD: Final = 4 * 1024 * 1024
"""Largest stream in bytes; proxies must allow as much (deploy/)."""


def _holder(key: str) -> KeyHolder:
    return opened(key) or abort(404, "unknown-key")


def _copies() -> Replication:
    return Replication(store())


@blueprint.get("")
def shelf() -> Response:
    """The keys on this device's start page by kind, newest first."""
    return jsonify(
        {
            what: [
                holder.key
                for holder in device_cookies.kept_holders(what)
                if not helper_link(holder.role)
            ]
            for what in device_cookies.SHELVES
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
    reads = request.headers.get("Bummerl-Copy") == READS
    if not reads and any(RECEIVED in stored.event for stored in store().events(holder.stream)):
        # Older apps would take received events for those of another device.
        abort(409, "stale")
    chosen = {name: value for name, value in request.cookies.items() if name in CHOSEN}
    mine = {"phone": "", "chosen": chosen, **_names()}
    if holder.role == "director":
        # A desk needs its tables.
        version, parts = tournaments().archive(holder.stream, key)
        text = chain(['{"copy":'], parts, [f",{json.dumps(mine)[1:]}"])
        response = Response(text, mimetype="application/json")
        response.set_etag(sha256(f"{version} {mine}".encode()).hexdigest())
    else:
        response = jsonify(copy=_shown_to(holder), **mine)
        response.add_etag()
    return device_cookies.set_secret(response).make_conditional(request)


def _names() -> dict[str, str]:
    """Names with which the app signs as this device; earlier releases of it read `name`."""
    return {"seed": device_cookies.device_seed(), "name": device_cookies.former_name()}


def _shown_to(holder: KeyHolder) -> dict[str, Any]:
    """A stream as an archive; a table's entries as far as its key may see (`Evening.shown`)."""
    copied = _copies().seen_by(holder.stream, holder.key)
    if holder.role in ROLES["table"] and holder.role != "scorer":
        [stream] = copied["streams"]
        shown = len(tables().reading(holder.stream).evening.shown)
        stream["events"] = stream["events"][:shown]
    return copied


def _may_not_copy(holder: KeyHolder) -> bool:
    """Whether the copy would tell more than the key may see: helpers get none, and a tournament's
    visitors only once its seed is public.
    """
    is_visitor = holder.role in ROLES["tournament"] and holder.role != "director"
    return bool(helper_link(holder.role)) or (
        is_visitor and hides_seed(tournaments().reading(holder.stream))
    )


@blueprint.post("")
@limited(CREATE)
def accept_stream() -> tuple[Response, int] | Response:
    """Take in a stream that was opened offline; it carries digests of its keys only."""
    request.max_content_length = LARGEST_UPLOAD
    body, proof = json_body(), _proof()
    try:
        fresh = offline_streams.accept(body, *proof)
    except CopyRefused as refusal:
        return answer(422, "bad-copy", message("bad-copy", reason=str(refusal)))
    response = jsonify(fresh=fresh)
    [stream] = body["streams"]
    holder = holder_of(proof[0])
    if holder and holder.stream == stream["id"] and TOURNAMENT_SEAL not in holder.sees:
        device_cookies.remember_opened(response, holder.key, device_cookies.SHELF[stream["kind"]])
    return response, 201 if fresh else 200


def _proof() -> list[str]:
    """Keys in the header `Bummerl-Key`: of a director or member, then of tables' writers."""
    return request.headers.get("Bummerl-Key", "").split(".")


@blueprint.post("/<key>/boxes")
@limited(COSTLY)
def boxes(key: str) -> tuple[Response, int] | Response:
    """Store the sealed keys of a ledger or a tournament."""
    holder = _holder(key)
    request.max_content_length = LARGEST_UPLOAD
    if holder.role not in ("member", "director"):
        abort(403, "not-the-writer")
    book, others = tournaments(), list[str]()
    if holder.role == "director":
        others = [*book.keyrings.digests(key), *book.seats(holder.stream, key)]
    try:
        _copies().seal(holder.stream, json_body(), others)
    except CopyRefused as refusal:
        return answer(422, "bad-copy", message("bad-copy", reason=str(refusal)))
    return jsonify(done=True)


@blueprint.post("/<key>/events")
@limited(RUN_TOURNAMENT)
def event(key: str) -> tuple[Response, int] | Response:
    """Record an event that was written offline."""
    holder = _holder(key)
    if holder.role not in RECORDED:
        abort(403, "not-the-writer")
    name = request.headers.get("Idempotency-Key", "")
    expected = (request.if_match.to_header() or "").strip('"')
    if not 0 < len(name) <= LONGEST_KEY or not (expected.isdecimal() and len(expected) < 10):
        abort(400)
    body, name = json_body(), device_cookies.uploaded_name(holder.stream, name)
    try:
        seq, event, fresh = RECORDED[holder.role](holder, body, name, int(expected))
    except (Stale, KeyReused):
        return answer(409, "stale")
    except (Illegal, Unreadable) as refusal:
        return answer(422, getattr(refusal, "code", "bad-event"), _words(holder, refusal))
    return jsonify(seq=seq, event=event), 201 if fresh else 200


def _words(holder: KeyHolder, refusal: Illegal | Unreadable) -> str:
    """The reason for a refusal in the reader's language."""
    if isinstance(refusal, Unreadable):
        return message("bad-event", reason=unreadable(refusal))
    if holder.role == "member":
        return message(refusal.code)
    if holder.role == "director":
        return coded_text(refusal)
    return TableView(tables().reading(holder.stream)).refusal(refusal)


def _at_the_table(holder: KeyHolder, body: Any, idempotency_key: str, expected: int) -> Recorded:
    if not seat_claim.is_own_claim(holder, body):
        authorise_event(holder, body)
        if not seat_claim.claim_seat(holder):
            abort(403, "held-elsewhere")
    by = device_cookies.signature(holder.role, holder.stream)
    done = tournament_table.record_within_terms(
        holder, body, idempotency_key=idempotency_key, by=by, expected=expected
    )
    return done.seq, done.table.evening.recorded[done.seq - 1], done.fresh


def _in_the_ledger(holder: KeyHolder, body: Any, idempotency_key: str, _expected: int) -> Recorded:
    """The sequence number is ignored, as evenings can be added in any order."""
    by = device_cookies.signature(holder.role, holder.stream)
    [writer_key, *_] = _proof()
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
    return done.stored.n, done.stored.event, done.fresh


def _at_the_desk(holder: KeyHolder, body: Any, idempotency_key: str, expected: int) -> Recorded:
    if isinstance(body, dict) and body.get("do") == ERASURE:
        # Names are only erased by a command on the server.
        abort(403, "not-yours")
    by = device_cookies.signature(holder.role, holder.stream)
    book = tournaments()
    done = book.record_upload(
        holder.stream, holder.key, body, idempotency_key=idempotency_key, by=by, expected=expected
    )
    return done.stored.n, done.stored.event, done.fresh


RECORDED: Final[Mapping[str, Callable[[KeyHolder, Any, str, int], Recorded]]] = {
    "scorer": _at_the_table,
    "opponent": _at_the_table,
    "member": _in_the_ledger,
    "director": _at_the_desk,
}
"""Recording by role."""
