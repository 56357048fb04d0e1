"""A table as a series of QR codes, and reading them on another phone.

Keys are not included, so what is scanned is shown but not stored.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, make_response, render_template, request, url_for

from scorer.book import qr_transfer
from scorer.book.tables import imported, record_of
from scorer.engine import Unreadable
from scorer.web.frame import device_cookies
from scorer.web.frame.access import guest, tables
from scorer.web.frame.errors import unreadable
from scorer.web.frame.public_address import public_url, qr_svg
from scorer.web.frame.rate_limits import RUN
from scorer.web.frame.refusals import form_route
from scorer.web.frame.translation import gettext
from scorer.web.table.table_view import TableView

blueprint = Blueprint("codes", __name__)

CAMERA: Final = "camera=(self), geolocation=(), microphone=()"
LARGEST: Final = 512 * 1024
"""Size limit of a table's codes in bytes."""


@blueprint.get("/b/<key>/codes")
def show(key: str) -> str:
    """The table's record as QR codes that work offline."""
    holder = guest(key)
    table = tables().reading(holder.stream)
    start = public_url(url_for("codes.page"))
    codes = [qr_svg(f"{start}#{text}") for text in qr_transfer.texts(record_of(table))]
    view = TableView(table, ours=device_cookies.reads_ours(holder))
    return render_template("pocket/codes.html", codes=codes, key=key, role=holder.role, view=view)


@blueprint.get("/q/")
def page() -> Response:
    """The page that reads codes; the first is in the URL's fragment."""
    response = make_response(render_template("pocket/scan.html"))
    response.headers["Permissions-Policy"] = CAMERA
    return response


@form_route(blueprint, "/q/", RUN)
def read() -> Response | str:
    """The table in the posted codes, replayed, as a fragment of the page."""
    request.max_content_length = request.max_form_memory_size = LARGEST
    scanned = qr_transfer.read(request.form.get("codes", "").split())
    table, refusal = imported(scanned.record)
    return render_template(
        "pocket/_carried.html", view=TableView(table), sound=scanned.sound, refusal=refusal
    )


@blueprint.errorhandler(qr_transfer.InvalidCodes)
def no_evening(error: qr_transfer.InvalidCodes) -> Response:
    """Error page for invalid codes; text that is no code is shown with it."""
    scanned = request.form.get("codes", "")
    return _refused(
        gettext(error.reason),
        "" if scanned.startswith(tuple(qr_transfer.DICTIONARIES)) else scanned,
    )


@blueprint.errorhandler(Unreadable)
def no_record(error: Unreadable) -> Response:
    """Error page for an invalid record."""
    return _refused(unreadable(error))


def _refused(reason: str, said: str = "") -> Response:
    return make_response(render_template("pocket/_refused.html", reason=reason, said=said), 422)
