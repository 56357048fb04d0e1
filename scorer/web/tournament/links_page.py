"""The director's page of links and QR codes: renewing links, and links for helpers."""

from __future__ import annotations

from flask import (
    Blueprint,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.helper_links import HELPERS, RESULTS
from scorer.book.keyrings import ROLES
from scorer.engine import Unreadable
from scorer.engine.input.field_readers import integer
from scorer.engine.translatable import N_
from scorer.platforms import Platform
from scorer.store import Unavailable
from scorer.store.roles import DIRECTOR, HALL_VIEWER, SIGNUP
from scorer.tournament.pairs import MAX_PAIRS
from scorer.web.frame import page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import holder_of, require_director, tournaments
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.public_address import key_urls, reaches_others
from scorer.web.frame.qr_code import qr_svg
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import form_route
from scorer.web.tournament.labels import helper_text
from scorer.web.tournament.tournament_view import TournamentView, view_of

blueprint = Blueprint("links", __name__, url_prefix="/p")


@blueprint.get("/<key>/links")
def page(key: str) -> AnyResponse:
    holder, keyrings = require_director(key), tournaments().keyrings
    if not reaches_others():
        return redirect(url_for("desk.page", key=key), 303)
    view = view_of(holder)
    keys = {**keyrings.keys_by_role(key), **keyrings.helper_keys(holder.stream, key)}
    urls = key_urls(keys, dict.fromkeys(keys, "desk.page"))
    html = render_template(
        "tournament/links.html",
        view=view,
        urls=urls,
        codes={role: qr_svg(url) for role, url in urls.items()},
        helpers=keyrings.helpers(holder.stream),
        helper_text=helper_text,
        shown=request.args.get("made") or request.args.get("renewed") or _first_shown(view),
        filled=request.form,
        on_phone=_on_phone(),
        renewed=request.args.get("renewed") in ROLES,
    )
    return remembered_keys.remember(
        page_responses.response_with_secret(html), key, remembered_keys.TOURNAMENTS_COOKIE
    )


def _first_shown(view: TournamentView) -> str:
    """The role of the link that is needed next: to sign up, then to look on."""
    return HALL_VIEWER if view.tournament.rounds or view.signup_refusal else SIGNUP


def _on_phone() -> bool:
    platform: Platform = current_app.extensions["platform"]
    return platform.name == "phone"


@form_route(blueprint, "/<key>/helpers", RUN_TOURNAMENT, "links.page")
def add_helper(key: str) -> AnyResponse:
    """Make a link for a helper.

    :raises Unreadable: the tables are not two numbers in order
    :raises Illegal: there are too many
    """
    holder, keyrings = require_director(key), tournaments().keyrings
    if _on_phone():
        # Other phones only reach the server.
        raise Unavailable("alone")
    work = request.form.get("work", "")
    if work not in HELPERS:
        abort(400)
    tables = _tables() if work == RESULTS else None
    new_key = resent_forms.create_once(
        lambda key_to_use: keyrings.add_helper(holder.stream, key, work, tables, key_to_use)
    )
    helper = holder_of(new_key)
    role = helper.role if helper else ""
    return redirect(url_for("links.page", key=key, made=role, _anchor="helpers"), 303)


def _tables() -> range | None:
    """The tables of the form, or None for all.

    :raises Unreadable: they are not two numbers in order
    """
    first, last = (request.form.get(name, "").strip() for name in ("first", "last"))
    if not first and not last:
        return None
    low = integer(1, MAX_PAIRS)("first", whole_number(first or "1"))
    high = integer(1, MAX_PAIRS)("last", whole_number(last or first))
    if high < low:
        raise Unreadable("last", N_("must not be below the first table"))
    return range(low, high + 1)


@form_route(blueprint, "/<key>/helpers/close", RUN_TOURNAMENT, "links.page")
def close_helper(key: str) -> AnyResponse:
    """Revoke one helper's link."""
    holder, keyrings = require_director(key), tournaments().keyrings
    role = request.form.get("role", "")
    for link in keyrings.helpers(holder.stream):
        if link.role == role:
            keyrings.revoke_helper(holder.stream, link)
    return redirect(url_for("links.page", key=key, _anchor="helpers"), 303)


@form_route(blueprint, "/<key>/renew", RUN_TOURNAMENT)
def renew(key: str) -> AnyResponse:
    """Revoke the keys of one role and create new ones."""
    holder = require_director(key)
    role = request.form.get("role", "")
    if role not in ROLES:
        return redirect(url_for("links.page", key=key), 303)
    keys = tournaments().keyrings.renew(holder.stream, key, role)
    response = redirect(url_for("links.page", key=keys[DIRECTOR], renewed=role), 303)
    return (
        remembered_keys.forget(response, key, remembered_keys.TOURNAMENTS_COOKIE)
        if role == DIRECTOR
        else response
    )
