"""What a phone remembers: its tables, and a name of its own for the record. Only cookies."""

from __future__ import annotations

import secrets
from typing import Any, Final

from flask import Request, Response, abort, request
from flask_babel import gettext

from scorer.engine.explain import side_name
from scorer.store import StoreError
from scorer.web.access import ROLES, Guest, groups, tables, tournaments
from scorer.web.language import words

MINE: Final = "tables"
GROUPS: Final = "groups"
TOURNAMENTS: Final = "tournaments"
ME: Final = "phone"
MOST: Final = 24
_YEAR: Final = 366 * 24 * 3600


def keys(of: Request, what: str = MINE) -> list[str]:
    """The keys of the tables (or groups) this phone has seen, newest first."""
    return [key for key in of.cookies.get(what, "").split(".") if key][:MOST]


def remember(response: Response, key: str, what: str = MINE) -> Response:
    """Put `key` at the head of this phone's tables."""
    known = keys(request, what)
    if known[:1] != [key]:
        kept = [key, *(other for other in known if other != key)][:MOST]
        keep(response, what, ".".join(kept))
    return response


def forget(response: Response, key: str, what: str = MINE) -> Response:
    """Drop `key` from this phone's tables; the table itself stays."""
    keep(response, what, ".".join(other for other in keys(request, what) if other != key))
    return response


def keep(response: Response, name: str, value: str) -> None:
    """A cookie for a year that scripts and other sites do not see."""
    response.set_cookie(
        name, value, max_age=_YEAR, httponly=True, samesite="Lax", secure=request.is_secure
    )


def name() -> str:
    """This phone's own short name, or nothing on its first visit."""
    return "".join(sign for sign in request.cookies.get(ME, "") if sign.isalnum())[:8]


def token() -> str:
    """The name under which one drawn page's tap is recorded, however often it is sent."""
    return secrets.token_urlsafe(12)


def event_name() -> str:
    """The name of the event a form sends, this phone's own.

    :raises BadRequest: 400, no form of ours
    """
    sent = request.form.get("token", "")
    if not 0 < len(sent) <= 100:
        abort(400)
    return f"{name()}:{sent}"


def signature(role: str) -> str:
    """Who records, for the record: the role of the key and the phone."""
    return f"{role} {name()}".strip()


def introduce(response: Response) -> Response:
    """Give a phone its name."""
    if not name():
        keep(response, ME, secrets.token_hex(4))
    return response


def regulars() -> list[dict[str, Any]]:
    """This phone's groups; closed keys are left out."""
    shown = []
    for key in keys(request, GROUPS):
        access = tables().store.find(key)
        if access is not None and access.role in ROLES["group"]:
            name = groups().reading(access.stream).name
            shown.append({"key": key, "name": name, "role": access.role})
    return shown


def preiswatten() -> list[dict[str, Any]]:
    """This phone's tournaments; closed keys are left out."""
    shown = []
    for key in keys(request, TOURNAMENTS):
        access = tables().store.find(key)
        if access is not None and access.role in ROLES["tournament"]:
            with tournaments().reading(access.stream) as kept:
                name = kept.tournament.settings.name
            shown.append({"key": key, "name": name, "role": access.role})
    return shown


def mine() -> list[dict[str, Any]]:
    """This phone's tables with what to show of each; closed keys are left out."""
    shown = []
    for key in keys(request):
        try:
            access = tables().store.find(key)
            if access is None or access.role not in ROLES["table"]:
                continue
            with tables().reading(access.stream) as table:
                state = table.evening.state
        except StoreError:
            continue
        names = (side_name(state.sides, side, gettext) for side in range(len(state.points)))
        shown.append(
            {
                "guest": Guest(key, access.stream, access.role),
                "state": state,
                "names": " – ".join(names),
                "words": words(state.rules.id),
            }
        )
    return shown
