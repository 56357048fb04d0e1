"""The same again: a new tournament with the settings and prizes of one before it."""

from __future__ import annotations

import secrets
from typing import Any, Final

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.datastructures import MultiDict
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Unreadable
from scorer.tournament import Settings, parse, read_settings
from scorer.tournament.events import Preise
from scorer.tournament.lists import read_list
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, guest, tournaments
from scorer.web.frame.limits import CREATE, limited
from scorer.web.tournament.honours import prizes_of_form
from scorer.web.tournament.names import CONSOLED_NAMES
from scorer.web.tournament.pairs import as_list
from scorer.web.tournament.setup import AGAIN, described, form
from scorer.web.tournament.view import View, record, told

blueprint = Blueprint("again", __name__, url_prefix="/p/<key>/again")

_ITS_OWN: Final = ("tournament", "resolved", "name", "place", "date", "seed", "pairs")
"""What a tournament does not hand on, or only as the form says."""


@blueprint.get("")
def page(key: str) -> Response:
    """The form of a new tournament, filled in as this one was."""
    holder = director(key)
    settings = tournaments().reading(holder.stream).settings
    games = settings.games_by_round or (settings.games,)
    filled = {
        "preset": AGAIN,
        "name": settings.name,
        "place": settings.place,
        "rules": settings.rules.id,
        "rounds": str(settings.rounds) if settings.rounds < 99 else "",
        "games_per_round": "+".join(map(str, games)),
        "target": str(settings.rules.target),
        "over": "" if settings.rules.cap_at_target else "1",
    }
    return _form(holder, MultiDict(filled))


def _form(holder: Guest, filled: MultiDict[str, str], error: str = "") -> Response:
    view = View(tournaments().reading(holder.stream), holder.key, holder.role)
    pairs = as_list([entrant.pair for entrant in view.tournament.listed])
    return form(filled, error, last=view, pairs=pairs, consoled=CONSOLED_NAMES)


def _handed_on(settings: Settings) -> dict[str, Any]:
    """What the settings of the next tournament begin with."""
    data = {name: value for name, value in settings.to_json().items() if name not in _ITS_OWN}
    return {**data, "set": {**data["set"], "cap_at_target": settings.rules.cap_at_target}}


@blueprint.post("")
@limited(CREATE)
def create(key: str) -> AnyResponse:
    """Open the tournament the form describes, with its prizes, and its pairs where they are
    wanted."""
    holder = director(key)
    # A form that names no event is refused before anything is opened.
    phone.event_name()
    try:
        data = described(_handed_on(tournaments().reading(holder.stream).settings))
        if request.form.get("pairs") == "1":
            read = read_list(request.form.get("list", ""))
            data["pairs"] = [pair.to_json() for pair in read.pairs]
        prizes = prizes_of_form()
        none = parse(prizes) == Preise(())
        settings = read_settings(data, seed=secrets.token_hex(16))
        opened = phone.opened_once(lambda key: tournaments().create(settings, key))
    except Unreadable as error:
        return _form(holder, request.form, told(error))
    if not none:
        new = guest(opened, "tournament")
        record(new, new.stream, prizes)
    return redirect(url_for("pairs.page", key=opened), 303)
