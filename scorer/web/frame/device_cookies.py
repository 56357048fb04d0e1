"""Cookies of a device: the keys it has used, and a secret from which its names derive."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from flask import Request, Response, abort, current_app, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.store import KeyTaken
from scorer.store.keys import derive_key, letters, mint
from scorer.web.frame.access import KeyHolder, device_names, holder_of, store

TABLES: Final = "tables"
LEDGERS: Final = "groups"
TOURNAMENTS: Final = "tournaments"
SHELVES: Final = (TABLES, LEDGERS, TOURNAMENTS)
_KINDS: Final = {TABLES: "table", LEDGERS: "group", TOURNAMENTS: "tournament"}
SHELF: Final = {kind: shelf for shelf, kind in _KINDS.items()}
SECOND_WRITER_COOKIE: Final = "second"
"""Cookie with the writers' keys of tables on which another phone was the first to write."""
SECRET_COOKIE: Final = "phone"
SEED_COOKIE: Final = "phone-seed"
"""Cookie of the phone app without network: the server's `device_seed`."""
FORMER_NAME_COOKIE: Final = "phone-name"
"""Cookie of a phone app of an earlier release: the server's `former_name`."""
OPENED_COOKIE: Final = "opened"
"""Cookie with the first characters of the keys that were opened on this device."""
_PREFIX_LENGTH: Final = 8
SHELF_SIZE: Final = 24
"""Most opened keys on a shelf; it also holds as many received ones."""
WRITING_ROLES: Final = ("scorer", "member", "director")
"""Roles that may write. Received keys of these roles are dropped last."""
_SECRET_LENGTH: Final = 26
"""Length of the device's secret, in characters."""
_NAME_LENGTH: Final = 16
"""Length of the device's names, in characters."""
_YEAR: Final = 366 * 24 * 3600
R = TypeVar("R", bound=AnyResponse)


def keys(source: Request, cookie: str = TABLES) -> list[str]:
    """Keys in a cookie, newest first."""
    return [key for key in source.cookies.get(cookie, "").split(".") if key][: 2 * SHELF_SIZE]


def kept_holders(cookie: str = TABLES) -> Iterator[KeyHolder]:
    """Holders of the device's keys, newest first; unknown keys are left out."""
    return filter(None, (holder_of(key, _KINDS[cookie]) for key in keys(request, cookie)))


def key_of(stream: str, role: str, cookie: str = TABLES) -> str | None:
    """The device's newest key for this role of a stream, or None."""
    wanted = (stream, role)
    return next(
        (holder.key for holder in kept_holders(cookie) if (holder.stream, holder.role) == wanted),
        None,
    )


def reads_ours(holder: KeyHolder) -> bool:
    """Whether default names such as "We" are right on this device: it writes, and not as second."""
    return holder.role == "scorer" and holder.key not in keys(request, SECOND_WRITER_COOKIE)


def remember(response: R, key: str, cookie: str = TABLES) -> R:
    """Put a key first on a shelf. Received keys never displace keys that were opened here."""
    shelf = keys(request, cookie)
    if shelf[:1] != [key]:
        _set_shelf(
            response, cookie, [key, *(other for other in shelf if other != key)], _opened_here()
        )
    return response


def remember_opened(response: R, key: str, cookie: str = TABLES) -> R:
    """Like `remember`, for a key that was opened on this device."""
    opened = list(dict.fromkeys([key[:_PREFIX_LENGTH], *_opened_here()]))[
        : len(SHELVES) * SHELF_SIZE
    ]
    set_cookie(response, OPENED_COOKIE, ".".join(opened))
    _set_shelf(response, cookie, list(dict.fromkeys([key, *keys(request, cookie)])), opened)
    return response


def _opened_here() -> list[str]:
    return [text for text in request.cookies.get(OPENED_COOKIE, "").split(".") if text]


def _set_shelf(response: AnyResponse, cookie: str, shelf: list[str], opened: list[str]) -> None:
    opened_here = [key for key in shelf if key[:_PREFIX_LENGTH] in opened]
    received = [key for key in shelf if key not in opened_here]
    dropped = opened_here[SHELF_SIZE:]
    if len(received) > SHELF_SIZE:
        dropped.append(_key_to_drop(received))
    set_cookie(response, cookie, ".".join(key for key in shelf if key not in dropped))


def _key_to_drop(shelf: list[str]) -> str:
    """The key to drop: the oldest read-only or unknown one, else the oldest; never the newest."""
    for key in reversed(shelf[1:]):
        holder = holder_of(key)
        if holder is None or holder.role not in WRITING_ROLES:
            return key
    return shelf[-1]


def forget(response: R, key: str, cookie: str = TABLES) -> R:
    """Remove `key` from a cookie; its stream stays."""
    set_cookie(response, cookie, ".".join(other for other in keys(request, cookie) if other != key))
    return response


def set_cookie(response: AnyResponse, name: str, value: str) -> None:
    response.set_cookie(
        name,
        value,
        max_age=_YEAR,
        path=current_app.config["APPLICATION_ROOT"],
        httponly=True,
        samesite="Lax",
        secure=request.is_secure,
    )


