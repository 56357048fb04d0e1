"""What a phone remembers: its tables, and a name of its own for the record. Only cookies."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from typing import Any, Final, TypeVar

from flask import Request, Response, abort, current_app, make_response, render_template, request
from werkzeug.wrappers import Response as AnyResponse

from scorer.store import KeyTaken
from scorer.store.keys import derived, mint
from scorer.web.frame.access import Guest, known

MINE: Final = "tables"
LEDGERS: Final = "groups"
TOURNAMENTS: Final = "tournaments"
SHELVES: Final = (MINE, LEDGERS, TOURNAMENTS)
_KINDS: Final = {MINE: "table", LEDGERS: "group", TOURNAMENTS: "tournament"}
ME: Final = "phone"
NAME: Final = "phone-name"
"""On a phone without network: the name that the server knows it by."""
MOST: Final = 24
OWN: Final = ("scorer", "member", "director")
"""The roles of whoever opened something himself."""
_SECRET: Final = 26
"""Letters of what a phone keeps to itself."""
_YEAR: Final = 366 * 24 * 3600
R = TypeVar("R", bound=AnyResponse)


def keys(of: Request, what: str = MINE) -> list[str]:
    """The keys of the tables (or ledgers, or tournaments) this phone has seen, newest first."""
    return [key for key in of.cookies.get(what, "").split(".") if key][:MOST]


def kept(what: str = MINE) -> Iterator[Guest]:
    """Who this phone is by its keys, newest first; those that open nothing now are left out."""
    return filter(None, (known(key, _KINDS[what]) for key in keys(request, what)))


def key_of(stream: str, role: str, what: str = MINE) -> str | None:
    """The newest key with which this phone has that role at a stream, if it has one."""
    wanted = (stream, role)
    return next((own.key for own in kept(what) if (own.stream, own.role) == wanted), None)


def remember(response: R, key: str, what: str = MINE) -> R:
    """Put `key` at the head of this phone's tables."""
    known = keys(request, what)
    if known[:1] != [key]:
        shelf = [key, *(other for other in known if other != key)]
        if len(shelf) > MOST:
            shelf.remove(_least(shelf))
        keep(response, what, ".".join(shelf))
    return response


def _least(shelf: list[str]) -> str:
    """What this phone can do without first: the oldest link that only looks, never the newest.

    Links are sent round by anybody; they must not push out those one writes with.
    """
    for key in reversed(shelf[1:]):
        holder = known(key)
        if holder is None or holder.role not in OWN:
            return key
    return shelf[-1]


def forget(response: R, key: str, what: str = MINE) -> R:
    """Drop `key` from this phone's tables; the table itself stays."""
    keep(response, what, ".".join(other for other in keys(request, what) if other != key))
    return response


def keep(response: AnyResponse, name: str, value: str) -> None:
    """A cookie for a year that scripts and other sites do not see."""
    response.set_cookie(
        name, value, max_age=_YEAR, httponly=True, samesite="Lax", secure=request.is_secure
    )


def name() -> str:
    """This phone's own name, or nothing on its first visit.

    The record shows it to everybody, so it is only a digest of what the phone alone keeps: who
    reads the name cannot take it. Phones of the first release kept the name itself, eight letters.
    The app on a phone has the name that the server knows it by, and a secret of its own.
    """
    if current_app.extensions["host"].name == "phone" and request.cookies.get(NAME):
        return request.cookies[NAME]
    own = secret()
    return own[:8] if len(own) < _SECRET else _public_name(own)


def secret() -> str:
    """What this phone keeps to itself, or nothing on its first visit; for this phone alone."""
    sent = request.cookies.get(ME, "")
    return "".join(filter(str.isalnum, sent))[:_SECRET]


def _public_name(own: str) -> str:
    digest = hashlib.sha256(own.encode()).digest()
    return base64.b32encode(digest)[:16].decode().lower()


def token() -> str:
    """The name under which one drawn page's tap is recorded, however often it is sent."""
    return secrets.token_urlsafe(12)


def opened_once(create: Callable[[str], object]) -> str:
    """The key of what the sent form opens: once, however often it is sent on one day.

    :param create: opens it with its opener's key
    """
    key = _key_of_form()
    if known(key) is None:
        try:
            create(key)
        except KeyTaken:
            # Sent twice at once, it is open now; or its link was closed since.
            if known(key) is None:
                key = mint()
                create(key)
    return key


def _key_of_form() -> str:
    """The key that the sent form opens something with: the same form has the same.

    It follows from the form and from what this phone keeps to itself, so nobody else can tell it.
    Filled in otherwise it is another form. So it is on another day, as browsers bring old pages
    back; and alone: what a server opened unheard must not stand in the way of what a phone opens.
    """
    own = secret()
    if len(own) < _SECRET or not request.form.get("token"):
        return mint()
    where, day = current_app.extensions["host"].name, datetime.now(UTC).date().isoformat()
    filled = [request.path, *request.form.items(multi=True)]
    return derived(json.dumps([own, where, day, filled]))


def event_name() -> str:
    """The name of the event a form sends, this phone's own.

    :raises BadRequest: 400, no form of ours
    """
    sent = request.form.get("token", "")
    if not 0 < len(sent) <= 100 or "\0" in sent:
        abort(400)
    return f"{name()}:{sent}"


def signature(role: str) -> str:
    """Who records, for the record: the role of the key and the phone."""
    return f"{role} {name()}".strip()


def shown(html: str) -> Response:
    """A page for this phone."""
    return introduce(make_response(html))


def page(template: str, **values: Any) -> Response:
    """A page for this phone, by its template."""
    return shown(render_template(template, **values))


def form_page(template: str, **values: Any) -> Response:
    """A page whose form opens something. A browser keeps it: who comes back finds it as it was
    filled in, and opens nothing else by it."""
    response = page(template, **values)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def introduce(response: R) -> R:
    """Give a phone its name."""
    if len(secret()) < _SECRET:
        keep(response, ME, mint())
    return response
