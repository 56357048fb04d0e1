"""Setting a tournament up, and the director's desk."""

from __future__ import annotations

import secrets
from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from flask_babel import gettext
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.tournaments import ROLES
from scorer.engine import REGIONS, BadRules, Illegal, Unreadable, load
from scorer.store import KeyReused
from scorer.tournament import presets, read_settings
from scorer.tournament.settings import METRICS
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, guest, hub, tournaments
from scorer.web.frame.bodies import whole_number
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import chosen, speaking, words
from scorer.web.frame.limits import CREATE, RUN, limiter
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.frame.stream import watch
from scorer.web.tournament.names import METRIC_NAMES, PRESET_NAMES
from scorer.web.tournament.view import Desk, keep, told

blueprint = Blueprint("desk", __name__, url_prefix="/p")


# Setting up


@blueprint.get("/new")
def new() -> Response:
    """The form of a new tournament."""
    return _new()


def _new(error: str = "") -> Response:
    html = render_template(
        "tournament/new.html",
        regions=[(region, words(region), load(region)) for region in REGIONS],
        presets=[(name, gettext(PRESET_NAMES[name]), preset) for name, preset in presets().items()],
        metrics=[(name, gettext(METRIC_NAMES[name])) for name in METRICS],
        filled=request.values,
        error=error,
    )
    return phone.shown(html, refused=bool(error))


@blueprint.post("/new")
@limiter.limit(CREATE)
def create() -> AnyResponse:
    """Open the tournament the form describes."""
    try:
        settings = read_settings(_described(), seed=secrets.token_hex(4))
    except Unreadable as error:
        return _new(told(error))
    keys = tournaments().create(settings)
    return redirect(url_for("pairs.page", key=keys["director"]), 303)


def _described() -> dict[str, Any]:
    """The settings of the form; what was left empty is the preset's."""
    form = request.form
    preset = form.get("preset", "")
    known = presets().get(preset, {})
    data: dict[str, Any] = {"preset": preset or None}
    for name in ("name", "place", "date", "rules", "seed"):
        if form.get(name, "").strip():
            data[name] = form[name].strip()
    for name in ("rounds", "games_per_round", "decider"):
        if form.get(name, "").strip():
            data[name] = whole_number(form[name])
    if form.get("target", "").strip():
        data["set"] = {"target": whole_number(form["target"])}
    ranking = [metric for metric in form.getlist("ranking") if metric]
    if ranking:
        data["ranking"] = ranking
    switches = {"yes": True, "no": False}
    scoring = {
        name.removeprefix("scoring."): switches.get(value, whole_number(value))
        for name, value in form.items()
        if name.startswith("scoring.") and value.strip()
    }
    if scoring:
        data["scoring"] = {**known.get("scoring", {}), **scoring}
    if form.get("finals", "").strip():
        best = whole_number(form["finals"])
        data["finals"] = {**known.get("finals", {}), "best": best} if best else None
    finals = data.get("finals", known.get("finals"))
    if finals and form.get("finals_games", "").strip():
        data["finals"] = {**finals, "games": whole_number(form["finals_games"])}
    if form.get("groups", "").strip():
        data["groups"] = {**known.get("groups", {}), "count": whole_number(form["groups"])}
    return data


# The desk


@blueprint.get("/<key>")
def page(key: str) -> AnyResponse:
    """The way in: the desk for the director, the standings for the hall, the form to sign up."""
    holder = guest(key, "tournament")
    if holder.role == "hall":
        return redirect(url_for("hall.standings", key=key), 303)
    if holder.role == "signup":
        return redirect(url_for("pairs.signup", key=key), 303)
    return _desk(key)


def _desk(key: str, failed: str = "") -> Response:
    holder = director(key)
    template = "tournament/_desk.html" if wants_fragment() else "tournament/desk.html"
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    html = render_template(template, desk=desk, failed=failed, token=phone.token())
    response = phone.shown(html, refused=bool(failed))
    return phone.remember(response, key, phone.TOURNAMENTS)


@blueprint.get("/<key>/stream")
def stream(key: str) -> Response:
    """The desk as results come in."""
    holder = director(key)
    book, language = tournaments(), chosen()
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    draw = current_app.jinja_env.get_template("tournament/_desk.html")

    def render() -> tuple[int, str]:
        tournament = book.reading(holder.stream)
        with speaking(app, language):
            desk = Desk(tournament, key, holder.role)
            return len(tournament.recorded), draw.render(
                desk=desk, failed=None, token=phone.token()
            )

    return watch(holder, "desk", render)


