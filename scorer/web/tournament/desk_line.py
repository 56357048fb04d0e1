"""The desk's line for results from paper: the typed text, its table, and questions about it.

Fields of its forms:

- `take`: the number of the entry to take back
- `of`: the token of the form whose entry is to be taken back
- `keep`: the number of an entry that was taken back and shall count again
- `named`: the typed name of a pair
- `earlier`: the number of a finished round, to confirm that the entry belongs to it. An entry that
  names its round needs no confirmation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

from flask import request

from scorer.engine import Illegal
from scorer.tournament import Match, Round
from scorer.tournament.desk_input import NAMED_SLIP, SLIP, Slip, pair_fit, pairs_at, read_slip
from scorer.tournament.score_shorthand import GAME, parse_scores, seen_by_second
from scorer.web.frame.errors import CodedText
from scorer.web.frame.refusals import Refused, current_refusal
from scorer.web.frame.translation import gettext
from scorer.web.tournament.desk_entries import (
    RefusedTakeBack,
    form_restores,
    form_takes_back,
    refused_take_back,
    round_and_match,
)
from scorer.web.tournament.matches import ResultQuestions, number_or_zero, result_questions
from scorer.web.tournament.result_entry import result_of_form
from scorer.web.tournament.tournament_view import TournamentView

LINE_PATTERNS: Final = {
    "slip": SLIP.pattern,
    "named": NAMED_SLIP.pattern,
    "game": GAME.pattern,
}
"""Regular expressions for the line's script, which reads what is typed before it is sent."""


@dataclass(frozen=True, slots=True)
class SlipForm:
    """The form for the points of one table."""

    round: Round
    match: Match
    games: tuple[Any, ...]
    """Values of the form's boxes."""
    retour: tuple[int, ...]
    points: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RefusedSlip:
    """A refused entry as it was typed, with the questions to answer first."""

    token: str
    table: str
    points: str
    named: str
    """The typed name of a pair, "" for a number."""
    form: SlipForm | None
    """None if its table is not known."""
    questions: ResultQuestions
    earlier: int = 0
    """The number of its round, if an earlier round has to be confirmed; else 0."""
    confirmed_round: int = 0
    """The earlier round that the form names or confirms, or 0."""
    candidates: tuple[Match, ...] = ()
    """Tables to choose from."""


@dataclass(frozen=True, slots=True)
class DeskLine:
    """The values of the desk's input line."""

    round: Round
    next_table: int
    """The next open table, or 0."""
    typed: str = ""
    """A name or number that does not lead to one table."""
    form: SlipForm | None = None
    candidates: tuple[Match, ...] = ()
    """Tables to choose from, where a name fits several."""
    refused: RefusedSlip | None = None
    take_back: RefusedTakeBack | None = None
    entered: tuple[Round, Match] | None = None
    """The round and table of the result that was just entered."""


def desk_line(view: TournamentView) -> DeskLine | None:
    """The line as this request asks for it; None before the first round."""
    round_ = view.newest
    if round_ is None:
        return None
    number = request.args.get("round", 0, type=int) or round_.number
    entered_table = request.args.get("recorded", 0, type=int)
    next_table = _next_open_table(view, round_, entered_table if number == round_.number else 0)
    if request.endpoint == "desk.enter_slip" and current_refusal():
        return _line_after_refusal(view, round_, next_table)
    text = request.args.get("table", "").strip()[:60]
    matches = _typed_matches(view, round_, read_slip(text), number)
    form = _slip_form(view, *matches[0]) if len(matches) == 1 else None
    return DeskLine(
        round_,
        next_table,
        typed="" if form else text,
        form=form,
        candidates=() if form else tuple(match for _, match in matches),
        entered=round_and_match(view.tournament, number, entered_table) if entered_table else None,
    )


def _next_open_table(view: TournamentView, round_: Round, entered_table: int) -> int:
    """The first open table after the one that was just entered, else the first of all; 0 if none
    is open."""
    tables = [m.drawn_table.table for m in view.matches(round_) if m.status != "done"]
    return next((table for table in tables if table > entered_table), next(iter(tables), 0))


