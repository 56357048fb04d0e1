"""Exports of a tournament: CSV files, a page to publish, and an archive."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from flask import Blueprint, Response, render_template

from scorer.tournament import Match, Round
from scorer.tournament.ranking_metrics import metric_value
from scorer.tournament.standings import Standing
from scorer.web.frame.access import require_director, tournaments
from scorer.web.frame.csv_files import csv_file
from scorer.web.frame.translation import gettext, pgettext
from scorer.web.tournament.printouts import OCCASIONS, SHEETS
from scorer.web.tournament.standings_view import unsigned
from scorer.web.tournament.tournament_view import TournamentView, view_of
from scorer.web.tournament.visitors import viewer

blueprint = Blueprint("exports", __name__, url_prefix="/p/<key>")


@blueprint.get("/standings.csv")
def standings(key: str) -> Response:
    view = view_of(viewer(key))
    places, metrics = view.standings, view.standings.metrics
    heads = [gettext("Place"), gettext("No."), gettext("Pair"), gettext("Club or village")]
    heads += [title for _, title in metrics]
    heads += [gettext("Remark"), gettext("Player 1"), gettext("Player 2")]
    heads += [gettext("Category")] if view.categories else []
    rows: list[list[Any]] = [heads]
    for line in places.lines:
        values = [_number(line, name) for name, _ in metrics]
        remarks = (*places.reasons(line), places.extra_points_text(line), places.bye_remark(line))
        about = " · ".join(filter(None, remarks))
        name, club = view.name(line.pair), view.club(line.pair)
        pair = view.tournament.entrants[line.pair].pair
        first, second, *_ = *pair.players, "", ""
        category = [pair.category] if view.categories else []
        rank = places.rank_text(line.rank, line.pair) if line.rank else ""
        rows.append([rank, line.pair, name, club, *values, about, first, second, *category])
    return csv_file(gettext("standings"), rows)


def _number(line: Standing, metric: str) -> int | str:
    """A number for integers, else a string with the reader's decimal separator."""
    number = metric_value(line.totals, metric)
    return number if isinstance(number, int) else unsigned(number, metric)


@blueprint.get("/results.csv")
def results(key: str) -> Response:
    """All matches as CSV, with the points of each game in columns."""
    view = view_of(viewer(key))
    rounds = view.tournament.rounds
    max_games = max((round_.games for round_ in rounds), default=0)
    heads = [pgettext("tournament", "Round"), gettext("Table")]
    for side in (1, 2):
        heads += [f"{gettext('No.')} {side}", f"{gettext('Pair')} {side}"]
    for n in range(1, max_games + 1):
        heads += [f"{gettext('Game %(n)s', n=n)}, {side}" for side in (1, 2)]
    heads += [f"{gettext('Wins')} 1", f"{gettext('Wins')} 2", gettext("Retour"), gettext("Remark")]
    rows: list[list[Any]] = [heads]
    for round_ in rounds:
        rows += [_match(view, round_, match, max_games) for match in round_.matches.values()]
        rows += [_bye(view, round_, pair, max_games) for pair in view.tournament.bye_pairs(round_)]
    return csv_file(gettext("results"), rows)


def _round(view: TournamentView, round_: Round) -> int | str:
    """A round's number, or the name of a final."""
    return view.round_name(round_) if round_.is_knockout else round_.number


def _bye(view: TournamentView, round_: Round, pair: int, max_games: int) -> list[Any]:
    wins = round_.games if view.settings.scoring.bye_wins and not round_.is_knockout else ""
    empty = [""] * (2 + 2 * max_games)
    return [_round(view, round_), "", pair, view.name(pair), *empty, wins, "", "", gettext("bye")]


def _match(view: TournamentView, round_: Round, match: Match, max_games: int) -> list[Any]:
    result = match.result
    games = list(result.games) if result else []
    sides = [
        item
        for side in (0, 1)
        for item in (view.texts.numbers(match, side), view.texts.side(match, side))
    ]
    points: list[Any] = [item for game in games for item in game]
    points += [""] * (2 * max_games - len(points))
    won: Sequence[int | str] = match.games_won(result) if result else ("", "")
    if result and result.walkover:
        # As the standings count it.
        won = [round_.games if match.winner == side else 0 for side in (0, 1)]
    retour = " ".join(map(str, result.retour)) if result else ""
    remark = view.texts.score(match) if result and result.walkover else view.texts.status(match)
    left_out = gettext("does not count") if view.tournament.is_annulled(match) else ""
    remarks = ", ".join(filter(None, (view.texts.third(match), remark, left_out)))
    return [_round(view, round_), match.hall_table, *sides, *points, *won, retour, remarks]


@blueprint.get("/results.html")
def published(key: str) -> Response:
    """The whole tournament as one HTML file without scripts or external resources."""
    view = view_of(viewer(key))
    html = render_template("tournament/results_file.html", view=view, prizes=view.standings.prizes)
    response = Response(html, mimetype="text/html")
    name = gettext("results")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.html"'
    return response


@blueprint.get("/paper")
def paper(key: str) -> str:
    """The page that lists all printouts and exports."""
    view = view_of(require_director(key))
    occasions = {
        occasion: [sheet for sheet in sheets if _has_content(view, sheet)]
        for occasion, sheets in OCCASIONS.items()
    }
    return render_template(
        "tournament/printouts.html", view=view, occasions=occasions, titles=SHEETS
    )


def _has_content(view: TournamentView, sheet: str) -> bool:
    """Whether a sheet has something to show in this format."""
    if sheet == "slips":
        return view.newest is not None
    if sheet == "cross":
        return view.settings.format in ("round-robin", "groups")
    if sheet == "bracket":
        return bool(view.settings.finals) or view.settings.format == "knockout"
    return True


@blueprint.get("/export.json")
def export(key: str) -> Response:
    """An archive of the tournament with all tables and keys, for `bummerl import`."""
    holder = require_director(key)
    _, parts = tournaments().archive(holder.stream, key)
    response = Response(parts, mimetype="application/json")
    response.headers["Content-Disposition"] = 'attachment; filename="preiswatten.json"'
    return response
