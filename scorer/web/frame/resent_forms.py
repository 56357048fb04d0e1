"""A form that is sent twice creates one stream, or records one event: each form carries a token.

The tokens do not protect against cross-site requests (CSRF): `csrf.py` does.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime

from flask import abort, current_app, request

from scorer.store import StreamKeyTaken
from scorer.store.keys import derive_key, mint
from scorer.web.frame.access import KeyHolder, holder_of, store
from scorer.web.frame.device_identity import (
    SECRET_LENGTH,
    author_of_request,
    derived_name,
    device_name,
    device_secret,
    device_seed,
    former_name,
)
from scorer.web.frame.remembered_keys import KEY_COOKIES, WRITING_ROLES, kept_holders


def new_form_token() -> str:
    """A new form token, so that a form that is sent twice is recorded once."""
    return secrets.token_urlsafe(12)


def create_once(create: Callable[[str], object]) -> str:
    """The key of a form's new stream. A form sent twice on one day gives the same key.

    :param create: creates the stream with the given key
    """
    key = _key_of_form()
    if holder_of(key) is None:
        # A concurrent request may have created the stream meanwhile.
        with suppress(StreamKeyTaken):
            create(key)
    if holder_of(key) is None:
        # The key was revoked since.
        if newer := _newer_key(key):
            return newer
        key = mint()
        create(key)
    return key


def _newer_key(key: str) -> str | None:
    """This device's key for the stream that a revoked key could write, or None."""
    stream = store().stream_of_revoked_key(key)
    holders = (holder for cookie in KEY_COOKIES for holder in kept_holders(cookie))
    return next(
        (
            holder.key
            for holder in holders
            if holder.stream == stream and holder.role in WRITING_ROLES
        ),
        None,
    )


def _key_of_form() -> str:
    """The key for this form, derived from its content, the device's secret, the day and the
    platform.

    The day is included because browsers restore old forms. The platform is included because a
    table opened on the server without a response must not block one opened on the phone.
    """
    secret = device_secret()
    if len(secret) < SECRET_LENGTH or not request.form.get("token"):
        return mint()
    platform, day = current_app.extensions["platform"].name, datetime.now(UTC).date().isoformat()
    form_content = [request.path, *request.form.items(multi=True)]
    return derive_key(json.dumps([secret, platform, day, form_content]))


def form_idempotency_key(stream: str, field: str = "token") -> str:
    """Idempotency key of a form's event, unique to this device.

    :param stream: the stream that records the event
    :param field: name of the field with the token
    :raises BadRequest: 400, without a valid token
    """
    sent_token = request.form.get(field, "")
    if not 0 < len(sent_token) <= 100 or "\0" in sent_token:
        abort(400)
    return f"{device_name(stream)}:{sent_token}"


def uploaded_idempotency_key(stream: str, sent: str) -> str:
    """Idempotency key of an event that a phone app has recorded.

    If the server recorded the same form under another name of the device, this is the server's
    key: an app of an earlier release knows only the `former_name`. Otherwise it is the phone's own
    key, by which the app recognises its event.

    :param sent: the phone's key of the event
    """
    device, _, token = sent.partition(":")
    current_name = device_name(stream)
    if device == current_name or device not in (former_name(), derived_name(stream, device_seed())):
        return sent
    current_key = f"{current_name}:{token}"
    return current_key if store().find_recorded(stream, current_key) else sent


def form_key_and_author(holder: KeyHolder) -> tuple[str, str]:
    """Idempotency key and author of a form's event in the holder's stream.

    :raises BadRequest: 400, without a valid token
    """
    return form_idempotency_key(holder.stream), author_of_request(holder.role, holder.stream)
