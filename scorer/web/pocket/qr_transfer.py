"""A table as a series of QR codes, and reading them on another phone.

Keys are not included: the other phone cannot write at this table, but continue it at its own.
"""

from __future__ import annotations

from typing import Final

from flask import Blueprint, Response, make_response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book import evening_qr_codes
from scorer.book.merge import without_erasures
from scorer.book.replication import CopyRefused
from scorer.book.tables import record_of, table_of_record
from scorer.engine import Unreadable
from scorer.engine.scoring.record import complete_head
from scorer.store.hash_chain import Witness, head_hash
from scorer.store.keys import new_stream_id
from scorer.store.name_redaction import with_salt
from scorer.web.frame import device_identity, page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import require_holder, tables
from scorer.web.frame.errors import unreadable_text
from scorer.web.frame.public_address import public_url
from scorer.web.frame.qr_code import qr_svg
from scorer.web.frame.rate_limits import CREATE, RUN_TOURNAMENT
from scorer.web.frame.refusals import form_route
from scorer.web.frame.translation import gettext
from scorer.web.pocket.offline_streams import at_new_table
from scorer.web.table.table_view import TableView

blueprint = Blueprint("qr_transfer", __name__)

CAMERA: Final = "camera=(self), geolocation=(), microphone=()"
MAX_SCAN_BYTES: Final = 512 * 1024
"""Size limit of a table's codes in bytes."""


@blueprint.get("/b/<key>/codes")
def show(key: str) -> str:
    """The table's record as QR codes that work offline."""
    holder = require_holder(key)
    table = tables().current(holder.stream)
    start = public_url(url_for("qr_transfer.page"))
    codes = [qr_svg(f"{start}#{text}") for text in evening_qr_codes.texts(record_of(table))]
    view = TableView(table, says_we=remembered_keys.is_first_writer(holder))
    return render_template(
        "pocket/qr_codes.html", codes=codes, key=key, role=holder.role, view=view
    )


@blueprint.get("/q/")
def page() -> Response:
    """The page that reads codes; the first is in the URL's fragment."""
    response = make_response(render_template("pocket/scan.html"))
    response.headers["Permissions-Policy"] = CAMERA
    return response


@form_route(blueprint, "/q/", RUN_TOURNAMENT)
def read() -> Response:
    """The table in the posted codes, replayed, as a fragment of the page."""
    request.max_content_length = request.max_form_memory_size = MAX_SCAN_BYTES
    codes = request.form.get("codes", "")
    scanned = evening_qr_codes.read(codes.split())
    table, refusal = table_of_record(scanned.record)
    return page_responses.render_page(
        "pocket/_scanned_evening.html",
        view=TableView(table),
        is_intact=scanned.is_intact,
        refusal=refusal,
        codes=codes,
        token=resent_forms.new_form_token(),
    )


@form_route(blueprint, "/q/continue", CREATE)
def continue_evening() -> AnyResponse:
    """Open a table that begins with the entries of the posted codes."""
    request.max_content_length = request.max_form_memory_size = MAX_SCAN_BYTES
    scanned = evening_qr_codes.read(request.form.get("codes", "").split())
    if not scanned.is_intact:
        raise evening_qr_codes.InvalidCodes(evening_qr_codes.DAMAGED)
    events = scanned.record["events"]
    head = {name: value for name, value in scanned.record.items() if name != "events"}
    last_hash = events[-1]["hash"] if events else head_hash(head)
    head |= {"continues": Witness(last_hash, len(events)).text}
    head = with_salt(complete_head(head))
    copied_entries = without_erasures(scanned.record)["events"]

    def open_table(key: str) -> None:
        stream = new_stream_id()
        tables().create_continued(head, at_new_table(head, copied_entries, stream), key, stream)

    key = resent_forms.create_once(open_table)
    response = redirect(url_for("writer.page", key=key), 303)
    # Another device opened the table, so its "We" may be the other side here.
    remembered_keys.remember(response, key, remembered_keys.SECOND_WRITER_COOKIE)
    return device_identity.set_secret(remembered_keys.remember_opened(response, key))


@blueprint.errorhandler(evening_qr_codes.InvalidCodes)
def no_evening(error: evening_qr_codes.InvalidCodes) -> Response:
    """Error page for invalid codes; text that is no code is shown with it."""
    scanned = request.form.get("codes", "")
    return _refused(
        gettext(error.reason),
        "" if scanned.startswith(tuple(evening_qr_codes.DICTIONARIES)) else scanned,
    )


@blueprint.errorhandler(Unreadable)
def no_record(error: Unreadable) -> Response:
    """Error page for an invalid record."""
    return _refused(unreadable_text(error))


@blueprint.errorhandler(CopyRefused)
def not_allowed(_error: CopyRefused) -> Response:
    """Error page for a record with an event that no table accepts."""
    return _refused(gettext(evening_qr_codes.NO_EVENING))


def _refused(reason: str, text: str = "") -> Response:
    page = "scan" if request.endpoint == "qr_transfer.continue_evening" else "_code_refusal"
    return make_response(render_template(f"pocket/{page}.html", reason=reason, said=text), 422)
