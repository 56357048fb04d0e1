"""The director's page of links and QR codes, and renewing links."""

from __future__ import annotations

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.keyrings import ROLES
from scorer.web.frame import device_cookies
from scorer.web.frame.access import director, tournaments
from scorer.web.frame.public_address import key_urls, qr_svg
from scorer.web.frame.rate_limits import RUN
from scorer.web.frame.refusals import form_route
from scorer.web.tournament.tournament_view import view_of

blueprint = Blueprint("links", __name__, url_prefix="/p")


@blueprint.get("/<key>/links")
def page(key: str) -> Response:
    view = view_of(director(key))
    keys = tournaments().keyrings.links(key)
    urls = key_urls(keys, dict.fromkeys(keys, "desk.page"))
    html = render_template(
        "tournament/links.html",
        view=view,
        urls=urls,
        codes={role: qr_svg(url) for role, url in urls.items()},
        renewed=request.args.get("renewed") in ROLES,
    )
    return device_cookies.remember(make_response(html), key, device_cookies.TOURNAMENTS)


@form_route(blueprint, "/<key>/renew", RUN)
def renew(key: str) -> AnyResponse:
    """Revoke the keys of one role and create new ones."""
    holder = director(key)
    role = request.form.get("role", "")
    if role not in ROLES:
        return redirect(url_for("links.page", key=key), 303)
    keys = tournaments().keyrings.renew(holder.stream, key, role)
    response = redirect(url_for("links.page", key=keys["director"], renewed=role), 303)
    return (
        device_cookies.forget(response, key, device_cookies.TOURNAMENTS)
        if role == "director"
        else response
    )
