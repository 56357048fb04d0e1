"""The newest entries of the desk, and taking one back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from flask import request

from scorer.book.helper_links import parse_helper_role
from scorer.engine import Illegal
from scorer.tournament import Match, Round, Tournament
from scorer.tournament.match import Result
from scorer.web.frame import resent_forms
from scorer.web.frame.access import require_results_desk, store
from scorer.web.frame.device_identity import author_of
from scorer.web.frame.errors import CodedText
from scorer.web.frame.refusals import Refused
from scorer.web.frame.translation import gettext
from scorer.web.tournament.matches import ResultQuestions, number_or_zero, result_questions
from scorer.web.tournament.resent_results import result_of
from scorer.web.tournament.result_signatures import desk_name
from scorer.web.tournament.tournament_view import TournamentView

MAX_LISTED: Final = 10
"""Number of entries listed below the line."""


@dataclass(frozen=True, slots=True)
class DeskEntry:
    """One of the desk's entries."""

    number: int
    """Position of its event in the stream, from 1."""
    round: Round
    match: Match
    result: Result | None
    """None if results were removed."""
    author: str
    """The helper who made it; "" for the director."""
    is_newest: bool
    """Whether it is the newest entry of its match."""


@dataclass(frozen=True, slots=True)
class RefusedTakeBack:
    """A refused request to take an entry back, with the questions to answer first."""

    token: str
    number: int
    """Position of the entry's event in the stream."""
    entry: DeskEntry | None
    """None if its match no longer exists."""
    questions: ResultQuestions
    earlier: int = 0
    """The number of its round if that is not the newest, to be confirmed; else 0."""


def round_and_match(tournament: Tournament, number: int, table: int) -> tuple[Round, Match] | None:
    """A round and its match; None if there is no such table."""
    try:
        return tournament.round(number), tournament.match(number, table)
    except Illegal:
        return None


def newest_entries(view: TournamentView) -> list[DeskEntry]:
    """The newest entries of up to `MAX_LISTED` matches, newest first, at a helper's own tables."""
    return list(islice(_newest_of_matches(view), MAX_LISTED))


def _newest_of_matches(view: TournamentView) -> Iterator[DeskEntry]:
    yielded = set()
    for entry in _entries(view.tournament):
        table = entry.match.drawn_table.table
        is_own = view.helper is None or view.helper.may_enter(table)
        if is_own and (entry.round.number, table) not in yielded:
            yielded.add((entry.round.number, table))
            yield entry


def _entries(tournament: Tournament) -> Iterator[DeskEntry]:
    for index in range(len(tournament.recorded) - 1, -1, -1):
        event = tournament.recorded[index]
        is_of_desk = event["do"] == "leerung" or event.get("who") == "director"
        if event["do"] not in ("ergebnis", "leerung") or not is_of_desk:
            continue
        round_match = round_and_match(tournament, event["round"], event["table"])
        if round_match is None or index not in round_match[1].history:
            continue
        round_, match = round_match
        result = result_of(event) if event["do"] == "ergebnis" else None
        author = desk_name(event) if parse_helper_role(author_of(event).role) else ""
        is_newest = index == match.history[-1]
        yield DeskEntry(index + 1, round_, match, result, author, is_newest)


# Taking back


def form_takes_back() -> bool:
    """Whether the form takes an entry back."""
    return bool(request.form.get("take") or request.form.get("of"))


def form_restores() -> bool:
    """Whether the form records an entry again that was taken back."""
    return bool(request.form.get("keep"))


def number_to_take_back(stream: str) -> int:
    """The position in the stream, from 1, of the event that the form takes back.

    The form has this number in `take`, or in `of` the token of the form that recorded the entry.
    0 if that form recorded nothing.
    """
    if request.form.get("take"):
        return number_or_zero(request.form["take"])
    stored = store().find_recorded(stream, resent_forms.form_idempotency_key(stream, "of"))
    return stored.n if stored else 0


def take_back_event(view: TournamentView, number: int) -> dict[str, Any]:
    """The event body that takes an entry of the desk back.

    The event restores the desk's previous entry. The pairs' own results stay.

    :param number: position of the entry's event in the stream, from 1
    :raises Refused: its match has a newer entry, or its round is over and the form does not confirm
        this
    """
    tournament = view.tournament
    entry = _entry(tournament, number)
    if entry is None or not entry.is_newest or entry.result is None:
        raise _changed_meanwhile()
    if _is_over(view, entry) and request.form.get("earlier") != str(entry.round.number):
        text = gettext(
            "%(round)s is over. Take back what stands at table %(n)s all the same?",
            round=view.round_name(entry.round),
            n=entry.match.drawn_table.table,
        )
        raise Refused(CodedText(text, "earlier-round"))
    reason = gettext("taken back at the desk")
    for index in reversed(entry.match.history[:-1]):
        event = tournament.recorded[index]
        if event["do"] == "leerung":
            break
        if _is_desk_result(event):
            return _repeated_result(event, reason)
    place = {"round": entry.round.number, "table": entry.match.drawn_table.table, "who": "director"}
    return {"do": "leerung", **place, "reason": reason}


def _is_desk_result(event: Mapping[str, Any]) -> bool:
    return (event["do"], event.get("who")) == ("ergebnis", "director")


def _repeated_result(event: Mapping[str, Any], reason: str) -> dict[str, Any]:
    """The event body that records a result of the desk again."""
    names = ("do", "round", "table", "who", "games", "retour", "walkover")
    return {**{name: event[name] for name in names if name in event}, "reason": reason}


def entry_to_restore(tournament: Tournament, number: int) -> Mapping[str, Any] | None:
    """The desk's result that an event took back; None if its match has a newer entry.

    :param number: position of the event that took it back, from 1
    """
    entry = _entry(tournament, number)
    if entry is None or not entry.is_newest or len(entry.match.history) < 2:
        return None
    event = tournament.recorded[entry.match.history[-2]]
    return event if _is_desk_result(event) else None


def restoring_event(view: TournamentView, number: int) -> dict[str, Any]:
    """The event body that records a result again that was taken back.

    :raises Refused: its match has a newer entry
    """
    event = entry_to_restore(view.tournament, number)
    if event is None:
        raise _changed_meanwhile()
    return _repeated_result(event, gettext("kept after all"))


def _changed_meanwhile() -> Refused:
    text = gettext("This entry has been changed in the meantime: look at the table again.")
    return Refused(CodedText(text, "changed-meanwhile"))


def refused_take_back(view: TournamentView) -> RefusedTakeBack:
    """The refused form that was to take an entry back."""
    number = number_to_take_back(require_results_desk(view.key).stream)
    entry = _entry(view.tournament, number)
    earlier = entry.round.number if entry and entry.is_newest and _is_over(view, entry) else 0
    token = request.form.get("token", "")[:100]
    return RefusedTakeBack(token, number, entry, result_questions(), earlier)


def _entry(tournament: Tournament, number: int) -> DeskEntry | None:
    return next((entry for entry in _entries(tournament) if entry.number == number), None)


def _is_over(view: TournamentView, entry: DeskEntry) -> bool:
    return view.newest is not None and entry.round.number != view.newest.number
