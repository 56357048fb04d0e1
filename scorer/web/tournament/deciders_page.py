"""Deciding games between level pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from flask import Blueprint, Response, redirect, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.keyrings import DESK_RING
from scorer.book.tournaments import SettledDeciders
from scorer.engine import BadRules, Illegal
from scorer.tournament import Tournament, standings
from scorer.tournament.deciders import (
    TiedPlace,
    coming_finalists,
    decisive_places,
    level_pairs,
    pairs_of_deciding_games,
    unbroken_ties,
    without_decider,
)
from scorer.tournament.finals import contested_place
from scorer.web.frame import page_responses, resent_forms
from scorer.web.frame.access import director, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import labelled
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import Refusal, Refused, failed, form_route, refused
from scorer.web.frame.translation import gettext
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.matches import number_of
from scorer.web.tournament.refusals import coded_text
from scorer.web.tournament.tournament_view import TournamentView, view_of

blueprint = Blueprint("deciders", __name__, url_prefix="/p")


OPPOSITE_NOTED: Final = "opposite-noted"
"""Refusal code: a deciding game with the opposite winner is recorded already."""
MAX_UNPLAYED_GAMES: Final = 3
"""With more, level pairs do not play all against all."""


def settling_refusal(settled: SettledDeciders) -> str:
    """Why the results of deciding tables could not be recorded, or ""."""
    return coded_text(settled.refusal) if settled.refusal else ""


@blueprint.get("/<key>/deciders")
def page(key: str) -> Response:
    """The deciding games that are noted, playable or no longer needed, by the place they decide."""
    holder, service = director(key), tournaments()
    settled = service.note_deciders(holder.stream)
    view, chosen = view_of(holder), _chosen_pairs()
    lines = view.standings.lines
    level = level_pairs(view.tournament, lines)
    is_opposite = getattr(failed(), "code", "") == OPPOSITE_NOTED
    unbroken_by_place = unbroken_ties(view.tournament, lines)
    unplayed = {place: _unplayed_games(view, pairs) for place, pairs in level.items()}
    return page_responses.render_page(
        "tournament/deciders.html",
        view=view,
        level=level,
        titles={place: _title(view.tournament, place) for place in level},
        decisive=decisive_places(view.tournament, lines),
        outcomes=_outcomes(view, level, unplayed),
        unplayed=unplayed,
        chosen=chosen,
        next_games={place: _next_game(view.tournament, pairs) for place, pairs in level.items()},
        without_game={
            place: [view.name(pair) for pair in without_decider(view.tournament, pairs)]
            for place, pairs in level.items()
        },
        still_level={
            place: [[view.name(pair) for pair in tied_pairs] for tied_pairs in ties]
            for place, ties in unbroken_by_place.items()
        },
        same_pair=_same_pair(),
        undecided=_recordable_games(view.tournament, level, chosen, is_opposite, unbroken_by_place),
        no_longer_level=[
            game
            for game in view.tournament.deciders
            if not _are_level(level, game.winner, game.loser)
        ],
        contradictions=settled.contradictions,
        tables=_tables(view.tournament, service.keyrings.keys_in(key, DESK_RING)),
        failed=failed() or settling_refusal(settled),
        sure=is_opposite,
        filled=request.form,
    )


def _title(tournament: Tournament, place: TiedPlace) -> str:
    if place.across:
        contested = contested_place(tournament)
        return gettext("The best in place %(place)s of their groups", place=contested)
    title = gettext("Place %(n)s", n=place.rank)
    return labelled(gettext("Group %(n)s", n=place.group), title) if place.group else title


def _outcomes(
    view: TournamentView, level: Mapping[TiedPlace, list[int]], unplayed: Mapping[TiedPlace, str]
) -> dict[TiedPlace, str]:
    """The outcome of the deciding games as a sentence, by place: the finalists, or the places.

    :param unplayed: the games that may still change it, as a text
    """
    finalists = coming_finalists(view.tournament)
    games = pairs_of_deciding_games(view.tournament)
    texts = {}
    for place, pairs in level.items():
        if view.standings.undecided & {*pairs} or not any(two <= {*pairs} for two in games):
            continue
        winners = [pair for pair in pairs if pair in finalists]
        is_final = not unplayed[place]
        if 0 < len(winners) < len(pairs):
            names = "; ".join(map(view.name, winners))
            texts[place] = (
                gettext("Decided. In the finals: %(names)s", names=names)
                if is_final
                else gettext("So far in the finals: %(names)s", names=names)
            )
        else:
            places = [
                labelled(gettext("Place %(n)s", n=rank), view.name(pair))
                for rank, pair in enumerate(pairs, place.rank)
            ]
            listed = "; ".join(places)
            texts[place] = (
                gettext("Decided. %(places)s", places=listed)
                if is_final
                else gettext("So far: %(places)s", places=listed)
            )
    return texts


def _unplayed_games(view: TournamentView, level: Sequence[int]) -> str:
    """The games of level pairs that are not noted, as a text; "" if they are many."""
    noted = pairs_of_deciding_games(view.tournament)
    unplayed = [two for two in combinations(level, 2) if {*two} not in noted]
    if len(unplayed) > MAX_UNPLAYED_GAMES:
        return ""
    return "; ".join(" – ".join(map(view.name, two)) for two in unplayed)


def _chosen_pairs() -> list[int]:
    """The two pairs whose game is to be noted, or zeros."""
    form_values = [request.form.get("winner", ""), request.form.get("loser", "")]
    pairs = [number_of(text) for text in request.args.getlist("pair") or form_values]
    return pairs if len({*pairs}) == 2 else [0, 0]


def _same_pair() -> int:
    """The pair that was chosen against itself, or 0."""
    pairs = [number_of(text) for text in request.args.getlist("pair")]
    return pairs[0] if len(pairs) == 2 and pairs[0] == pairs[1] else 0


def _next_game(tournament: Tournament, level: list[int]) -> tuple[int, int]:
    """The first two level pairs whose game is not noted, those without a game first."""
    noted = pairs_of_deciding_games(tournament)
    first, second, *others = sorted(level, key=lambda pair: sum(pair in two for two in noted))
    games = combinations((first, second, *others), 2)
    return next((two for two in games if {*two} not in noted), (first, second))


def _are_level(level: Mapping[TiedPlace, list[int]], *two: int) -> bool:
    return any(set(two) <= set(pairs) for pairs in level.values())


def _recordable_games(
    tournament: Tournament,
    level: Mapping[TiedPlace, list[int]],
    chosen: list[int],
    is_opposite: bool,
    unbroken_by_place: Mapping[TiedPlace, list[list[int]]],
) -> dict[TiedPlace, list[int]]:
    """By place, the two pairs whose game the director can note now.

    :param is_opposite: whether the opposite of a noted game waits for a second tap
    :param unbroken_by_place: pairs that can play again although their games are noted
    """
    noted = pairs_of_deciding_games(tournament)
    by_place = {place: pairs if len(pairs) == 2 else chosen for place, pairs in level.items()}
    return {
        place: two
        for place, two in by_place.items()
        if set(two) <= set(level[place])
        and (
            is_opposite
            or set(two) not in noted
            or any(set(two) <= {*group} for group in unbroken_by_place[place])
        )
    }


class OpenedTable(NamedTuple):
    pairs: list[int]
    """Their numbers, the smaller first."""
    key: str
    """The writer's key."""


