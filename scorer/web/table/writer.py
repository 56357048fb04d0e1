"""The writer's pages: the pad and seats."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

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
from scorer.store.roles import WRITER
from scorer.web.frame import device_identity, remembered_keys, resent_forms
from scorer.web.frame.access import KeyHolder, render_cache, require_holder, require_writer, tables
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import language_or_dialect, use_dialect
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import current_refusal, form_route
from scorer.web.frame.sse import live_fragment
from scorer.web.table import more_panel, pad, taps
from scorer.web.table.display_options import DisplayOptions, toggle_option
from scorer.web.table.links_page import SECOND_WRITER
from scorer.web.table.round_page import slate_link_redirect
from scorer.web.table.seat_changes import seat_change
from scorer.web.table.table_view import TableView
from scorer.web.table.tournament_table import TableTerms, TournamentTable

blueprint = Blueprint("writer", __name__, url_prefix="/t/<key>")


def _render(
    holder: KeyHolder,
    template: str,
    further_values: Callable[[TableView], dict[str, Any]] | None = None,
    is_second: bool = False,
) -> Response:
    """A page of the table.

    :param further_values: gives further template values
    :param is_second: whether another device opened the table
    """
    says_we = remembered_keys.is_first_writer(holder) and not is_second
    view = TableView(tables().current(holder.stream), says_we=says_we)
    html = render_template(
        template,
        view=view,
        **(further_values(view) if further_values else {}),
        display=DisplayOptions.from_cookies(),
        terms=TournamentTable(holder).terms(),
    )
    return device_identity.set_secret(remembered_keys.remember(make_response(html), holder.key))


def _is_second_device(holder: KeyHolder) -> bool:
    """Whether another device opened the table: this one came by the link for a second writer, or
    another one has written."""
    if holder.key in remembered_keys.keys(request):
        return False
    me = device_identity.device_name(holder.stream)
    authors = map(author_of, tables().current(holder.stream).recorded)
    writers = {author.device for author in authors if author.role == WRITER and author.device}
    return me not in writers and (SECOND_WRITER in request.args or bool(writers))


def _table_fragment(holder: KeyHolder, table: Table) -> Response:
    use_dialect()
    says_we = remembered_keys.is_first_writer(holder)
    response = make_response(
        _page_html(
            holder, table, TournamentTable(holder).terms(), DisplayOptions.from_cookies(), says_we
        )
    )
    return device_identity.set_secret(remembered_keys.remember(response, holder.key))


def _page_html(
    holder: KeyHolder, table: Table, terms: TableTerms, display: DisplayOptions, says_we: bool
) -> str:
    """HTML of the table, cached for responses and event streams."""
    cache_key = (
        "pad",
        holder.key,
        table.version_tag,
        language_or_dialect(),
        display,
        terms,
        says_we,
    )

    def html() -> str:
        view = TableView(table, says_we=says_we)
        # Without Flask's context processors, because the result is cached over requests.
        return current_app.jinja_env.get_template("table/writer/_table.html").render(
            view=view,
            **pad.pad_values(view),
            key=holder.key,
            token=resent_forms.new_form_token(),
            display=display,
            terms=terms,
        )

    # Without the cache a page takes 2.3 ms, three times as long as with it.
    return render_cache()(cache_key, html)


@blueprint.get("")
def page(key: str) -> AnyResponse:
    """The pad; other roles are redirected to the board."""
    holder = require_holder(key)
    if holder.role != WRITER:
        return redirect(url_for("board.page", key=key), 303)
    if link_redirect := slate_link_redirect(key):
        return link_redirect
    is_second = _is_second_device(holder)
    if wants_fragment() and current_refusal() is None:
        return _table_fragment(holder, tables().current(holder.stream))
    use_dialect()
    template = "table/writer/_table.html" if wants_fragment() else "table/writer/page.html"
    response = _render(holder, template, pad.pad_values, is_second)
    return (
        remembered_keys.remember(response, key, remembered_keys.SECOND_WRITER_COOKIE)
        if is_second
        else response
    )


@form_route(blueprint, "/events", WRITE, "writer.page")
def tap(key: str) -> AnyResponse:
    holder = require_writer(key)
    table = taps.submit(holder, taps.parse_tap(holder.stream))
    if wants_fragment():
        return _table_fragment(holder, table)
    return redirect(url_for("writer.page", key=key), 303)


@blueprint.get("/more")
def more(key: str) -> Response:
    use_dialect()
    panel = "table/writer/_more.html" if wants_fragment() else "table/writer/more.html"
    values = more_panel.dealer_values if "dealers" in request.args else more_panel.values
    return _render(require_writer(key), panel, values)


@blueprint.get("/menu")
def menu(key: str) -> Response:
    use_dialect()
    return _render(require_writer(key), "table/writer/menu.html")


@blueprint.get("/stream")
def stream(key: str) -> Response:
    holder = require_writer(key)
    display, tournament_table = DisplayOptions.from_cookies(), TournamentTable(holder)
    says_we = remembered_keys.is_first_writer(holder)

    def render() -> tuple[int, str]:
        table = tables().current(holder.stream)
        return table.seq, _page_html(holder, table, tournament_table.terms(), display, says_we)

    language, other_stream = language_or_dialect(), tournament_table.stream
    return live_fragment(
        holder, "table", language, render, display, says_we, other_stream=other_stream
    )


@blueprint.post("/view")
def toggle_display(key: str) -> AnyResponse:
    require_writer(key)
    return toggle_option(url_for("writer.page", key=key))


# Seats


@blueprint.get("/seats")
def seats(key: str) -> Response:
    use_dialect()
    return _render(require_writer(key), "table/writer/seats.html")


@form_route(blueprint, "/seats", WRITE, "writer.seats")
def reseat(key: str) -> AnyResponse:
    holder = require_writer(key)
    taps.submit(holder, [seat_change(tables().current(holder.stream).evening)])
    opens_share = "share" in request.form
    return redirect(url_for("table_links.share" if opens_share else "writer.page", key=key), 303)
