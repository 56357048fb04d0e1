"""A table's result on the pairs' phones: entering, confirming, and the next tables."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.stream_cache import version_tag
from scorer.engine import Game, Illegal
from scorer.engine.scoring.evening import Step
from scorer.store.roles import DIRECTOR, OPPONENT, WRITER
from scorer.tournament import Match, Tournament
from scorer.tournament.result_validation import doubtful_game
from scorer.tournament.standings import Standing
from scorer.tournament.standings import standings as ranked
from scorer.web.frame import device_identity, page_responses
from scorer.web.frame.access import KeyHolder, render_cache, require_holder, tables, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import page_or_redirect, wants_fragment
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refused, current_refusal_text, form_route
from scorer.web.frame.sse import event_stream
from scorer.web.frame.translation import gettext
from scorer.web.table.seat_claim import claim_seat, newest_claim
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.resent_results import recorded_before, require_still_valid
from scorer.web.tournament.result_signatures import device_of_this_pair_only
from scorer.web.tournament.tournament_view import TournamentView
from scorer.web.tournament.visibility import seen_by
from scorer.web.tournament.visitors import PairTables, live_standings, pair_tables

blueprint = Blueprint("result_entry", __name__)


@blueprint.get("/e/<key>")
def page(key: str) -> Response:
    holder, tournament, stream, who = _seat(key)
    number, match = _released_match(tournament, holder.stream)
    view = TournamentView(tournament, key, holder.role)
    reader = "ab".index(who)
    pairs = match.sides[reader]
    has_later_round = not view.held_back and number < len(view.tournament.rounds)
    return page_responses.render_page(
        "tournament/result.html",
        view=view,
        round_=tournament.round(number),
        match=match,
        reader=reader,
        own=match.entered_results.get(who),
        theirs=match.entered_results.get("ba"[reader]),
        own_lines=_own_lines(view, pairs if match.result is not None else ()),
        coming=_next_tables(view, stream, number, match, pairs, who) if has_later_round else [],
        games=box_values(tournament, number, match, who),
        retour=marked_retours(match, who),
        needs_second_tap=bool(
            current_refusal_text() and open_doubt(tournament, {"round": number, **result_of_form()})
        ),
        claim=newest_claim(tables().current(holder.stream)),
        me=device_identity.device_name(holder.stream),
    )


def _seat(key: str) -> tuple[KeyHolder, Tournament, str, str]:
    """The key's holder, the tournament, its stream, and the pair (`a` or `b`).

    :raises NotFound: 404, the key is not that of a tournament's table
    """
    holder, service = require_holder(key), tournaments()
    stream = service.of_table(key) if holder.role in (WRITER, OPPONENT) else None
    tournament = service.current(stream) if stream else None
    if stream is None or tournament is None or not tournament.has_table(holder.stream):
        abort(404, "no-tournament")
    return holder, tournament, stream, "a" if holder.role == WRITER else "b"


def _released_match(tournament: Tournament, table_stream: str) -> tuple[int, Match]:
    """Number of the round and match of a table.

    :raises NotFound: 404, the table is void or unknown
    """
    round_match = tournament.find_match(table_stream)
    if round_match is None:
        abort(404, tournament.void_reason(table_stream) or "no-tournament")
    if tournament.round(round_match[0]).draft:
        abort(404, "not-released")
    return round_match


def _next_tables(
    view: TournamentView, stream: str, number: int, match: Match, pairs: Sequence[int], who: str
) -> list[PairTables]:
    """The pairs' next tables, with links only for the phone that entered the result.

    A slip shows both pairs' codes, so a key does not prove which pair its holder is.
    """
    is_author = (
        device_of_this_pair_only(view.tournament, match, who)
        == device_identity.device_name(stream)
        != ""
    )

    def keys(pair: int) -> dict[str, str]:
        return (
            tournaments().pair_table_keys(view.tournament, number, pair, view.key)
            if is_author
            else {}
        )

    return [pair_tables(view, pair, keys(pair)) for pair in pairs]


def _own_lines(view: TournamentView, pairs: Sequence[int]) -> list[Standing]:
    """The standings' lines of these pairs; without pairs no standings are computed."""
    lines = view.standings.lines if pairs else ()
    return [line for line in lines if line.rank and line.pair in pairs]


def box_values(tournament: Tournament, number: int, match: Match, who: str) -> list[Any]:
    """The points in the form's boxes: just typed, entered before, or scored at the table."""
    count = tournament.games(number)
    empty: list[Any] = [("", "")] * count
    if request.form:
        typed_games = zip(request.form.getlist("a"), request.form.getlist("b"), strict=False)
        return [*typed_games, *empty][:count]
    entered = match.result or match.entered_results.get(who)
    if entered is not None:
        return [*entered.games, *empty][:count]
    live_games = [(game.points[0], game.points[1]) for game in _live_games(match)]
    return [*live_games, *empty][:count]


def marked_retours(match: Match, who: str) -> tuple[int, ...]:
    """The games that the form marks as a Retourschneider."""
    if request.form:
        numbers = (whole_number(game) for game in request.form.getlist("retour"))
        return tuple(game for game in numbers if isinstance(game, int))
    entered = match.result or match.entered_results.get(who)
    return entered.retour if entered is not None else played_retours(match)


def played_retours(match: Match) -> tuple[int, ...]:
    """The games scored live at the table that were won as a Retourschneider."""
    if not match.drawn_table.stream:
        return ()
    evening = tables().current(match.drawn_table.stream).evening
    return tuple(
        number
        for number, game in enumerate(evening.state.games, 1)
        if len(game.points) == 2 and _is_retour(evening.steps, number, game)
    )


