"""Records what a side states besides play: it confirms or disputes a result, answers a proposal,
agrees to house rules or sets the price of a Bummerl.

The buttons are in `templates/table/board/` and `templates/table/corrections/round.html`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Zusage, parse
from scorer.engine.input.strict_json import loads
from scorer.store.roles import WRITER
from scorer.web.frame import device_identity, resent_forms
from scorer.web.frame.access import KeyHolder, current_holder, require_holder, tables
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route
from scorer.web.table import seat_claim
from scorer.web.table.event_permissions import SIDES_ALLOWED, authorise_event
from scorer.web.table.table_view import TableView

blueprint = Blueprint("statements", __name__, url_prefix="/b/<key>")


@form_route(
    blueprint,
    "/say",
    WRITE,
    lambda: "writer.page" if current_holder().role == WRITER else "board.page",
)
def say(key: str) -> AnyResponse:
    holder = require_holder(key)
    if request.form.get("do") not in SIDES_ALLOWED:
        abort(400)
    return submit_statement(holder, _statement(request.form["do"]))


def submit_statement(holder: KeyHolder, body: dict[str, Any]) -> AnyResponse:
    """Submit `body`, and redirect to the page of its form.

    :raises Refused: another device speaks for the side
    :raises Illegal: against the rules
    :raises IdempotencyKeyReused: the form's token was used for another event
    """
    idempotency_key = resent_forms.form_idempotency_key(holder.stream)
    authorise_event(holder, body)
    seat_claim.claim_seat_or_refuse(holder)
    by = device_identity.author_of_request(holder.role, holder.stream)
    for index, event in enumerate(_with_closed_disputes(holder.stream, body)):
        event_key = f"{idempotency_key}+{index}" if index else idempotency_key
        tables().record(holder.stream, event, idempotency_key=event_key, by=by, expected=None)
    return redirect(_return_url(holder, body), 303)


def _with_closed_disputes(stream: str, body: dict[str, Any]) -> list[dict[str, Any]]:
    """The event of the form; after a yes to a proposal also the ends of the disputes it settles."""
    if body["do"] == Zusage.do:
        for proposed in TableView(tables().current(stream)).disputes.proposals:
            if proposed.proposal.index == body.get("of"):
                accepting = proposed.acceptance(body.get("side", 0))
                return [event.to_json() for event in accepting] or [body]
    return [body]


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


def _return_url(holder: KeyHolder, body: Mapping[str, Any]) -> str:
    key = holder.key
    match body["do"]:
        case "einig":
            return url_for("board.rules", key=key)
        case "bestaetigt":
            from_history = "late" in request.form
            return url_for("board.history" if from_history else "board.page", key=key)
        case "preis":
            return url_for("score_sheet.page", key=key)
        case "zusage" | "absage":
            return url_for("writer.page" if holder.role == WRITER else "board.page", key=key)
        case _:
            return url_for("round_page.page", key=key, place=body["of"])
