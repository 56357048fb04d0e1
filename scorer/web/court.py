"""The court: why a round wrote what it wrote, and putting it right."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, request
from flask_babel import gettext

from scorer.engine import Evening, Illegal, Korrektur, NeuesSpiel, Unreadable, parse
from scorer.engine.readings import Reading, readings
from scorer.engine.rounds import (
    Outcome,
    Preview,
    Round,
    inserting,
    outcomes,
    preview,
    replacing,
    round_at,
    written,
)
from scorer.web import phone
from scorer.web.access import Guest, guest, tables
from scorer.web.language import words
from scorer.web.said import speaks
from scorer.web.story import Story
from scorer.web.switches import SWITCH_NAMES, shown_value

blueprint = Blueprint("court", __name__, url_prefix="/b/<key>")

MODES = ("replace", "insert", "strike")


@dataclass(frozen=True, slots=True)
class Proposal:
    """A correction that was asked for: what it would change, or why it cannot be."""

    event: str
    preview: Preview | None
    refusal: str = ""


@blueprint.get("/round/<int:source>")
def page(key: str, source: int) -> Response:
    """A round: its raises, its reasons, who wrote it when, and how it may be put right."""
    holder = guest(key)
    with tables().reading(holder.stream) as table:
        evening = table.evening
        found = round_at(evening, source)
        if found is None or not found.play:
            abort(404, "unknown-round")
        view = Story(table)
        html = render_template(
            "court/round.html",
            view=view,
            key=key,
            role=holder.role,
            source=source,
            round=found,
            lines=[line for line in view.lines(found.game) if line.step in found.steps],
            written=written(evening, found.first, found.last),
            outcomes=_grouped(found) if holder.role == "scorer" else {},
            proposal=_proposal(holder, view, evening, found),
            disputed=next(
                (of for of in view.state.disputed if found.first <= of <= found.last), None
            ),
            voice=min(speaks(holder), default=None),
            token=phone.token(),
        )
    return phone.introduce(make_response(html))


def _disputed(view: Story, found: Round) -> int | None:
    """The recorded event by which a round was disputed, if it is."""
    return next((of for of in view.state.disputed if found.first <= of <= found.last), None)


def _grouped(found: Round) -> dict[int, list[Outcome]]:
    grouped: dict[int, list[Outcome]] = {}
    for outcome in outcomes(found.opening):
        grouped.setdefault(outcome.side, []).append(outcome)
    return grouped


def _proposal(holder: Guest, view: Story, evening: Evening, found: Round) -> Proposal | None:
    """The correction the address asks for, if any."""
    mode = request.args.get("mode")
    if holder.role != "scorer" or mode not in MODES:
        return None
    correction = _correction(mode, found)
    event = json.dumps(correction.to_json(), separators=(",", ":"))
    try:
        return Proposal(event, preview(evening, correction))
    except Illegal as refusal:
        return Proposal(event, None, _impossible(view, evening, refusal))


def _correction(mode: str, found: Round) -> Korrektur:
    if mode == "strike":
        return replacing(found, ())
    try:
        data: Any = json.loads(request.args.get("events", ""))
        events = [parse(event) for event in data]
    except (Unreadable, ValueError, TypeError, RecursionError):
        abort(400)
    return (inserting if mode == "insert" else replacing)(found, events)


def _impossible(view: Story, evening: Evening, refusal: Illegal) -> str:
    """Why a correction cannot be, and at which round it fails."""
    reason = view.refusal(refusal)
    step = next((step for step in evening.steps if step.source == refusal.event), None)
    if step is None:
        return reason
    if isinstance(step.event, NeuesSpiel):
        game = step.after.game
        return gettext("Then game %(n)s could not have begun: %(reason)s", n=game, reason=reason)
    number = step.before.round
    return gettext("Then round %(n)s would be impossible: %(reason)s", n=number, reason=reason)


@blueprint.get("/readings")
def other(key: str) -> Response:
    """The evening under other readings of the rules, and where they part."""
    holder = guest(key)
    with tables().reading(holder.stream) as table:
        found = list(readings(table.evening))
        html = render_template(
            "court/readings.html",
            view=Story(table),
            key=key,
            role=holder.role,
            parting=[(_called(one), one) for one in found if one.differs],
            alike=[_called(one) for one in found if not one.differs],
        )
    return make_response(html)


def _called(reading: Reading) -> str:
    """A reading in words."""
    if reading.switch is None:
        return words(reading.rules.id)["name"]
    return f"{SWITCH_NAMES[reading.switch]}: {shown_value(reading.switch, reading.value)}"
