"""What a side says beside the play: it agrees, confirms, disputes. Each from its own phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal, Unreadable, parse
from scorer.store import KeyReused
from scorer.web import phone
from scorer.web.access import Guest, guest, hub, tables
from scorer.web.errors import answer
from scorer.web.limits import WRITE, limiter
from scorer.web.view import View

blueprint = Blueprint("said", __name__, url_prefix="/b/<key>")

WHO: Final = {
    "einig": ("scorer", "opponent"),
    # A result is confirmed by the side that did not write it.
    "bestaetigt": ("opponent",),
    "strittig": ("scorer", "opponent"),
    "geklaert": ("scorer", "opponent"),
}
"""Which roles may say what."""


def speaks(holder: Guest) -> tuple[int, ...]:
    """The sides a key may speak for: the writer's phone lies between all of them."""
    return {"scorer": (0, 1, 2), "opponent": (1, 2)}.get(holder.role, ())


def may_say(holder: Guest, body: Mapping[str, Any]) -> bool:
    """Whether a key may say this beside the play, for this side."""
    return holder.role in WHO[body["do"]] and body.get("side") in speaks(holder)


@blueprint.post("/say")
@limiter.limit(WRITE)
def say(key: str) -> AnyResponse:
    """Record what a side says, and go back to where it said it."""
    holder = guest(key)
    do, name = request.form.get("do", ""), phone.event_name()
    if do not in WHO:
        abort(400)
    body = _body(do)
    if not may_say(holder, body):
        abort(403, "not-yours")
    try:
        by = phone.signature(holder.role)
        done = tables().record(holder.stream, body, key=name, by=by, expected=None)
    except Illegal as refusal:
        with tables().reading(holder.stream) as table:
            return answer(422, refusal.code, View(table).refusal(refusal))
    except KeyReused:
        return answer(409, "stale")
    hub().moved(holder.stream, done.seq)
    return redirect(_back(key, body), 303)


def _body(do: str) -> dict[str, Any]:
    """The event of the form."""
    body: dict[str, Any] = {"do": do}
    for field in ("side", "of", "game"):
        if (text := request.form.get(field, "")).isdecimal() and len(text) < 10:
            body[field] = int(text)
    if "stand" in request.form:
        body["stand"] = request.form["stand"]
    try:
        parse(body)
    except Unreadable:
        abort(400)
    return body


def _back(key: str, body: dict[str, Any]) -> str:
    if body["do"] == "einig":
        return url_for("board.rules", key=key)
    if body["do"] == "bestaetigt":
        return url_for("board.page", key=key)
    return url_for("court.page", key=key, source=body["of"])
