"""Errors as text: an HTML page for people, JSON for programs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from flask import Flask, Response, current_app, jsonify, make_response, render_template, request
from werkzeug.exceptions import ClientDisconnected, HTTPException

from scorer.engine import Unreadable
from scorer.engine.translatable import N_
from scorer.store import Unavailable
from scorer.web.frame import answer_header
from scorer.web.frame.language import labelled
from scorer.web.frame.rate_limits import has_stored
from scorer.web.frame.translation import gettext

MESSAGES: Final = {
    "unknown-key": N_(
        "This link opens no table and no tournament. It may have been closed for a new one, or a "
        "letter is missing: scan the new code, or ask for it at the table or the desk."
    ),
    "unknown-code": N_("No table has this code. Look again at the scorekeeper's phone."),
    "code-ended": N_(
        "This code is no longer valid: codes end two days after the last entry, or when the links "
        "are renewed. Scan the QR code at the table."
    ),
    "unknown-round": N_("There is no such round. It may have been taken back."),
    "not-the-writer": N_("This link can look but not write. Only the scorekeeper's link can."),
    "not-a-member": N_("This link can read the ledger but not add to it."),
    "ledger-full": N_("This ledger is full: open a new one for the evenings to come."),
    "not-the-director": N_("Only the director’s link can do this."),
    "no-tournament": N_("This link belongs to no table of a tournament."),
    "tournament-table": N_("The links of a tournament's table stay as its slip has them."),
    "draw-undone": N_(
        "The director has taken this draw back, so this table no longer plays. Look at the "
        "wall, or ask at the desk where you sit now."
    ),
    "pairs-swapped": N_(
        "Two pairs have changed places since this slip was printed, so it counts no longer. Look "
        "at the wall, or ask at the desk for the new slip."
    ),
    "no-round": N_("This round has not been drawn."),
    "not-released": N_("This round is not announced yet. Look at the wall, or wait for the desk."),
    "not-yours": N_("This link cannot do that: only the phone of that side can."),
    "held-elsewhere": N_(
        "Another phone speaks for this side. Open the board: it can be taken over there, and both "
        "sides see it."
    ),
    "400": N_("This page did not come from here or is too old. Load it again."),
    "cross-site": N_("This was sent from another site and is not accepted."),
    "odd-host": N_("The address of this page is malformed."),
    "bad-body": N_("The request is incomplete or garbled. Send it again."),
    "unknown-host": N_(
        "This server does not answer to the name in the address. Whoever runs it can add the name: "
        "BUMMERL_HOSTS, or PUBLIC_URL."
    ),
    "not-json": N_("The body must be JSON."),
    "bad-tournament": N_("This is no tournament: {reason}"),
    "bad-result": N_("This is no result: {reason}"),
    "bad-question": N_("This cannot be asked: {reason}"),
    "bad-event": N_("This is no event: {reason}"),
    "bad-record": N_("This is no table: {reason}"),
    "not-a-book": N_(
        "This is no file that Bummerl saved. Its name begins with “bummerl” and ends in “.json”."
    ),
    "changed-book": N_("This file was changed after it was saved, so nothing of it was read."),
    "bad-copy": N_("This copy cannot be imported: {reason}"),
    "key-missing": N_("Send an Idempotency-Key, at most 200 characters."),
    "key-reused": N_("This Idempotency-Key was used for another event."),
    "stale": N_("The table has moved on. Look at the new state first."),
    "full": N_("The disk is full."),
    "scarce": N_("The disk is nearly full. Open evenings go on; no new ones can be opened."),
    "read-only": N_("The score book cannot be written."),
    "locked": N_("The score book is busy."),
    "gone": N_("The score book's server does not answer."),
    "broken": N_("The disk under the score book answers with errors."),
    "damaged": N_("The score book is damaged."),
    "replaced": N_(
        "The score book's file was moved or replaced. If this message stays, whoever runs the "
        "server must put a file back with `bummerl restore`."
    ),
    "alone": N_("Only the server makes and closes links, and there is no network now."),
    "404": N_("There is nothing here."),
    "405": N_("That cannot be done here."),
    "413": N_("That is too large: at most {most} KiB."),
    "too-many-watch": N_("This server cannot hold more live pages. Load the page again later."),
    "408": N_("The request did not arrive in time. Send it again."),
    "429": N_("Too many tries. Wait a moment, then try again."),
    "500": N_("Something went wrong on our side. Everything recorded is kept."),
}


JSON_PATHS: Final = ("/api/", "/pocket/streams")
"""Path prefixes whose errors are JSON."""


class CodedText(str):
    """A sentence with its code, shown as `data-code`.

    :param field: what it is about, such as a form field or "line 2"; "" for the whole form
    """

    def __new__(cls, text: str, code: str, field: str = "") -> CodedText:
        coded = super().__new__(cls, text)
        coded.code, coded.field = code, field
        return coded

    code: str
    field: str


def message(code: str, **values: str) -> CodedText:
    return CodedText(gettext(MESSAGES.get(code, MESSAGES["500"])).format_map(values), code)


COUNTS_ONCE: Final = N_("Send it again: it counts once.")
NOT_RECORDED: Final = N_("Nothing was recorded. Send it again later.")
MAY_BE_RECORDED: Final = N_("It may have been recorded: check before you send it again.")


def unavailable_text(error: Unavailable, *, counts_once: bool) -> str:
    """Why the database failed, and whether the request may have been recorded.

    :param counts_once: the request may be sent again, since it is recorded only once
    """
    if not error.may_be_recorded:
        advice = NOT_RECORDED
    else:
        advice = COUNTS_ONCE if counts_once else MAY_BE_RECORDED
    return f"{message(error.reason)} {gettext(advice)}"


FIELD_NAMES: Final = {
    "name": N_("Name of a side"),
    "players": N_("Player"),
    "points": N_("Points"),
    "bummerl": N_("Bummerl"),
    "dealer": N_("Dealer"),
    "rules": N_("Rules"),
    "set": N_("House rules"),
    "schlag": N_("Schlag"),
    "trumpf": N_("Trump"),
    "cards": N_("Cards"),
    "table": N_("The trick"),
    "hand": N_("The hand"),
    "card": N_("The last card"),
    "entry": N_("Pair"),
    "list": N_("A whole list"),
    "rounds": N_("Rounds to play"),
    "games_per_round": N_("Games a round"),
    "games": N_("Games"),
    "target": N_("A game goes to"),
    "ranking": N_("Order of the standings"),
    "scoring": N_("Bonuses"),
    "finals": N_("Finals of the best"),
    "groups": N_("Groups"),
    "hall": N_("Tables of the hall"),
    "places": N_("Entries at most"),
    "decider": N_("Deciding game to"),
    "seed": N_("Seed of the draw"),
    "fee": N_("Entry fee in euros, for each entry"),
    "logo": N_("Picture"),
    "first": N_("from table"),
    "last": N_("to table"),
    "lines": N_("Prizes"),
    "consolation": N_("Consolation prize"),
    "reason": N_("Why it is changed"),
    "date": N_("Date"),
    "club": N_("Club or village"),
    "entries": N_("Lots"),
}


_SCORE_AT_START: Final = re.compile(r"start\.\w+\[(\d)\]", re.ASCII)


def unreadable_text(error: Unreadable) -> CodedText:
    kind, _, number = error.where.partition(" ")
    if kind == "line":
        line = gettext("Line %(n)s", n=number)
        text = labelled(line, error.say(gettext))
        return CodedText(text, "unreadable", error.where)
    text = labelled(_field_name(error.where), error.say(gettext))
    return CodedText(text, "unreadable", error.where)


def _field_name(where: str) -> str:
    """A field as the form calls it, with its side if it is a score at the start."""
    parts = [part for part in re.findall(r"[a-z_]+", where) if part in FIELD_NAMES]
    if not parts:
        return where
    field = gettext(FIELD_NAMES[parts[-1]])
    if score := _SCORE_AT_START.fullmatch(where):
        return f"{gettext('Side %(n)s', n=int(score[1]) + 1)}, {field}"
    return field


def main_page(url_values: Mapping[str, Any]) -> str | None:
    """URL of the key's main page, if the request was for a page below it."""
    base = "/".join(request.path.split("/")[:3])
    return request.script_root + base if "key" in url_values and base != request.path else None


