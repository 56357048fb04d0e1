"""Statements of a side besides play: agreement, confirmation, dispute, answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Head, Uebernahme, parse
from scorer.engine.input.strict_json import loads
from scorer.store.hash_chain import ERASURE
from scorer.store.roles import OPPONENT, WRITER
from scorer.web.frame import device_identity, resent_forms
from scorer.web.frame.access import KeyHolder, any_holder, current_holder, tables
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route
from scorer.web.table import seat_claim

blueprint = Blueprint("statements", __name__, url_prefix="/b/<key>")

OURS: Final = (0,)
THEIRS: Final = (1, 2)
BIDDING_EVENTS: Final = ("bieten", "bleiben", "gehen")
"""Events the other side may record if the table allows it."""
SIDES_ALLOWED: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    "einig": {WRITER: OURS, OPPONENT: THEIRS},
    # The side that did not write confirms.
    "bestaetigt": {OPPONENT: THEIRS},
    "strittig": {WRITER: OURS, OPPONENT: THEIRS},
    "geklaert": {WRITER: OURS, OPPONENT: THEIRS},
    # Either party proposes, and the other answers; a no of the party's own withdraws it.
    "vorschlag": {WRITER: OURS, OPPONENT: THEIRS},
    "zusage": {WRITER: OURS, OPPONENT: THEIRS},
    "absage": {WRITER: OURS, OPPONENT: THEIRS},
    # The writer sets it for all sides.
    "preis": {WRITER: OURS},
    # Recorded by opening the link.
    Uebernahme.do: {},
    # Recorded by a command on the server.
    ERASURE: {},
}
"""Sides for which a role may record an event."""


def sides_of(holder: KeyHolder, do: str) -> tuple[int, ...]:
    return SIDES_ALLOWED[do].get(holder.role, ())


def authorise_event(holder: KeyHolder, body: Any) -> None:
    """Check that a key may record an event.

    :raises Forbidden: 403
    """
    # Only the other side's permissions depend on the table.
    is_opponent = holder.role == OPPONENT
    head = tables().current(holder.stream).evening.head if is_opponent else None
    if error_code := permission_error(holder.role, body, head):
        abort(403, error_code)


def permission_error(role: str, body: Any, head: Head | None) -> str:
    """Error code if a role may not record an event, else "".

    :param head: the table's; only needed for the other side
    """
    event = body if isinstance(body, Mapping) else {}
    do = str(event.get("do"))
    if do in SIDES_ALLOWED:
        return "" if event.get("side", 0) in SIDES_ALLOWED[do].get(role, ()) else "not-yours"
    may_bid = (
        do in BIDDING_EVENTS and event.get("side") in THEIRS and head is not None and head.answers
    )
    return "" if role == WRITER or (role == OPPONENT and may_bid) else "not-the-writer"


@form_route(
    blueprint,
    "/say",
    WRITE,
    lambda: "writer.page" if current_holder().role == WRITER else "board.page",
)
def say(key: str) -> AnyResponse:
    holder = any_holder(key)
    if request.form.get("do") not in SIDES_ALLOWED:
        abort(400)
    return submit_statement(holder, _statement(request.form["do"]))


def submit_statement(holder: KeyHolder, body: dict[str, Any]) -> AnyResponse:
    """Submit `body`, and redirect to the page of its form.

    :raises Refused: another device acts for the side
    :raises Illegal: against the rules
    :raises KeyReused: the form's token was used for another event
    """
    idempotency_key = resent_forms.form_idempotency_key(holder.stream)
    authorise_event(holder, body)
    seat_claim.require_seat(holder)
    by = device_identity.signature(holder.role, holder.stream)
    tables().record(holder.stream, body, idempotency_key=idempotency_key, by=by, expected=None)
    return redirect(_return_url(holder.key, body), 303)


def _statement(do: str) -> dict[str, Any]:
    body: dict[str, Any] = {"do": do}
    for field in ("side", "of", "game"):
        if (text := request.form.get(field, "")).isdecimal() and len(text) < 10:
            body[field] = int(text)
    if "stand" in request.form:
        body["stand"] = request.form["stand"]
    return body | _proposed_correction() if do == "vorschlag" else body


def _proposed_correction() -> dict[str, Any]:
    correction = parse(loads(request.form.get("event", "")))
    return {name: value for name, value in correction.to_json().items() if name != "do"}


def _return_url(key: str, body: Mapping[str, Any]) -> str:
    match body["do"]:
        case "einig":
            return url_for("board.rules", key=key)
        case "bestaetigt":
            from_history = "late" in request.form
            return url_for("board.history" if from_history else "board.page", key=key)
        case "preis":
            return url_for("score_sheet.page", key=key)
        case "zusage" | "absage":
            return url_for("board.history", key=key)
        case _:
            return url_for("corrections.page", key=key, place=body["of"])
