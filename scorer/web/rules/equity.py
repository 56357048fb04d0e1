"""Equity of scores and raises: the API, and the sheet for printing."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, Final

from flask import Blueprint, Response, abort, g, jsonify, render_template, request

from scorer.book.notifications import yield_to_others
from scorer.engine import REGIONS, Illegal, Unreadable, rulebook, rules_of, with_switches
from scorer.engine.equity.model import Model, flat, live
from scorer.engine.equity.raise_values import Threshold
from scorer.engine.telling.equity_questions import equity, solving_cost
from scorer.engine.telling.equity_sheet import equity_sheet, strikes_from
from scorer.engine.telling.filled_sentences import refusal_text
from scorer.web.frame.api_description import described
from scorer.web.frame.errors import error_response, message
from scorer.web.frame.json_body import json_body
from scorer.web.frame.language import labelled, words
from scorer.web.frame.rate_limits import COSTLY, limited
from scorer.web.frame.translation import gettext, ngettext

blueprint = Blueprint("equity", __name__)

MAX_QUESTIONS: Final = 50
MAX_STEPS: Final = 200_000
"""Steps per request (`work`), 2 to 4 seconds: 29 win probabilities of a game to 15, three of a game
to 31, or any number of scores of one game with one probability."""
SKILLS: Final = range(30, 71)
"""Chances to win a round, in percent, that the sheet offers."""


@blueprint.post("/api/equity")
@limited(COSTLY)
@described({200: "Worth", 422: "Refused"}, "Questions")
def ask() -> Response | tuple[Response, int]:
    """Answer one question, or each of an array."""
    body = json_body()
    is_list = isinstance(body, list)
    if is_list and len(body) > MAX_QUESTIONS:
        reason = gettext("at most %(most)s questions at once", most=MAX_QUESTIONS)
        return error_response(422, "bad-question", message("bad-question", reason=reason))
    questions = body if is_list else [body]
    max_questions = affordable_count(questions)
    if max_questions < len(questions):
        reason = gettext("at most %(most)s questions at once", most=max_questions)
        return error_response(422, "bad-question", message("bad-question", reason=reason))
    answers: list[dict[str, Any]] = []
    for index, question in enumerate(questions):
        g.place, g.question = f"[{index}]" if is_list else "", question
        if index:
            yield_to_others()
        answers.append(equity(question))
    return jsonify(answers if is_list else answers[0])


@blueprint.errorhandler(Unreadable)
def unreadable(error: Unreadable) -> Response:
    place = ".".join(filter(None, (g.place, error.where)))
    reason = labelled(place, error.say(gettext))
    return error_response(422, "bad-question", message("bad-question", reason=reason))


@blueprint.errorhandler(Illegal)
def illegal_response(error: Illegal) -> tuple[Response, int]:
    sentence = refusal_text(error, (), words(g.question["rules"]), gettext, ngettext)
    error_json = {
        "code": error.code,
        "rule": error.rule,
        "message": f"{g.place} {sentence}".strip(),
    }
    return jsonify(error=error_json), 422


def affordable_count(questions: Sequence[Any]) -> int:
    """How many of the questions one request may ask, at least one."""
    charged_games, steps = set[Hashable](), 0
    for index, question in enumerate(questions):
        try:
            game_key, cost = solving_cost(question)
        except Unreadable:
            # `equity` refuses it without solving anything.
            continue
        steps += 0 if game_key in charged_games else cost
        charged_games.add(game_key)
        if index and steps > MAX_STEPS:
            return index
    return len(questions)


@blueprint.get("/rules/<region>/gehen")
def sheet(region: str) -> str:
    if region not in REGIONS:
        abort(404)
    targets = [rules_of(region).target, *rulebook(region)["rules"]["target"].get("or", ())]
    target = chosen_number("target", targets, targets[0])
    skill = chosen_number("p", SKILLS, 50)
    model = flat(skill / 100) if request.args.get("model") == "flat" else live(skill / 100)
    rules = with_switches(rules_of(region), {"target": target})
    sheet = equity_sheet(rules, model)
    scores = range(target)
    ours, theirs = (chosen_number(name, scores, 0) for name in ("ours", "theirs"))
    return render_template(
        "rules/equity/sheet.html",
        region=region,
        words=words(region),
        rules=rules,
        sheet=sheet,
        scores=scores,
        score=(ours, theirs),
        cell=sheet.cells[ours][theirs],
        from_skill=strikes_from(rules, model),
        struck=", ".join(f"{ours}:{theirs}" for ours, theirs in sheet.strikes or ()),
        model=model,
        model_words=model_words(model),
        targets=sorted(targets),
        skills=SKILLS,
        span=threshold_text,
    )


def chosen_number(name: str, choices: Sequence[int], default: int) -> int:
    text = request.args.get(name, "")
    return next((number for number in choices if str(number) == text), default)


def threshold_text(threshold: Threshold) -> str:
    """A threshold in percent, as a range where it depends on who may still raise."""
    low, high = sorted((round(100 * threshold.live), round(100 * threshold.dead)))
    return str(low) if low == high else f"{low}–{high}"


def model_words(model: Model) -> str:
    skill = f"{100 * model.p:.0f}"
    if model.name == "flat":
        return gettext(
            "The model: nobody raises; each round is won with a chance of %(p)s percent.", p=skill
        )
    return gettext(
        "The model: each side sees how good its cards are, then raises, stays and folds as well "
        "as possible. A round is won in %(p)s of 100 cases: with good cards in %(good)s, with bad "
        "ones in %(bad)s.",
        p=skill,
        good=f"{100 * (model.p + model.spread):.0f}",
        bad=f"{100 * (model.p - model.spread):.0f}",
    )
