"""The director's desk: the current round, quick entry of results, the hall's clock and text."""

from __future__ import annotations

import time
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    current_app,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.helper_links import DOOR, work_or_role
from scorer.store.roles import DIRECTOR, HALL_VIEWER, SIGNUP, TOURNAMENT_KIND
from scorer.web.frame import page_responses, remembered_keys, resent_forms
from scorer.web.frame.access import (
    KeyHolder,
    require_director,
    require_holder,
    require_results_desk,
    tournaments,
)
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import page_or_redirect, wants_fragment
from scorer.web.frame.language import labelled, language
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import current_refusal_text, form_route
from scorer.web.frame.sse import live_fragment
from scorer.web.frame.translation import gettext
from scorer.web.tournament.deciders_page import settling_refusal
from scorer.web.tournament.desk_entries import (
    entry_to_restore,
    form_restores,
    form_takes_back,
    newest_entries,
    number_to_take_back,
    restoring_event,
    round_and_match,
    take_back_event,
)
from scorer.web.tournament.desk_line import (
    LINE_PATTERNS,
    desk_line,
    has_filled_boxes,
    match_of_slip,
    resolved_slip,
    typed_result,
)
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.labels import STATUS_NAMES
from scorer.web.tournament.matches import (
    number_or_zero,
    record_unless_equal,
    require_consent_to_overrule,
    result_event,
)
from scorer.web.tournament.resent_results import recorded_before, require_still_valid
from scorer.web.tournament.tournament_view import TournamentView, view_of

blueprint = Blueprint("desk", __name__, url_prefix="/p")

MAX_CLOCK_MINUTES: Final = 600


@blueprint.get("/<key>")
def page(key: str) -> AnyResponse:
    """The desk for the director and for helpers who enter results; other roles are redirected to
    their pages."""
    holder = require_holder(key, TOURNAMENT_KIND)
    if first_page := _FIRST_PAGES.get(work_or_role(holder.role)):
        return redirect(url_for(first_page, key=key), 303)
    is_director = holder.role == DIRECTOR
    refusal_text = current_refusal_text() or (
        settling_refusal(tournaments().note_deciders(holder.stream)) if is_director else ""
    )
    view = view_of(holder)
    html = render_template(
        "tournament/_desk.html" if wants_fragment("live") else "tournament/desk.html",
        view=view,
        failed=refusal_text,
        line=desk_line(view),
        entries=newest_entries(view),
        patterns=LINE_PATTERNS,
        notice=_swap_notice(view) or _entry_notice(view),
        undone=_restorable_entry_number(view),
        show=_status_filter(),
    )
    return remembered_keys.remember(
        page_responses.response_with_secret(html), key, remembered_keys.TOURNAMENTS_COOKIE
    )


_FIRST_PAGES: Final = {HALL_VIEWER: "visitors.standings", SIGNUP: "signup.page", DOOR: "pairs.page"}
"""The first pages of other roles."""


def _status_filter() -> str | None:
    """The status that tables are filtered by, or None for all."""
    status = request.values.get("show", "")
    return status if status in STATUS_NAMES else None


@blueprint.get("/<key>/stream")
def stream(key: str) -> Response:
    """Event stream of the desk's fragment."""
    holder = require_results_desk(key)
    template = current_app.jinja_env.get_template("tournament/_desk.html")

    def render() -> tuple[int, str]:
        tournament = tournaments().current(holder.stream)
        view = TournamentView(tournament, key, holder.role)
        entries, token = newest_entries(view), resent_forms.new_form_token()
        return view.seq, template.render(view=view, entries=entries, failed=None, token=token)

    return live_fragment(holder, "desk", language(), render)


# Results from paper


@blueprint.get("/<key>/quick")
def slip_question(key: str) -> AnyResponse:
    """Redirect to the desk, whose line shows questions about slips."""
    require_results_desk(key)
    return redirect(url_for("desk.page", key=key), 303)


@form_route(blueprint, "/<key>/quick", RUN_TOURNAMENT, "desk.page")
def enter_slip(key: str) -> AnyResponse:
    """Record a slip's points. Without points, show the typed table, or search for the typed name.

    The desk's buttons that take an entry back, or record it again, send this form too.
    """
    holder = require_results_desk(key)
    if form_takes_back():
        return _take_back_result(holder)
    if form_restores():
        return _restore_result(holder)
    view = view_of(holder)
    slip = resolved_slip(view)
    if not slip.points and not has_filled_boxes():
        text = slip.table or slip.name or ((line := desk_line(view)) and line.next_table)
        return _redirect_to_desk(holder, round=slip.round or None, table=text)
    earlier_event = recorded_before(holder.stream)
    if earlier_event is None:
        round_, _ = match_of_slip(view, slip)
    else:
        round_ = view.tournament.round(slip.round)
    place = {"round": round_.number, "table": slip.table}
    reason = request.form.get("reason", "").strip()
    body = result_event(place, typed_result(slip, round_), reason)

    def check(view: TournamentView) -> None:
        _, match = match_of_slip(view, slip)
        require_consent_to_overrule(view, match, body)

    is_new = record_unless_equal(holder, body, check)
    require_still_valid(view_of(holder), earlier_event)
    return _redirect_to_desk(
        holder, round=round_.number, **{"recorded" if is_new else "unchanged": slip.table}
    )


