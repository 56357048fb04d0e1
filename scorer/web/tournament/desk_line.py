"""The desk's line for results from paper: what was typed, for which table, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import repeat
from typing import Any, Final

from flask import request

from scorer.engine import Illegal
from scorer.tournament import Match, Round, Tournament
from scorer.tournament.match import Result
from scorer.tournament.score_shorthand import GAME, parse_scores
from scorer.tournament.slip_line import SLIP, Slip, fits_name, pairs_at, read_slip
from scorer.web.frame.errors import CodedText
from scorer.web.frame.refusals import Refusal, Refused, refusal
from scorer.web.frame.translation import gettext
from scorer.web.tournament.duplicate_results import result_of
from scorer.web.tournament.matches import ResultQuestions, number_of, result_questions
from scorer.web.tournament.result_entry import filled
from scorer.web.tournament.tournament_view import TournamentView

SHOWN: Final = 10
"""Number of entries listed below the line."""
PATTERNS: Final = {"slip": SLIP.pattern, "game": GAME.pattern}
"""Regular expressions for the line's script, which reads what is typed before it is sent."""


@dataclass(frozen=True, slots=True)
class SlipForm:
    """The form for the points of one table."""

    played: Round
    match: Match
    games: tuple[Any, ...]
    """Values of the form's boxes."""
    retour: tuple[int, ...]
    points: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AskedSlip:
    """An entry that was refused, as it was typed, with what has to be answered."""

    token: str
    table: str
    points: str
    form: SlipForm | None
    """None if its table is not known."""
    questions: ResultQuestions
    earlier: int = 0
    """The number of its round if that is not the newest, and this has not been confirmed."""


@dataclass(frozen=True, slots=True)
class DeskLine:
    """What the desk's line shows."""

    played: Round
    following: int
    """The next open table, or 0."""
    typed: str = ""
    """A name or number that does not lead to one table."""
    opened: SlipForm | None = None
    found: tuple[Match, ...] = ()
    """Tables to choose from, where a name fits several."""
    asked: AskedSlip | None = None
    written: tuple[Round, Match] | None = None
    """The round and table of the result that was just entered."""


@dataclass(frozen=True, slots=True)
class DeskEntry:
    """One of the desk's newest entries."""

    number: int
    """Position of its event in the stream, from 1."""
    played: Round
    match: Match
    result: Result | None
    """None if results were removed."""
    stands: bool
    """Whether it is the newest word about its match."""


def desk_line(view: TournamentView) -> DeskLine | None:
    """The line as this request asks for it; None before the first round."""
    played = view.newest
    if played is None:
        return None
    number, done = (request.args.get(name, 0, type=int) for name in ("round", "done"))
    open_tables = sorted(match.drawn.table for match in played.missing)
    later = [table for table in open_tables if number != played.number or table > done]
    following = next(iter([*later, *open_tables]), 0)
    if request.endpoint == "desk.quick" and refusal():
        return DeskLine(played, following, asked=_asked(view, played))
    written = match_at(view.tournament, number or played.number, done) if done else None
    text = request.args.get("table", "").strip()[:60]
    slip = read_slip(text)
    at = match_at(view.tournament, slip.round or number or played.number, slip.table)
    found = () if slip.table else tuple(_found(view, played, slip.name))
    if len(found) == 1:
        at, found = (played, found[0]), ()
    opened = _slip_form(view, *at) if at else None
    return DeskLine(played, following, "" if opened else text, opened, found, None, written)


def typed_slip() -> Slip:
    """The slip of the form: typed on the line, or in the form of one table."""
    form = request.form
    if "entry" in form:
        slip = read_slip(form["entry"][:120])
        return slip if slip.round or not slip.table else Slip(_round(), slip.table, slip.points)
    slip = read_slip(form.get("table", "")[:60])
    points = form.get("points", "").strip()[:60]
    return Slip(slip.round or _round(), slip.table, points or slip.points, slip.name)


def _round() -> int:
    return number_of(request.form.get("round", ""))


def is_boxed() -> bool:
    """Whether the boxes are filled in, for the table they were shown for."""
    form = request.form
    return bool(filled()["games"]) and form.get("table", "").strip() == form.get("boxes", "")


