"""Records of this phone that no server has, and resolving conflicting versions.
Their page is `templates/pocket/unsent.html`.

Only a phone can show them; a server sends the page empty, and the phone's service worker fills it
(static/js/page_worker.js). Conflicts are resolved by the user, never silently.
"""

from __future__ import annotations

import secrets
from typing import Any, Final

from flask import Blueprint, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.book.merge import merge_events, without_erasures
from scorer.book.table_event_limits import check_new_event
from scorer.book.tables import record_of
from scorer.engine import Illegal, Unreadable, replay
from scorer.store.archive import archive_of
from scorer.store.roles import DIRECTOR, TABLE_KIND, TOURNAMENT_KIND, WRITER
from scorer.store.sqlite.phone_store import PhoneStore
from scorer.web.frame import cookies, device_identity, remembered_keys
from scorer.web.frame.access import ledgers, store, tables, tournaments
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.translation import gettext
from scorer.web.pocket.bundle_files import manifest
from scorer.web.pocket.unsent import UnsentRecords, full_record, unsent

MAX_NAME_LETTERS: Final = 40
"""Letters of a tournament's name that are kept when a suffix is added."""

blueprint = Blueprint("sync_conflicts", __name__, url_prefix="/pocket")


def _store() -> PhoneStore:
    book = store()
    if not isinstance(book, PhoneStore):
        abort(404)
    return book


@blueprint.get("")
def page() -> str:
    """The page of unsent records and conflicts."""
    return _page()


def _page(refused: bool = False) -> str:
    on_phone = isinstance(store(), PhoneStore) or manifest() is None
    # On a server that offers the phone app the page stays empty for the phone to fill.
    records = unsent(_store()) if on_phone else UnsentRecords()
    return render_template("pocket/unsent.html", found=records, refused=refused)


@blueprint.post("")
def decide() -> Response | str:
    """Resolve a conflict: keep one version or both, or retry or drop refused events."""
    stream, choice = request.form.get("stream", ""), request.form.get("counts")
    server_version = _store().conflicts().get(stream)
    if server_version is None:
        abort(404)
    response: Response = redirect(url_for("start.page"), 303)
    kind = archive_of(server_version, stream)["kind"]
    refusal_text = server_version.get("refused", "")
    if choice == "again" and refusal_text:
        _store().allow_resending(stream)
    elif choice == "nothing" and (refusal_text or server_version.get("closed")):
        _discard_own(stream, server_version, response)
    elif server_version.get("birth"):
        abort(400)
    elif choice == "both" and kind == TOURNAMENT_KIND:
        _keep_both(stream, server_version, response)
    elif choice == "here" and kind == TABLE_KIND:
        return _keep_own(stream, server_version, response)
    elif choice == "there" and kind == TABLE_KIND:
        keys = tables().create_from_record(without_erasures(record_of(tables().current(stream))))
        remembered_keys.remember_opened(response, keys[WRITER])
        _replace_by_server_version(stream, server_version)
    else:
        abort(400)
    return response


def _discard_own(stream: str, server_version: dict[str, Any], response: Response) -> None:
    """Keep the server's version; a stream that no server has is removed from this phone's lists."""
    if not server_version.get("birth"):
        _replace_by_server_version(stream, server_version)
        return
    _store().keep_unsent(stream)
    for cookie in remembered_keys.KEY_COOKIES:
        keys_of_stream = {
            holder.key for holder in remembered_keys.kept_holders(cookie) if holder.stream == stream
        }
        other_keys = (
            key for key in remembered_keys.keys(request, cookie) if key not in keys_of_stream
        )
        cookies.set_cookie(response, cookie, ".".join(other_keys))


def _keep_both(stream: str, server_version: dict[str, Any], response: Response) -> None:
    """Keep this phone's version of a tournament as a separate tournament."""
    name = archive_of(server_version, stream)["head"]["name"][:MAX_NAME_LETTERS]
    key = remembered_keys.key_of(stream, DIRECTOR, remembered_keys.TOURNAMENTS_COOKIE) or abort(
        403, "not-the-director"
    )
    keys = tournaments().copy_with_new_keys(
        stream, key, gettext("%(name)s (this phone's)", name=name)
    )
    remembered_keys.remember_opened(response, keys[DIRECTOR], remembered_keys.TOURNAMENTS_COOKIE)
    _replace_by_server_version(stream, server_version)


def _keep_own(stream: str, server_version: dict[str, Any], response: Response) -> Response | str:
    """Strike the server's version of a table and append this phone's version."""
    theirs = full_record(archive_of(server_version, stream))
    mine = record_of(tables().current(stream))
    base = _store().server_length(stream)
    own_roles = [author_of(entry).role for entry in mine["events"][base:]]
    if WRITER not in own_roles:
        abort(403, "not-the-writer")
    try:
        bodies = merge_events(theirs["events"], mine["events"], base)
        _check_recordable(theirs, bodies)
    except (Illegal, Unreadable):
        return _page(refused=True)
    _replace_by_server_version(stream, server_version)
    # The writer strikes events out; the following events keep their roles.
    strike_roles = [WRITER] * (len(bodies) - len(own_roles))
    for body, role in zip(bodies, strike_roles + own_roles, strict=True):
        idempotency_key = f"{device_identity.device_name(stream)}:{secrets.token_urlsafe(12)}"
        by = device_identity.author_of_request(role, stream)
        tables().record(stream, body, idempotency_key=idempotency_key, by=by, expected=None)
    return response


def _replace_by_server_version(stream: str, server_version: dict[str, Any]) -> None:
    """Replace this phone's version by the server's."""
    _store().replace_by_server_version(stream, server_version)
    for book in (tables(), ledgers(), tournaments()):
        book.drop_cached(stream)


def _check_recordable(record: dict[str, Any], bodies: list[dict[str, Any]]) -> None:
    """Check that all `bodies` can be recorded after a record.

    :raises Unreadable: a seat change would have two players who look alike
    :raises Illegal: an event is not allowed, or the table is full
    """
    evening, _ = replay(record)
    for body in bodies:
        check_new_event(evening, body)
        evening.push(body)
