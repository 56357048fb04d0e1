"""A device's secret, kept in a cookie, and the names and signatures that derive from it."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeVar

from flask import current_app, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.store.keys import base32_text, mint
from scorer.web.frame.access import device_names, store
from scorer.web.frame.cookies import set_cookie

SECRET_COOKIE: Final = "phone"
SEED_COOKIE: Final = "phone-seed"
"""Cookie of the phone app without network: the server's `device_seed`."""
FORMER_NAME_COOKIE: Final = "phone-name"
"""Cookie of a phone app of an earlier release: the server's `former_name`."""
SECRET_LENGTH: Final = 26
"""Length of the device's secret, in characters."""
_NAME_LENGTH: Final = 16
"""Length of the device's names, in characters."""
R = TypeVar("R", bound=AnyResponse)


def device_name(stream: str) -> str:
    """The device's public name in one stream; "" on its first visit.

    Records show it. It differs by stream, so that nobody can tell from two records that one device
    wrote both. If the device has signed with its `former_name`, it keeps
    that name, because otherwise one device would count as two.
    """
    seed = device_seed()

    def find_name() -> str:
        former = seed[:_NAME_LENGTH]
        return former if _has_signed(stream, former) else derived_name(stream, seed)

    if _on_phone():
        # Not cached: when the phone uploads, the server's record may replace its own.
        return find_name() if seed else ""
    return device_names()((stream, seed), find_name) if seed else ""


def derived_name(stream: str, seed: str) -> str:
    """The name in a stream in which the device has not signed with its `former_name`."""
    # A phone app of an earlier release knows only the `former_name`.
    if len(seed) <= _NAME_LENGTH:
        return seed
    return base32_text(hmac.digest(seed.encode(), stream.encode(), "sha256"))[:_NAME_LENGTH]


def _has_signed(stream: str, name: str) -> bool:
    """Whether the device has recorded an event of a stream under this name."""
    # Key and signature must both name it. A program can choose its keys and an import its
    # signatures, but neither can choose both.
    signed = store().signatures_of_idempotency_keys(stream, (f"{name}:", f"hold:{name}:"))
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
    return base32_text(hashlib.sha256(secret.encode()).digest()) if secret else ""


def _on_phone() -> bool:
    return bool(current_app.extensions["platform"].name == "phone")


def device_secret() -> str:
    """The device's secret; "" on its first visit. Never shown or recorded."""
    sent_secret = request.cookies.get(SECRET_COOKIE, "")
    return "".join(filter(str.isalnum, sent_secret))[:SECRET_LENGTH]


class Author(NamedTuple):
    """The author of an entry. A field is "" if it is unknown."""

    role: str
    device: str


def author_of(entry: Mapping[str, Any]) -> Author:
    role, _, device = str(entry.get("by", "")).partition(" ")
    return Author(role, device)


def author_of_request(role: str, stream: str) -> str:
    """The author of an event of a stream, as `author_of` reads it."""
    return f"{role} {device_name(stream)}".strip()


def set_secret(response: R) -> R:
    """Set the device's secret, if it has none."""
    if len(device_secret()) < SECRET_LENGTH:
        set_cookie(response, SECRET_COOKIE, mint())
    return response
