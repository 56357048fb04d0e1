"""What a side says beside the play: it agrees, confirms, disputes, answers. Each from its phone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import Blueprint, abort, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal, Uebernahme, Unreadable, parse
from scorer.engine.input.strict_json import loads
from scorer.store import KeyReused
from scorer.store.chain import ERASURE
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, guest, tables
from scorer.web.frame.errors import message
from scorer.web.frame.limits import WRITE, limited
from scorer.web.table import held
from scorer.web.table.view import View

blueprint = Blueprint("said", __name__, url_prefix="/b/<key>")

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
    said = body if isinstance(body, Mapping) else {}
    do = str(said.get("do"))
    if do in WHO:
        if said.get("side", 0) not in speaks(holder, do):
            abort(403, "not-yours")
    elif holder.role != "scorer" and not _may_answer(holder, said):
        abort(403, "not-the-writer")


def _may_answer(holder: Guest, body: Mapping[str, Any]) -> bool:
    """Whether the other side's key may raise or answer here, for its own side."""
    head = tables().reading(holder.stream).evening.head
    own = body.get("do") in PLAYS and body.get("side") in THEIRS
    return own and holder.role == "opponent" and head.answers


class Refused(Exception):
    """What a side said was not recorded: the table had moved on before it was said."""

    def __init__(self, holder: Guest, status: int, text: str) -> None:
        super().__init__(text)
        self.holder, self.status, self.text = holder, status, text


@blueprint.post("/say")
@limited(WRITE)
def say(key: str) -> AnyResponse:
    """Record what a side says, and go back to where it said it."""
    holder = guest(key)
    if request.form.get("do") not in WHO:
        abort(400)
    return record(holder, _body(request.form["do"]))


def record(holder: Guest, body: dict[str, Any]) -> AnyResponse:
    """Record `body`, if this key may say it, and go back to where it was said."""
    name = phone.event_name()
    only_own(holder, body)
    held.claim(holder)
    try:
        by = phone.signature(holder.role)
        tables().record(holder.stream, body, key=name, by=by, expected=None)
    except Unreadable:
        abort(400)
    except Illegal as refusal:
        table = tables().reading(holder.stream)
        text = View(table, ours=holder.role == "scorer").refusal(refusal)
        raise Refused(holder, 422, text) from refusal
    except KeyReused as reused:
        raise Refused(holder, 409, message("stale")) from reused
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
    try:
        correction = parse(loads(request.form.get("event", "")))
    except Unreadable:
        abort(400)
    return {name: value for name, value in correction.to_json().items() if name != "do"}


def _back(key: str, body: Mapping[str, Any]) -> str:
    match body["do"]:
        case "einig":
            return url_for("board.rules", key=key)
        case "bestaetigt":
            late = "late" in request.form
            return url_for("board.history" if late else "board.page", key=key)
        case "preis":
            return url_for("sheet.page", key=key)
        case "zusage" | "absage":
            return url_for("board.history", key=key)
        case _:
            return url_for("court.page", key=key, place=body["of"])