@blueprint.post("/<key>/draw")
@limiter.limit(RUN)
def draw(key: str) -> AnyResponse:
    """Draw the next round; `anyway`: by decision, although results are missing."""
    holder = director(key)
    anyway = request.form.get("anyway") == "1"
    name, by = phone.event_name(), phone.signature(holder.role)
    try:
        tournaments().draw(holder.stream, key, key=name, by=by, anyway=anyway)
    except Illegal as refusal:
        return _desk(key, told(refusal))
    except KeyReused:
        abort(409, "stale")
    hub().moved(holder.stream, len(tournaments().reading(holder.stream).recorded))
    return redirect(url_for("desk.page", key=key), 303)


@blueprint.post("/<key>/take-back")
@limiter.limit(RUN)
def take_back(key: str) -> AnyResponse:
    """Take the newest draw back while no result is in."""
    holder = director(key)
    number = request.form.get("round", "")
    failed = _scored(holder.stream) or keep(
        holder, holder.stream, {"do": "ruecknahme", "round": whole_number(number)}
    )
    return _desk(key, failed) if failed else redirect(url_for("desk.page", key=key), 303)


def _scored(stream: str) -> str:
    """A draw whose tables have begun to write is not taken back under their hands."""
    tournament = tournaments().reading(stream)
    desk = Desk(tournament, "", "director")
    matches = desk.newest.matches.values() if desk.newest else ()
    writing = [str(match.drawn.table) for match in matches if desk.live(match)]
    if not writing:
        return ""
    return gettext("Tables are being scored: %(tables)s", tables=", ".join(writing))


@blueprint.get("/<key>/links")
def links(key: str) -> Response:
    """The links of the tournament with their codes."""
    holder = director(key)
    keys = tournaments().links(key)
    urls = {role: public_url(url_for("desk.page", key=keys[role])) for role in ROLES}
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    html = render_template(
        "tournament/links.html",
        desk=desk,
        urls=urls,
        codes={role: qr_svg(url) for role, url in urls.items()},
    )
    return make_response(html)


@blueprint.post("/<key>/renew")
@limiter.limit(RUN)
def renew(key: str) -> AnyResponse:
    """Close the links of one role and make new ones."""
    holder = director(key)
    role = request.form.get("role", "")
    if role not in ROLES:
        return redirect(url_for("desk.links", key=key), 303)
    keys = tournaments().renew(holder.stream, key, role)
    response = redirect(url_for("desk.links", key=keys["director"]), 303)
    return phone.forget(response, key, phone.TOURNAMENTS) if role == "director" else response


@blueprint.get("/<key>/prizes")
def prizes(key: str) -> Response:
    """The form of the prizes."""
    return _prizes(key)


def _prizes(key: str, failed: str = "") -> Response:
    holder = director(key)
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    html = render_template("tournament/prizes.html", desk=desk, failed=failed, token=phone.token())
    return phone.shown(html, refused=bool(failed))


@blueprint.post("/<key>/prizes")
@limiter.limit(RUN)
def set_prizes(key: str) -> AnyResponse:
    """Keep the prizes of the form: a line a place, and the consolation."""
    holder = director(key)
    form = request.form
    lines = [line.strip() for line in form.get("lines", "").splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    body = {
        "do": "preise",
        "lines": lines,
        "consolation": form.get("consolation", "").strip(),
        "to": form.get("to", "last"),
    }
    failed = keep(holder, holder.stream, body)
    return _prizes(key, failed) if failed else redirect(url_for("desk.prizes", key=key), 303)


@blueprint.post("/<key>/decider")
@limiter.limit(RUN)
def decide(key: str) -> AnyResponse:
    """Note who won a deciding game between two pairs that are level, or open a table for it."""
    holder = director(key)
    winner, loser = (whole_number(request.form.get(name, "")) for name in ("winner", "loser"))
    if "table" in request.form:
        return _decider_table(holder, winner, loser)
    body = {"do": "stechen", "winner": winner, "loser": loser}
    failed = keep(holder, holder.stream, body)
    if failed:
        return _desk(key, failed)
    return redirect(url_for("hall.standings", key=key), 303)


def _decider_table(holder: Guest, one: Any, other: Any) -> AnyResponse:
    try:
        keys = tournaments().decider(holder.stream, (one, other))
    except Illegal as refusal:
        return _desk(holder.key, told(refusal))
    except BadRules:
        text = gettext("These rules cannot be played to so few points: play it on paper.")
        return _desk(holder.key, text)
    return redirect(url_for("writer.page", key=keys["scorer"]), 303)


@blueprint.post("/forget")
def forget() -> AnyResponse:
    """Take a tournament off this phone's list."""
    response = redirect(url_for("start.page"), 303)
    return phone.forget(response, request.form.get("key", ""), phone.TOURNAMENTS)
