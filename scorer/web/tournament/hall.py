"""What the hall sees: live standings, who sits where, and the big screen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from flask import (
    Blueprint,
    Response,
    abort,
    current_app,
    make_response,
    render_template,
    request,
    url_for,
)

from scorer.web.frame import phone
from scorer.web.frame.access import Guest, guest, once, tournaments
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import chosen, speaking
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.frame.spreadsheet import csv_file
from scorer.web.frame.stream import watch
from scorer.web.tournament.view import Desk

blueprint = Blueprint("hall", __name__, url_prefix="/p/<key>")

ROWS: Final = 10
"""Lines of one screenful that can be read from the other end of the hall."""
SECONDS: Final = 12
"""How long one screenful stays."""


def watcher(key: str) -> Guest:
    """Whoever may look at a tournament: the hall and the director.

    :raises Forbidden: 403, the key only signs up
    """
    holder = guest(key, "tournament")
    if holder.role == "signup":
        abort(403, "not-yours")
    return holder


@blueprint.get("/standings")
def standings(key: str) -> Response:
    """The standings and the tables of the round, live."""
    holder = watcher(key)
    template = "tournament/_standings.html" if wants_fragment() else "tournament/standings.html"
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    html = render_template(template, desk=desk, key=key, token=phone.token())
    return phone.remember(phone.shown(html), key, phone.TOURNAMENTS)


@blueprint.get("/standings/stream")
def stream(key: str) -> Response:
    """The standings each time they change, drawn once for all who watch."""
    holder = watcher(key)
    book, drawn, language = tournaments(), once(), chosen()
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    draw = current_app.jinja_env.get_template("tournament/_standings.html")

    def render() -> tuple[int, str]:
        tournament = book.reading(holder.stream)
        known = ("standings", holder.stream, len(tournament.recorded), language)

        def html() -> str:
            with speaking(app, language):
                return draw.render(desk=Desk(tournament, "", "hall"))

        return len(tournament.recorded), drawn(known, html)

    return watch(holder, "standings", render)


@blueprint.get("/find")
def find(key: str) -> Response:
    """Where somebody sits, by a part of the name."""
    holder = watcher(key)
    asked = request.args.get("name", "").strip()
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    found = _named(desk, asked)
    html = render_template(
        "tournament/find.html",
        desk=desk,
        asked=asked,
        found=[_place(desk, number) for number in found[:20]],
        more=len(found) > 20,
    )
    return make_response(html)


def _named(desk: Desk, asked: str) -> list[int]:
    """The pairs whose name or players contain what was typed, or whose number it is."""
    wanted = asked.casefold()
    if not wanted:
        return []
    return [
        one.number
        for one in desk.tournament.entrants.values()
        if str(one.number) == wanted
        or wanted in " ".join((one.pair.name, *one.pair.players)).casefold()
    ]


def _place(desk: Desk, number: int) -> dict[str, Any]:
    """A pair with the table it plays at in the newest round."""
    newest = desk.newest
    for match in newest.matches.values() if newest else ():
        if number in match.drawn.pairs:
            one, other = match.drawn.pairs
            board = tournaments().board(desk.key, match.drawn) if desk.role == "hall" else None
            return {
                "pair": number,
                "table": match.drawn.table,
                "against": desk.name(one if other == number else other),
                "board": board and url_for("board.page", key=board),
            }
    bye = newest is not None and number in desk.free(newest)
    return {"pair": number, "table": None, "bye": bye}


@blueprint.get("/hall")
def screen(key: str) -> Response:
    """The big screen: it turns its own pages, by the plainest of means, and is always new."""
    holder = watcher(key)
    at = request.args.get("page", 0, type=int)
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    pages = _screens(desk)
    hall = key if holder.role == "hall" else tournaments().links(key)["hall"]
    html = render_template(
        "tournament/hall.html",
        desk=desk,
        shown=pages[at % len(pages)],
        at=at % len(pages),
        count=len(pages),
        still="still" in request.args,
        following=url_for("hall.screen", key=key, page=(at + 1) % len(pages)),
        seconds=SECONDS,
        qr=qr_svg(public_url(url_for("desk.page", key=hall))),
    )
    return make_response(html)


def _screens(desk: Desk) -> list[dict[str, Any]]:
    """The screenfuls: who sits where while a round is played, then the standings."""
    newest, found = desk.newest, list[dict[str, Any]]()
    if newest is not None and newest.missing:
        seats = sorted(
            (desk.name(pair).casefold(), desk.name(pair), match.drawn.table)
            for match in newest.matches.values()
            for pair in match.drawn.pairs
        )
        seats += [(name.casefold(), name, 0) for name in desk.byes(newest)]
        rows = [(name, table) for _, name, table in sorted(seats)]
        found += [{"title": desk.title(newest), "seats": some} for some in _split(rows)]
    return found + [{"title": "", "lines": some} for some in _split(desk.lines)]


def _split(rows: Sequence[Any]) -> list[Sequence[Any]]:
    return [rows[at : at + ROWS] for at in range(0, len(rows), ROWS)] or [[]]


@blueprint.get("/standings.csv")
def as_csv(key: str) -> Response:
    """The standings for a spreadsheet."""
    holder = watcher(key)
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    rows: list[list[Any]] = [["rank", "pair", "name", *(name for name, _ in desk.metrics)]]
    for line in desk.lines:
        values = [desk.value(line, name) for name, _ in desk.metrics]
        numbers = [int(v) if v.lstrip("+-").isdecimal() else v for v in values]
        rows.append([line.rank, line.pair, desk.name(line.pair), *numbers])
    return csv_file("standings", rows)


@blueprint.get("/results.csv")
def results_csv(key: str) -> Response:
    """Every match of every round for a spreadsheet."""
    holder = watcher(key)
    rows: list[list[Any]] = [["round", "table", "pair 1", "pair 2", "games", "state"]]
    tournament = tournaments().reading(holder.stream)
    desk = Desk(tournament, key, holder.role)
    for one in tournament.rounds:
        for match in one.matches.values():
            names = [desk.name(pair) for pair in match.drawn.pairs]
            rows.append([one.number, match.drawn.table, *names, desk.score(match), match.status])
    return csv_file("results", rows)
