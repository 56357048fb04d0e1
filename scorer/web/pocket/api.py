"""Streams on their way between a phone and this server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.replication import CopyRefused, Replication
from scorer.engine import Illegal, Unreadable
from scorer.store import LONGEST_KEY, KeyReused, Stale
from scorer.store.hash_chain import ERASURE, RECEIVED
from scorer.web.frame import device_cookies
from scorer.web.frame.access import Guest, ledgers, opened, retention, store, tables, tournaments
from scorer.web.frame.errors import answer, message, unreadable
from scorer.web.frame.json_body import json_body
from scorer.web.frame.language import COOKIE
from scorer.web.frame.rate_limits import CREATE, RUN, limited
from scorer.web.pocket import offline_streams
from scorer.web.table import seat_claim, tournament_table
from scorer.web.table.display_options import LOOKS
from scorer.web.table.statements import only_own
from scorer.web.table.table_view import View
from scorer.web.tournament.tournament_view import told

blueprint = Blueprint("pocket_api", __name__, url_prefix="/pocket/streams")

CHOSEN: Final = (COOKIE, *LOOKS)
"""The cookies that say how this phone's pages look."""
READS: Final = "2"
"""What the header `Bummerl-Copy` says of an app that knows entries brought home by a phone."""
LARGEST: Final = 4 * 1024 * 1024
"""Bytes of a stream that was born on a phone; a proxy must let so many through (deploy/)."""


def _holder(key: str) -> Guest:
    return opened(key) or abort(404, "unknown-key")


def _copies() -> Replication:
    return Replication(store())


@blueprint.get("")
def shelf() -> Response:
    """The keys on the asker's own start page: tables, ledgers and tournaments, newest first."""
    return jsonify(
        {
            what: [holder.key for holder in device_cookies.kept(what)]
            for what in device_cookies.SHELVES
        }
    )


@blueprint.get("/<key>")
def copy(key: str) -> AnyResponse:
    """What a key opens, to be gone on with without network; whoever has it gets no second copy.

    Beside it goes what the asker's own cookies say, so that alone it has the same name and look.
    """
    holder = _holder(key)
    reads = request.headers.get("Bummerl-Copy") == READS
    if not reads and any(RECEIVED in stored.event for stored in store().events(holder.stream)):
        # An app that does not know such entries would take them for somebody else's.
        abort(409, "stale")
    if holder.role == "director":
        # A desk needs its tables.
        found = tournaments().archive(holder.stream, key)
    else:
        found = _copies().seen_by(holder.stream, key)
    chosen = {name: value for name, value in request.cookies.items() if name in CHOSEN}
    response = device_cookies.introduce(
        jsonify(copy=found, phone="", name=device_cookies.name(), chosen=chosen)
    )
    response.add_etag()
    return response.make_conditional(request)


@blueprint.post("")
@limited(CREATE)
def birth() -> tuple[Response, int] | Response:
    """Take in a stream that was opened without network; only digests of its keys come along.

    Beside it may be told the keys that prove what it names (`_proof`).
    """
    request.max_content_length = LARGEST
    try:
        fresh = offline_streams.take(json_body(), *_proof())
    except CopyRefused as refusal:
        return answer(422, "bad-copy", message("bad-copy", reason=str(refusal)))
    return jsonify(fresh=fresh), 201 if fresh else 200


def _proof() -> list[str]:
    """The keys by which the streams are found that something names: with a birth its director's or
    member's, and behind that, as with an evening that is counted, the writers' of the evenings."""
    return request.headers.get("Bummerl-Key", "").split(".")


@blueprint.post("/<key>/boxes")
@limited(RUN)
def boxes(key: str) -> tuple[Response, int] | Response:
    """Take in what a phone sealed for the holders of a ledger or a tournament."""
    holder = _holder(key)
    request.max_content_length = LARGEST
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
@limited(RUN)
def event(key: str) -> tuple[Response, int] | Response:
    """Record one event that a phone kept while it had no network."""
    holder = _holder(key)
    if holder.role not in RECORDED:
        abort(403, "not-the-writer")
    name = request.headers.get("Idempotency-Key", "")
    seen = (request.if_match.to_header() or "").strip('"')
    if not 0 < len(name) <= LONGEST_KEY or not (seen.isdecimal() and len(seen) < 10):
        abort(400)
    body = json_body()
    try:
        seq, fresh = RECORDED[holder.role](holder, body, name, int(seen))
    except (Stale, KeyReused):
        return answer(409, "stale")
    except (Illegal, Unreadable) as refusal:
        return answer(422, getattr(refusal, "code", "bad-event"), _words(holder, refusal))
    return jsonify(seq=seq), 201 if fresh else 200


def _words(holder: Guest, refusal: Illegal | Unreadable) -> str:
    """Why an event is not recorded, as the phone shows it to its reader."""
    if isinstance(refusal, Unreadable):
        return message("bad-event", reason=unreadable(refusal))
    if holder.role == "member":
        return message(refusal.code)
    if holder.role == "director":
        return told(refusal)
    return View(tables().reading(holder.stream)).refusal(refusal)


def _at_the_table(holder: Guest, body: Any, name: str, seen: int) -> tuple[int, bool]:
    if not seat_claim.took(holder, body):
        only_own(holder, body)
        if not seat_claim.speak(holder):
            abort(403, "held-elsewhere")
    by = device_cookies.signature(holder.role)
    done = tournament_table.write(holder, body, key=name, by=by, expected=seen)
    return done.seq, done.fresh


def _in_the_ledger(holder: Guest, body: Any, name: str, _seen: int) -> tuple[int, bool]:
    """Evenings are counted in any order, so nobody has to have seen the others."""
    by = device_cookies.signature(holder.role)
    [writer_key, *_] = _proof()
    done = ledgers().record(holder.stream, holder.key, body, key=name, by=by, writer_key=writer_key)
    if body["do"] == "austragen":
        retention().keep(body["table"])
    return done.stored.n, done.fresh


def _at_the_desk(holder: Guest, body: Any, name: str, seen: int) -> tuple[int, bool]:
    if isinstance(body, dict) and body.get("do") == ERASURE:
        # Whoever runs the server erases, by a command.
        abort(403, "not-yours")
    by = device_cookies.signature(holder.role)
    book = tournaments()
    done = book.take(holder.stream, holder.key, body, key=name, by=by, expected=seen)
    return done.stored.n, done.fresh


RECORDED: Final[Mapping[str, Callable[[Guest, Any, str, int], tuple[int, bool]]]] = {
    "scorer": _at_the_table,
    "opponent": _at_the_table,
    "member": _in_the_ledger,
    "director": _at_the_desk,
}
"""How each role's events are recorded; returns how many there are then, and whether it was new."""
