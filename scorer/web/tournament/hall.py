"""What the hall sees: live standings, who sits where, and the big screen."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

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

from scorer.book.folds import mark
from scorer.tournament import Match, Tally
from scorer.tournament.match import Entrant
from scorer.tournament.names import alike, alphabetical
from scorer.tournament.standings import Standing
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, guest, once, tournaments
from scorer.web.frame.htmx import wants_fragment
from scorer.web.frame.language import chosen, speaking
from scorer.web.frame.sentences import gettext
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.frame.stream import watch
from scorer.web.tournament.names import HEADINGS
from scorer.web.tournament.view import View

blueprint = Blueprint("hall", __name__, url_prefix="/p/<key>")

ROWS: Final = 12
"""Lines of a column that can be read from the other end of the hall."""
SECONDS: Final = 10
"""How long a screenful stays: 256 pairs are through in less than four minutes."""
COLUMNS: Final = 2


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
    view = View(tournament, key, holder.role)
    html = render_template(template, view=view)
    return phone.remember(phone.shown(html), key, phone.TOURNAMENTS)


@blueprint.get("/standings/stream")
def stream(key: str) -> Response:
    """The standings each time they change."""
    return live_standings(watcher(key))


def live_standings(holder: Guest) -> Response:
    """The standings each time they change, drawn once for all who watch.

    :param holder: whoever watches, with the tournament as the stream
    """
    book, drawn, language = tournaments(), once(), chosen()
    app = current_app._get_current_object()  # type: ignore[attr-defined]
    draw = current_app.jinja_env.get_template("tournament/_standings.html")

    def render() -> tuple[int, str]:
        tournament = book.reading(holder.stream)
        known = ("standings", holder.stream, mark(tournament), language)

        def html() -> str:
            with speaking(app, language):
                return draw.render(view=View(tournament, "", "hall"))

        return len(tournament.recorded), drawn(known, html)

    return watch(holder, "standings", render)


@blueprint.get("/find")
def find(key: str) -> Response:
    """Where somebody sits, by a part of the name."""
    holder = watcher(key)
    asked = request.args.get("name", "").strip()[:60]
    view = View(tournaments().reading(holder.stream), key, holder.role)
    pairs = named(view, asked)
    html = render_template(
        "tournament/find.html",
        view=view,
        asked=asked,
        places=[whereabouts(view, number) for number in pairs[:20]],
        more=len(pairs) > 20,
    )
    return make_response(html)


def named(view: View, asked: str) -> list[int]:
    """The pairs whose name or players contain every word that was typed, or whose number it is."""
    wanted = list(filter(None, map(alike, asked.split())))
    if not wanted:
        return []

    def fits(entrant: Entrant) -> bool:
        text = alike(" ".join((entrant.pair.name, *entrant.pair.players)))
        return [str(entrant.number)] == wanted or all(word in text for word in wanted)

    return [entrant.number for entrant in view.tournament.listed if fits(entrant)]


@dataclass(frozen=True, slots=True)
class Sitting:
    """A table a pair plays at: with several lots there are several."""

    match: Match
    against: str
    board: str | None
    entry: str | None = None
    """Where the pair enters its result, for the pair alone."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a pair is in the newest round."""

    pair: int
    tables: tuple[Sitting, ...]
    bye: bool


def whereabouts(view: View, number: int, keys: Mapping[str, str] | None = None) -> Place:
    """Where a pair is in the newest round.

    :param keys: the pair's own, by the streams of its tables
    """
    newest = view.newest
    if newest is None:
        return Place(number, (), False)
    sittings = [
        Sitting(match, view.side(match, 1 - at), _board(view, match), _entry(keys or {}, match))
        for _, match in sorted(newest.matches.items())
        for at, side in enumerate(match.sides)
        if number in side
    ]
    return Place(number, tuple(sittings), number in view.tournament.free(newest))


def _entry(keys: Mapping[str, str], match: Match) -> str | None:
    key = keys.get(match.drawn.stream)
    return key and url_for("entry.page", key=key)


