"""The start page: a new table, this device's tables, and short codes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
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

from scorer.book.table_links import CodeEnded
from scorer.engine import REGIONS, rulebook, rules_of
from scorer.engine.input.field_readers import MAX_NOTE_LENGTH
from scorer.store.keys import normalise_code
from scorer.store.roles import LEDGER_KIND
from scorer.web.frame import cookies, page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import holder_of_sent_key, ledgers, tables
from scorer.web.frame.dialects import dialects
from scorer.web.frame.errors import message
from scorer.web.frame.language import COOKIE, LANGUAGES, PRINT_LANGUAGE, use_dialect, words
from scorer.web.frame.public_address import reaches_others
from scorer.web.frame.rate_limits import CREATE, count_code_guess, uncount_code_guess
from scorer.web.frame.refusals import current_refusal, form_route
from scorer.web.frame.translation import gettext
from scorer.web.table import device_tables, ledger_page, new_table_form

blueprint = Blueprint("start", __name__)


@blueprint.get("/")
def page() -> Response:
    use_dialect()
    filled = request.form if current_refusal() else request.args
    tables_here = device_tables.table_entries()
    forgotten = request.args.get("forgotten", "")
    shelf = request.args.get("shelf", remembered_keys.TABLES_COOKIE)
    key = filled.get("regulars")
    holder = holder_of_sent_key(key, LEDGER_KIND) if key else None
    opened_ledger = ledgers().current(holder.stream) if holder else None
    newest, players = (
        ledger_page.regulars(opened_ledger)
        if opened_ledger
        else (None, device_tables.players(tables_here))
    )
    last_state = newest or (tables_here[0]["state"] if tables_here else None)
    return page_responses.form_page(
        "table/start/page.html",
        regions=[(region, words(region), rules_of(region)) for region in REGIONS],
        filled=filled,
        picked=filled.get("rules") or device_tables.region(tables_here),
        last_rules=new_table_form.last_house_rules(last_state.rules) if last_state else {},
        targets={region: new_table_form.targets(region) for region in REGIONS},
        seated=new_table_form.seat_fields(filled, last_state),
        our_names=[gettext(name) for name in new_table_form.OURS],
        ledger=opened_ledger.name if opened_ledger else "",
        regulars=players,
        forgotten=forgotten,
        forgotten_name=device_tables.name_of(forgotten, shelf) if forgotten else "",
        shelf=shelf,
        mine=tables_here,
        ledgers=device_tables.ledgers(),
        preiswatten=device_tables.preiswatten(),
        from_paper=any(_paper_scores(filled)),
    )


def _paper_scores(filled: Mapping[str, str]) -> Iterator[str]:
    """The scores in the form that were taken over from paper."""
    return (filled.get(f"{what}{side}", "") for what in ("points", "bummerl") for side in range(3))


@blueprint.get("/new")
def house() -> Response:
    """The form of all house rules, filled in from the start page."""
    filled = request.form if current_refusal() else request.args
    region = filled.get("rules", REGIONS[0])
    if region not in REGIONS:
        abort(404)
    more = new_table_form.other_switches(region)

    def chosen_value(name: str) -> str | None:
        return filled.get(f"set.{name}") or filled.get(f"{name}-{region}")

    return page_responses.form_page(
        "table/start/house.html",
        longest_note=MAX_NOTE_LENGTH,
        region=region,
        words=words(region),
        variants=rulebook(region)["variants"],
        variant_notes=sorted(set(rulebook(region).get("variant_notes", {}).values())),
        first=new_table_form.prominent_switches(region),
        more=more,
        chosen_value=chosen_value,
        changed_groups={
            heading
            for heading, items in more
            if any(
                chosen_value(item["name"]) not in (None, item["choices"][0][0]) for item in items
            )
        },
        filled=filled,
        fields=urlencode(
            [field for field in filled.items(multi=True) if field[0] not in ("token", "house")]
        ),
    )


@form_route(
    blueprint, "/new", CREATE, lambda: "start.house" if "house" in request.form else "start.page"
)
def create() -> AnyResponse:
    form = request.form
    holder = ledger_page.member(form["regulars"]) if form.get("regulars") else None
    head = new_table_form.head(form)

    def open_table(key: str) -> None:
        if holder is None:
            tables().create(head, key)
        else:
            ledger_page.open_table(holder, head, key)

    key = resent_forms.create_once(open_table)
    return remembered_keys.remember_opened(redirect(url_for("writer.page", key=key), 303), key)


# Joining, forgetting, language


@blueprint.get("/s")
def join() -> AnyResponse:
    """The form for a short code; redirects if the query has one."""
    code = request.args.get("code")
    if not reaches_others():
        return redirect(url_for("start.page"), 303)
    if not code:
        return make_response(render_template("table/start/join.html"))
    return redirect(url_for("start.code", code=normalise_code(code) or "-", typed=code[:20]), 303)


@blueprint.get("/s/<code>")
def code(code: str) -> AnyResponse:
    count_code_guess()
    normalized_code, error = normalise_code(code), "unknown-code"
    try:
        viewer = tables().links.viewer_of_code(normalized_code)
    except CodeEnded:
        uncount_code_guess(revoked=True)
        viewer, error = None, "code-ended"
    if viewer is None:
        html = render_template(
            "table/start/join.html",
            typed=request.args.get("typed", code)[:20],
            error=message(error),
        )
        return make_response(html, 404)
    uncount_code_guess()
    return redirect(url_for("board.page", key=viewer), 303)


@blueprint.post("/forget")
def forget() -> AnyResponse:
    """Remove a key from a list of this device; the next page offers undo."""
    key, cookie = _key_and_cookie()
    response = redirect(url_for("start.page", forgotten=key, shelf=cookie), 303)
    return remembered_keys.forget(response, key, cookie)


@blueprint.post("/remember")
def remember() -> AnyResponse:
    """Undo `forget`."""
    response = redirect(url_for("start.page"), 303)
    key, cookie = _key_and_cookie()
    return remembered_keys.remember(response, key, cookie) if holder_of_sent_key(key) else response


def _key_and_cookie() -> tuple[str, str]:
    cookie = request.form.get("shelf", remembered_keys.TABLES_COOKIE)
    if cookie not in remembered_keys.KEY_COOKIES:
        abort(400)
    return request.form.get("key", ""), cookie


def _own_page(address: str) -> str:
    """`address` without its language parameter if it is a page of this app, else the start page."""
    routes, start = current_app.url_map.bind("localhost"), url_for("start.page")
    try:
        parts = urlsplit(address)
        if (
            any(character <= " " or character == "\\" for character in address)
            or parts.scheme
            or parts.netloc
        ):
            return start
        routes.match(parts.path.removeprefix(request.script_root), method="GET")
    except (HTTPException, ValueError):
        return start
    # The parameter would override the language just chosen.
    query = urlencode([pair for pair in parse_qsl(parts.query, True) if pair[0] != PRINT_LANGUAGE])
    return f"{parts.path}?{query}" if query else parts.path


@blueprint.post("/language")
def choose_language() -> AnyResponse:
    back, language = request.form.get("back", ""), request.form.get("language", "")
    response = redirect(_own_page(back), 303)
    if language in LANGUAGES or language in dialects():
        cookies.set_cookie(response, COOKIE, language)
    return response
