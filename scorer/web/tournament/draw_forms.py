"""The desk's forms for draws: draw a round, release it, take it back, swap lots or tables."""

from __future__ import annotations

from typing import Final

from flask import Blueprint, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Illegal
from scorer.engine.translatable import N_
from scorer.store.roles import DIRECTOR
from scorer.tournament import Tournament
from scorer.tournament.draw import notes_after_swap
from scorer.tournament.event_types.draws import tables_of_lots
from scorer.web.frame import resent_forms
from scorer.web.frame.access import KeyHolder, require_director, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.language import labelled
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refused, form_route
from scorer.web.frame.translation import gettext, ngettext
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.matches import number_or_zero
from scorer.web.tournament.next_round import NextRound
from scorer.web.tournament.tournament_view import TournamentView
from scorer.web.tournament.visitors import pairs_named

blueprint = Blueprint("draws", __name__, url_prefix="/p")

_SWAP_NOTES: Final = {
    "rematch": N_("have met before"),
    "same-club": N_("same club"),
    "apart": N_("should not meet"),
}


@form_route(blueprint, "/<key>/draw", RUN_TOURNAMENT, "desk.page")
def draw(key: str) -> AnyResponse:
    """Draw the next round; `anyway` draws although results are missing."""
    holder, service = require_director(key), tournaments()
    despite_missing_results = request.form.get("anyway") == "1"
    idempotency_key, by = resent_forms.form_key_and_author(holder)
    if not service.store.find_recorded(holder.stream, idempotency_key):
        tournament = service.current(holder.stream)
        _require_nothing_changed_meanwhile(tournament)
        _record_presence(holder, tournament)
    draft = request.form.get("draft") == "1"
    service.draw(
        holder.stream,
        key,
        idempotency_key=idempotency_key,
        by=by,
        despite_missing_results=despite_missing_results,
        draft=draft,
    )
    return redirect(url_for("desk.page", key=key), 303)


@form_route(blueprint, "/<key>/release", RUN_TOURNAMENT, "desk.page")
def release(key: str) -> AnyResponse:
    """Show a drafted round to everybody."""
    holder = require_director(key)
    number = whole_number(request.form.get("round", ""))
    submit(holder, holder.stream, {"do": "freigabe", "round": number})
    return redirect(url_for("desk.page", key=key), 303)


def _require_nothing_changed_meanwhile(tournament: Tournament) -> None:
    """Compare the tournament with the values on the page that sent the form.

    :raises Illegal: the round has been drawn meanwhile
    :raises Refused: results have changed meanwhile
    """
    form, next_number = request.form, len(tournament.rounds) + 1
    if form.get("round", str(next_number)) != str(next_number):
        raise Illegal("drawn-meanwhile", round=next_number - 1)
    missing = str(len(tournament.unfinished))
    if form.get("anyway") == "1" and form.get("missing", missing) != missing:
        text = gettext("Results have come in or been taken back in the meantime: check again.")
        raise Refused(CodedText(text, "changed-meanwhile"))


def _record_presence(holder: KeyHolder, tournament: Tournament) -> None:
    """Record who is present if the form asks for it.

    :raises Refused: fewer than half are present, and the form does not confirm it
    """
    form, next_round = request.form, NextRound(tournament)
    if form.get("who") == "here" and next_round.has_few_present and "sure" not in form:
        raise Refused(
            CodedText(_few_present_question(tournament, next_round.marked_as_here), "few-here")
        )
    if form.get("who") in ("all", "here"):
        absent = (
            []
            if form["who"] == "all"
            else [e.number for e in tournament.active_entrants if not e.here]
        )
        submit(holder, holder.stream, {"do": "anwesenheit", "absent": absent}, ":who")


def _few_present_question(tournament: Tournament, present: int) -> str:
    """The question that a draw with fewer than half of the pairs or players asks."""
    if tournament.settings.format == "partners":
        return ngettext(
            "Only %(num)s player is marked as here, out of %(all)s. Draw without the others?",
            "Only %(num)s players are marked as here, out of %(all)s. Draw without the others?",
            present,
            all=len(tournament.active_entrants),
        )
    return ngettext(
        "Only %(num)s pair is marked as here, out of %(all)s. Draw without the others?",
        "Only %(num)s pairs are marked as here, out of %(all)s. Draw without the others?",
        present,
        all=len(tournament.active_entrants),
    )


