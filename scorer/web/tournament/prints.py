"""What is printed: standings, results, pairings, prizes, and the slips for the tables."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, abort, make_response, render_template, url_for

from scorer.book.live import others_first
from scorer.tournament import Match, Round
from scorer.web.frame.access import director, tables, tournaments
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.tournament.hall import watcher
from scorer.web.tournament.view import Desk

blueprint = Blueprint("prints", __name__, url_prefix="/p/<key>/print")

SHEETS = ("standings", "prizes", "results", "by-name", "by-table")


@blueprint.get("/<what>")
@blueprint.get("/<what>/<int:number>")
def page(key: str, what: str, number: int | None = None) -> Response:
    """A sheet to print; `number` is the round, the newest where none is named."""
    if what not in SHEETS:
        abort(404)
    holder = watcher(key)
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    one = _round(desk, number)
    if one is None and what in ("results", "by-name", "by-table"):
        abort(404, "no-round")
    seats = _seats(desk, one) if one and what == "by-name" else []
    html = render_template("tournament/print.html", desk=desk, what=what, round=one, seats=seats)
    return make_response(html)


def _round(desk: Desk, number: int | None) -> Round | None:
    rounds = desk.tournament.rounds
    if number is None:
        return rounds[-1] if rounds else None
    if not 1 <= number <= len(rounds):
        abort(404, "no-round")
    return rounds[number - 1]


def _seats(desk: Desk, one: Round) -> list[tuple[str, int, str]]:
    """Every player of a round by name, or the pair that named none: its table, its opponents.

    A bye is table 0.
    """
    found = []
    for match in one.matches.values():
        first, second = match.drawn.pairs
        for pair, other in ((first, second), (second, first)):
            found += [(who, match.drawn.table, desk.name(other)) for who in desk.people(pair)]
    for pair in desk.free(one):
        found += [(who, 0, "") for who in desk.people(pair)]
    return sorted(found, key=lambda seat: seat[0].casefold())


@blueprint.get("/slips")
@blueprint.get("/slips/<int:number>")
def slips(key: str, number: int | None = None) -> Response:
    """A slip for each table of a round: boxes for the games, and a code for each of the pairs."""
    holder = director(key)
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    one = _round(desk, number)
    if one is None:
        abort(404, "no-round")
    found = []
    for match in one.matches.values():
        found.append(_slip(key, match))
        # Drawing two codes costs 20 ms.
        others_first()
    html = render_template(
        "tournament/slips.html",
        desk=desk,
        round=one,
        slips=found,
        games=tournament.games(one.number),
        target=tournament.target(one.number),
    )
    return make_response(html)


def _slip(key: str, match: Match) -> dict[str, Any]:
    scorer = tournaments().scorer(key, match.drawn)
    if scorer is None:
        return {"match": match, "codes": (), "code": ""}
    links = tables().links(scorer)
    urls = [public_url(url_for("entry.page", key=one)) for one in (scorer, links["opponent"])]
    return {"match": match, "codes": [qr_svg(url) for url in urls], "code": links["code"]}
