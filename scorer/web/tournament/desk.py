"""The director's desk: the current round, quick entry of results, draws, announcements."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
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
from markupsafe import escape
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal
from scorer.tournament import Match, Round, Tournament
from scorer.tournament.event_types.draws import swapped
from scorer.tournament.score_shorthand import parse_scores
from scorer.web.frame import device_cookies
from scorer.web.frame.access import KeyHolder, director, guest, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import page_or_redirect, wants_fragment
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.language import language, request_in
from scorer.web.frame.rate_limits import RUN
from scorer.web.frame.refusals import Refused, failed, form_route
from scorer.web.frame.sse import event_stream
from scorer.web.frame.translation import gettext
from scorer.web.tournament.duplicate_results import recorded_before, require_standing
from scorer.web.tournament.hall import named
from scorer.web.tournament.labels import STATUS_NAMES
from scorer.web.tournament.matches import (
    ContradictingResult,
    number_of,
    record_unless_so,
    result_event,
    result_questions,
)
from scorer.web.tournament.next_round import NextRound
from scorer.web.tournament.result_entry import boxes, filled, retours
from scorer.web.tournament.tie_breaks import unsettled
from scorer.web.tournament.tournament_view import TournamentView, record, view_of

blueprint = Blueprint("desk", __name__, url_prefix="/p")


@dataclass(frozen=True, slots=True)
class ResultLine:
    """State of the line for entering results from paper."""

    played: Round | None
    match: Match | None
    """The table that was typed, or None."""
    following: int
    """The next open table, or 0."""
    points: str = ""
    pairs: tuple[int, ...] = ()
    """Pairs that match the typed name."""
    asked: str = ""
    doubt: bool = False
    against: ContradictingResult | None = None
    games: tuple[Any, ...] = ()
    """Values of the form's boxes."""
    retour: tuple[int, ...] = ()


@blueprint.get("/<key>")
def page(key: str) -> AnyResponse:
    """The desk for the director; other roles are redirected to the standings or to sign-up."""
    holder = guest(key, "tournament")
    if holder.role == "hall":
        return redirect(url_for("hall.standings", key=key), 303)
    if holder.role == "signup":
        return redirect(url_for("signup.page", key=key), 303)
    why = failed() or unsettled(tournaments().settle(holder.stream))
    view = view_of(holder)
    html = render_template(
        "tournament/_desk.html" if wants_fragment("live") else "tournament/desk.html",
        view=view,
        failed=why,
        line=_line(view),
        stands=_stands(view),
        show=_shown(),
    )
    return device_cookies.remember(
        device_cookies.response_with_secret(html), key, device_cookies.TOURNAMENTS
    )


def _shown() -> str | None:
    """The status that tables are filtered by, or None for all."""
    asked = request.values.get("show", "")
    return asked if asked in STATUS_NAMES else None


def _line(view: TournamentView) -> ResultLine:
    """The entry line: empty, with a table, or with a refused input."""
    played, text = view.newest, request.values.get("table", "").strip()[:60]
    if played is None:
        return ResultLine(None, None, 0)
    open_tables = sorted(match.drawn.table for match in played.missing)
    number, done = number_of(text), request.args.get("done", 0, type=int)
    after = [table for table in open_tables if table > done]
    following = next(iter([*after, *open_tables]), 0)
    match, pairs = played.matches.get(number), tuple[int, ...]()
    if match is None and text:
        pairs = tuple(named(view, text.removeprefix("#"))[:20])
        tables = {
            table
            for table, its in played.matches.items()
            if any(pair in side for side in its.sides for pair in pairs)
        }
        if len(tables) == 1:
            match, pairs = played.matches[tables.pop()], ()
    # Points typed for a table of an earlier round are dropped.
    meant = request.form.get("round", "") in ("", str(played.number))
    points = request.form.get("points", "")[:60] if meant else ""
    asked = result_questions()
    line = ResultLine(played, match, following, points, pairs, text, asked.doubt, asked.against)
    if match is None:
        return line
    games = boxes(view.tournament, played.number, match, "director")
    return replace(line, games=tuple(games), retour=retours(match, "director"))


@blueprint.get("/<key>/stream")
def stream(key: str) -> Response:
    """Event stream of the desk's fragment."""
    holder = director(key)
    book, code = tournaments(), language()
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    draw = app.jinja_env.get_template("tournament/_desk.html")

    def render() -> tuple[int, str]:
        tournament = book.reading(holder.stream)
        with request_in(app, code):
            view = TournamentView(tournament, key, holder.role)
            return view.seq, draw.render(view=view, failed=None, token=device_cookies.token())

    return event_stream(holder, "desk", render)


# Quick entry of results


@form_route(blueprint, "/<key>/quick", RUN, "desk.page")
def quick(key: str) -> AnyResponse:
    """Quick entry: first the table's number or a name, then its points."""
    holder = director(key)
    text, points = request.form.get("table", "").strip(), request.form.get("points", "").strip()
    line = _line(view_of(holder))
    # The boxes only count if they were shown for this table.
    boxed = filled()["games"] and text == request.form.get("boxes")
    if not points and not boxed:
        return page_or_redirect(url_for("desk.page", key=key, table=text, show=_shown()))
    before = recorded_before(holder.stream)
    if line.played is None or line.match is None:
        missing = gettext("There is no table %(n)s in this round.", n=text)
        raise Refused(CodedText(missing, "no-such-table"))
    if request.form.get("round", "") not in ("", str(line.played.number)):
        if before is None:
            raise Illegal("drawn-meanwhile", round=line.played.number)
        require_standing(view_of(holder), before)
        return page_or_redirect(url_for("desk.page", key=key, show=_shown()))
    where = {"round": line.played.number, "table": line.match.drawn.table}
    result = _typed(points, line.played) if points else filled()
    body = result_event(where, result, request.form.get("reason", "").strip())
    done = line.match.drawn.table
    stands = None if record_unless_so(holder, body) else done
    require_standing(view_of(holder), before)
    return page_or_redirect(url_for("desk.page", key=key, done=done, stands=stands, show=_shown()))