def device_name(stream: str) -> str:
    """The device's public name in one stream; "" on its first visit.

    Records show it. A device has another name in each stream, so that records do not show which
    of them have a device in common. If the device has signed with its `former_name`, it keeps
    that name: otherwise one device would count as two.
    """
    seed = device_seed()

    def find_name() -> str:
        former = seed[:_NAME_LENGTH]
        return former if _has_signed(stream, former) else _derived_name(stream, seed)

    if _on_phone():
        # Its record, and the signatures in it, may be replaced by the server's.
        return find_name() if seed else ""
    return device_names()((stream, seed), find_name) if seed else ""


def _derived_name(stream: str, seed: str) -> str:
    """The name in a stream in which the device has not signed with its `former_name`."""
    if len(seed) <= _NAME_LENGTH:
        return seed
    return letters(hmac.digest(seed.encode(), stream.encode(), "sha256"))[:_NAME_LENGTH]


def _has_signed(stream: str, name: str) -> bool:
    """Whether the device has recorded an event of a stream under this name."""
    # Programs choose their keys, and imported records their signatures, but not both.
    signed = store().signatures_of_keys(stream, (f"{name}:", f"hold:{name}:"))
    return any(by.endswith(f" {name}") for by in signed)


def former_name() -> str:
    """The device's one name for all streams, which earlier releases recorded; "" on its first
    visit."""
    return device_seed()[:_NAME_LENGTH]


def device_seed() -> str:
    """A digest of the device's secret, from which its names derive; "" on its first visit.

    It recognises the device in records but does not let anybody act as the device. The phone app
    uses the server's; one that last saw an earlier release has only the `former_name`.
    """
    if _on_phone() and (
        seed_of_server := request.cookies.get(SEED_COOKIE)
        or request.cookies.get(FORMER_NAME_COOKIE)
    ):
        return seed_of_server
    secret = device_secret()
    return letters(hashlib.sha256(secret.encode()).digest()) if secret else ""


def _on_phone() -> bool:
    return bool(current_app.extensions["platform"].name == "phone")


def device_secret() -> str:
    """The device's secret; "" on its first visit. Never shown or recorded."""
    sent = request.cookies.get(SECRET_COOKIE, "")
    return "".join(filter(str.isalnum, sent))[:_SECRET_LENGTH]


def token() -> str:
    """A new form token: a form that is sent twice is recorded once."""
    return secrets.token_urlsafe(12)


def opened_once(create: Callable[[str], object]) -> str:
    """The key of the new stream of a form; the same form sent again on one day gives the same key.

    :param create: creates the stream with the given key
    """
    key = _key_of_form()
    if holder_of(key) is None:
        # Taken: created by a concurrent request.
        with suppress(KeyTaken):
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
    stream = store().revoked(key)
    holders = (holder for shelf in SHELVES for holder in kept_holders(shelf))
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

    The day, because browsers restore old forms; the platform, because a table opened on the server
    without a response must not block one opened on the phone.
    """
    secret = device_secret()
    if len(secret) < _SECRET_LENGTH or not request.form.get("token"):
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
    sent = request.form.get(field, "")
    if not 0 < len(sent) <= 100 or "\0" in sent:
        abort(400)
    return f"{device_name(stream)}:{sent}"


def uploaded_name(stream: str, sent: str) -> str:
    """Idempotency key of an event that a phone app has recorded.

    The server may have recorded the same form under another name of the device: an app of an
    earlier release knows only the `former_name`. Else the key stays as it is, because the app
    recognises its events by their keys.

    :param sent: the phone's key of the event
    """
    device, _, token = sent.partition(":")
    name_here = device_name(stream)
    if device == name_here or device not in (former_name(), _derived_name(stream, device_seed())):
        return sent
    key_here = f"{name_here}:{token}"
    return key_here if store().appended(stream, key_here) else sent


def signature(role: str, stream: str) -> str:
    """Author of an event of a stream: the role and the device's name."""
    return f"{role} {device_name(stream)}".strip()


def form_key_and_author(holder: KeyHolder) -> tuple[str, str]:
    """Idempotency key and author of a form's event in the holder's stream.

    :raises BadRequest: 400, without a valid token
    """
    return form_idempotency_key(holder.stream), signature(holder.role, holder.stream)


def response_with_secret(html: str) -> Response:
    """A response that also sets the device's secret, if it has none."""
    return set_secret(make_response(html))


def render_page(template: str, **values: Any) -> Response:
    return response_with_secret(render_template(template, **values))


def form_page(template: str, **values: Any) -> Response:
    """A page with a form that creates something. The browser may cache it, so going back shows it
    as filled in."""
    response = render_page(template, **values)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def set_secret(response: R) -> R:
    """Set the device's secret, if it has none."""
    if len(device_secret()) < _SECRET_LENGTH:
        set_cookie(response, SECRET_COOKIE, mint())
    return response
