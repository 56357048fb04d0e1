"""The writer's page of links and QR codes, and renewing links."""

from __future__ import annotations

from typing import Final

from flask import (
    Blueprint,
    Response,
    abort,
    make_response,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.table_links import ROLES
from scorer.store.roles import CODE, OPPONENT, WRITER
from scorer.web.frame import remembered_keys
from scorer.web.frame.access import KeyHolder, require_writer, tables, tournaments
from scorer.web.frame.language import use_dialect
from scorer.web.frame.public_address import key_urls, public_url, reaches_others
from scorer.web.frame.qr_code import qr_svg
from scorer.web.frame.rate_limits import WRITE
from scorer.web.frame.refusals import form_route
from scorer.web.table.api import PAGES
from scorer.web.table.seat_claim import claim_with
from scorer.web.table.table_view import TableView

SECOND_WRITER: Final = "second"
"""Parameter of the link for another writer."""
blueprint = Blueprint("table_links", __name__, url_prefix="/t/<key>")


@blueprint.get("/share")
def share(key: str) -> AnyResponse:
    """Links and codes of the table; without a server, the evening itself as codes."""
    holder = require_writer(key)
    use_dialect()
    if not reaches_others():
        return redirect(url_for("qr_transfer.show", key=key), 303)
    return _page(holder, tables().links.with_code(holder.stream, key))


@form_route(blueprint, "/renew", WRITE)
def renew(key: str) -> AnyResponse:
    holder = require_writer(key)
    role = request.form.get("role", "")
    if role not in ROLES:
        abort(400)
    if tournaments().of_table(key):
        # Its links are printed on the slips.
        abort(403, "tournament-table")
    keys = tables().links.renew(holder.stream, key, role)
    response = redirect(url_for("table_links.share", key=keys[WRITER]), 303)
    return remembered_keys.forget(response, key) if role == WRITER else response


def _page(holder: KeyHolder, keys: dict[str, str]) -> Response:
    table = tables().current(holder.stream)
    urls = key_urls(keys, PAGES)
    if WRITER in urls:
        urls[WRITER] += f"?{SECOND_WRITER}"
    html = render_template(
        "table/writer/share.html",
        view=TableView(table),
        claim=claim_with(table, keys.get(OPPONENT)),
        urls=urls,
        codes={role: qr_svg(url) for role, url in urls.items()},
        code=keys.get(CODE),
        code_url=public_url(url_for("start.join")),
    )
    return remembered_keys.remember(make_response(html), holder.key)
