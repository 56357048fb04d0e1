"""Deciding games between level pairs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, groupby
from math import comb
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
    coming_leg,
    decisive_places,
    level_pairs,
    pairs_of_deciding_games,
    unbroken_ties,
    without_decider,
)
from scorer.tournament.finals import contested_place
from scorer.tournament.round_robin import group_of
from scorer.tournament.standings import decider_balance
from scorer.tournament.state import Decider
from scorer.web.frame import page_responses, resent_forms
from scorer.web.frame.access import require_director, tournaments
from scorer.web.frame.errors import CodedText
from scorer.web.frame.language import labelled
from scorer.web.frame.rate_limits import RUN_TOURNAMENT
from scorer.web.frame.refusals import (
    Refusal,
    Refused,
    current_refusal_text,
    form_route,
    refusal_response,
)
from scorer.web.frame.translation import gettext
from scorer.web.tournament.error_handlers import coded_text
from scorer.web.tournament.event_forms import submit
from scorer.web.tournament.matches import number_or_zero
from scorer.web.tournament.tournament_view import TournamentView, view_of

blueprint = Blueprint("deciders", __name__, url_prefix="/p")


OPPOSITE_NOTED: Final = "opposite-noted"
"""Refusal code: a deciding game with the opposite winner is recorded already."""
MAX_LISTED_PAIRS: Final = 4
"""Up to so many level pairs, the page lists all their games."""
MAX_PLANNED_PAIRS: Final = 8
"""Up to so many, it plans legs in which all play each other."""
MAX_UNPLAYED_GAMES: Final = 3
"""With more, level pairs do not play all against all."""


def settling_refusal(settled: SettledDeciders) -> str:
    """Why the results of deciding tables could not be recorded, or ""."""
    return coded_text(settled.refusal) if settled.refusal else ""


@blueprint.get("/<key>/deciders")
def page(key: str) -> Response:
    """The deciding games that are noted, playable or no longer needed, by the place they decide."""
    holder, service = require_director(key), tournaments()
    settled = service.note_deciders(holder.stream)
    view, chosen_pairs = view_of(holder), _chosen_pairs()
    lines = view.standings.lines
    level = level_pairs(view.tournament, lines) if view.newest else {}
    is_opposite = getattr(current_refusal_text(), "code", "") == OPPOSITE_NOTED
    unbroken_by_place = unbroken_ties(view.tournament, lines)
    legs = {
        place: leg
        for place, pairs in level.items()
        if MAX_LISTED_PAIRS < len(pairs) <= MAX_PLANNED_PAIRS
        and (leg := coming_leg(view.tournament, pairs))
    }
    tables = _tables(view.tournament, service.keyrings.keys_from_ring(key, DESK_RING))
    games = {
        place: _listed_games(
            view.tournament,
            pairs,
            chosen_pairs,
            legs[place].games if place in legs else (),
            is_opposite,
            tables,
            unbroken_by_place[place],
        )
        for place, pairs in level.items()
    }
    return page_responses.render_page(
        "tournament/deciders.html",
        view=view,
        level=level,
        titles={
            place: _title(view.tournament, place, len(pairs)) for place, pairs in level.items()
        },
        decisive=decisive_places(view.tournament, lines),
        outcomes=_outcomes(view, level),
        games=games,
        game_counts={
            place: {
                "played": sum(bool(game.noted) for game in games[place]),
                "all": comb(len(pairs), 2),
            }
            for place, pairs in level.items()
        },
        listed_in_full={place for place, pairs in level.items() if len(pairs) <= MAX_LISTED_PAIRS},
        legs=legs,
        chosen=chosen_pairs,
        next_games={
            place: _next_game(view.tournament, pairs, chosen_pairs)
            for place, pairs in level.items()
        },
        without_game={
            place: [view.name(pair) for pair in without_decider(view.tournament, pairs)]
            for place, pairs in level.items()
        },
        still_level={
            place: [[view.name(pair) for pair in tied_pairs] for tied_pairs in ties]
            for place, ties in unbroken_by_place.items()
        },
        same_pair=_same_pair(),
        no_longer_level=[
            game
            for game in view.tournament.deciders
            if not _are_level(level, game.winner, game.loser)
        ],
        contradictions=settled.contradictions,
        tables=tables,
        failed=current_refusal_text() or settling_refusal(settled),
        sure=is_opposite,
        filled=request.form,
    )


def _title(tournament: Tournament, place: TiedPlace, count: int) -> str:
    """:param count: the number of pairs that are level"""
    if place.is_across_groups:
        contested = contested_place(tournament)
        return gettext("The best in place %(place)s of their groups", place=contested)
    title = gettext("Place %(n)s", n=f"{place.rank}–{place.rank + count - 1}")
    return labelled(gettext("Group %(n)s", n=place.group), title) if place.group else title


def _outcomes(view: TournamentView, level: Mapping[TiedPlace, list[int]]) -> dict[TiedPlace, str]:
    """The outcome of the deciding games as a sentence, by place: the finalists, or the places."""
    finalists = coming_finalists(view.tournament)
    games = pairs_of_deciding_games(view.tournament)
    texts = {}
    for place, pairs in level.items():
        if view.standings.undecided & {*pairs} or not any(two <= {*pairs} for two in games):
            continue
        winners = [pair for pair in pairs if pair in finalists]
        unplayed = sum({*two} not in games for two in combinations(pairs, 2))
        is_final = not 0 < unplayed <= MAX_UNPLAYED_GAMES
        if 0 < len(winners) < len(pairs):
            names = "; ".join(map(view.name, winners))
            texts[place] = (
                gettext("Decided. In the finals: %(names)s", names=names)
                if is_final
                else gettext("So far in the finals: %(names)s", names=names)
            )
        else:
            groups = group_of(view.tournament) if place.is_across_groups else {}
            balance = decider_balance(view.tournament, pairs, groups, across=place.is_across_groups)
            places = _places_text(view, pairs, place.rank, balance)
            listed = "; ".join(places)
            texts[place] = (
                gettext("Decided. %(places)s", places=listed)
                if is_final
                else gettext("So far: %(places)s", places=listed)
            )
    return texts


def _places_text(
    view: TournamentView, pairs: Sequence[int], first_rank: int, balance: Mapping[int, int]
) -> list[str]:
    """Each place with its pair; pairs that no deciding game has parted share their places.

    :param balance: deciding games won minus lost, by pair
    """
    texts, rank = [], first_rank
    for _, group in groupby(pairs, key=balance.__getitem__):
        sharing = list(group)
        last = rank + len(sharing) - 1
        places = gettext("Place %(n)s", n=rank if last == rank else f"{rank}–{last}")
        texts.append(labelled(places, ", ".join(map(view.name, sharing))))
        rank = last + 1
    return texts


def _chosen_pairs() -> list[int]:
    """The two pairs whose game is to be noted, or zeros."""
    form_values = [request.form.get("winner", ""), request.form.get("loser", "")]
    pairs = [number_or_zero(text) for text in request.args.getlist("pair") or form_values]
    return pairs if len({*pairs}) == 2 else [0, 0]


def _same_pair() -> int:
    """The pair that was chosen against itself, or 0."""
    pairs = [number_or_zero(text) for text in request.args.getlist("pair")]
    return pairs[0] if len(pairs) == 2 and pairs[0] == pairs[1] else 0


def _next_game(
    tournament: Tournament, level: Sequence[int], chosen_pairs: Sequence[int]
) -> tuple[int, int]:
    """The chosen game, or the first two level pairs whose game is not noted; pairs without a game
    come first.
    """
    noted = pairs_of_deciding_games(tournament)
    by_games = sorted(level, key=lambda pair: sum(pair in two for two in noted))
    candidates = [(chosen_pairs[0], chosen_pairs[1]), *combinations(by_games, 2)]
    return next(
        (two for two in candidates if {*two} <= {*level} and {*two} not in noted), candidates[1]
    )


def _are_level(level: Mapping[TiedPlace, list[int]], *two: int) -> bool:
    return any(set(two) <= set(pairs) for pairs in level.values())


class OpenedTable(NamedTuple):
    pairs: tuple[int, ...]
    """Their numbers, the smaller first."""
    key: str
    """The writer's key."""


