"""Tournaments of a year counted together: a page that holds nothing but their links."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, make_response, render_template, request

from scorer.engine.rules.marked import N_
from scorer.tournament.series import rules, seasons
from scorer.web.frame.access import tables, tournaments
from scorer.web.tournament.hall import watcher
from scorer.web.tournament.view import Desk

blueprint = Blueprint("season", __name__, url_prefix="/p/<key>")

RULE_NAMES: Final = {
    "places": N_("Points by place, all evenings"),
    "places-best-three": N_("Points by place, the best three evenings"),
    "games-won": N_("Games won, summed"),
    "points": N_("Points, summed"),
    "score": N_("Score, summed"),
}
MOST: Final = 30


@blueprint.get("/season")
def page(key: str) -> Response:
    """This tournament and others of the year by one of the rules; the address is the series."""
    holder = watcher(key)
    desk = Desk(tournaments().reading(holder.stream), key, holder.role)
    asked = request.args.get("with", "")
    keys = dict.fromkeys(re.findall(r"\b[a-z2-7]{26}\b", asked))
    found = [store for other in keys if (store := _stream(other)) not in (None, holder.stream)]
    streams = [*dict.fromkeys(found), holder.stream][-MOST:]
    evenings = [tournaments().reading(stream) for stream in streams if stream]
    rule = request.args.get("rule", "places")
    rule = rule if rule in rules() else "places"
    by_player = request.args.get("by") == "player"
    html = render_template(
        "tournament/season.html",
        desk=desk,
        asked=asked[:4000],
        rule=rule,
        rule_names=RULE_NAMES,
        by_player=by_player,
        evenings=evenings,
        seasons=seasons(rules()[rule], evenings, by_player),
        unknown=len(keys) - len(found) if asked else 0,
    )
    return make_response(html)


def _stream(key: str) -> str | None:
    """The tournament a link leads to, or None."""
    access = tables().store.find(key)
    return access.stream if access and access.role in ("director", "hall") else None
