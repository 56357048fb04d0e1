"""Signing up: the form by which pairs enter themselves, and wait until the director takes them."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal
from scorer.tournament.reading import called_by
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, guest, store, tournaments
from scorer.web.frame.limits import RUN, limited
from scorer.web.tournament.pairs import enter, pair_of_form
from scorer.web.tournament.view import View, told

blueprint = Blueprint("signup", __name__, url_prefix="/p/<key>")

MOST_BY_PHONE: Final = 4
"""Sign-ups of a phone that may wait at once."""


@blueprint.get("/signup")
def page(key: str) -> Response:
    """The form by which a pair signs up."""
    return _page(guest(key, "tournament"))


def _page(holder: Guest, failed: str = "", entered: str = "") -> Response:
    if holder.role != "signup":
        abort(403, "not-yours")
    hall = store().unseal(holder.key, "hall")
    tournament = tournaments().reading(holder.stream)
    html = render_template(
        "tournament/signup.html",
        view=View(tournament, holder.key, holder.role),
        hall=hall,
        failed=failed,
        entered=entered,
        filled=request.form if failed else {},
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


@blueprint.post("/signup")
@limited(RUN)
def sign_up(key: str) -> AnyResponse:
    """Sign a pair up, or a player without a partner."""
    holder = guest(key, "tournament")
    if holder.role != "signup":
        abort(403, "not-yours")
    # How many lots a pair holds is paid at the desk.
    failed = _refused(holder) or enter(holder, {**pair_of_form(), "entries": 1}, waiting=True)
    if failed:
        return _page(holder, failed)
    return redirect(
        url_for("signup.signed_up", key=key, who=called_by(pair_of_form()["players"])), 303
    )


def _refused(holder: Guest) -> str:
    """Whether sign-up is closed, or this phone has signed up often enough."""
    tournament = tournaments().reading(holder.stream)
    if store().recorded(holder.stream, phone.event_name()) is not None:
        return ""
    if closed := View(tournament, holder.key, holder.role).closed:
        return closed
    own = phone.signature(holder.role)
    mine = [s for s in tournament.signed.values() if tournament.signed_by(s) == own]
    if len(mine) >= MOST_BY_PHONE:
        return told(Illegal("too-many-by-phone", most=MOST_BY_PHONE))
    return ""


@blueprint.get("/signed-up")
def signed_up(key: str) -> Response:
    """What has been entered, and the way to the tables."""
    return _page(guest(key, "tournament"), entered=request.args.get("who", "")[:130])
