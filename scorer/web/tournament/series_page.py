"""The standings over several tournaments, and the form that selects them."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.keyrings import ROLES_SEEING_STANDINGS
from scorer.engine.translatable import N_
from scorer.store.roles import DIRECTOR, HALL_VIEWER, TOURNAMENT_KIND
from scorer.tournament.series import series_standings, similar_names
from scorer.tournament.settings_reader import series_rules
from scorer.web.frame import page_responses
from scorer.web.frame.access import holder_of_sent_key, require_director, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refused, form_route
from scorer.web.frame.translation import gettext
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.tournament_view import view_of
from scorer.web.tournament.visibility import awaits_prize_giving, seen_by
from scorer.web.tournament.visitors import viewer

blueprint = Blueprint("series", __name__, url_prefix="/p/<key>")

RULE_NAMES: Final = {
    "places": N_("Points by place, all evenings"),
    "places-best-three": N_("Points by place, the best three evenings"),
    "games-won": N_("Games won, summed"),
    "points": N_("Points, summed"),
    "score": N_("Score, summed"),
}


@blueprint.get("/season")
def page(key: str) -> Response:
    holder, service = viewer(key), tournaments()
    view = view_of(holder)
    series = view.tournament.series
    # Some of them may be missing in this store.
    known_streams = service.store.existing_streams(TOURNAMENT_KIND, series.others)
    other_tournaments = service.current_within([s for s in series.others if s in known_streams])
    visible_tournaments = [seen_by(other, HALL_VIEWER) for other in other_tournaments.values()]
    counted = [*visible_tournaments, view.tournament]
    # A pair cannot be in an evening of single players.
    has_singles = any(tournament.settings.format == "partners" for tournament in counted)
    by_player = has_singles or series.collects == "player"
    lacks_last_round = [
        *(awaits_prize_giving(other, HALL_VIEWER) for other in other_tournaments.values()),
        view.awaits_prize_giving,
    ]
    rule = series_rules()[series.rule]
    lines = series_standings(rule, counted, by_player)
    return page_responses.render_page(
        "tournament/series.html",
        view=view,
        series=series,
        rule_names=RULE_NAMES,
        by_player=by_player,
        has_singles=has_singles,
        tournaments=counted,
        lacks_last_round=lacks_last_round,
        place_points=rule.points_by_place,
        standings=lines,
        similar=similar_names(lines) if holder.role == DIRECTOR else [],
        others=other_tournaments,
        missing_count=len({*series.others} - known_streams),
        too_large_count=len(known_streams) - len(other_tournaments),
        filled=request.form,
    )


@form_route(blueprint, "/season", RUN_TOURNAMENT, "series.page")
def change(key: str) -> AnyResponse:
    """Add or remove tournaments of the series, and change how they are counted."""
    holder, service = require_director(key), tournaments()
    form, old = request.form, service.current(holder.stream).series
    links: dict[str, str] = {}
    for line in filter(str.strip, form.get("with", "").splitlines()):
        holders = [holder_of_sent_key(other) for other in re.findall(r"\b[a-z2-7]{26}\b", line)]
        viewers = [other for other in holders if other and other.role in ROLES_SEEING_STANDINGS]
        if not viewers or len(viewers) < len(holders):
            text = gettext("“%(link)s” leads to no other tournament here.", link=line.strip())
            raise Refused(CodedText(text, "no-tournament"))
        links |= {other.stream: other.key for other in viewers}
    remaining = [stream for stream in old.others if stream not in form.getlist("without")]
    # The earlier tournaments of an added one come first.
    all_streams = [
        *remaining,
        *(
            stream_id
            for stream in links
            for stream_id in (*service.current(stream).series.others, stream)
        ),
    ]
    streams = [stream for stream in dict.fromkeys(all_streams) if stream != holder.stream]
    rule, collects = form.get("rule", old.rule), form.get("collects", old.collects)
    body = {"do": "serie", "of": streams, "rule": rule, "collects": collects}
    if links:
        service.keyrings.seal_keys(holder.stream, key, links)
    submit(holder, holder.stream, body)
    return redirect(url_for("series.page", key=key), 303)
