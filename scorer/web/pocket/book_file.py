"""A phone's whole book as a file, saved and read back. Only the app on a phone has these pages."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any, Final, Protocol

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.book import saved_book
from scorer.store.sqlite.phone_store import Merged
from scorer.web.frame import remembered_keys
from scorer.web.frame.errors import message
from scorer.web.frame.rate_limits import CREATE
from scorer.web.frame.refusals import Refused, form_route

MAX_BOOK_BYTES: Final = 64 * 1024 * 1024
"""Largest file that is read, in bytes; a round takes some 700."""

MERGE_LISTS: Final = ("new", "continued", "unchanged", "conflicting")
"""Query of the page after a file was read: the number of streams in each list of `Merged`."""

blueprint = Blueprint("book_file", __name__, url_prefix="/book")


class OfflineApp(Protocol):
    """`scorer.pocket.offline_app.OfflineApp`, as far as these pages need it."""

    def book(self) -> dict[str, Any]: ...
    def merge(self, book: Mapping[str, Any]) -> Merged: ...


def _phone() -> OfflineApp:
    phone: OfflineApp | None = current_app.extensions.get("phone")
    return phone or abort(404)


@blueprint.get("")
def page() -> str:
    """Save this phone's book, or read one back; the query says what the last file brought."""
    _phone()
    counts = {what: request.args.get(what, type=int) for what in MERGE_LISTS}
    keys_by_cookie = {
        what: [*remembered_keys.kept_holders(what)] for what in remembered_keys.KEY_COOKIES
    }
    return render_template("pocket/book.html", brought=counts, keys_by_cookie=keys_by_cookie)


@blueprint.get("/file")
def save() -> Response:
    """The file, with all keys of this phone."""
    text = json.dumps(_phone().book(), ensure_ascii=False)
    response = Response(text, mimetype="application/json")
    name = f"bummerl-{date.today().isoformat()}.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@form_route(blueprint, "", CREATE, "book_file.page")
def read() -> AnyResponse:
    """Add what this phone lacks of a saved book."""
    phone = _phone()
    request.max_content_length = MAX_BOOK_BYTES
    file = request.files.get("book")
    try:
        book: Any = json.loads(file.read() if file else "{}")
        saved_book.check(book)
    except saved_book.ChangedBook:
        raise Refused(message("changed-book")) from None
    except (saved_book.NotABook, ValueError, RecursionError):
        raise Refused(message("not-a-book")) from None
    merged = phone.merge(book)
    counts: dict[str, Any] = {
        list_name: len(getattr(merged, list_name)) for list_name in MERGE_LISTS
    }
    return redirect(url_for(".page", **counts), 303)
