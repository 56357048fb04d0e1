"""The board: the live slate for everyone with a link."""

from __future__ import annotations

from typing import Any, NamedTuple

from flask import (
    Blueprint,
    Response,
    current_app,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.tables import Table
from scorer.engine import rulebook
from scorer.engine.telling.beer_mat import beer_mat_rule_ids, unstated_near_threshold
from scorer.store.roles import OPPONENT
from scorer.web.frame import device_identity, page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import KeyHolder, authorise, render_cache, require_holder, tables
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import language_or_dialect, use_dialect
from scorer.web.frame.public_address import link_qr
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route
from scorer.web.frame.sse import live_fragment
from scorer.web.rules.house_rules import changed_rules
from scorer.web.table import pad, seat_claim, taps
from scorer.web.table.display_options import DisplayOptions, toggle_option
from scorer.web.table.event_permissions import THEIRS, sides_of
from scorer.web.table.round_page import slate_link_redirect
from scorer.web.table.table_view import TableView
from scorer.web.table.tournament_table import TournamentTable

blueprint = Blueprint("board", __name__, url_prefix="/b/<key>")


@blueprint.get("")
def page(key: str) -> AnyResponse:
    """The board. `?big` is for a wall, where everybody can read the URL, so it redirects to the
    viewer's URL."""
    holder = require_holder(key)
    viewer = tables().links.viewer_key(key, holder.role) if "big" in request.args else None
    if viewer not in (None, key):
        return redirect(url_for("board.page", key=viewer, big=request.args["big"]), 303)
    if link_redirect := slate_link_redirect(key):
        return link_redirect
    use_dialect()
    is_wall = "big" in request.args
    table = tables().current(holder.stream)
    html = render_template(
        "table/board/_board.html" if wants_fragment() else "table/board/page.html",
        terms=TournamentTable(holder).terms(),
        is_wall=is_wall,
        display=DisplayOptions.from_cookies(),
        qr=link_qr(url_for("board.page", key=key)) if is_wall else None,
        **_template_values(holder, table, _board_device(holder)),
    )
    response = make_response(html)
    # A device that shows the wall does not remember this key, because it may have the writer's.
    return device_identity.set_secret(
        response if is_wall else remembered_keys.remember(response, key)
    )


class BoardDevice(NamedTuple):
    """The properties of a device that change its board."""

    device_name: str
    """Its name in this stream."""
    writer_key: str | None
    """Key with which this device also writes the table."""
    says_we: bool
    """Whether default names such as "We" are right for it."""


def _board_device(holder: KeyHolder) -> BoardDevice:
    says_we = remembered_keys.is_first_writer(holder)
    return BoardDevice(
        device_identity.device_name(holder.stream), seat_claim.writer_key(holder), says_we
    )


def _template_values(holder: KeyHolder, table: Table, device: BoardDevice) -> dict[str, Any]:
    """Template values for this role.

    For the role `opponent`, `claim` is the device that may act for the other side, `seat_key` the
    key if this is that device, and `seat_buttons` its buttons.
    """
    view = TableView(table, says_we=device.says_we)
    values = {
        "view": view,
        "theirs": THEIRS,
        "token": resent_forms.new_form_token(),
        "seat_key": None,
    }
    if holder.role != OPPONENT:
        return values
    claim = seat_claim.claim_with(table, holder.key)
    holds_seat = device.writer_key is None if claim is None else claim.device == device.device_name
    columns = pad.bidding_columns(view, THEIRS) if table.evening.head.answers else None
    own_values = {
        "opponent_key": holder.key,
        "claim": claim,
        "answers": table.evening.head.answers,
        "device_name": device.device_name,
        "writer_key": device.writer_key,
    }
    return {
        **values,
        **own_values,
        "seat_key": holder.key if holds_seat else None,
        "seat_buttons": columns,
    }


@form_route(blueprint, "/events", WRITE, "board.page")
def answer(key: str) -> AnyResponse:
    holder = authorise(key, OPPONENT)
    taps.submit(holder, taps.parse_tap(holder.stream))
    return redirect(url_for("board.page", key=key), 303)


@blueprint.post("/view")
def toggle_display(key: str) -> AnyResponse:
    require_holder(key)
    return toggle_option(url_for("board.page", key=key))


@blueprint.get("/history")
def history(key: str) -> Response:
    use_dialect()
    holder = require_holder(key)
    table = tables().current(holder.stream)
    device = _board_device(holder)
    values = _template_values(holder, table, device)

    def html() -> str:
        return render_template("table/board/history.html", **values, key=key, role=holder.role)

    reader = (values["seat_key"], language_or_dialect(), device.says_we)
    cache_key = ("history", key, table.version_tag, *reader)
    # For 60 events: 22 ms, cached 0.6.
    return page_responses.response_with_secret(render_cache()(cache_key, html))


@blueprint.get("/rules")
def rules(key: str) -> Response:
    holder = require_holder(key)
    # Only the viewer's link is for sharing.
    viewer = tables().links.viewer_key(key, holder.role)
    table = tables().current(holder.stream)
    view = TableView(table, says_we=remembered_keys.is_first_writer(holder))
    agreed, sides_allowed = view.authors.agreement_times, sides_of(holder, "einig")
    return page_responses.render_page(
        "rules/pages/table.html",
        view=view,
        changed_rules=changed_rules(view.rules),
        mat=beer_mat_rule_ids(view.rules),
        near_threshold=unstated_near_threshold(view.rules),
        variant_note=rulebook(view.rules.id).get("variant_notes", {}).get(view.rules.variant),
        sides=[
            {"name": view.name(side), "at": agreed.get(side), "event": side in sides_allowed}
            for side in range(len(view.state.points))
        ],
        qr=viewer and link_qr(url_for("board.rules", key=viewer)),
    )


@blueprint.get("/stream")
def stream(key: str) -> Response:
    """The board as events, rendered once for all viewers with the same language and names."""
    holder = require_holder(key)
    shown_language = language_or_dialect()
    tournament_table, device = TournamentTable(holder), _board_device(holder)
    # The other side's board differs by device.
    device_part = (holder.key, device) if holder.role == OPPONENT else (device.says_we,)
    template = current_app.jinja_env.get_template("table/board/_board.html")

    def render() -> tuple[int, str]:
        table, terms = tables().current(holder.stream), tournament_table.terms()
        cache_key = (
            "board",
            *device_part,
            holder.stream,
            holder.role,
            table.version_tag,
            shown_language,
            terms.draw_error,
        )

        def html() -> str:
            return template.render(terms=terms, **_template_values(holder, table, device))

        return table.seq, render_cache()(cache_key, html)

    other_stream = tournament_table.stream
    return live_fragment(
        holder, "board", shown_language, render, *device_part, other_stream=other_stream
    )
