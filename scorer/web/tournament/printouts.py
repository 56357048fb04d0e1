"""Printed sheets: standings, results, pairings, lists, certificates and slips."""

from __future__ import annotations

import re
from typing import Final

from flask import Blueprint, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine.translatable import N_
from scorer.store.roles import DIRECTOR, HALL_VIEWER
from scorer.tournament import Round
from scorer.web.frame.access import require_director
from scorer.web.frame.public_address import public_url
from scorer.web.frame.remembered_keys import TOURNAMENTS_COOKIE, key_of
from scorer.web.tournament import printout_rows
from scorer.web.tournament.slip_layout import needs_small_print
from scorer.web.tournament.tournament_view import TournamentView, view_of
from scorer.web.tournament.visibility import awaits_prize_giving
from scorer.web.tournament.visitors import redirect_to_visitors, viewer

blueprint = Blueprint("printouts", __name__, url_prefix="/p/<key>/print")

SHEETS: Final = {
    "standings": N_("Standings"),
    "prizes": N_("Prize list"),
    "results": N_("Results"),
    "by-name": N_("Pairings by name"),
    "by-table": N_("Pairings by table"),
    "list": N_("Start and cash list"),
    "bracket": N_("Bracket"),
    "cross": N_("Cross table"),
    "ways": N_("Match cards"),
    "certificates": N_("Certificates"),
}
_TEMPLATES: Final = {"cross": "cross_tables", "ways": "running_slips"}
"""Templates that are not named like their sheet."""
OCCASIONS: Final = {
    N_("At the door"): ("list",),
    N_("For each round"): ("slips", "by-name", "by-table", "results"),
    N_("In between"): ("standings", "bracket", "cross", "ways"),
    N_("At the end"): ("prizes", "certificates"),
}
"""The sheets, and the slips, by the occasion on which they are printed."""
_ROUND_SHEETS: Final = ("results", "by-name", "by-table")
_DESK_SHEETS: Final = ("list",)
"""Sheets for the desk only, as they show payments."""


@blueprint.get("/<what>")
@blueprint.get("/<what>/<int:number>")
def page(key: str, what: str, number: int | None = None) -> str | AnyResponse:
    """A sheet to print; `number` is the round, by default the newest."""
    if what not in SHEETS:
        abort(404)
    holder = require_director(key) if what in _DESK_SHEETS else viewer(key)
    view = view_of(holder)
    # Before the prize-giving, visitors do not see what the director prints for it.
    is_for_desk = what in _DESK_SHEETS or awaits_prize_giving(view.tournament, HALL_VIEWER)
    if not is_for_desk and (redirection := redirect_to_visitors(holder)):
        return redirection
    round_ = _round(view, number)
    if round_ is None and what in _ROUND_SHEETS:
        abort(404, "no-round")
    usual = len(view.tournament.prizes.lines) or 3
    best = min(max(request.args.get("best", usual, type=int), 1), 64)
    return render_template(
        f"tournament/printouts/{_TEMPLATES.get(what, what.replace('-', '_'))}.html",
        view=view,
        what=what,
        title=SHEETS[what],
        round_=round_ if what in _ROUND_SHEETS else None,
        desk=key_of(holder.stream, DIRECTOR, TOURNAMENTS_COOKIE) or key,
        **printout_rows.context(view, what, round_, best, request.args.get("category", "")),
    )


def _round(view: TournamentView, number: int | None) -> Round | None:
    rounds = view.tournament.rounds
    if number is None:
        return rounds[-1] if rounds else None
    if not 1 <= number <= len(rounds):
        abort(404, "no-round")
    return rounds[number - 1]


@blueprint.get("/slips")
@blueprint.get("/slips/<int:number>")
def slips(key: str, number: int | None = None) -> str:
    """A slip for each table of a round, with boxes for the games and QR codes for both pairs.

    The query may name `tables` to print again (all, if none of them exists) and slips `per` sheet.
    With `stacked` the cut piles are in order when they are laid on each other.
    """
    view = view_of(require_director(key))
    round_ = _round(view, number)
    if round_ is None:
        abort(404, "no-round")
    typed = re.findall(r"\d+", request.args.get("tables", ""))
    tables = sorted(round_.matches)
    wanted = [table for table in tables if str(table) in typed] or tables
    layout, sheets = printout_rows.slips(
        view,
        [round_.matches[table] for table in wanted],
        round_.games,
        request.args.get("per", 0, type=int),
        stacked="stacked" in request.args,
    )
    return render_template(
        "tournament/printouts/slips.html",
        view=view,
        round_=round_,
        sheets=sheets,
        layout=layout,
        chosen={name: request.args.get(name) for name in ("per", "stacked", "tables", "in")},
        tables=tables,
        unknown=[text for text in typed if text not in map(str, tables)],
        needs_small_print=needs_small_print,
        # People type this address from paper, so the scheme is left out.
        watching=re.sub("^https?://", "", public_url(url_for("start.code", code=""))),
    )