def _line_after_refusal(view: TournamentView, round_: Round, next_table: int) -> DeskLine:
    if form_takes_back():
        return DeskLine(round_, next_table, take_back=refused_take_back(view))
    if form_restores():
        return DeskLine(round_, next_table)
    return DeskLine(round_, next_table, refused=_refused_slip(view, round_))


def _typed_matches(
    view: TournamentView, round_: Round, slip: Slip, number: int
) -> Sequence[tuple[Round, Match]]:
    """The matches that a typed table or name may mean, each with its round.

    :param round_: the newest round, in which names are searched
    :param number: the round of a table's number, if the slip names none
    """
    if not slip.table:
        return [(round_, match) for match in _matches_named(view, round_, slip.name)]
    round_match = round_and_match(view.tournament, slip.round or number, slip.table)
    if round_match is None:
        return []
    several = matches_with_number(round_match[0], slip.table)
    if len(several) > 1 and "only" not in request.args:
        return [(round_match[0], match) for match in several]
    return [round_match]


def resolved_slip(view: TournamentView) -> Slip:
    """The slip of the form: typed on the line, or in the form of one table.

    If the name fits one table, the slip has the table's number, and its points begin with the
    table's first pair. If the name fits both pairs alike, the slip keeps it, and the desk asks
    whose points come first.
    """
    slip, newest = _slip_of_form(), view.newest
    if not slip.name or not slip.points or newest is None:
        return slip
    if slip.table:
        matches = _matches_of_table(view, slip.round or newest.number, slip.table)
    else:
        matches = [(newest, match) for match in _matches_named(view, newest, slip.name)]
    if len(matches) != 1:
        return slip
    [(round_, match)] = matches
    first, second = (_side_fit(view, match, side, slip.name) for side in (0, 1))
    points = slip.points
    if second > first:
        points = seen_by_second(points, round_.target, round_.games)
    name = slip.name if first == second > 0 else ""
    return Slip(round_.number, match.drawn_table.table, points, name)


def _matches_of_table(view: TournamentView, number: int, table: int) -> list[tuple[Round, Match]]:
    round_match = round_and_match(view.tournament, number, table)
    if round_match is None:
        return []
    if request.form.get("pairs"):
        return [round_match]
    return [(round_match[0], match) for match in matches_with_number(round_match[0], table)]


def _slip_of_form() -> Slip:
    form = request.form
    if "entry" in form:
        slip = read_slip(form["entry"][:120])
        return (
            slip
            if slip.round or not slip.table
            else Slip(_form_round_number(), slip.table, slip.points)
        )
    slip = read_slip(form.get("table", "")[:60])
    points = form.get("points", "").strip()[:60]
    name = slip.name or form.get("named", "")[:60]
    return Slip(slip.round or _form_round_number(), slip.table, points or slip.points, name)


def _form_round_number() -> int:
    return number_or_zero(request.form.get("round", ""))


def _confirmed_round() -> int:
    """The finished round that the form names, or 0."""
    form = request.form
    return number_or_zero(form.get("earlier", "")) or read_slip(form.get("entry", "")[:120]).round


def matches_with_number(round_: Round, number: int) -> tuple[Match, ...]:
    """The matches that a number on a slip fits: several where a table plays in several waves."""
    matches = (match for _, match in sorted(round_.matches.items()))
    return tuple(
        match for match in matches if number in (match.drawn_table.table, match.hall_table)
    )


def has_filled_boxes() -> bool:
    """Whether the form has points in its boxes and still names the table of the boxes."""
    form = request.form
    return bool(result_of_form()["games"]) and form.get("table", "").strip() == form.get(
        "boxes", ""
    )


