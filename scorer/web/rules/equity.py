"""What a score and a raise are worth: the API, and the table for the wall."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, make_response, render_template, request

from scorer.engine import REGIONS, Illegal, Unreadable, house, load, rulebook
from scorer.engine.equity.model import Model, flat, live
from scorer.engine.equity.prices import Point
from scorer.engine.telling.explain import refusal_text
from scorer.engine.telling.insight import equity
from scorer.engine.telling.wall import strikes_from, wall
from scorer.web.frame.bodies import json_body
from scorer.web.frame.described import described
from scorer.web.frame.errors import answer, message
from scorer.web.frame.language import labelled, words
from scorer.web.frame.limits import WRITE, limited
from scorer.web.frame.sentences import gettext, ngettext

blueprint = Blueprint("equity", __name__)

MOST_QUESTIONS: Final = 50
SKILLS: Final = range(30, 71)
"""The chances to win a round, in percent, for which a sheet is offered."""


@blueprint.post("/api/equity")
@limited(WRITE)
@described({200: "Worth", 422: "Refused"}, "Questions")
def ask() -> Response | tuple[Response, int]:
    """Answer one question, or each of an array."""
    body = json_body()
    many = isinstance(body, list)
    if many and len(body) > MOST_QUESTIONS:
        reason = gettext("at most %(most)s questions at once", most=MOST_QUESTIONS)
        return answer(422, "bad-question", message("bad-question", reason=reason))
    found: list[dict[str, Any]] = []
    for at, question in enumerate(body if many else [body]):
        place = f"[{at}]" if many else ""
        try:
            found.append(equity(question))
        except Unreadable as error:
            where = ".".join(filter(None, (place, error.where)))
            reason = labelled(where, error.say(gettext))
            return answer(422, "bad-question", message("bad-question", reason=reason))
        except Illegal as refusal:
            said = refusal_text(refusal, (), words(question["rules"]), gettext, ngettext)
            text = f"{place} {said}".strip()
            shown = {"code": refusal.code, "rule": refusal.rule, "message": text}
            return jsonify(error=shown), 422
    return jsonify(found if many else found[0])


@blueprint.get("/rules/<region>/gehen")
def sheet(region: str) -> Response:
    """A region's scores on one page for the wall."""
    if region not in REGIONS:
        abort(404)
    targets = [load(region).target, *rulebook(region)["rules"]["target"].get("or", ())]
    target = chosen_number("target", targets, targets[0])
    skill = chosen_number("p", SKILLS, 50)
    model = flat(skill / 100) if request.args.get("model") == "flat" else live(skill / 100)
    rules = house(load(region), {"target": target})
    found = wall(rules, model)
    return make_response(
        render_template(
            "rules/equity/wall.html",
            region=region,
            words=words(region),
            rules=rules,
            wall=found,
            from_skill=strikes_from(rules, model),
            struck=", ".join(f"{ours}:{theirs}" for ours, theirs in found.strikes or ()),
            model=model,
            model_words=model_words(model),
            targets=sorted(targets),
            skills=SKILLS,
            span=span,
        )
    )


def chosen_number(name: str, offered: Sequence[int], default: int) -> int:
    """The number an address asks for, if it is offered."""
    text = request.args.get(name, "")
    return next((number for number in offered if str(number) == text), default)


def span(point: Point) -> str:
    """A chance in percent; where it matters who may still raise, from live to dead."""
    low, high = sorted((round(100 * point.live), round(100 * point.dead)))
    return str(low) if low == high else f"{low}–{high}"


def model_words(model: Model) -> str:
    """What a model assumes, for people."""
    skill = f"{100 * model.p:.0f}"
    if model.name == "flat":
        return gettext("The model: nobody raises; every round is won with %(p)s percent.", p=skill)
    return gettext(
        "The model: both sides know how good the deal is for them (it scatters by %(spread)s "
        "points of percent around %(p)s percent), then raise, stay and go as well as can be.",
        p=skill,
        spread=f"{100 * model.spread:.0f}",
    )
