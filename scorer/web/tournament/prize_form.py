"""The form of a tournament's prizes."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.web.frame import page_responses
from scorer.web.frame.access import require_director
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import form_route
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.labels import CONSOLED_NAMES
from scorer.web.tournament.tournament_view import view_of

blueprint = Blueprint("prize_form", __name__, url_prefix="/p")


@blueprint.get("/<key>/prizes")
def page(key: str) -> Response:
    view = view_of(require_director(key))
    return page_responses.render_page("tournament/prizes.html", view=view, consoled=CONSOLED_NAMES)


@form_route(blueprint, "/<key>/prizes", RUN_TOURNAMENT, "prize_form.page")
def set_prizes(key: str) -> AnyResponse:
    holder = require_director(key)
    submit(holder, holder.stream, prizes_of_form())
    return redirect(url_for("prize_form.page", key=key, saved=1), 303)


def _lines(typed: str) -> list[str]:
    """The lines of a text, without empty ones at its end."""
    return [line.strip() for line in typed.rstrip().splitlines()]


def prizes_of_form() -> dict[str, Any]:
    """The prizes of the form: one line per place, the consolation prize, and those of categories.

    A category without prizes is left out.
    """
    form = request.form
    categories = [
        {"category": name.strip(), "lines": lines}
        for name, typed in zip(
            form.getlist("category"), form.getlist("category-lines"), strict=False
        )
        if (lines := _lines(typed))
    ]
    return {
        "do": "preise",
        "lines": _lines("\n".join(form.getlist("lines"))),
        "categories": categories,
        "once": "once" in form,
        "consolation": form.get("consolation", "").strip(),
        "to": form.get("to", "last"),
    }
