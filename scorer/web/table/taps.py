"""What a writer's tap records, and what the writer must know where it was not."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from flask import abort, current_app, request

from scorer.book.tables import Recorded, Table
from scorer.engine import Illegal, Unreadable
from scorer.engine.input.strict_json import loads
from scorer.engine.scoring.events import fields_of
from scorer.engine.telling.explain import refusal_text
from scorer.engine.translatable import N_
from scorer.store import KeyReused, Stale, Unavailable
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, tables
from scorer.web.frame.errors import unavailable_text, unreadable
from scorer.web.frame.language import words
from scorer.web.frame.sentences import gettext, ngettext
from scorer.web.table import hall, held
from scorer.web.table.said import only_own

MOST: Final = 4
"""How many events one tap may record: each side plays the round, and one takes it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What the writer must know about the last tap."""

    status: int
    text: str
    rule: str = ""
    again: str = ""
    """The event to send again, where it could not be kept."""
    token: str = ""


def record(holder: Guest, events: Callable[[], list[dict[str, Any]]]) -> Table | Notice:
    """Record what the form describes, one event after the other: the table with them, or a notice
    where one was not recorded.

    A tap that is sent again records nothing twice: each of its events has its own name.
    """
    seen, name = request.form.get("seq", ""), phone.event_name()
    if not (seen.isdecimal() and len(seen) < 10):
        abort(400)
    length, bodies = int(seen), list[dict[str, Any]]()
    try:
        bodies = events()
        for at, body in enumerate(bodies):
            done = _record_one(holder, body, f"{name}+{at}" if at else name, length)
            length = done.seq
    except Unreadable as error:
        return Notice(422, unreadable(error))
    except Illegal as refusal:
        state = tables().reading(holder.stream).evening.state
        text = refusal_text(refusal, state.sides, words(state.rules.id), gettext, ngettext)
        return Notice(422, text, refusal.rule)
    except (Stale, KeyReused):
        return Notice(409, gettext("Somebody was quicker. This is how it stands now."))
    except Unavailable as error:
        current_app.logger.error("score book %s", error.reason)
        # What stands before it in the same tap may be recorded.
        error.sure &= length == int(seen)
        text = unavailable_text(error, once=True)
        return Notice(503, text, again=_again(bodies), token=request.form["token"])
    return done.table


def _again(bodies: list[dict[str, Any]]) -> str:
    """The events as a button holds them; nothing where it is not known what they would be."""
    return json.dumps(bodies if len(bodies) > 1 else bodies[0]) if bodies else ""


def _record_one(holder: Guest, body: dict[str, Any], name: str, seen: int) -> Recorded:
    """Record one event behind those that were seen."""
    only_own(holder, body)
    held.claim(holder)
    by = phone.signature(holder.role)
    while True:
        try:
            return hall.write(holder, body, key=name, by=by, expected=seen)
        except Stale:
            known = held.past(tables().reading(holder.stream), seen)
            if known == seen:
                raise
            seen = known


def tapped() -> list[dict[str, Any]]:
    """The events of the tapped button, with what was filled in beside it.

    :raises Unreadable: no event
    """
    data = loads(request.form.get("event", ""))
    bodies = data if isinstance(data, list) else [data]
    if not 0 < len(bodies) <= MOST or not all(isinstance(body, dict) for body in bodies):
        raise Unreadable("event", N_("must be an object"))
    return [_filled_in(body) for body in bodies]


def _filled_in(body: dict[str, Any]) -> dict[str, Any]:
    takes = fields_of(body.get("do"))
    for name in ("schlag", "trumpf", "dealer"):
        if name in takes and request.form.get(name):
            body[name] = request.form[name]
    other = body.get("offence") == "sonstige"
    if other and (points := request.form.get("points", "").strip()):
        body["points"] = int(points) if points.isdecimal() and len(points) < 4 else points
    return body