def found_match(view: TournamentView, slip: Slip) -> tuple[Round, Match]:
    """The round and match of a slip.

    :raises Refused: there is no such table, others sit there now, or its round is not the newest
        and this is not confirmed
    """
    newest = view.newest
    number = slip.round or (newest.number if newest else 0)
    at = match_at(view.tournament, number, slip.table)
    if newest is None or at is None:
        if slip.round and newest and slip.round != newest.number:
            raise Illegal("no-such-table", round=slip.round, table=slip.table)
        missing = gettext("There is no table %(n)s in this round.", n=slip.table or slip.name)
        raise Refused(CodedText(missing, "no-such-table"))
    played, match = at
    sides = view.pairing(match)
    if request.form.get("pairs", "") not in ("", pairs_at(match)):
        text = gettext(
            "Other pairs play at table %(n)s now: %(pairs)s. Is it theirs?",
            n=slip.table,
            pairs=sides,
        )
        raise Refused(CodedText(text, "other-pairs"))
    if played.number != newest.number and request.form.get("earlier") != str(played.number):
        text = gettext(
            "%(round)s is over. Was this slip of table %(n)s played then, by %(pairs)s?",
            round=view.round_name(played),
            n=slip.table,
            pairs=sides,
        )
        raise Refused(CodedText(text, "earlier-round"))
    return played, match


def typed_result(slip: Slip, played: Round) -> dict[str, Any]:
    """The games of a slip.

    :raises Unreadable: the part that is not understood
    :raises Illegal: another number of games
    """
    if not slip.points:
        return filled()
    games, retour = parse_scores(slip.points, played.target, played.games)
    return {"games": [list(two) for two in games], "retour": list(retour)}


def _asked(view: TournamentView, played: Round) -> AskedSlip:
    slip, form = typed_slip(), request.form
    at = match_at(view.tournament, slip.round or played.number, slip.table)
    number = at[0].number if at else 0
    is_earlier = number not in (0, played.number)
    return AskedSlip(
        token=form.get("token", "")[:100],
        table=str(slip.table or slip.name),
        points=slip.points,
        form=_slip_form(view, *at) if at else None,
        questions=result_questions(),
        earlier=number if is_earlier else 0,
    )


def _slip_form(view: TournamentView, played: Round, match: Match) -> SlipForm:
    """The form as it was filled in; empty if none was."""
    form = request.form
    typed = zip(form.getlist("a"), form.getlist("b"), strict=False)
    games = [*typed, *repeat(("", ""), played.games)][: played.games]
    retour = tuple(number_of(game) for game in form.getlist("retour"))
    points = typed_slip().points if form else ""
    return SlipForm(played, match, tuple(games), retour, points, form.get("reason", "")[:200])


def match_at(tournament: Tournament, number: int, table: int) -> tuple[Round, Match] | None:
    """A round and its match; None if there is no such table."""
    try:
        return tournament.round(number), tournament.match(number, table)
    except Illegal:
        return None


def _found(view: TournamentView, played: Round, name: str) -> list[Match]:
    """Tables of a round at which a pair of this name or number plays, in order."""
    return [
        match
        for _, match in sorted(played.matches.items())
        if any(fits_name(name, pair, view.all_names(pair)) for side in match.sides for pair in side)
    ]


# What was entered


def newest_entries(tournament: Tournament) -> list[DeskEntry]:
    """The desk's newest entries that are still of a match, newest first."""
    found = list[DeskEntry]()
    for at in range(len(tournament.recorded) - 1, -1, -1):
        event = tournament.recorded[at]
        is_desk = event["do"] == "leerung" or event.get("who") == "director"
        if event["do"] not in ("ergebnis", "leerung") or not is_desk:
            continue
        place = match_at(tournament, event["round"], event["table"])
        if place is None or at not in place[1].history:
            continue
        played, match = place
        result = result_of(event) if event["do"] == "ergebnis" else None
        found.append(DeskEntry(at + 1, played, match, result, at == match.history[-1]))
        if len(found) == SHOWN:
            break
    return found


def taking_out(tournament: Tournament, number: int) -> dict[str, Any]:
    """The event body that takes an entry of the desk back.

    What the desk said before it stands again, and what the pairs said stays.

    :param number: position of the entry's event in the stream, from 1
    :raises Refused: it is no longer the newest word about its match
    """
    entry = next((one for one in newest_entries(tournament) if one.number == number), None)
    if entry is None or not entry.stands or entry.result is None:
        text = gettext("This entry has been changed in the meantime: look at the table again.")
        raise Refused(Refusal(CodedText(text, "changed-meanwhile")))
    where = {"round": entry.played.number, "table": entry.match.drawn.table, "who": "director"}
    reason = {"reason": gettext("taken back at the desk")}
    for at in reversed(entry.match.history[:-1]):
        event = tournament.recorded[at]
        if event["do"] == "leerung":
            break
        if event["do"] == "ergebnis" and event["who"] == "director":
            said = {name: event[name] for name in ("games", "retour", "walkover") if name in event}
            return {"do": "ergebnis", **where, **said, **reason}
    return {"do": "leerung", **where, **reason}
