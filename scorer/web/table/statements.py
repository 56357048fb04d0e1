"""What a side says beside the play: it agrees, confirms, disputes, answers. Each from its phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Head, Uebernahme, parse
from scorer.engine.input.strict_json import loads
from scorer.store.hash_chain import ERASURE
from scorer.web.frame import device_cookies
from scorer.web.frame.access import Guest, guest, present, tables
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route
from scorer.web.table import seat_claim

blueprint = Blueprint("statements", __name__, url_prefix="/b/<key>")

OURS: Final = (0,)
THEIRS: Final = (1, 2)
PLAYS: Final = ("bieten", "bleiben", "gehen")
"""What the other side may do from its own phone where the table allows it."""
WHO: Final[Mapping[str, Mapping[str, tuple[int, ...]]]] = {
    "einig": {"scorer": OURS, "opponent": THEIRS},
    # A result is confirmed by the side that did not write it.
    "bestaetigt": {"opponent": THEIRS},
    "strittig": {"scorer": OURS, "opponent": THEIRS},
    "geklaert": {"scorer": OURS, "opponent": THEIRS},
    # After the cut the writer asks and the other side answers; a no to oneself takes it back.
    "vorschlag": {"scorer": OURS},
    "zusage": {"opponent": THEIRS},
    "absage": {"scorer": OURS, "opponent": THEIRS},
    # The price is the whole table's.
    "preis": {"scorer": OURS},
    # Phones do, by opening the link.
    Uebernahme.do: {},
    # Whoever runs the server does, by a command.
    ERASURE: {},
}
"""Which roles may say what, and for which sides: nobody speaks for the others."""


def speaks(holder: Guest, do: str) -> tuple[int, ...]:
    """The sides for which a key may say this."""
    return WHO[do].get(holder.role, ())


def only_own(holder: Guest, body: Any) -> None:
    """Let a key record what is its own to say, by whichever way it comes.

    :raises Forbidden: 403, another key's
    """
    # Only what the other side may say hangs on the table.
    asks = holder.role == "opponent"
    head = tables().reading(holder.stream).evening.head if asks else None
    if why := forbidden(holder.role, body, head):
        abort(403, why)


def forbidden(role: str, body: Any, head: Head | None) -> str:
    """Why a role may not record an event at a table: `not-yours`, `not-the-writer`; "" where it
    may.

    :param head: the table's, for the other side
    """
    said = body if isinstance(body, Mapping) else {}
    do = str(said.get("do"))
    if do in WHO:
        return "" if said.get("side", 0) in WHO[do].get(role, ()) else "not-yours"
    plays = do in PLAYS and said.get("side") in THEIRS and head is not None and head.answers
    return "" if role == "scorer" or (role == "opponent" and plays) else "not-the-writer"


@form_route(
    blueprint, "/say", WRITE, lambda: "writer.page" if present().role == "scorer" else "board.page"
)
def say(key: str) -> AnyResponse:
    """Record what a side says, and go back to where it said it."""
    holder = guest(key)
    if request.form.get("do") not in WHO:
        abort(400)
    return record(holder, _body(request.form["do"]))


def record(holder: Guest, body: dict[str, Any]) -> AnyResponse:
    """Record `body`, if this key may say it, and go back to where it was said.

    :raises Refused: another phone speaks for the side
    :raises Illegal: the rules refuse it
    :raises KeyReused: the form has recorded something else
    """
    name = device_cookies.event_name()
    only_own(holder, body)
    seat_claim.claim(holder)
    by = device_cookies.signature(holder.role)
    tables().record(holder.stream, body, key=name, by=by, expected=None)
    return redirect(_back(holder.key, body), 303)


def _body(do: str) -> dict[str, Any]:
    """The event of the form."""
    body: dict[str, Any] = {"do": do}
    for field in ("side", "of", "game"):
        if (text := request.form.get(field, "")).isdecimal() and len(text) < 10:
            body[field] = int(text)
    if "stand" in request.form:
        body["stand"] = request.form["stand"]
    return body | _proposed() if do == "vorschlag" else body


def _proposed() -> dict[str, Any]:
    """What is proposed: the correction the form carries."""
    correction = parse(loads(request.form.get("event", "")))
    return {name: value for name, value in correction.to_json().items() if name != "do"}


def _back(key: str, body: Mapping[str, Any]) -> str:
    match body["do"]:
        case "einig":
            return url_for("board.rules", key=key)
        case "bestaetigt":
            late = "late" in request.form
            return url_for("board.history" if late else "board.page", key=key)
        case "preis":
            return url_for("score_sheet.page", key=key)
        case "zusage" | "absage":
            return url_for("board.history", key=key)
        case _:
            return url_for("corrections.page", key=key, place=body["of"])
