"""The result of one table: entered by a pair, confirmed by the other, or decided at the desk."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from flask import Blueprint, Response, abort, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.folds import mark
from scorer.engine import Game, Illegal, State
from scorer.tournament import Match, Tournament
from scorer.tournament.result_validation import doubtful_game
from scorer.tournament.standings import Standing
from scorer.tournament.standings import standings as ranked
from scorer.web.frame import device_cookies
from scorer.web.frame.access import Guest, guest, render_cache, tables, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.htmx import page_or_redirect, wants_fragment
from scorer.web.frame.json_body import whole_number
from scorer.web.frame.rate_limits import RUN
from scorer.web.frame.refusals import Refused, failed, form_route
from scorer.web.frame.sse import watch
from scorer.web.frame.translation import gettext
from scorer.web.table.seat_claim import newest, speak
from scorer.web.tournament.duplicate_results import recorded_before, require_standing
from scorer.web.tournament.hall import Whereabouts, live_standings, whereabouts
from scorer.web.tournament.result_signatures import speaks
from scorer.web.tournament.tournament_view import TournamentView, record

blueprint = Blueprint("result_entry", __name__)


@blueprint.get("/e/<key>")
def page(key: str) -> Response:
    """A table's result for the phone of one of its pairs."""
    holder, tournament, _, who = _seat(key)
    number, match = _played_at(tournament, holder.stream)
    view = TournamentView(tournament, key, who)
    pairs = match.sides["ab".index(who)]
    later = number < len(tournament.rounds)
    return device_cookies.page(
        "tournament/result.html",
        view=view,
        played=tournament.round(number),
        match=match,
        who=who,
        standing=_standing(view, pairs if match.result is not None else ()),
        coming=_coming(view, number, match, pairs, who) if later else [],
        games=boxes(tournament, number, match, who),
        retour=retours(match, who),
        doubt=bool(failed() and doubtful(tournament, {"round": number, **filled()})),
        held=newest(tables().reading(holder.stream)),
        me=device_cookies.name(),
    )


def _seat(key: str) -> tuple[Guest, Tournament, str, str]:
    """Whoever holds a table's key, the tournament, its stream, and as which of the two pairs."""
    holder, book = guest(key), tournaments()
    stream = book.of_table(key) if holder.role in ("scorer", "opponent") else None
    tournament = book.reading(stream) if stream else None
    if stream is None or tournament is None or not tournament.has(holder.stream):
        abort(404, "no-tournament")
    return holder, tournament, stream, "a" if holder.role == "scorer" else "b"


def _played_at(tournament: Tournament, table_stream: str) -> tuple[int, Match]:
    """The match that is played at a table, and the number of its round."""
    played = tournament.played_at(table_stream)
    if played is None:
        abort(404, tournament.gone(table_stream) or "no-tournament")
    return played


def _coming(
    view: TournamentView, number: int, match: Match, pairs: Sequence[int], who: str
) -> list[Whereabouts]:
    """Where these pairs sit next; the way there is for the phone that spoke for them.

    A slip shows both codes, so who holds one alone may be anybody who sat at the table.
    """
    own = speaks(view.tournament, match, who) == device_cookies.name() != ""

    def keys(pair: int) -> dict[str, str]:
        return tournaments().onward(view.tournament, number, pair, view.key) if own else {}

    return [whereabouts(view, pair, keys(pair)) for pair in pairs]


def _standing(view: TournamentView, pairs: Sequence[int]) -> list[Standing]:
    """Where these pairs stand; of nobody the standings need not be counted."""
    lines = view.places.lines if pairs else ()
    return [line for line in lines if line.rank and line.pair in pairs]


def boxes(tournament: Tournament, number: int, match: Match, who: str) -> list[Any]:
    """What the boxes show: what was just typed, said before, or played live."""
    count = tournament.games(number)
    empty: list[Any] = [("", "")] * count
    if request.form:
        typed = zip(request.form.getlist("a"), request.form.getlist("b"), strict=False)
        return [*typed, *empty][:count]
    said = match.result or match.said.get(who)
    if said is not None:
        return [*said.games, *empty][:count]
    live = [(game.points[0], game.points[1]) for game in _evening(match)]
    return [*live, *empty][:count]


def retours(match: Match, who: str) -> tuple[int, ...]:
    """The games the boxes mark as a Retourschneider."""
    if request.form:
        typed = (whole_number(game) for game in request.form.getlist("retour"))
        return tuple(game for game in typed if isinstance(game, int))
    said = match.result or match.said.get(who)
    return said.retour if said is not None else played_retours(match)


def played_retours(match: Match) -> tuple[int, ...]:
    """The games of a table's own evening that were won from 0 against a side near the target."""
    if not match.drawn.stream:
        return ()
    table = tables().reading(match.drawn.stream)
    games = table.evening.state.games
    return tuple(
        number
        for number, game in enumerate(games, 1)
        if len(game.points) == 2 and _from_nothing(table.states, number, game)
    )


