"""The JSON API of tables, as docs/record.md has it."""

from __future__ import annotations

import json
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.tables import shown_record
from scorer.engine import Illegal, State, Unreadable, read_head, result_text
from scorer.engine.telling.state_json import error as refusal_json
from scorer.engine.translatable import N_
from scorer.store import MAX_KEY_LENGTH, Stale
from scorer.store.roles import OPPONENT, VIEWER, WRITER
from scorer.web.frame.access import current_holder, render_cache, require_holder, tables
from scorer.web.frame.api_description import described
from scorer.web.frame.errors import message
from scorer.web.frame.json_body import json_body
from scorer.web.frame.public_address import key_urls
from scorer.web.frame.rate_limits import CREATE, WRITE, limited
from scorer.web.frame.sse import event_stream
from scorer.web.table import tournament_table
from scorer.web.table.event_permissions import authorise_event

blueprint = Blueprint("api", __name__, url_prefix="/api/tables")

PAGES: Final = {WRITER: "writer.page", OPPONENT: "board.page", VIEWER: "board.page"}


@blueprint.post("")
@limited(CREATE)
@described({201: "Opened", 422: "Error"}, "NewTable")
def create() -> tuple[Response, int]:
    """Open a table from a record without events."""
    body = json_body()
    if not isinstance(body, dict):
        raise Unreadable("record", N_("must be an object"))
    if body.get("events") not in (None, []):
        raise Unreadable("events", N_("a new table starts without events"))
    head = read_head({name: value for name, value in body.items() if name != "events"})
    keys = tables().create(head)
    urls = {f"{role}_url": url for role, url in key_urls(keys, PAGES).items()}
    return _state_response(head.start(), **{role: keys[role] for role in PAGES}, **urls), 201


@blueprint.get("/<key>")
@described({200: "Shown", 304: ""}, headers=("IfNoneMatch",))
def show(key: str) -> AnyResponse:
    """The table's state."""
    holder = require_holder(key)
    table = tables().current(holder.stream)
    response = _state_response(table.evening.state, seq=table.seq, role=holder.role)
    response.set_etag(str(table.seq))
    return response.make_conditional(request)


@blueprint.get("/<key>/record")
@described({200: "Record"})
def record(key: str) -> Response:
    """The record with its chain, corrections included."""
    holder = require_holder(key)
    table = tables().current(holder.stream)
    return jsonify(shown_record(table))


@blueprint.post("/<key>/events")
@limited(WRITE)
@described(
    {200: "Recorded", 201: "Recorded", 409: "Stale", 422: "Refused"},
    "Event",
    headers=("IdempotencyKey", "IfMatch"),
)
def append(key: str) -> tuple[Response, int]:
    """Record one event."""
    holder = require_holder(key)
    if holder.role == VIEWER:
        abort(403, "not-the-writer")
    idempotency_key = request.headers.get("Idempotency-Key", "")
    if not idempotency_key or len(idempotency_key) > MAX_KEY_LENGTH:
        abort(400, "key-missing")
    body = json_body()
    authorise_event(holder, body)
    tap = tournament_table.record_within_terms(
        holder, body, idempotency_key=idempotency_key, by=holder.role, expected=_expected()
    )
    return _state_response(tap.state, seq=tap.seq), 201 if tap.is_new else 200


def _state_response(state: State, **members: Any) -> Response:
    """The state as JSON, with further members."""
    text = f'{{"state":{result_text(state)},{json.dumps(members)[1:]}'
    return Response(text, mimetype="application/json")


def _expected() -> int | None:
    """Number of events in `If-Match`; -1 (always stale) for an unknown tag, None without one."""
    tag = request.headers.get("If-Match")
    if tag is None or tag.strip() == "*":
        return None
    tag = tag.strip().strip('"')
    return int(tag) if tag.isdecimal() and len(tag) < 10 else -1


@blueprint.errorhandler(Illegal)
def illegal_response(refusal: Illegal) -> tuple[Response, int]:
    state = tables().current(current_holder().stream).evening.state
    return jsonify(error=refusal_json(state, refusal)), 422


@blueprint.errorhandler(Stale)
def stale_response(_: Stale) -> tuple[Response, int]:
    table = tables().current(current_holder().stream)
    error = {"code": "stale", "message": message("stale")}
    return _state_response(table.evening.state, seq=table.seq, error=error), 409


@blueprint.get("/<key>/stream")
@described({200: "Stream"}, headers=("LastEventID",))
def stream(key: str) -> Response:
    """The state, now and each time it changes, as server-sent events."""
    holder = require_holder(key)
    book, cache = tables(), render_cache()

    def render() -> tuple[int, str]:
        table = book.current(holder.stream)
        state, key = table.evening.state, ("json", holder.stream, table.version_tag)
        return table.seq, cache(key, lambda: result_text(state))

    return event_stream(holder, "state", render)