def _tables(tournament: Tournament, keys: Mapping[str, str]) -> list[OpenedTable]:
    """The tables for deciding games."""
    return [
        OpenedTable(sorted(table.pairs), keys[table.stream])
        for table in tournament.decider_tables
        if table.stream in keys
    ]


@form_route(blueprint, "/<key>/decider", RUN_TOURNAMENT, "deciders.page")
def decide(key: str) -> AnyResponse:
    """Record a deciding game, take it back, or open a table for it."""
    holder, service = director(key), tournaments()
    if confirmed := request.form.get("confirmed", ""):
        if refusal := service.note_deciders(holder.stream, confirmed).refusal:
            raise refusal
        return redirect(url_for("deciders.page", key=key), 303)
    winner, loser = (number_of(request.form.get(name, "")) for name in ("winner", "loser"))
    tournament = service.current(holder.stream)
    is_undo = request.form.get("do") == "undo"
    are_level = _are_level(level_pairs(tournament, standings(tournament)), winner, loser)
    if not is_undo and (winner == loser or not are_level):
        raise Illegal("not-level")
    if "table" in request.form:
        idempotency_key, by = resent_forms.form_key_and_author(holder)
        service.open_decider_table(
            holder.stream, key, (winner, loser), idempotency_key=idempotency_key, by=by
        )
        return redirect(url_for("deciders.page", key=key, pair=[winner, loser]), 303)
    opposite_games = [
        game for game in tournament.deciders if (game.winner, game.loser) == (loser, winner)
    ]
    if opposite_games and not is_undo and request.form.get("sure") != "1":
        text = gettext("The opposite has been noted. Does this count too?")
        raise Refused(CodedText(text, OPPOSITE_NOTED))
    body = {"do": "stechen", "winner": winner, "loser": loser}
    submit(holder, holder.stream, {**body, "undone": True} if is_undo else body)
    return redirect(url_for("deciders.page", key=key), 303)


@blueprint.errorhandler(BadRules)
def show_unplayable_rules(_: BadRules) -> Response:
    text = gettext("These rules cannot be played to so few points: play it on paper.")
    return refused(Refusal(CodedText(text, "unplayable")))
