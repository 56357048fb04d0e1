"""The start page: a new table in a few taps, the tables of this phone, a code to type."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import parse_qsl, urlencode, urlsplit

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

from scorer.engine import REGIONS, Head, Unreadable, load, rulebook
from scorer.store.keys import normal_code
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, ledgers, opened, store, tables
from scorer.web.frame.dialects import dialects
from scorer.web.frame.errors import message, unreadable
from scorer.web.frame.language import COOKIE, LANGUAGES, PAPER, words
from scorer.web.frame.limits import CREATE, GUESS, limited
from scorer.web.rules.switches import blind_watten
from scorer.web.table import ledger, opening, shelves

blueprint = Blueprint("start", __name__)


@blueprint.get("/")
def page() -> Response:
    """Everything one can start with."""
    return _start(request.args)


def _start(filled: Mapping[str, str], error: str = "") -> Response:
    known = shelves.mine()
    last = known[0]["state"] if known else None
    html = render_template(
        "table/start/page.html",
        regions=[(region, words(region), load(region)) for region in REGIONS],
        blind=blind_watten,
        filled=filled,
        picked=filled.get("rules") or shelves.region(known),
        targets={region: opening.targets(region) for region in REGIONS},
        names=opening.names(filled, last),
        ledger=_ledger(filled.get("regulars", "")),
        forgotten=request.args.get("forgotten", ""),
        shelf=request.args.get("shelf", phone.MINE),
        mine=known,
        ledgers=shelves.ledgers(),
        preiswatten=shelves.preiswatten(),
        added=[words(r)["name"] for r in REGIONS if load(r).three_sides == "addition"],
        error=error,
        token=phone.token(),
    )
    return phone.form_page(html, refused=bool(error))


def _ledger(key: str) -> str:
    """What the ledger a new table is to count in is called, or nothing."""
    holder = opened(key, "group") if key else None
    return ledgers().reading(holder.stream).name if holder else ""


@blueprint.get("/new")
def house() -> Response:
    """A region's switches to turn, with what was filled in on the start page."""
    return _house(request.args)


def _house(filled: Mapping[str, str], error: str = "") -> Response:
    region = filled.get("rules", REGIONS[0])
    if region not in REGIONS:
        abort(404)
    html = render_template(
        "table/start/house.html",
        region=region,
        words=words(region),
        variants=rulebook(region)["variants"],
        first=opening.switches(region, first=True),
        more=opening.switches(region, first=False),
        filled=filled,
        error=error,
        token=phone.token(),
    )
    return phone.form_page(html, refused=bool(error))


@blueprint.post("/new")
@limited(CREATE)
def create() -> AnyResponse:
    """Open the table the form describes and go to it."""
    form = request.form
    holder = ledger.member(form["regulars"]) if form.get("regulars") else None
    try:
        head = opening.head(form)
        key = phone.opened_once(lambda key: _open(head, key, holder))
    except Unreadable as error:
        text = unreadable(error)
        return _house(form, text) if "house" in form else _start(form, text)
    return redirect(url_for("writer.page", key=key), 303)


def _open(head: Head, key: str, holder: Guest | None) -> None:
    """Open a table, which counts in a ledger where there is one."""
    if holder is None:
        tables().create(head, key)
    else:
        ledger.open_table(holder, head, key)


# Joining, forgetting, language


@blueprint.get("/s")
def join() -> AnyResponse:
    """The form for a code typed by hand, or the way to the table of one."""
    code = request.args.get("code")
    if not code:
        return make_response(render_template("table/start/join.html"))
    return redirect(url_for("start.code", code=normal_code(code) or "-", typed=code[:20]), 303)


@blueprint.get("/s/<code>")
@limited(GUESS)
def code(code: str) -> AnyResponse:
    """The board behind a short code."""
    typed = normal_code(code)
    holder = opened(typed)
    viewer = store().unseal(typed, "viewer") if holder and holder.role == "code" else None
    if viewer is None:
        html = render_template(
            "table/start/join.html",
            typed=request.args.get("typed", code)[:20],
            error=message("unknown-code"),
        )
        return make_response(html, 404)
    return redirect(url_for("board.page", key=viewer), 303)


@blueprint.post("/forget")
def forget() -> AnyResponse:
    """Take something off one of this phone's lists; the page that follows can put it back."""
    key, what = _shelved()
    response = redirect(url_for("start.page", forgotten=key, shelf=what), 303)
    return phone.forget(response, key, what)


@blueprint.post("/remember")
def remember() -> AnyResponse:
    """Put it back on the list it was taken off."""
    response = redirect(url_for("start.page"), 303)
    key, what = _shelved()
    return phone.remember(response, key, what) if opened(key) else response


def _shelved() -> tuple[str, str]:
    """The key the form is about, and the list it stands or stood on."""
    what = request.form.get("shelf", phone.MINE)
    if what not in phone.SHELVES:
        abort(400)
    return request.form.get("key", ""), what


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
    # Whoever chooses a language wants it here too, whatever the address was in.
    query = urlencode([pair for pair in parse_qsl(where.query, True) if pair[0] != PAPER])
    return f"{where.path}?{query}" if query else where.path


@blueprint.post("/language")
def choose_language() -> AnyResponse:
    """Answer this phone in another language or dialect from now on."""
    back, language = request.form.get("back", "/"), request.form.get("language", "")
    response = redirect(_page_of_ours(back), 303)
    if language in LANGUAGES or language in dialects():
        phone.keep(response, COOKIE, language)
    return response
