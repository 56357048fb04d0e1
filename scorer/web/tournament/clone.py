"""Opening a new tournament with the settings, prizes and pairs of an earlier one."""

from __future__ import annotations

import secrets
from typing import Any, Final

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.store.roles import TOURNAMENT_KIND
from scorer.tournament import Settings, parse, read_settings
from scorer.tournament.event_types.announcements import Preise
from scorer.tournament.pair_import import read_list
from scorer.web.frame import remembered_keys, resent_forms
from scorer.web.frame.access import require_director, require_holder, tournaments
from scorer.web.frame.money import typed_amount
from scorer.web.frame.rate_limits import CREATE
from scorer.web.frame.refusals import current_refusal, form_route
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.labels import CONSOLED_NAMES
from scorer.web.tournament.pairs_page import csv_text
from scorer.web.tournament.prize_form import prizes_of_form
from scorer.web.tournament.setup import (
    REPEATED_PRESET,
    ask_about_groups,
    render_form,
    settings_of_form,
)
from scorer.web.tournament.tournament_view import view_of

blueprint = Blueprint("clone", __name__, url_prefix="/p/<key>/again")

_NOT_COPIED: Final = (
    "tournament",
    "resolved",
    "name",
    "place",
    "date",
    "seed",
    "pairs",
    "published",
    "called",
)
"""Settings that are not copied, or only if the form repeats them."""


@blueprint.get("")
def page(key: str) -> Response:
    view = view_of(require_director(key))
    pairs = csv_text([entrant.pair for entrant in view.tournament.listed])
    filled = request.form if current_refusal() else _form_values(view.tournament.settings)
    return render_form(filled, last=view, pairs=pairs, consoled=CONSOLED_NAMES)


def _form_values(settings: Settings) -> MultiDict[str, str]:
    """The form's values, taken from a tournament's settings."""
    filled = {
        "preset": REPEATED_PRESET,
        "name": settings.name,
        "place": settings.place,
        "rules": settings.rules.id,
        "rounds": str(settings.rounds) if settings.has_fixed_rounds else "",
        "games_per_round": "+".join(map(str, settings.games_per_round)),
        "target": str(settings.rules.target),
        "fee": typed_amount(settings.fee) if settings.fee else "",
        # A prize-giving that is over was wanted, too.
        "ceremony": "1" if settings.ceremony or settings.called else "",
        "over": "" if settings.rules.cap_at_target else "1",
    }
    return MultiDict(filled)


def _copied_settings(settings: Settings) -> dict[str, Any]:
    """The settings that are copied to the next tournament."""
    data = {name: value for name, value in settings.to_json().items() if name not in _NOT_COPIED}
    return {**data, "set": {**data["set"], "cap_at_target": settings.rules.cap_at_target}}


@form_route(blueprint, "", CREATE, "clone.page")
def create(key: str) -> AnyResponse:
    """Open the tournament of the form, with its prizes and, if wanted, its pairs."""
    holder, service = require_director(key), tournaments()
    # Checked before the tournament is opened: without the form's token, its prizes could not be
    # recorded.
    resent_forms.form_idempotency_key(holder.stream)
    data = settings_of_form(_copied_settings(service.current(holder.stream).settings))
    if request.form.get("pairs") == "1":
        imported = read_list(request.form.get("list", ""))
        for duplicate in imported.known:
            raise Unreadable("list", N_("{name} is already on the list"), name=duplicate)
        data["pairs"] = [pair.to_json() for pair in imported.pairs]
    prizes = prizes_of_form()
    no_prizes = parse(prizes) == Preise(())
    settings = read_settings(data, seed=secrets.token_hex(16))
    ask_about_groups(settings)
    new_key = resent_forms.create_once(lambda key: service.create(settings, key))
    if not no_prizes:
        new_holder = require_holder(new_key, TOURNAMENT_KIND)
        submit(new_holder, new_holder.stream, prizes)
    response = redirect(url_for("pairs.page", key=new_key), 303)
    return remembered_keys.remember_opened(response, new_key, remembered_keys.TOURNAMENTS_COOKIE)
