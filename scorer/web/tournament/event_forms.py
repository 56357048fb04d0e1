"""Submits the events of the director's and the helpers' forms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from scorer.book.helper_links import check_allowed
from scorer.tournament import Tournament
from scorer.web.frame import device_identity, resent_forms
from scorer.web.frame.access import KeyHolder, tournaments


def submit(
    holder: KeyHolder,
    stream: str,
    body: dict[str, Any],
    part: str = "",
    precondition: Callable[[Tournament], None] = lambda tournament: None,
) -> None:
    """Submit the event of a form.

    :param part: suffix of the idempotency key if a form records several events
    :param precondition: raises if a new event is not to follow the tournament's last
    :raises Unreadable: the body is not an event
    :raises Illegal: the event is not allowed now
    :raises IdempotencyKeyReused: the form has recorded another event
    """
    check_allowed(holder.role, body)
    idempotency_key = resent_forms.form_idempotency_key(stream) + part
    by = device_identity.author_of_request(holder.role, stream)
    tournaments().record(
        stream, body, idempotency_key=idempotency_key, by=by, precondition=precondition
    )