def match_of_slip(view: TournamentView, slip: Slip) -> tuple[Round, Match]:
    """The round and match of a slip.

    :raises Refused: there is no such table, others sit there now, or its round is not the newest
        and this is not confirmed
    """
    newest = view.newest
    number = slip.round or (newest.number if newest else 0)
    round_match = round_and_match(view.tournament, number, slip.table)
    if newest is None or round_match is None:
        if newest is None:
            raise Illegal("no-such-round", round=number)
        if slip.round and slip.round != newest.number:
            raise Illegal("no-such-table", round=slip.round, table=slip.table)
        tables = newest.matches
        text = gettext(
            "“%(n)s” is no table of this round (%(first)s to %(last)s).",
            n=slip.table or slip.name,
            first=min(tables),
            last=max(tables),
        )
        raise Refused(CodedText(text, "no-such-table"))
    round_, match = round_match
    if not request.form.get("pairs") and len(matches_with_number(round_, slip.table)) > 1:
        text = gettext("Several tables fit “%(name)s”: which one is it?", name=slip.table)
        raise Refused(CodedText(text, "several-tables"))
    sides = view.texts.pairing(match)
    if request.form.get("pairs", "") not in ("", pairs_at(match)):
        text = gettext(
            "Other pairs play at table %(n)s now: %(pairs)s. Is it theirs?",
            n=slip.table,
            pairs=sides,
        )
        raise Refused(CodedText(text, "other-pairs"))
    if slip.name:
        text = gettext(
            "Both pairs at table %(n)s are called “%(name)s”. Enter the points of %(first)s first.",
            n=slip.table,
            name=slip.name,
            first=view.texts.side(match, 0),
        )
        raise Refused(CodedText(text, "both-named"))
    if round_.number not in (newest.number, _confirmed_round()):
        text = gettext(
            "%(round)s is over. Was this slip of table %(n)s played then, by %(pairs)s?",
            round=view.round_name(round_),
            n=slip.table,
            pairs=sides,
        )
        raise Refused(CodedText(text, "earlier-round"))
    return round_, match


def typed_result(slip: Slip, round_: Round) -> dict[str, Any]:
    """The games of a slip.

    :raises Unreadable: the part that is not understood
    :raises Illegal: another number of games
    """
    if not slip.points:
        return result_of_form()
    games, retour = parse_scores(slip.points, round_.target, round_.games)
    return {"games": [list(two) for two in games], "retour": list(retour)}


def _refused_slip(view: TournamentView, round_: Round) -> RefusedSlip:
    slip, form = resolved_slip(view), request.form
    round_match = round_and_match(view.tournament, slip.round or round_.number, slip.table)
    candidates = (
        matches_with_number(round_match[0], slip.table)
        if round_match and not form.get("pairs")
        else ()
    )
    if len(candidates) > 1:
        round_match = None
    number = round_match[0].number if round_match else 0
    is_earlier = number not in (0, round_.number)
    return RefusedSlip(
        token=form.get("token", "")[:100],
        table=str(slip.table or slip.name),
        points=slip.points,
        named=slip.name,
        form=_slip_form(view, *round_match) if round_match else None,
        questions=result_questions(),
        earlier=number if is_earlier else 0,
        confirmed_round=_confirmed_round(),
        candidates=candidates if round_match is None else (),
    )


def _slip_form(view: TournamentView, round_: Round, match: Match) -> SlipForm:
    """The form as it was filled in; empty if none was."""
    form = request.form
    typed = zip(form.getlist("a"), form.getlist("b"), strict=False)
    games = [*typed, *repeat(("", ""), round_.games)][: round_.games]
    retour = tuple(number_or_zero(text) for text in form.getlist("retour"))
    points = _slip_of_form().points if form else ""
    return SlipForm(round_, match, tuple(games), retour, points, form.get("reason", "")[:200])


def _matches_named(view: TournamentView, round_: Round, name: str) -> list[Match]:
    """The tables of a round whose pairs fit a name or number best; first those without a result."""
    matches = sorted(round_.matches.values(), key=lambda match: match.drawn_table.table)
    fits = [max(_side_fit(view, match, side, name) for side in (0, 1)) for match in matches]
    best = max(fits, default=0)
    best_matches = [match for match, fit in zip(matches, fits, strict=True) if fit and fit == best]
    return sorted(best_matches, key=lambda match: match.status == "done")


def _side_fit(view: TournamentView, match: Match, side: int, name: str) -> int:
    return max(pair_fit(name, pair, view.all_names(pair)) for pair in match.sides[side])
