"""Two versions of one evening, side by side: somebody wrote elsewhere while this phone was alone,
or closed the link it writes with.

Only a phone can draw such a page; a server's is empty, and the phone's own worker fills it where it
could not take its place (static/js/alone.js). A person decides, and nothing is dropped either way.
"""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import Blueprint, Flask, abort, current_app, redirect, render_template, request, url_for
from flask_babel import gettext
from werkzeug.wrappers import Response

from scorer.book.joining import overruling
from scorer.book.tables import record_of
from scorer.engine import Illegal, State, replay
from scorer.engine.telling.slate import Line, all_lines
from scorer.store import Access
from scorer.store.archive import own
from scorer.store.sqlite.phone import PhoneStore
from scorer.web.frame import phone
from scorer.web.frame.access import tables, tournaments
from scorer.web.table.held import signer

LONGEST: Final = 40
"""Letters of a tournament's name that stay where another word comes to it."""

WRITES: Final = "scorer"
"""The role that strikes out what others wrote."""

blueprint = Blueprint("parting", __name__, url_prefix="/pocket")


def init_app(app: Flask) -> None:
    """Open the page."""
    app.register_blueprint(blueprint)


@dataclass(frozen=True, slots=True)
class Version:
    """One of the two."""

    state: State
    lines: list[Line]


@dataclass(frozen=True, slots=True)
class Parted:
    """An evening of which there are two versions."""

    stream: str
    base: int
    """How many events both have in common."""
    here: Version
    there: Version
    closed: bool
    """Whether the server takes nothing more from this phone's link."""
    writes: bool
    """Whether the writer wrote on this phone: nobody else strikes out what others wrote."""


@dataclass(frozen=True, slots=True)
class Desk:
    """One version of a Preiswatten: how far it is."""

    rounds: int
    results: int


@dataclass(frozen=True, slots=True)
class PartedDesk:
    """A Preiswatten of which there are two versions."""

    stream: str
    name: str
    here: Desk
    there: Desk
    closed: bool


@dataclass(frozen=True, slots=True)
class ClosedLedger:
    """A ledger whose link was closed while evenings waited to be counted in it."""

    stream: str
    name: str


def _store() -> PhoneStore:
    store = tables().store
    if not isinstance(store, PhoneStore):
        abort(404)
    return store


def _parted() -> dict[str, dict[str, Any]]:
    """What parted on this phone; nothing on a server that phones may be prepared by."""
    if isinstance(tables().store, PhoneStore) or current_app.extensions["pocket"] is None:
        return _store().parted()
    return {}


def _record(stream: dict[str, Any]) -> dict[str, Any]:
    return {**stream["head"], "events": [entry["event"] for entry in stream["events"]]}


def _version(record: dict[str, Any]) -> Version:
    evening, _ = replay(record)
    return Version(evening.state, all_lines(evening))


def _desk(events: Iterable[Mapping[str, Any]]) -> Desk:
    said = Counter(event["do"] for event in events)
    return Desk(said["auslosung"] - said["ruecknahme"], said["ergebnis"])


@blueprint.get("")
def page() -> str:
    """The evenings and tournaments that parted."""
    return _page()


def _page(refusal: Illegal | None = None) -> str:
    evenings, desks, ledgers = [], [], []
    for stream, copy in _parted().items():
        theirs, closed = own(copy, stream), copy.get("closed", False)
        if theirs["kind"] == "group":
            ledgers.append(ClosedLedger(stream, theirs["head"]["name"]))
        elif theirs["kind"] == "tournament":
            here = _desk(stored.event for stored in _store().events(stream))
            there = _desk(entry["event"] for entry in theirs["events"])
            desks.append(PartedDesk(stream, theirs["head"]["name"], here, there, closed))
        else:
            record = record_of(tables().reading(stream))
            versions = _version(record), _version(_record(theirs))
            base = _store().base(stream)
            roles = {signer(entry)[0] for entry in record["events"][base:]}
            evenings.append(Parted(stream, base, *versions, closed, WRITES in roles))
    found = {"parted": evenings, "desks": desks, "ledgers": ledgers}
    return render_template("pocket/parting.html", **found, refusal=refusal)


@blueprint.post("")
def decide() -> Response | str:
    """Let one version count; the other stays, struck out or as one of its own."""
    stream = request.form.get("stream", "")
    copy = _store().parted().get(stream)
    if copy is None:
        abort(404)
    response: Response = redirect(url_for("start.page"), 303)
    theirs = own(copy, stream)
    if theirs["kind"] == "tournament":
        _both_go_on(stream, theirs, response)
    elif theirs["kind"] == "table":
        if request.form.get("counts") == "here":
            return _mine_counts(stream, copy, response)
        keys = tables().take(record_of(tables().reading(stream)))
        phone.remember(response, keys["scorer"])
    _settle(stream, copy)
    return response


def _both_go_on(stream: str, theirs: dict[str, Any], response: Response) -> None:
    """Keep this phone's version of a tournament as one of its own."""
    held = phone.keys(request, phone.TOURNAMENTS)
    accesses = ((key, _store().find(key)) for key in held)
    directing = (key for key, access in accesses if access == Access(stream, "director"))
    key = next(directing, None) or abort(403, "not-the-director")
    name = gettext("%(name)s (this phone's)", name=theirs["head"]["name"][:LONGEST])
    keys = tournaments().apart(stream, key, name)
    phone.remember(response, keys["director"], phone.TOURNAMENTS)


def _mine_counts(stream: str, copy: dict[str, Any], response: Response) -> Response | str:
    """Write this phone's version of an evening behind the server's, which is struck out."""
    theirs, mine = _record(own(copy, stream)), record_of(tables().reading(stream))
    base = _store().base(stream)
    roles = [signer(entry)[0] for entry in mine["events"][base:]]
    if WRITES not in roles:
        abort(403, "not-the-writer")
    try:
        bodies = overruling(theirs["events"], mine["events"], base)
        _possible(theirs, bodies)
    except Illegal as refusal:
        return _page(refusal)
    _settle(stream, copy)
    # The writer strikes out; behind that each says again what it said.
    striking = [WRITES] * (len(bodies) - len(roles))
    for body, role in zip(bodies, striking + roles, strict=True):
        name = f"{phone.name()}:{secrets.token_urlsafe(12)}"
        by = phone.signature(role)
        tables().record(stream, body, key=name, by=by, expected=None)
    return response


def _settle(stream: str, copy: dict[str, Any]) -> None:
    """Put the server's version in the place of this phone's."""
    _store().settle(stream, copy, _store().length(stream))
    tables().forget(stream)
    tournaments().forget(stream)


def _possible(record: dict[str, Any], bodies: list[dict[str, Any]]) -> None:
    """Whether all of `bodies` may be recorded behind a record.

    :raises Illegal: the first that may not
    """
    _, refusal = replay({**record, "events": [*record["events"], *bodies]})
    if refusal is not None:
        raise refusal
