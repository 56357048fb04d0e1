"""Streams on their way between a phone and this server."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Flask, Response, abort, jsonify, request

from scorer.book.copies import Copies, Refused
from scorer.engine import Illegal, Unreadable
from scorer.store import KeyReused, Stale
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, hub, tables
from scorer.web.frame.bodies import json_body
from scorer.web.frame.errors import answer
from scorer.web.frame.limits import CREATE, RUN, limiter

blueprint = Blueprint("pocket_api", __name__, url_prefix="/pocket/streams")

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a stream that was born on a phone."""


def init_app(app: Flask) -> None:
    """Open the addresses."""
    app.register_blueprint(blueprint)


def _holder(key: str) -> Guest:
    access = tables().store.find(key)
    if access is None:
        abort(404, "unknown-key")
    return Guest(key, access.stream, access.role)


def _copies() -> Copies:
    return Copies(tables().store)


@blueprint.get("/<key>")
def copy(key: str) -> Response:
    """What a key opens, to be gone on with without network."""
    holder = _holder(key)
    response = jsonify(copy=_copies().seen_by(holder.stream, key), phone=phone.name())
    return phone.introduce(response)


@blueprint.post("")
@limiter.limit(CREATE)
def birth() -> tuple[Response, int] | Response:
    """Take in a stream that was opened without network; only digests of its keys come along."""
    request.max_content_length = LARGEST
    try:
        fresh = _copies().take(json_body())
    except Refused as refusal:
        return answer(422, "bad-copy", str(refusal))
    return jsonify(fresh=fresh), 201 if fresh else 200


@blueprint.post("/<key>/events")
@limiter.limit(RUN)
def event(key: str) -> tuple[Response, int] | Response:
    """Record one event that a phone kept while it had no network."""
    holder = _holder(key)
    if holder.role not in ("scorer", "opponent"):
        abort(403, "not-the-writer")
    name = request.headers.get("Idempotency-Key", "")
    seen = (request.if_match.to_header() or "").strip('"')
    if not 0 < len(name) <= 200 or not (seen.isdecimal() and len(seen) < 10):
        abort(400)
    body = json_body()
    by = phone.signature(holder.role)
    try:
        done = tables().record(holder.stream, body, key=name, by=by, expected=int(seen))
    except (Stale, KeyReused):
        return answer(409, "stale")
    except (Illegal, Unreadable) as refusal:
        return answer(422, getattr(refusal, "code", "unreadable"), str(refusal))
    hub().moved(holder.stream, done.seq)
    return jsonify(seq=done.seq), 201 if done.fresh else 200