def _from_nothing(states: Sequence[State], number: int, game: Game) -> bool:
    other = 1 - game.winner
    return any(
        state.game == number and not state.points[game.winner] and state.near[other]
        for state in states
    )


def _evening(match: Match) -> tuple[Game, ...]:
    """The finished games of a table's own evening."""
    if not match.drawn.stream:
        return ()
    table = tables().reading(match.drawn.stream)
    return table.evening.state.games


@form_route(blueprint, "/e/<key>", RUN, "result_entry.page")
def enter(key: str) -> AnyResponse:
    """Enter a result, confirm the one the other pair entered, or speak from this phone."""
    holder, tournament, stream, who = _seat(key)
    number, match = _played_at(tournament, holder.stream)
    where = {"round": number, "table": match.drawn.table, "who": who}
    if request.form.get("do") == "hold":
        speak(holder, take_over="take" in request.form)
        return page_or_redirect(url_for("result_entry.page", key=key))
    before = recorded_before(stream)
    if before is None and not speak(holder):
        text = gettext("Another phone speaks for this pair: take it over first.")
        raise Refused(CodedText(text, "held-elsewhere"))
    if request.form.get("do") == "bestaetigung":
        record(holder, stream, {"do": "bestaetigung", **where, **filled()})
    else:
        body = {"do": "ergebnis", **where, **filled(), **({"anyway": True} if sure() else {})}
        if before is None and (doubt := doubtful(tournament, body)):
            raise doubt
        record(holder, stream, body)
    require_standing(TournamentView(tournaments().reading(stream), key, who), before)
    return page_or_redirect(url_for("result_entry.page", key=key))


@blueprint.get("/e/<key>/stream")
def stream(key: str) -> Response:
    """Says when something on this page is no longer so, until the tournament is over."""
    holder, _, played_in, who = _seat(key)
    book, counted = tournaments(), render_cache()

    def render() -> tuple[int, str]:
        tournament = book.reading(played_in)
        played = tournament.played_at(holder.stream)

        def ranks() -> str:
            return json.dumps({line.pair: line.rank for line in ranked(tournament)})

        known = ("ranks", played_in, mark(tournament))
        told = _told(tournament, *played, who, lambda: counted(known, ranks)) if played else "gone"
        return len(tournament.recorded), told

    return watch(replace(holder, stream=played_in), "moved", render)


def _told(
    tournament: Tournament, number: int, match: Match, who: str, ranks: Callable[[], str]
) -> str:
    """What tells two states of a pair's page apart.

    While its own result is missing, other tables are no news to it: somebody may be typing.

    :param ranks: the places of all pairs as JSON, counted once for all phones that ask
    """
    pairs = match.sides["ab".index(who)]
    coming = [
        f"{other.seat}:{other.drawn.stream}"
        for played in tournament.rounds[number:][-1:]
        for other in played.matches.values()
        if not set(pairs).isdisjoint((*other.sides[0], *other.sides[1]))
    ]
    parts = [len(match.history), len(tournament.rounds), *coming]
    if match.result is not None:
        places = json.loads(ranks())
        parts += [places.get(str(pair), 0) for pair in pairs]
        parts += [f"-{missing.seat}" for _, missing in tournament.missing]
    return " ".join(map(str, parts))


@blueprint.get("/e/<key>/standings")
def standings(key: str) -> Response:
    """The standings and the tables of the round, live, for whoever holds a slip."""
    _, tournament, _, _ = _seat(key)
    view = TournamentView(tournament, key, "pair")
    if wants_fragment():
        return device_cookies.page("tournament/_standings.html", view=view)
    return device_cookies.page("tournament/from-table.html", view=view)


@blueprint.get("/e/<key>/standings/stream")
def standings_stream(key: str) -> Response:
    """The standings each time they change."""
    holder, _, played_in, _ = _seat(key)
    return live_standings(replace(holder, stream=played_in))


def doubtful(tournament: Tournament, body: dict[str, Any]) -> Illegal | None:
    """The question about a game that a typing error may be in, until it is answered."""
    games = [two for two in body.get("games", ()) if all(isinstance(n, int) for n in two)]
    target = tournament.round(body["round"]).target
    return (
        None
        if sure()
        else doubtful_game(tournament.settings.rules, target, tuple(map(tuple, games)))
    )


def sure() -> bool:
    """Whether the question about a game was answered: it is so."""
    return request.form.get("sure") == "1"


def filled() -> dict[str, Any]:
    """The games of the form; a box left empty counts as no points."""
    form = request.form
    typed = zip(form.getlist("a"), form.getlist("b"), strict=False)
    games = [
        [whole_number(a.strip() or "0"), whole_number(b.strip() or "0")]
        for a, b in typed
        if a.strip() or b.strip()
    ]
    retour = [whole_number(game) for game in form.getlist("retour")]
    return {"games": games, "retour": retour}
