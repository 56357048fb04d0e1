"""Cookies with the keys of tables, ledgers and tournaments that a device has used.

A device has opened a key itself, by creating its stream, or received it as a link. How long the
cookies last: `scorer/web/frame/cookies.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, TypeVar

from flask import Request, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.store.roles import DIRECTOR, LEDGER_KIND, MEMBER, TABLE_KIND, TOURNAMENT_KIND, WRITER
from scorer.web.frame.access import KeyHolder, holder_of
from scorer.web.frame.cookies import set_cookie

TABLES_COOKIE: Final = "tables"
LEDGERS_COOKIE: Final = "groups"
TOURNAMENTS_COOKIE: Final = "tournaments"
KEY_COOKIES: Final = (TABLES_COOKIE, LEDGERS_COOKIE, TOURNAMENTS_COOKIE)
_KINDS: Final = {
    TABLES_COOKIE: TABLE_KIND,
    LEDGERS_COOKIE: LEDGER_KIND,
    TOURNAMENTS_COOKIE: TOURNAMENT_KIND,
}
COOKIE_OF_KIND: Final = {kind: cookie for cookie, kind in _KINDS.items()}
SECOND_WRITER_COOKIE: Final = "second"
"""Cookie with the writers' keys of tables on which another phone was the first to write."""
OPENED_COOKIE: Final = "opened"
"""Cookie with the first characters of the keys that were opened on this device."""
_PREFIX_LENGTH: Final = 8
MAX_OPENED_KEYS: Final = 24
"""Most opened keys in a cookie; it also holds as many received ones."""
WRITING_ROLES: Final = (WRITER, MEMBER, DIRECTOR)
"""Roles that may write. Received keys of these roles are dropped last."""
R = TypeVar("R", bound=AnyResponse)


def keys(source: Request, cookie: str = TABLES_COOKIE) -> list[str]:
    """Keys in a cookie, newest first."""
    return [key for key in source.cookies.get(cookie, "").split(".") if key][: 2 * MAX_OPENED_KEYS]


def kept_holders(cookie: str = TABLES_COOKIE) -> Iterator[KeyHolder]:
    """Holders of the device's keys, newest first; unknown keys are left out."""
    return filter(None, (holder_of(key, _KINDS[cookie]) for key in keys(request, cookie)))


def newest_table_key() -> str | None:
    """Key of the table this device used last, or None."""
    return next((holder.key for holder in kept_holders()), None)


def key_of(stream: str, role: str, cookie: str = TABLES_COOKIE) -> str | None:
    """The device's newest key for this role of a stream, or None."""
    wanted = (stream, role)
    return next(
        (holder.key for holder in kept_holders(cookie) if (holder.stream, holder.role) == wanted),
        None,
    )


def is_first_writer(holder: KeyHolder) -> bool:
    """Whether this phone is the first writer, so that side 0 may be called "We"."""
    return holder.role == WRITER and holder.key not in keys(request, SECOND_WRITER_COOKIE)


def remember(response: R, key: str, cookie: str = TABLES_COOKIE) -> R:
    """Put a key first in a cookie. Received keys never displace keys that the device opened."""
    kept_keys = keys(request, cookie)
    if kept_keys[:1] != [key]:
        _set_keys(
            response,
            cookie,
            [key, *(kept for kept in kept_keys if kept != key)],
            _opened_prefixes(),
        )
    return response


def remember_opened(response: R, key: str, cookie: str = TABLES_COOKIE) -> R:
    """Like `remember`, for a key that was opened on this device."""
    opened = list(dict.fromkeys([key[:_PREFIX_LENGTH], *_opened_prefixes()]))[
        : len(KEY_COOKIES) * MAX_OPENED_KEYS
    ]
    set_cookie(response, OPENED_COOKIE, ".".join(opened))
    _set_keys(response, cookie, list(dict.fromkeys([key, *keys(request, cookie)])), opened)
    return response


def _opened_prefixes() -> list[str]:
    return [text for text in request.cookies.get(OPENED_COOKIE, "").split(".") if text]


def _set_keys(response: AnyResponse, cookie: str, kept_keys: list[str], opened: list[str]) -> None:
    opened_keys = [key for key in kept_keys if key[:_PREFIX_LENGTH] in opened]
    received = [key for key in kept_keys if key not in opened_keys]
    dropped = opened_keys[MAX_OPENED_KEYS:]
    if len(received) > MAX_OPENED_KEYS:
        dropped.append(_key_to_drop(received))
    set_cookie(response, cookie, ".".join(key for key in kept_keys if key not in dropped))


def _key_to_drop(received: list[str]) -> str:
    """The key to drop: the oldest read-only or unknown one, else the oldest; never the newest."""
    for key in reversed(received[1:]):
        holder = holder_of(key)
        if holder is None or holder.role not in WRITING_ROLES:
            return key
    return received[-1]


def forget(response: R, key: str, cookie: str = TABLES_COOKIE) -> R:
    """Remove `key` from a cookie; its stream stays."""
    set_cookie(response, cookie, ".".join(kept for kept in keys(request, cookie) if kept != key))
    return response
