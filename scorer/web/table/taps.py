"""Parses and submits the events of a tapped button."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from flask import abort, current_app, request

from scorer.book.tables import RecordedEvent, Table
from scorer.engine import Korrektur, Unreadable, parse
from scorer.engine.input.strict_json import loads
from scorer.engine.scoring.events import fields_of
from scorer.engine.telling.side_names import side_name
from scorer.engine.translatable import N_
from scorer.store import Stale, Unavailable
from scorer.web.frame import device_identity, resent_forms
from scorer.web.frame.access import KeyHolder, tables
from scorer.web.frame.errors import CodedText, unavailable_text
from scorer.web.frame.refusals import Refusal, Refused
from scorer.web.frame.translation import gettext
from scorer.web.table import seat_claim, tournament_table
from scorer.web.table.event_json import bodies_json
from scorer.web.table.event_permissions import authorise_event
from scorer.web.table.tap_confirmations import require_confirmation

MAX_EVENTS_PER_TAP: Final = 4
"""Maximum events per tap: each side's decision, and the win."""


def submit(holder: KeyHolder, bodies: list[dict[str, Any]]) -> Table:
    """Submit the events of a tap in order; return the table after them.

    Each event has its own idempotency key, so a tap may be sent again.

    :raises Unreadable: an event is invalid
    :raises Illegal: against the rules; earlier events of the tap are recorded
    :raises Stale: there are newer events than the page showed
    :raises IdempotencyKeyReused: the token was used for another tap
    :raises Refused: the database failed, another phone speaks for the side, the tap was undone, or
        it needs a confirmation because it loses the game or repeats one of another phone
    """
    page_seq, idempotency_key = require_seq_and_token(holder.stream)
    expected_seq, was_undone = page_seq, False
    try:
        # The confirmation, which only the first event needs, is about the whole tap.
        precondition: Callable[[Table], None] = partial(require_confirmation, holder, bodies)
        key = idempotency_key
        for index, body in enumerate(bodies, 1):
            recorded = _submit_one(holder, body, key, expected_seq, precondition)
            precondition, key = _require_nothing, f"{idempotency_key}+{index}"
            was_undone |= not recorded.is_new and _is_undone(recorded)
            expected_seq = recorded.seq
    except Unavailable as error:
        current_app.logger.error("score book %s", error.reason)
        # Earlier events of the tap may be recorded.
        error.may_be_recorded |= expected_seq != page_seq
        text = CodedText(unavailable_text(error, counts_once=True), error.reason)
        resend = bodies_json(bodies)
        raise Refused(Refusal(text, 503, resend=resend, token=request.form["token"])) from error
    if was_undone:
        raise Refused(Refusal(_undone_text(recorded.table), 409))
    return recorded.table


def _require_nothing(_: Table) -> None:
    """The precondition of an event that needs no confirmation."""


def _is_undone(recorded: RecordedEvent) -> bool:
    """Whether a recorded event has been undone or corrected."""
    evening, index = recorded.table.evening, recorded.seq - 1
    event = parse(evening.recorded[index])
    if event.is_statement or isinstance(event, Korrektur):
        return False
    return all(step.recorded_index != index for step in evening.steps)


def _undone_text(table: Table) -> CodedText:
    state = table.evening.state
    sides = range(len(state.points))
    points = [f"{side_name(state.sides, side, gettext)} {state.points[side]}" for side in sides]
    text = gettext(
        "It was recorded, but has been taken back since. The score now: %(points)s.",
        points=", ".join(points),
    )
    return CodedText(text, "superseded")


def require_seq_and_token(stream: str) -> tuple[int, str]:
    """Number of events the page had seen, and the tap's idempotency key.

    :raises BadRequest: 400, missing or invalid fields
    """
    seq, key = request.form.get("seq", ""), resent_forms.form_idempotency_key(stream)
    if not (seq.isdecimal() and len(seq) < 10):
        abort(400)
    return int(seq), key


def _submit_one(
    holder: KeyHolder,
    body: dict[str, Any],
    idempotency_key: str,
    expected: int,
    precondition: Callable[[Table], None],
) -> RecordedEvent:
    """Submit one event of a page that shows `expected` events.

    :raises Stale: the table has newer events, other than seat claims
    """
    authorise_event(holder, body)
    seat_claim.claim_seat_or_refuse(holder)
    by = device_identity.author_of_request(holder.role, holder.stream)
    while True:
        try:
            return tournament_table.record_within_terms(
                holder,
                body,
                idempotency_key=idempotency_key,
                by=by,
                expected=expected,
                precondition=precondition,
            )
        except Stale:
            seq_after_claims = seat_claim.skip_claims(tables().current(holder.stream), expected)
            if seq_after_claims == expected:
                raise
            expected = seq_after_claims


def parse_tap(stream: str) -> list[dict[str, Any]]:
    """The button's events, completed by the form's fields.

    :raises BadRequest: 400, missing or invalid fields
    :raises Unreadable: not an object or a list of up to `MAX_EVENTS_PER_TAP`
    """
    require_seq_and_token(stream)  # Refuses missing fields.
    data = loads(request.form.get("event", ""))
    bodies = data if isinstance(data, list) else [data]
    if not 0 < len(bodies) <= MAX_EVENTS_PER_TAP or not all(
        isinstance(body, dict) for body in bodies
    ):
        raise Unreadable("event", N_("must be an object, or a list of one to four"))
    return [_with_form_fields(body) for body in bodies]


def _with_form_fields(body: dict[str, Any]) -> dict[str, Any]:
    allowed_fields = fields_of(body.get("do"))
    for name in ("schlag", "trumpf", "dealer"):
        if name in allowed_fields and request.form.get(name):
            body[name] = request.form[name]
    is_other_offence = body.get("offence") == "sonstige"
    if is_other_offence and (points := request.form.get("points", "").strip()):
        body["points"] = int(points) if points.isdecimal() and len(points) < 4 else points
    return body
