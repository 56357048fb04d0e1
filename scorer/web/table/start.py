"""The start page: a new table in a few taps, the tables of this phone, a code to type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

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
from werkzeug.exceptions import HTTPException
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import REGIONS, Unreadable, load, read_head, rulebook
from scorer.engine.rules.ruleset import SWITCHES
from scorer.store.keys import normal_code
from scorer.web.frame import phone
from scorer.web.frame.access import tables, writer
from scorer.web.frame.errors import unreadable
from scorer.web.frame.language import COOKIE, LANGUAGES, words
from scorer.web.frame.limits import CREATE, GUESS, limiter
from scorer.web.rules.switches import SWITCH_NAMES, shown_value
from scorer.web.table import regulars, shelf

blueprint = Blueprint("start", __name__)


@blueprint.get("/")
def page() -> Response:
    """Everything one can start with."""
    return _start(request.args)


def _start(filled: Mapping[str, str], error: str = "") -> Response:
    known = shelf.mine()
    response = make_response(
        render_template(
            "table/start/page.html",
            regions=[(region, words(region), load(region)) for region in REGIONS],
            filled=filled,
            last=known[0]["state"] if known else None,
            mine=known,
            regulars=shelf.regulars(),
            preiswatten=shelf.preiswatten(),
            added=[words(r)["name"] for r in REGIONS if load(r).three_sides == "addition"],
            error=error,
        )
    )
    response.status_code = 422 if error else 200
    return phone.introduce(response)


@blueprint.get("/new")
def house() -> Response:
    """A region's switches to turn, with what was filled in on the start page."""
    return _house(request.args)


def _house(filled: Mapping[str, str], error: str = "") -> Response:
    region = filled.get("rules", REGIONS[0])
    if region not in REGIONS:
        abort(404)
    entries = rulebook(region)["rules"]
    switches = [
        {
            "name": name,
            "label": SWITCH_NAMES[name],
            "rules": load(region).cite(name),
            "choices": [
                (_written(value), shown_value(name, value, region))
                for value in (entries[name]["value"], *entries[name]["or"])
            ],
        }
        for name in SWITCHES
        if "or" in entries[name]
    ]
    response = make_response(
        render_template(
            "table/start/house.html",
            region=region,
            words=words(region),
            variants=rulebook(region)["variants"],
            switches=switches,
            filled=filled,
            error=error,
        )
    )
    response.status_code = 422 if error else 200
    return response


def _written(value: Any) -> str:
    """A switch's value as a form carries it."""
    return ",".join(value) if isinstance(value, list) else str(value).lower()


@blueprint.post("/new")
@limiter.limit(CREATE)
def create() -> AnyResponse:
    """Open the table the form describes and go to it."""
    form = request.form
    try:
        head = read_head(_head(form))
    except Unreadable as error:
        text = unreadable(error)
        return _house(form, text) if "house" in form else _start(form, text)
    group = regulars.member(form["regulars"]) if form.get("regulars") else None
    keys = tables().create(head)
    if group is not None:
        regulars.count_in(group, writer(keys["scorer"]))
    return redirect(url_for("writer.page", key=keys["scorer"]), 303)


def _head(form: Any) -> dict[str, Any]:
    """A record's head from the form."""
    count = 3 if form.get("count") == "3" else 2
    sides = [
        {
            "name": form.get(f"side{side}", "").strip(),
            "players": [
                player for player in map(str.strip, form.getlist(f"player{side}")) if player
            ],
        }
        for side in range(count)
    ]
    head: dict[str, Any] = {
        "watten": 1,
        "rules": form.get("rules", ""),
        "sides": sides,
        "start": {
            "points": [_number(form.get(f"points{side}")) for side in range(count)],
            "bummerl": [_number(form.get(f"bummerl{side}")) for side in range(count)],
        },
        "set": _switches(form),
    }
    if form.get("cut"):
        head["cut"] = True
    if form.get("look_back"):
        head["look_back"] = form["look_back"]
    if form.get("variant"):
        head["variant"] = form["variant"]
    if form.get("dealer", "").strip():
        head["dealer"] = _dealer(form["dealer"].strip(), sides)
    return head


def _dealer(dealer: str, sides: list[dict[str, Any]]) -> str:
    """The dealer's name; the form also knows places, as names may not be filled in yet."""
    side, _, place = dealer.partition(":")
    if not (side.isdecimal() and len(side) == 1 and int(side) < len(sides)):
        return dealer
    chosen = sides[int(side)]
    players = chosen["players"]
    if players:
        at = int(place) if place.isdecimal() and len(place) == 1 else 0
        return str(players[at % len(players)])
    return str(chosen["name"])


def _number(text: str | None) -> Any:
    text = (text or "").strip()
    return int(text) if text.isdecimal() and len(text) < 4 else text or 0


def _switches(form: Any) -> dict[str, Any]:
    """The switches whose value in the form is not the region's own."""
    region = form.get("rules")
    if region not in REGIONS:
        return {}
    entries = rulebook(region)["rules"]
    turned = {}
    for name in SWITCHES:
        written = form.get(f"set.{name}")
        for value in (entries[name]["value"], *entries[name].get("or", ())):
            if written == _written(value) and value != entries[name]["value"]:
                turned[name] = value
    return turned


# Joining, forgetting, language


@blueprint.get("/s")
def join() -> AnyResponse:
    """The form for a code typed by hand, or the way to the table of one."""
    code = request.args.get("code")
    if not code:
        return make_response(render_template("table/start/join.html"))
    return redirect(url_for("start.code", code=normal_code(code) or "-"), 303)


@blueprint.get("/s/<code>")
@limiter.limit(GUESS)
def code(code: str) -> AnyResponse:
    """The board behind a short code."""
    typed = normal_code(code)
    access = tables().store.find(typed) if typed else None
    if access is None or access.role != "code":
        abort(404, "unknown-code")
    viewer = tables().store.unseal(typed, "viewer")
    if viewer is None:
        abort(404, "unknown-code")
    return redirect(url_for("board.page", key=viewer), 303)


@blueprint.post("/forget")
def forget() -> AnyResponse:
    """Take a table off this phone's list."""
    return phone.forget(redirect(url_for("start.page"), 303), request.form.get("key", ""))


def _page_of_ours(address: str) -> str:
    """`address` where it is one of our pages, else the start page."""
    ours = current_app.url_map.bind("localhost")
    try:
        where = urlsplit(address)
        if any(sign <= " " or sign == "\\" for sign in address) or where.scheme or where.netloc:
            return "/"
        ours.match(where.path, method="GET")
    except (HTTPException, ValueError):
        return "/"
    return f"{where.path}?{where.query}" if where.query else where.path


@blueprint.post("/language")
def choose_language() -> AnyResponse:
    """Answer this phone in another language from now on."""
    response = redirect(_page_of_ours(request.form.get("back", "/")), 303)
    if request.form.get("language") in LANGUAGES:
        phone.keep(response, COOKIE, request.form["language"])
    return response