@form_route(blueprint, "/<key>/take-back", RUN_TOURNAMENT, "desk.page")
def take_back(key: str) -> AnyResponse:
    """Take the newest draw back."""
    holder = require_director(key)
    _refuse_while_scoring(tournaments().current(holder.stream))
    number = whole_number(request.form.get("round", ""))
    body = {"do": "ruecknahme", "round": number}
    if number == 1:
        # Before the first draw the desk asks who is present.
        body["asks"] = True
    submit(holder, holder.stream, body)
    return redirect(url_for("desk.page", key=key), 303)


def _refuse_while_scoring(tournament: Tournament, lots: tuple[int, int] | None = None) -> None:
    """Refuse to change the newest draw while a table that changes is being scored.

    :param lots: the lots to swap; None if the whole draw is taken back
    :raises Refused: such a table is being scored
    """
    view = TournamentView(tournament, "", DIRECTOR)
    newest = view.newest
    if newest is None:
        return
    changed_tables = tables_of_lots(newest, lots) if lots else newest.matches
    scoring_tables = [
        str(table) for table in changed_tables if view.live_scores.text(newest.matches[table])
    ]
    if scoring_tables:
        text = gettext("Tables are being scored: %(tables)s", tables=", ".join(scoring_tables))
        raise Refused(CodedText(text, "being-scored"))


@form_route(blueprint, "/<key>/swap", RUN_TOURNAMENT, "desk.page")
def swap(key: str) -> AnyResponse:
    """Swap two lots or two tables of the newest round."""
    holder, service = require_director(key), tournaments()
    tournament = service.current(holder.stream)
    number = number_or_zero(request.form.get("round", ""))
    kind, typed = request.form.get("what"), [request.form.get(n, "") for n in ("first", "second")]
    first, second = (
        number_or_zero(text) if kind == "tables" else _lot_of(tournament, text) for text in typed
    )
    numbers = (first, second)
    if kind == "late" and NextRound(tournament).extra_table_pairs != numbers:
        # Sent twice. A second swap would undo the first.
        return redirect(url_for("desk.page", key=key), 303)
    if kind == "tables":
        submit(holder, holder.stream, {"do": "tausch", "round": number, "tables": list(numbers)})
    else:
        _refuse_while_scoring(tournament, numbers)
        if kind == "pairs" and request.form.get("sure") != "1":
            _ask_about_swap(tournament, numbers)
        idempotency_key, by = resent_forms.form_key_and_author(holder)
        service.swap(holder.stream, key, number, numbers, idempotency_key=idempotency_key, by=by)
    swapped = {"saved": 1} if kind == "tables" else {"swapped": f"{first}-{second}"}
    return redirect(url_for("desk.page", key=key, **swapped), 303)


def _ask_about_swap(tournament: Tournament, lots: tuple[int, int]) -> None:
    """Ask before a swap that lets pairs meet whom a draw keeps apart, or that repeats a match of a
    round robin.

    :raises Refused: with the question
    """
    if not tournament.rounds:
        return
    view = TournamentView(tournament, "", DIRECTOR)
    doubts = [
        labelled(
            " – ".join(map(view.name, pairs)),
            ", ".join(gettext(_SWAP_NOTES[note]) for note in notes),
        )
        for pairs, notes in notes_after_swap(tournament, lots)
        if notes
    ]
    if tournament.rounds[-1].circles and len(tournament.rounds) > 1:
        doubts.append(gettext("in a round robin, some meet twice then and others never"))
    if doubts:
        text = gettext("After this swap: %(doubts)s. Swap all the same?", doubts="; ".join(doubts))
        raise Refused(CodedText(text, "swap-in-doubt"))


def _lot_of(tournament: Tournament, typed: str) -> int:
    """The lot of a number, or of a name in the newest round.

    :raises Refused: several or no pairs have this name
    """
    if number := number_or_zero(typed):
        return number
    view = TournamentView(tournament, "", DIRECTOR)
    pairs = set(pairs_named(view, typed.strip())) if typed.strip() and view.newest else set()
    lots = dict(view.swappable(view.newest)) if view.newest else {}
    matching_lots = [lot for lot in lots if tournament.pair_of(lot) in pairs]
    if len(matching_lots) == 1:
        return matching_lots[0]
    if matching_lots:
        choices = "; ".join(lots[lot] for lot in matching_lots)
        text = gettext("Which one do you mean: %(names)s?", names=choices)
    else:
        text = gettext("Nobody named %(name)s plays in this round.", name=typed)
    raise Refused(CodedText(text, "not-in-this-round", "first"))
