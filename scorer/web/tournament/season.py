"""Tournaments of a year counted together, as the director of the newest has put them."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.rings import WATCHING
from scorer.engine.translatable import N_
from scorer.tournament.reading import series_rules
from scorer.tournament.series import seasons
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, opened, store, tournaments
from scorer.web.frame.limits import RUN, limited
from scorer.web.frame.sentences import gettext
from scorer.web.tournament.hall import watcher
from scorer.web.tournament.view import View, record

blueprint = Blueprint("season", __name__, url_prefix="/p/<key>")

RULE_NAMES: Final = {
    "places": N_("Points by place, all evenings"),
    "places-best-three": N_("Points by place, the best three evenings"),
    "games-won": N_("Games won, summed"),
    "points": N_("Points, summed"),
    "score": N_("Score, summed"),
}


@blueprint.get("/season")
def page(key: str) -> Response:
    """The series this tournament belongs to."""
    return _page(watcher(key))


def _page(holder: Guest, failed: str = "") -> Response:
    view = View(tournaments().reading(holder.stream), holder.key, holder.role)
    series = view.tournament.series
    # Some may not have been taken along to this machine.
    here = store().known("tournament", series.of)
    others = {s: tournaments().reading(s) for s in series.of if s in here}
    by_player = series.collects == "player"
    evenings = [*others.values(), view.tournament]
    html = render_template(
        "tournament/season.html",
        view=view,
        series=series,
        rule_names=RULE_NAMES,
        by_player=by_player,
        evenings=evenings,
        seasons=seasons(series_rules()[series.rule], evenings, by_player),
        others=others,
        elsewhere=len({*series.of} - here),
        failed=failed,
        filled=request.form,
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


@blueprint.post("/season")
@limited(RUN)
def count(key: str) -> AnyResponse:
    """Count other tournaments in, by their links, or no longer; and say what counts."""
    holder = director(key)
    form, old = request.form, tournaments().reading(holder.stream).series
    keys = dict.fromkeys(re.findall(r"\b[a-z2-7]{26}\b", form.get("with", "")))
    guests = [_watching(other) for other in keys]
    if None in guests or (form.get("with", "").strip() and not guests):
        return _page(holder, gettext("Some of these links lead to no other tournament here."))
    links = {other.stream: other.key for other in guests if other}
    left = [stream for stream in old.of if stream not in form.getlist("without")]
    joined = [*left, *(evening for stream in links for evening in _all_of(stream))]
    of = [stream for stream in dict.fromkeys(joined) if stream != holder.stream]
    rule, collects = form.get("rule", old.rule), form.get("collects", old.collects)
    body = {"do": "serie", "of": of, "rule": rule, "collects": collects}
    if links:
        tournaments().rings.hold(holder.stream, key, links)
    failed = record(holder, holder.stream, body)
    return _page(holder, failed) if failed else redirect(url_for("season.page", key=key), 303)


def _all_of(stream: str) -> tuple[str, ...]:
    """A tournament behind those that count together with it already."""
    return (*tournaments().reading(stream).series.of, stream)


def _watching(key: str) -> Guest | None:
    """Whoever may look at a tournament by this key, or None."""
    holder = opened(key)
    return holder if holder and holder.role in WATCHING else None