def _board(view: View, match: Match) -> str | None:
    key = tournaments().rings.board(view.key, match.drawn.stream) if view.role == "hall" else None
    return key and url_for("board.page", key=key)


@blueprint.get("/hall")
def screen(key: str) -> Response:
    """The big screen: it turns its own pages, by the plainest of means, and is always new."""
    holder = watcher(key)
    at = request.args.get("page", 0, type=int)
    view = View(tournaments().reading(holder.stream), key, holder.role)
    pages = screens(view)
    hall = key if holder.role == "hall" else tournaments().rings.links(key).get("hall")
    html = render_template(
        "tournament/hall.html",
        view=view,
        shown=pages[at % len(pages)],
        at=at % len(pages),
        count=len(pages),
        still="still" in request.args,
        following=url_for("hall.screen", key=key, page=(at + 1) % len(pages)),
        seconds=SECONDS,
        minutes=minutes_left(view),
        qr=hall and qr_svg(public_url(url_for("desk.page", key=hall))),
    )
    return make_response(html)


def minutes_left(view: View) -> int | None:
    """The minutes the round still lasts, or None where no clock runs."""
    until = view.tournament.clock.until
    return max(0, -(-int(until - time.time()) // 60)) if until else None


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the big screen."""

    first: str
    """The place; in a list by name nothing."""
    name: str
    values: tuple[str, ...]
    why: str = ""
    """What settled the place, or the way into the finals, against others level; a bye."""

    @property
    def size(self) -> str:
        """How large its name can be written, by its letters and those of what stands beside it."""
        sizes = ((16, "short"), (34, "middle"), (46, "long"))
        letters = len(f"{self.name} {self.why}".rstrip())
        return next((size for most, size in sizes if letters <= most), "longest")


@dataclass(frozen=True, slots=True)
class Screen:
    """A screenful: its title, the headings, and a column or two of lines."""

    title: str
    headings: tuple[str, ...]
    columns: tuple[tuple[Row, ...], ...]


def screens(view: View) -> list[Screen]:
    """The screenfuls: who sits where while a round is played, then the standings by place, and
    by name where no round is played; without who has no place and never played."""
    newest = view.newest
    playing = newest is not None and bool(newest.missing)
    seated = _screenfuls(view.title(newest), (gettext("Table"),), _seats(view)) if newest else []
    shown = [(name, gettext(HEADINGS[name])) for name in view.settings.ranking]
    heads = tuple(heading for _, heading in shown)
    lines = [
        Row(
            str(line.rank or "–"),
            view.name(line.pair),
            tuple(view.places.value(line, name) for name, _ in shown),
            " · ".join(filter(None, _why(view, line))),
        )
        for line in view.places.lines
        if line.rank or line.tally != Tally()
    ]
    by_place = _screenfuls(gettext("Standings"), heads, lines)
    by_name = sorted(lines, key=lambda row: alphabetical(row.name))
    title = gettext("Standings by name")
    return seated + by_place if playing else by_place + _screenfuls(title, heads, by_name)


def _why(view: View, line: Standing) -> tuple[str, ...]:
    """What the wall tells beside a name."""
    return *view.places.ties(line), view.places.bye(line)


def _seats(view: View) -> list[Row]:
    """Everybody of the newest round by name."""
    newest = view.newest
    assert newest is not None
    rows = [
        Row("", view.name(number), (view.place(match),))
        for match in newest.matches.values()
        for side in match.sides
        for number in side
    ]
    rows += [Row("", name, (gettext("bye"),)) for name in view.byes(newest)]
    return sorted(rows, key=lambda row: alphabetical(row.name))


def _screenfuls(title: str, heads: tuple[str, ...], rows: Sequence[Row]) -> list[Screen]:
    columns = [tuple(rows[at : at + ROWS]) for at in range(0, len(rows), ROWS)] or [()]
    return [
        Screen(title, heads, tuple(columns[at : at + COLUMNS]))
        for at in range(0, len(columns), COLUMNS)
    ]
