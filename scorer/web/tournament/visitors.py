"""Pages for everyone in the hall: live standings, and finding one's table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from flask import Blueprint, Response, current_app, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.keyrings import ROLES_SEEING_STANDINGS
from scorer.book.stream_cache import version_tag
from scorer.store.roles import DIRECTOR, HALL_VIEWER
from scorer.tournament import Match
from scorer.tournament.name_matching import normalized_spelling, word_fit
from scorer.web.frame import page_responses, remembered_keys
from scorer.web.frame.access import KeyHolder, authorise, render_cache, tournaments
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import language
from scorer.web.frame.sse import live_fragment
from scorer.web.tournament.tournament_view import TournamentView, view_of

blueprint = Blueprint("visitors", __name__, url_prefix="/p/<key>")


def viewer(key: str) -> KeyHolder:
    """The holder of a viewer's or director's key.

    :raises Forbidden: 403, the key is a helper's or for sign-up only
    """
    return authorise(key, *ROLES_SEEING_STANDINGS)


def redirect_to_visitors(holder: KeyHolder) -> AnyResponse | None:
    """A redirect from the director's address of a page to the visitors' address of the same page,
    or None for visitors. Screens in the hall and browsers' print headers show addresses.
    """
    if holder.role != DIRECTOR:
        return None
    key = tournaments().keyrings.keys_by_role(holder.key).get(HALL_VIEWER)
    parts = {**(request.view_args or {}), **request.args.to_dict(), "key": key}
    return redirect(url_for(request.endpoint or "", **parts), 303) if key else None


@blueprint.get("/standings")
def standings(key: str) -> Response:
    """Live standings and tables of the current round."""
    holder = viewer(key)
    template = "tournament/_standings.html" if wants_fragment() else "tournament/standings.html"
    tournament = tournaments().current(holder.stream)
    view = TournamentView(tournament, key, holder.role)
    html = render_template(template, view=view)
    return remembered_keys.remember(
        page_responses.response_with_secret(html), key, remembered_keys.TOURNAMENTS_COOKIE
    )


@blueprint.get("/standings/stream")
def stream(key: str) -> Response:
    return live_standings(viewer(key))


def live_standings(holder: KeyHolder) -> Response:
    """Event stream of the standings, rendered once per language for all viewers, and for the desk.

    :param holder: a viewer; its `stream` is the tournament
    """
    code = language()
    role = holder.role if holder.role == DIRECTOR else HALL_VIEWER
    template = current_app.jinja_env.get_template("tournament/_standings.html")

    def render() -> tuple[int, str]:
        tournament = tournaments().current(holder.stream)
        cache_key = ("standings", holder.stream, version_tag(tournament), code, role)

        def html() -> str:
            return template.render(view=TournamentView(tournament, "", role))

        return len(tournament.recorded), render_cache()(cache_key, html)

    return live_fragment(holder, "standings", code, render)


@blueprint.get("/find")
def find(key: str) -> str:
    typed = request.args.get("name", "").strip()[:60]
    view = view_of(viewer(key))
    pairs = pairs_named(view, typed)
    return render_template(
        "tournament/find_seat.html",
        view=view,
        asked=typed,
        places=[pair_tables(view, number) for number in pairs[:20]],
        more=len(pairs) > 20,
    )


def pairs_named(view: TournamentView, typed: str) -> list[int]:
    """The pairs whose names fit the words typed best, or whose number was typed."""
    number = normalized_spelling(typed)
    fits = {
        entrant.number: 3
        if number == str(entrant.number)
        else word_fit(view.all_names(entrant.number), typed)
        for entrant in view.tournament.listed
    }
    best = max(fits.values(), default=0)
    return [pair for pair, fit in fits.items() if fit and fit == best]


@dataclass(frozen=True, slots=True)
class PairTable:
    """A table at which a pair plays; a pair with several lots may have several."""

    match: Match
    against: str
    score: str
    """The points of the result, those of the pair first, or ""."""
    board: str | None
    entry: str | None = None
    """URL for entering the result, only set for the pair itself."""


@dataclass(frozen=True, slots=True)
class PairTables:
    """A pair's tables or bye in the newest round."""

    pair: int
    tables: tuple[PairTable, ...]
    bye: bool


def pair_tables(
    view: TournamentView, number: int, keys: Mapping[str, str] | None = None
) -> PairTables:
    """A pair's tables or bye in the newest round.

    :param keys: the pair's own keys by stream
    """
    newest = view.newest
    if newest is None:
        return PairTables(number, (), False)
    tables_of_pair = [
        PairTable(
            match,
            view.texts.side(match, 1 - side),
            view.texts.own_score(match, side),
            _url("board.page", view.boards.get(match.drawn_table.stream)),
            _url("result_entry.page", (keys or {}).get(match.drawn_table.stream)),
        )
        for _, match in sorted(newest.matches.items())
        for side, pairs in enumerate(match.sides)
        if number in pairs
    ]
    return PairTables(number, tuple(tables_of_pair), number in view.tournament.bye_pairs(newest))


def _url(page: str, key: str | None) -> str | None:
    return key and url_for(page, key=key)
