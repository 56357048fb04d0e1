"""A match at the desk: entering, correcting, clearing and locking its result, with its history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.next_table_keys import SEATS
from scorer.engine import Illegal, Unreadable
from scorer.tournament import Match, Round, Tournament, parse
from scorer.tournament.correction_effects import changes_drawn_winner, finalist_change
from scorer.tournament.event_types.results import Ergebnis, Leerung, rounds_built_on
from scorer.web.frame import page_responses
from scorer.web.frame.access import KeyHolder, require_results_desk, tournaments
from scorer.web.frame.entry_times import time_of
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import redirect_to
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.public_address import link_qr, public_url
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refusal, Refused, current_refusal, form_route
from scorer.web.frame.translation import gettext
from scorer.web.tournament.error_handlers import coded_text
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.resent_results import (
    author,
    recorded_before,
    require_still_valid,
    same_result,
)
from scorer.web.tournament.result_entry import (
    box_values,
    is_sure,
    marked_retours,
    open_doubt,
    result_of_form,
)
from scorer.web.tournament.result_signatures import author_kind, desk_name, device_text
from scorer.web.tournament.tournament_view import TournamentView, view_of
from scorer.web.tournament.visibility import seen_by

blueprint = Blueprint("matches", __name__, url_prefix="/p/<key>/match")


@dataclass(frozen=True, slots=True)
class ContradictingResult:
    """A recorded result and the contradicting one that was typed."""

    recorded: str
    author: str
    typed: str
    is_valid: bool = True
    """Whether the recorded result is valid; if not, a pair entered it on its phone."""


@dataclass(frozen=True, slots=True)
class ResultQuestions:
    """Questions for the director before a result is recorded."""

    is_doubtful: bool = False
    """Points are improbably high."""
    changes_finalists: bool = False
    """The finalists would change; the director may keep the finals."""
    dependent_rounds: tuple[Round, ...] = ()
    """Rounds that depend on the result and would be taken back."""
    agreement: str = ""
    """The form sends this back to agree: the first of these rounds, and the number of records in
    them."""
    contradiction: ContradictingResult | None = None
    """The recorded result and the typed one, if the match has changed meanwhile, a reason is
    missing, or the typed one overrules a phone."""
    overruled_events: int = 0
    """If the typed result overrules what the pairs entered: how many events the match has. The form
    sends it back to agree."""


@blueprint.get("/<int:number>/<int:table>")
def page(key: str, number: int, table: int) -> Response:
    holder, service = require_results_desk(key), tournaments()
    tournament = seen_by(service.current(holder.stream), holder.role)
    match = _match_at(tournament, number, table)
    history = [tournament.recorded[index] for index in match.history]
    desk_entries = [entry for entry in history if entry.get("who") == "director"]
    links = service.table_keys(key, [match.drawn_table.stream]).get(match.drawn_table.stream, {})
    return page_responses.render_page(
        "tournament/match.html",
        view=TournamentView(tournament, key, holder.role),
        round_=tournament.round(number),
        match=match,
        links=_links(links),
        games=box_values(tournament, number, match, "director"),
        retour=marked_retours(match, "director"),
        history=history,
        author=desk_name(desk_entries[-1]) if desk_entries else "",
        desk_name=desk_name,
        device_text=device_text,
        author_kind=author_kind,
        time_of=time_of,
        asked=result_questions(),
        filled=request.form,
    )


def result_questions() -> ResultQuestions:
    """The questions of the refusal being shown; empty if there are none."""
    refusal = current_refusal()
    return (
        refusal.question
        if refusal and isinstance(refusal.question, ResultQuestions)
        else ResultQuestions()
    )


def _match_at(tournament: Tournament, number: int, table: int) -> Match:
    """:raises NotFound: 404, there is no such table"""
    try:
        return tournament.match(number, table)
    except Illegal:
        abort(404)


def _links(links: Mapping[str, str]) -> list[dict[str, Any]]:
    """URL, QR code and key of each pair's result page."""
    keys = [links[role] for role in SEATS if role in links]
    paths = [url_for("result_entry.page", key=key) for key in keys]
    return [
        {"url": public_url(path), "qr": link_qr(path), "key": key}
        for path, key in zip(paths, keys, strict=True)
    ]


