"""The form with which pairs sign up; they wait until the director accepts them."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal
from scorer.store.roles import HALL_VIEWER, SIGNUP
from scorer.tournament import Tournament
from scorer.tournament.pairs import default_pair_name
from scorer.web.frame import device_identity, page_responses, resent_forms
from scorer.web.frame.access import KeyHolder, authorise, tournaments
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refused, form_route
from scorer.web.frame.translation import gettext
from scorer.web.tournament.pairs_page import enter, entry_status, pair_of_form
from scorer.web.tournament.tournament_view import TournamentView, view_of

blueprint = Blueprint("signup", __name__, url_prefix="/p/<key>")

MAX_PER_PHONE: Final = 4
"""Most sign-ups on the waiting list from one phone."""


@blueprint.get("/signup")
def page(key: str) -> Response:
    return _page(authorise(key, SIGNUP))


def _page(holder: KeyHolder, who: str = "") -> Response:
    """:param who: the pair or player that this phone has signed up"""
    service, view = tournaments(), view_of(holder)
    return page_responses.render_page(
        "tournament/signup.html",
        view=view,
        viewer_key=service.store.unseal(holder.key, HALL_VIEWER),
        who=who,
        sign_up_status=_status(view, who) if who else "",
        filled=request.form,
    )


def _status(view: TournamentView, who: str) -> str:
    """The state of a sign-up: it is on the list, or waits; "" if it can wait no longer."""
    entered = entry_status(view.tournament, who)
    if entered or view.signup_refusal:
        return entered
    if view.partners or " & " in who:
        return gettext("%(who)s: signed up. The director takes you on the list.", who=who)
    return gettext(
        "%(who)s: signed up. You get a partner by lot once the director has accepted you.", who=who
    )


@form_route(blueprint, "/signup", RUN_TOURNAMENT, "signup.page")
def sign_up(key: str) -> AnyResponse:
    holder, service = authorise(key, SIGNUP), tournaments()
    if (
        service.store.find_recorded(holder.stream, resent_forms.form_idempotency_key(holder.stream))
        is None
    ):
        _check_open(holder, service.current(holder.stream))
    # Lots are paid at the desk, so sign-up gives one.
    enter(holder, {**pair_of_form(), "entries": 1}, waiting=True)
    return redirect(
        url_for("signup.signed_up", key=key, who=default_pair_name(pair_of_form()["players"])), 303
    )


def _check_open(holder: KeyHolder, tournament: Tournament) -> None:
    """Check that this phone may sign up a pair.

    :raises Refused: sign-up is closed
    :raises Illegal: too many of its sign-ups are waiting
    """
    if closed := TournamentView(tournament, holder.key, holder.role).signup_refusal:
        raise Refused(closed)
    signature = device_identity.author_of_request(holder.role, holder.stream)
    waiting_entries = [
        s for s in tournament.waiting_list.values() if tournament.signature_of(s) == signature
    ]
    if len(waiting_entries) >= MAX_PER_PHONE:
        raise Illegal("too-many-by-phone", most=MAX_PER_PHONE)


@blueprint.get("/signed-up")
def signed_up(key: str) -> Response:
    """Confirmation of a sign-up, with the link to the hall."""
    return _page(authorise(key, "signup"), who=request.args.get("who", "")[:130])
