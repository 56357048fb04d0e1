"""Error handlers of the table pages, with names of sides and the region's terms."""

from __future__ import annotations

from flask import Blueprint, Response, current_app, request

from scorer.engine import Illegal, Unreadable
from scorer.store import IdempotencyKeyReused, Stale, Unavailable
from scorer.web.frame import remembered_keys
from scorer.web.frame.access import current_holder, tables
from scorer.web.frame.errors import (
    CodedText,
    error_response,
    unavailable_response,
    unavailable_text,
)
from scorer.web.frame.rate_limits import has_stored
from scorer.web.frame.refusals import Refusal, is_write_request, refusal_response
from scorer.web.frame.translation import gettext
from scorer.web.table.table_view import TableView


def init_blueprint(blueprint: Blueprint, has_text_fields: bool = False) -> None:
    """Register the handlers.

    :param has_text_fields: whether its forms have text fields; they are shown again with the error
    """
    blueprint.register_error_handler(Illegal, illegal_response)
    if has_text_fields:
        blueprint.register_error_handler(Unavailable, unavailable_with_form)
    else:
        blueprint.register_error_handler(Unreadable, unreadable_response)
    for error_class in (Stale, IdempotencyKeyReused):
        blueprint.register_error_handler(error_class, stale_response)


def illegal_response(error: Illegal) -> Response:
    if not is_write_request():
        raise error
    holder = current_holder()
    view = TableView(
        tables().current(holder.stream), says_we=remembered_keys.is_first_writer(holder)
    )
    return refusal_response(
        Refusal(CodedText(view.refusal_text(error), error.code), rule=error.rule)
    )


def unavailable_with_form(error: Unavailable) -> Response:
    """A database failure, shown with the form to send again."""
    if not is_write_request():
        return unavailable_response(error)
    current_app.logger.error("score book %s: %s", error.reason, request.endpoint)
    # The same request may have recorded something else before.
    error.may_be_recorded |= has_stored()
    text = unavailable_text(error, counts_once="token" in request.form)
    return refusal_response(Refusal(CodedText(text, error.reason), 503))


def unreadable_response(_: Unreadable) -> Response:
    return error_response(400, "400")


def stale_response(_: IdempotencyKeyReused | Stale) -> Response:
    text = gettext("Somebody else was quicker. This is the score now.")
    return refusal_response(Refusal(CodedText(text, "stale"), 409))