@form_route(blueprint, "/<int:number>/<int:table>", RUN_TOURNAMENT, "matches.page")
def change_result(key: str, number: int, table: int) -> AnyResponse:
    """Record a result or a walkover, clear, lock or unlock it, or take a correction back."""
    holder = require_results_desk(key)
    form, place = request.form, {"round": number, "table": table}
    reason = form.get("reason", "").strip()
    match form.get("do"):
        case "sperre":
            body: dict[str, Any] = {"do": "sperre", **place, "open": form.get("open") == "1"}
        case "widerruf":
            body = {"do": "widerruf", **place}
        case "leerung":
            body = {"do": "leerung", **place, "reason": reason}
        case "walkover":
            body = result_event(place, {"games": [], "walkover": form.get("walkover", "")}, reason)
        case _:
            body = result_event(place, result_of_form(), reason)
    earlier_event = recorded_before(holder.stream)
    is_unchanged = not record_unless_equal(holder, body)
    require_still_valid(view_of(holder), earlier_event)
    is_earlier_round = number < len(tournaments().current(holder.stream).rounds)
    if is_earlier_round and body["do"] != "widerruf":
        # The desk shows another round's tables.
        return redirect_to(url_for("matches.page", key=key, number=number, table=table, saved=1))
    if is_unchanged:
        return redirect_to(url_for("desk.page", key=key, unchanged=table))
    return redirect_to(url_for("desk.page", key=key, _anchor=f"table-{table}"))


def result_event(where: dict[str, int], result: dict[str, Any], reason: str = "") -> dict[str, Any]:
    """The director's result as an event body."""
    return {"do": "ergebnis", **where, "who": "director", **result, "reason": reason}


class _IsValidAlready(Exception):
    """Raised while an event is judged: its result is the valid one."""


def record_unless_equal(
    holder: KeyHolder,
    body: dict[str, Any],
    check: Callable[[TournamentView], object] = lambda view: None,
) -> bool:
    """Record an event about a match, unless its result is the valid one already.

    :param check: raises if the tournament does not take it now
    :returns: whether it was recorded
    :raises Refused: a question has to be answered first
    :raises Unreadable: the body is not an event
    :raises Illegal: the event is not allowed now
    """
    if body["do"] in ("ergebnis", "leerung"):
        first = number_or_zero(request.form.get("back", "").partition(".")[0])
        answers = {"anyway": True} if is_sure() or request.form.get("finals") == "stay" else {}
        body = {**body, **answers, **({"back": first} if first else {})}

    def check_event(tournament: Tournament) -> None:
        view = TournamentView(tournament, holder.key, holder.role)
        check(view)
        match = _match_at(tournament, body["round"], body["table"])
        if _is_valid_already(match, body):
            raise _IsValidAlready
        _check_questions_answered(view, match, body)

    try:
        submit(holder, holder.stream, body, precondition=check_event)
    except _IsValidAlready:
        return False
    return True


def _is_valid_already(match: Match, body: dict[str, Any]) -> bool:
    """Whether a result equals the valid one."""
    with suppress(Unreadable):
        event = parse(body)
        standing = match.result
        return isinstance(event, Ergebnis) and standing is not None and same_result(event, standing)
    return False


def _check_questions_answered(view: TournamentView, match: Match, body: dict[str, Any]) -> None:
    """Check that all questions about an event are answered.

    :raises Refused: a question has to be answered first
    :raises Unreadable: the body is not an event
    :raises Illegal: the event is not allowed now
    """
    if refusal := _changed_refusal(match) or _missing_reason(match, body):
        raise Refused(
            Refusal(
                coded_text(refusal),
                question=ResultQuestions(contradiction=_contradiction(view, match, body)),
            )
        )
    event = parse(body)
    if doubt := open_doubt(view.tournament, body):
        raise Refused(Refusal(coded_text(doubt), question=ResultQuestions(is_doubtful=True)))
    if isinstance(event, (Ergebnis, Leerung)):
        _check_dependent_rounds(view, event)