def asks_json() -> bool:
    return request.path.startswith(JSON_PATHS)


def error_response(status: int, code: str, text: str | None = None) -> Response:
    text = text or message(code)
    if asks_json():
        response = jsonify(error={"code": code, "message": text})
    else:
        back = main_page(request.view_args or {}) if code != "unknown-key" else None
        values = {"text": text, "code": code, "status": status, "back": back}
        html = render_template("frame/error.html", **values)
        response = make_response(html)
    response.status_code = status
    return response


def unavailable_response(error: Unavailable) -> Response:
    current_app.logger.error("score book %s: %s", error.reason, request.endpoint)
    if request.method in ("GET", "HEAD"):
        return error_response(503, error.reason)
    # The same request may have recorded something else before.
    error.may_be_recorded |= has_stored()
    idempotent = "token" in request.form or "Idempotency-Key" in request.headers
    return error_response(503, error.reason, unavailable_text(error, counts_once=idempotent))


def init_app(app: Flask) -> None:

    @app.errorhandler(HTTPException)
    def handle_http_error(error: HTTPException) -> Response:
        status = error.code or 500
        code = error.description if error.description in MESSAGES else str(status)
        max_kib = (request.max_content_length or 0) // 1024
        response = error_response(status, str(code), message(str(code), most=str(max_kib)))
        if isinstance(error, ClientDisconnected):
            response.headers[answer_header.HEADER] = answer_header.AGAIN
        # `Allow` of a 405, `Retry-After` of a 429.
        for name, value in error.get_headers():
            if name.lower() != "content-type":
                response.headers.setdefault(name, value)
        return response

    app.register_error_handler(Unavailable, unavailable_response)