def _redirect_to_desk(holder: KeyHolder, **values: Any) -> AnyResponse:
    return page_or_redirect(url_for("desk.page", key=holder.key, show=_status_filter(), **values))


def _take_back_result(holder: KeyHolder) -> AnyResponse:
    """Take one of the desk's newest entries back."""
    earlier_event, form = recorded_before(holder.stream), request.form
    event_number = 0 if earlier_event else number_to_take_back(holder.stream)
    round_number, table = (
        number_or_zero(form.get("round", "")),
        number_or_zero(form.get("table", "")),
    )
    if earlier_event is None and not event_number:
        return _redirect_to_desk(holder, round=round_number, nothing_taken=table)
    body = earlier_event.event if earlier_event else take_back_event(view_of(holder), event_number)
    if earlier_event is None:
        record_unless_equal(holder, body, lambda view: take_back_event(view, event_number))
    recorded = recorded_before(holder.stream)
    undone = recorded.n if recorded else None
    return _redirect_to_desk(holder, round=body["round"], taken=body["table"], undone=undone)


def _restorable_entry_number(view: TournamentView) -> int:
    """The number of the event that took an entry back, if that entry can be restored; else 0."""
    event_number = request.args.get("undone", 0, type=int)
    return event_number if entry_to_restore(view.tournament, event_number) else 0


def _restore_result(holder: KeyHolder) -> AnyResponse:
    """Record a result again that was taken back."""
    earlier_event, event_number = (
        recorded_before(holder.stream),
        number_or_zero(request.form["keep"]),
    )
    body = earlier_event.event if earlier_event else restoring_event(view_of(holder), event_number)
    if earlier_event is None:
        record_unless_equal(holder, body, lambda view: restoring_event(view, event_number))
    require_still_valid(view_of(holder), earlier_event)
    return _redirect_to_desk(holder, round=body["round"], recorded=body["table"])


def _entry_notice(view: TournamentView) -> CodedText | None:
    """A note on an entry that changed nothing or was taken back, else None."""
    fields = ("unchanged", "taken", "nothing_taken", "round")
    numbers = {name: request.args.get(name, 0, type=int) for name in fields}
    table = numbers["unchanged"] or numbers["taken"] or numbers["nothing_taken"]
    round_number = numbers["round"] or len(view.tournament.rounds)
    round_match = round_and_match(view.tournament, round_number, table)
    if round_match is None or request.method == "POST":
        return None
    _, match = round_match
    names = {"n": table, "pairs": view.texts.pairing(match)}
    games = view.texts.score(match)
    if numbers["taken"]:
        names["now"] = games or view.texts.status(match)
        text = gettext("Table %(n)s, %(pairs)s: taken back. Now: %(now)s", **names)
        return CodedText(text, "taken-back")
    if numbers["nothing_taken"]:
        text = gettext("Table %(n)s: it was not written, so it was not taken back.", n=table)
        return CodedText(text, "nothing-taken")
    text = gettext("Table %(n)s already has this result: %(games)s", n=table, games=games)
    return CodedText(text, "stands-already") if games else None


def _swap_notice(view: TournamentView) -> CodedText | None:
    """After two lots changed places: where their pairs sit now."""
    lots = {number_or_zero(lot) for lot in request.args.get("swapped", "").split("-")}
    if view.newest is None or request.method == "POST" or 0 in lots:
        return None
    seats = [
        labelled(
            view.name(view.tournament.pair_of(lot)),
            ", ".join(filter(None, (view.texts.table_name(match), view.texts.group(match)))),
        )
        for match in view.matches(view.newest)
        for lot in match.drawn_table.lots
        if lot in lots
    ]
    seats += [
        labelled(view.name(view.tournament.pair_of(lot)), view.bye_word(view.newest))
        for lot in view.newest.byes
        if lot in lots
    ]
    text = gettext("Swapped. %(seats)s. Earlier slips of theirs are void.", seats="; ".join(seats))
    return CodedText(text, "swapped") if seats else None


# The hall's screen


@form_route(blueprint, "/<key>/announce", RUN_TOURNAMENT, "desk.page")
def announce(key: str) -> AnyResponse:
    """Set or clear the text on the hall's screen."""
    holder = require_director(key)
    text = " ".join(request.form.get("text", "").split())
    submit(holder, holder.stream, {"do": "durchsage", "text": text})
    return redirect(url_for("desk.page", key=key), 303)


@form_route(blueprint, "/<key>/clock", RUN_TOURNAMENT, "desk.page")
def clock(key: str) -> AnyResponse:
    """Start the round's clock for a number of minutes; 0 removes it."""
    holder = require_director(key)
    minutes = min(number_or_zero(request.form.get("minutes", "")), MAX_CLOCK_MINUTES)
    idempotency_key, by = resent_forms.form_key_and_author(holder)
    tournaments().start_clock(
        holder.stream, minutes, time.time(), idempotency_key=idempotency_key, by=by
    )
    return redirect(url_for("desk.page", key=key), 303)
