"""Two versions of one evening, side by side: somebody wrote elsewhere while this phone was alone.

Only a phone has such a page. A person decides, and nothing is dropped either way.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Flask, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response

from scorer.book.tables import record_of
from scorer.engine import Illegal, State, replay
from scorer.engine.telling.slate import Line, all_lines
from scorer.pocket.joining import overruling
from scorer.store.sqlite.phone import PhoneStore
from scorer.web.frame import phone
from scorer.web.frame.access import tables

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


def _store() -> PhoneStore:
    store = tables().store
    if not isinstance(store, PhoneStore):
        abort(404)
    return store


def _record(copy: dict[str, Any]) -> dict[str, Any]:
    [stream] = copy["streams"]
    return {**stream["head"], "events": [entry["event"] for entry in stream["events"]]}


def _version(record: dict[str, Any]) -> Version:
    evening, _ = replay(record)
    return Version(evening.state, all_lines(evening))


@blueprint.get("")
def page() -> str:
    """The evenings that parted."""
    return _page()


def _page(refusal: Illegal | None = None) -> str:
    found = []
    for stream, copy in _store().parted().items():
        here = record_of(tables().reading(stream))
        there = _record(copy)
        base = _store().base(stream)
        found.append(Parted(stream, base, _version(here), _version(there)))
    return render_template("pocket/parting.html", parted=found, refusal=refusal)


@blueprint.post("")
def decide() -> Response | str:
    """Let one version count; the other stays, struck out or as a table of its own."""
    stream = request.form.get("stream", "")
    copy = _store().parted().get(stream)
    if copy is None:
        abort(404)
    here = record_of(tables().reading(stream))
    base = _store().base(stream)
    response: Response = redirect(url_for("start.page"), 303)
    if request.form.get("counts") == "there":
        keys = tables().take(here)
        phone.remember(response, keys["scorer"])
        _store().settle(copy, len(here["events"]))
        tables().forget(stream)
        return response
    try:
        bodies = overruling(_record(copy)["events"], here["events"], base)
        _possible(_record(copy), bodies)
    except Illegal as refusal:
        return _page(refusal)
    _store().settle(copy, len(here["events"]))
    tables().forget(stream)
    for body in bodies:
        name = f"{phone.name()}:{secrets.token_urlsafe(12)}"
        by = phone.signature("scorer")
        tables().record(stream, body, key=name, by=by, expected=None)
    return response


def _possible(record: dict[str, Any], bodies: list[dict[str, Any]]) -> None:
    """Whether all of `bodies` may be recorded behind a record.

    :raises Illegal: the first that may not
    """
    _, refusal = replay({**record, "events": [*record["events"], *bodies]})
    if refusal is not None:
        raise refusal