def _typed(points: str, played: Round) -> dict[str, Any]:
    """A result in the shorthand of the entry line."""
    games, retour = parse_scores(points, played.target, played.games)
    return {"games": [list(two) for two in games], "retour": list(retour)}


@blueprint.get("/<key>/typed")
def typed_so_far(key: str) -> Response:
    """The points typed so far as they are understood, for display while typing."""
    view = view_of(director(key))
    points = request.args.get("points", "")[:60]
    return make_response(escape(view.typed(view.newest, points) if view.newest else ""))


def _stands(view: TournamentView) -> str:
    """A notice that the entered result was recorded already, or ""."""
    table = request.args.get("stands", 0, type=int)
    match = view.newest.matches.get(table) if view.newest else None
    if match is None or match.result is None or request.method == "POST":
        return ""
    return gettext(
        "Table %(n)s already has this result: %(games)s", n=table, games=view.score(match)
    )


# Draws


@form_route(blueprint, "/<key>/draw", RUN, "desk.page")
def draw(key: str) -> AnyResponse:
    """Draw the next round; `anyway` draws although results are missing."""
    holder, book = director(key), tournaments()
    anyway = request.form.get("anyway") == "1"
    name, by = device_cookies.event_name(), device_cookies.signature(holder.role)
    if not book.store.recorded(holder.stream, name):
        _before_draw(holder, book.reading(holder.stream))
    book.draw(holder.stream, key, key=name, by=by, anyway=anyway)
    return redirect(url_for("desk.page", key=key), 303)


def _before_draw(holder: KeyHolder, tournament: Tournament) -> None:
    """Record who is present if the form says so.

    :raises Illegal: the round has been drawn meanwhile
    :raises Refused: results have changed meanwhile
    """
    form, coming = request.form, len(tournament.rounds) + 1
    if form.get("round", str(coming)) != str(coming):
        raise Illegal("drawn-meanwhile", round=coming - 1)
    missing = str(len(tournament.missing))
    if form.get("anyway") == "1" and form.get("missing", missing) != missing:
        text = gettext("Results have come in or been taken out in the meantime: check again.")
        raise Refused(CodedText(text, "changed-meanwhile"))
    if form.get("who") in ("all", "here"):
        away = [] if form["who"] == "all" else [e.number for e in tournament.active if not e.here]
        record(holder, holder.stream, {"do": "anwesenheit", "absent": away}, ":who")


@form_route(blueprint, "/<key>/take-back", RUN, "desk.page")
def take_back(key: str) -> AnyResponse:
    holder = director(key)
    _nobody_scores(tournaments().reading(holder.stream))
    number = whole_number(request.form.get("round", ""))
    record(holder, holder.stream, {"do": "ruecknahme", "round": number})
    return redirect(url_for("desk.page", key=key), 303)


def _nobody_scores(tournament: Tournament, lots: tuple[int, int] | None = None) -> None:
    """Check that no table affected by a change of the newest draw is being scored.

    :param lots: the lots to swap; None if the whole draw is taken back
    :raises Refused: a table is being scored
    """
    view = TournamentView(tournament, "", "director")
    newest = view.newest
    if newest is None:
        return
    touched = swapped(newest, lots) if lots else newest.matches
    writing = [str(table) for table in touched if view.live(newest.matches[table])]
    if writing:
        text = gettext("Tables are being scored: %(tables)s", tables=", ".join(writing))
        raise Refused(CodedText(text, "being-scored"))


@form_route(blueprint, "/<key>/swap", RUN, "desk.page")
def swap(key: str) -> AnyResponse:
    """Swap two lots or two tables of the newest round."""
    holder, book = director(key), tournaments()
    tournament = book.reading(holder.stream)
    number = number_of(request.form.get("round", ""))
    two = (number_of(request.form.get("first", "")), number_of(request.form.get("second", "")))
    what = request.form.get("what")
    if what == "late" and NextRound(tournament).joining != two:
        # Sent twice: a second swap would undo the first.
        return redirect(url_for("desk.page", key=key), 303)
    if what == "tables":
        record(holder, holder.stream, {"do": "tausch", "round": number, "tables": list(two)})
    else:
        _nobody_scores(tournament, two)
        name, by = device_cookies.event_name(), device_cookies.signature(holder.role)
        book.swap(holder.stream, key, number, two, key=name, by=by)
    return redirect(url_for("desk.page", key=key), 303)


# Big screen


@form_route(blueprint, "/<key>/announce", RUN, "desk.page")
def announce(key: str) -> AnyResponse:
    """Set or clear the text on the big screen."""
    holder = director(key)
    text = " ".join(request.form.get("text", "").split())
    record(holder, holder.stream, {"do": "durchsage", "text": text})
    return redirect(url_for("desk.page", key=key), 303)


@form_route(blueprint, "/<key>/clock", RUN, "desk.page")
def clock(key: str) -> AnyResponse:
    """Start the round's clock for a number of minutes; 0 removes it."""
    holder = director(key)
    minutes = min(number_of(request.form.get("minutes", "")), 600)
    name, by = device_cookies.event_name(), device_cookies.signature(holder.role)
    tournaments().start_clock(holder.stream, minutes, time.time(), key=name, by=by)
    return redirect(url_for("desk.page", key=key), 303)