def _tables(tournament: Tournament, keys: Mapping[str, str]) -> list[OpenedTable]:
    """The tables for deciding games."""
    return [
        OpenedTable(tuple(sorted(table.pairs)), keys[table.stream])
        for table in tournament.decider_tables
        if table.stream in keys
    ]


class ListedGame(NamedTuple):
    """A deciding game of two level pairs."""

    pairs: tuple[int, int]
    """Their numbers, the smaller first."""
    noted: list[Decider]
    can_be_noted: bool
    table: str
    """The writer's key of its table, or ""."""


def _listed_games(
    tournament: Tournament,
    level: Sequence[int],
    chosen_pairs: Sequence[int],
    coming: Sequence[tuple[int, int]],
    is_opposite: bool,
    tables: Sequence[OpenedTable],
    unbroken: Sequence[Sequence[int]],
) -> list[ListedGame]:
    """All games of a few level pairs; of many, those that are noted, chosen or coming.

    :param chosen_pairs: the pairs of the game that the director chose
    :param coming: the games of the coming leg
    :param is_opposite: whether the opposite of the noted chosen game waits for a second tap
    :param unbroken: pairs that can play again although their games are noted
    """
    key_of: dict[tuple[int, ...], str] = {table.pairs: table.key for table in tables}
    coming_games = {(min(game), max(game)) for game in coming}
    listed = []
    for first, second in combinations(sorted(level), 2):
        two = {first, second}
        noted = [game for game in tournament.deciders if {game.winner, game.loser} == two]
        is_chosen = two == {*chosen_pairs}
        is_offered = is_chosen or len(level) <= MAX_LISTED_PAIRS or (first, second) in coming_games
        can_be_noted = is_offered and (
            not noted or (is_opposite and is_chosen) or any(two <= {*pairs} for pairs in unbroken)
        )
        if noted or can_be_noted:
            pairs = (first, second)
            listed.append(ListedGame(pairs, noted, can_be_noted, key_of.get(pairs, "")))
    return listed


@form_route(blueprint, "/<key>/decider", RUN_TOURNAMENT, "deciders.page")
def decide(key: str) -> AnyResponse:
    """Record a deciding game, take it back, or open a table for it."""
    holder, service = require_director(key), tournaments()
    if confirmed := request.form.get("confirmed", ""):
        if refusal := service.note_deciders(holder.stream, confirmed).refusal:
            raise refusal
        return redirect(url_for("deciders.page", key=key), 303)
    winner, loser = (number_or_zero(request.form.get(name, "")) for name in ("winner", "loser"))
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
    return refusal_response(Refusal(CodedText(text, "unplayable")))
