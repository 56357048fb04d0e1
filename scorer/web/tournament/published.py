"""The finished tournaments of this server that their directors have published."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from flask import Blueprint, abort, render_template

from scorer.engine.aggregate import replace
from scorer.store.roles import HALL_VIEWER, TOURNAMENT_KIND
from scorer.tournament import Tournament
from scorer.tournament.entrants import Entrant
from scorer.tournament.pairs import Pair, players_in
from scorer.tournament.surnames import NameOrder
from scorer.web.frame.access import store, tournaments
from scorer.web.frame.public_address import reaches_others
from scorer.web.tournament.tournament_view import TournamentView

blueprint = Blueprint("published", __name__, url_prefix="/tournaments")


@blueprint.get("")
def index() -> str:
    """All published tournaments, the newest first."""
    if not reaches_others():
        abort(404)
    return render_template("tournament/published_tournaments.html", views=[*_views()])


@blueprint.get("/<stream>")
def page(stream: str) -> str:
    """The standings of a published tournament."""
    is_stored = store().existing_streams(TOURNAMENT_KIND, [stream])
    view = _view(tournaments().current(stream)) if is_stored and reaches_others() else None
    if view is None:
        abort(404)
    return render_template("tournament/published_standings.html", view=view)


def _views() -> Iterator[tuple[str, TournamentView]]:
    streams = store().streams(TOURNAMENT_KIND)[::-1]
    for stream, tournament in tournaments().current_within(streams).items():
        if view := _view(tournament):
            yield stream, view


def _view(tournament: Tournament) -> TournamentView | None:
    """The published view of a tournament, or None if it is not published."""
    mode = tournament.settings.published
    if not mode:
        return None
    view = TournamentView(
        with_short_names(tournament) if mode == "short" else tournament, "", HALL_VIEWER
    )
    return view if view.over else None


def with_short_names(tournament: Tournament) -> Tournament:
    """The tournament with a letter for each surname, without the director's remarks."""
    players = {entrant.number: _players(tournament, entrant) for entrant in tournament.listed}
    order = NameOrder.of(name for names in players.values() for name in names)
    entrants = {
        number: replace(
            tournament.entrants[number],
            pair=Pair(
                " & ".join(map(order.shortened, names)), (), tournament.entrants[number].pair.club
            ),
            extra_reason="",
        )
        for number, names in players.items()
        if names
    }
    return replace(tournament, entrants={**tournament.entrants, **entrants})


def _players(tournament: Tournament, entrant: Entrant) -> Sequence[str]:
    """The people in an entrant's name; none if it is the name of a team."""
    if entrant.pair.players:
        return entrant.pair.players
    players = players_in(entrant.pair.name)
    return players if len(players) > 1 or tournament.settings.format == "partners" else ()