def _contradiction(
    view: TournamentView, match: Match, body: dict[str, Any]
) -> ContradictingResult | None:
    """The valid result, its origin, and the one that was typed; None if either is missing."""
    event = None
    with suppress(Unreadable):
        event = parse(body)
    if match.result is None or not isinstance(event, Ergebnis):
        return None
    author_text = author(view, match, match.result)
    return ContradictingResult(view.texts.score(match), author_text, view.texts.games(match, event))


def require_consent_to_overrule(view: TournamentView, match: Match, body: dict[str, Any]) -> None:
    """Check that a result from paper is one that a pair has entered, or that the form says that the
    paper counts.

    :raises Refused: it does not say so
    :raises Unreadable: the body is not an event
    """
    entered, typed = list(match.entered_results.values()), parse(body)
    if match.result or not entered or not isinstance(typed, Ergebnis):
        return
    is_known = any(same_result(typed, result) for result in entered)
    if is_known or request.form.get("overruled") == str(len(match.history)):
        return
    text = gettext(
        "Table %(n)s: something else was entered on the phone. Does the slip count?",
        n=match.drawn_table.table,
    )
    contradiction = ContradictingResult(
        view.texts.unconfirmed(match),
        " / ".join(author(view, match, result) for result in entered),
        view.texts.games(match, typed),
        is_valid=False,
    )
    question = ResultQuestions(contradiction=contradiction, overruled_events=len(match.history))
    raise Refused(Refusal(CodedText(text, "phone-differs"), question=question))


def _check_dependent_rounds(view: TournamentView, event: Ergebnis | Leerung) -> None:
    """Check that no round depends on a result, or that the director has agreed to take these rounds
    back or to keep the finals.

    :raises Refused: the director has not agreed
    :raises Illegal: the result cannot be changed
    """
    tournament, without_back = view.tournament, replace(event, back=0)
    change = finalist_change(tournament, without_back)
    if change is not None:
        gone, come = (
            ", ".join(map(view.name, pairs)) or "–"
            for pairs in (change.eliminated, change.qualified)
        )
        refusal = Illegal("qualifies-otherwise", gone=gone, come=come)
    elif changes_drawn_winner(tournament, without_back):
        refusal = Illegal("built-upon", round=event.round + 1)
    elif event.back:
        # The form agreed to take rounds back, but none depends on the result any more.
        raise Illegal("no-such-round", round=event.back)
    else:
        return
    if view.helper:
        raise Illegal("only-the-director")
    dependent_rounds = rounds_built_on(tournament, event.round)
    agreed = f"{dependent_rounds[0].number}.{view.live_scores.records_in(dependent_rounds)}"
    keeps_finals = change is not None and request.form.get("finals") == "stay"
    if not keeps_finals and request.form.get("back") != agreed:
        questions = ResultQuestions(
            changes_finalists=change is not None,
            dependent_rounds=dependent_rounds,
            agreement=agreed,
        )
        raise Refused(Refusal(coded_text(refusal), question=questions))


def _changed_refusal(match: Match) -> Illegal | None:
    """A refusal if the match has changed since the form was shown, else None."""
    shown_length = request.form.get("seen", "")
    if not shown_length or shown_length == str(len(match.history)):
        return None
    return Illegal("changed-meanwhile", table=match.drawn_table.table)


def _missing_reason(match: Match, body: dict[str, Any]) -> Illegal | None:
    """A refusal if a valid result would be changed without a reason, else None."""
    if body.get("reason") or body["do"] in ("sperre", "widerruf") or match.result is None:
        return None
    return Illegal("reason-missing", table=match.drawn_table.table)


def number_or_zero(text: str) -> int:
    """The integer in a text, or 0."""
    number = whole_number(text)
    return number if isinstance(number, int) else 0