def _is_retour(steps: Sequence[Step], number: int, game: Game) -> bool:
    other = 1 - game.winner
    return any(
        step.after.game == number and not step.after.points[game.winner] and step.after.near[other]
        for step in steps
    )


def _live_games(match: Match) -> tuple[Game, ...]:
    """The finished games scored live at the table."""
    if not match.drawn_table.stream:
        return ()
    table = tables().current(match.drawn_table.stream)
    return table.evening.state.games


@form_route(blueprint, "/e/<key>", RUN_TOURNAMENT, "result_entry.page")
def enter(key: str) -> AnyResponse:
    """Enter a result, confirm that of the other pair, or let this phone enter results."""
    holder, tournament, stream, who = _seat(key)
    number, match = _released_match(tournament, holder.stream)
    place = {"round": number, "table": match.drawn_table.table, "who": who}
    if request.form.get("do") == "hold":
        claim_seat(holder, take_over="take" in request.form)
        return page_or_redirect(url_for("result_entry.page", key=key))
    earlier_event = recorded_before(stream)
    if earlier_event is None and not claim_seat(holder):
        text = gettext("Another phone speaks for this pair: take it over first.")
        raise Refused(CodedText(text, "held-elsewhere"))
    if request.form.get("do") == "bestaetigung":
        submit(holder, stream, {"do": "bestaetigung", **place, **result_of_form()})
    else:
        anyway = {"anyway": True} if is_sure() else {}
        body = {"do": "ergebnis", **place, **result_of_form(), **anyway}
        if earlier_event is None and (doubt := open_doubt(tournament, body)):
            raise doubt
        submit(holder, stream, body)
    # The pair's own table is shown even if its round is held back.
    full_view = TournamentView(tournaments().current(stream), key, DIRECTOR)
    require_still_valid(full_view, earlier_event)
    return page_or_redirect(url_for("result_entry.page", key=key))


@blueprint.get("/e/<key>/stream")
def stream(key: str) -> Response:
    """Event stream of changes to this page, until the tournament is over."""
    holder, _, tournament_stream, who = _seat(key)
    service, cached = tournaments(), render_cache()

    def render() -> tuple[int, str]:
        full = service.current(tournament_stream)
        round_match, tournament = full.without_draft.find_match(holder.stream), seen_by(full, who)

        def ranks() -> str:
            return json.dumps({line.pair: line.rank for line in ranked(tournament)})

        cache_key = ("ranks", tournament_stream, version_tag(tournament))
        text = (
            _page_digest(tournament, *round_match, who, lambda: cached(cache_key, ranks))
            if round_match
            else "gone"
        )
        return len(tournament.recorded), text

    return event_stream(replace(holder, stream=tournament_stream), "moved", render)


def _page_digest(
    tournament: Tournament, number: int, match: Match, who: str, ranks: Callable[[], str]
) -> str:
    """A digest of what the page shows; it changes when the page has to be reloaded.

    While its table has no result, the page ignores other tables, so that typed points stay.

    :param ranks: returns the ranks of all pairs as JSON, cached for all phones
    """
    pairs = match.sides["ab".index(who)]
    next_tables = [
        f"{other.hall_table}:{other.drawn_table.stream}"
        for round_ in tournament.rounds[number:][-1:]
        for other in round_.matches.values()
        if not set(pairs).isdisjoint((*other.sides[0], *other.sides[1]))
    ]
    state = [len(match.history), len(tournament.rounds), *next_tables]
    if match.result is not None:
        places = json.loads(ranks())
        state += [places.get(str(pair), 0) for pair in pairs]
        state += [f"-{missing.hall_table}" for _, missing in tournament.unfinished]
    return " ".join(map(str, state))


@blueprint.get("/e/<key>/standings")
def standings(key: str) -> Response:
    """Live standings and tables of the round for the holder of a table's key."""
    holder, tournament, _, _ = _seat(key)
    view = TournamentView(tournament, key, holder.role)
    if wants_fragment():
        return page_responses.render_page("tournament/_standings.html", view=view)
    return page_responses.render_page("tournament/from_table.html", view=view)


@blueprint.get("/e/<key>/standings/stream")
def standings_stream(key: str) -> Response:
    holder, _, tournament_stream, _ = _seat(key)
    return live_standings(replace(holder, stream=tournament_stream))


def open_doubt(tournament: Tournament, body: dict[str, Any]) -> Illegal | None:
    """A question about an improbable game, or None if there is none or it was answered."""
    games = [two for two in body.get("games", ()) if all(isinstance(n, int) for n in two)]
    target = tournament.round(body["round"]).target
    if is_sure():
        return None
    settings = tournament.settings
    unfinished = bool(settings.scoring.unfinished)
    return doubtful_game(settings.rules, target, tuple(map(tuple, games)), unfinished)


def is_sure() -> bool:
    """Whether the form answers the question about an improbable game."""
    return request.form.get("sure") == "1"


def result_of_form() -> dict[str, Any]:
    """Games and Retourschneider of the form; an empty box counts as no points."""
    form = request.form
    typed_games = zip(form.getlist("a"), form.getlist("b"), strict=False)
    games = [
        [whole_number(a.strip() or "0"), whole_number(b.strip() or "0")]
        for a, b in typed_games
        if a.strip() or b.strip()
    ]
    retour = [whole_number(game) for game in form.getlist("retour")]
    return {"games": games, "retour": retour}
