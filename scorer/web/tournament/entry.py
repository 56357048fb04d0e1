"""The result of one table: entered by a pair, confirmed by the other, or decided at the desk."""

from __future__ import annotations

from typing import Any

from flask import (
    Blueprint,
    Response,
    abort,
    redirect,
    render_template,
    request,
    url_for,
)
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import Game, Illegal
from scorer.tournament import Match, Tournament
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, guest, tables, tournaments
from scorer.web.frame.bodies import whole_number
from scorer.web.frame.limits import RUN, limiter
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.frame.stream import watch
from scorer.web.tournament.view import Desk, keep, told

blueprint = Blueprint("entry", __name__)


@blueprint.get("/e/<key>")
def page(key: str) -> Response:
    """A table's result for the phone of one of its pairs."""
    return _page(*_seat(key))


def _seat(key: str) -> tuple[Guest, str, str]:
    """Whoever holds a table's key, the tournament, and as which of the two pairs."""
    holder = guest(key)
    stream = tournaments().of_table(key)
    if stream is None or holder.role not in ("scorer", "opponent"):
        abort(404, "no-tournament")
    return holder, stream, "a" if holder.role == "scorer" else "b"


def _found(tournament: Tournament, table_stream: str) -> tuple[int, Match]:
    """The match that is played at a table, and the number of its round."""
    found = tournament.played_at(table_stream)
    if found is None:
        abort(404, "no-tournament")
    return found


def _page(holder: Guest, stream: str, who: str, failed: str = "") -> Response:
    tournament = tournaments().reading(stream)
    number, match = _found(tournament, holder.stream)
    desk = Desk(tournament, holder.key, who)
    html = render_template(
        "tournament/result.html",
        desk=desk,
        round=number,
        match=match,
        who=who,
        way=_other(holder) if who == "a" else None,
        games=_boxes(tournament, number, match, who),
        failed=failed,
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


def _other(holder: Guest) -> dict[str, Any]:
    """The way for the other pair to its own page."""
    url = public_url(url_for("entry.page", key=tables().links(holder.key)["opponent"]))
    return {"url": url, "qr": qr_svg(url)}


def _boxes(tournament: Tournament, number: int, match: Match, who: str) -> list[Any]:
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


def _evening(match: Match) -> tuple[Game, ...]:
    """The finished games of a table's own evening."""
    if not match.drawn.stream:
        return ()
    table = tables().reading(match.drawn.stream)
    return table.evening.state.games


@blueprint.post("/e/<key>")
@limiter.limit(RUN)
def enter(key: str) -> AnyResponse:
    """Enter a result, or confirm the one the other pair entered."""
    holder, stream, who = _seat(key)
    tournament = tournaments().reading(stream)
    number, match = _found(tournament, holder.stream)
    where = {"round": number, "table": match.drawn.table, "who": who}
    if request.form.get("do") == "bestaetigung":
        failed = keep(holder, stream, {"do": "bestaetigung", **where, "games": _typed()["games"]})
    else:
        failed = keep(holder, stream, {"do": "ergebnis", **where, **_typed()})
    if failed:
        return _page(holder, stream, who, failed)
    return redirect(url_for("entry.page", key=key), 303)


@blueprint.get("/e/<key>/stream")
def stream(key: str) -> Response:
    """Says when something was entered or confirmed at this table, by whomever."""
    holder, played_in, _ = _seat(key)
    book = tournaments()

    def render() -> tuple[int, str]:
        tournament = book.reading(played_in)
        _, match = _found(tournament, holder.stream)
        return len(tournament.recorded), str(len(match.history))

    return watch(Guest(key, played_in, holder.role), "moved", render)


def _typed() -> dict[str, Any]:
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


# At the desk


@blueprint.get("/p/<key>/match/<int:number>/<int:table>")
def at_desk(key: str, number: int, table: int) -> Response:
    """A table's result at the desk, with everything that was ever said about it."""
    return _at_desk(director(key), number, table)


def _at(tournament: Tournament, number: int, table: int) -> Match:
    """A table of a round.

    :raises NotFound: 404, there is none
    """
    try:
        return tournament.match(number, table)
    except Illegal:
        abort(404)


def _at_desk(holder: Guest, number: int, table: int, failed: str = "") -> Response:
    tournament = tournaments().reading(holder.stream)
    match = _at(tournament, number, table)
    desk = Desk(tournament, holder.key, holder.role)
    scorer = tournaments().scorer(holder.key, match.drawn)
    html = render_template(
        "tournament/match.html",
        desk=desk,
        round=number,
        match=match,
        scorer=scorer,
        games=_boxes(tournament, number, match, "director"),
        retour=[n for n, g in enumerate(_evening(match), 1) if g.kind == "retourschneider"],
        history=[tournament.recorded[at] for at in match.history],
        failed=failed,
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


@blueprint.post("/p/<key>/match/<int:number>/<int:table>")
@limiter.limit(RUN)
def decide(key: str, number: int, table: int) -> AnyResponse:
    """Enter, correct, lock or unlock a table's result at the desk."""
    holder = director(key)
    where = {"round": number, "table": table}
    form = request.form
    reason = form.get("reason", "").strip()
    match form.get("do"):
        case "sperre":
            body: dict[str, Any] = {"do": "sperre", **where, "open": form.get("open") == "1"}
        case "walkover":
            body = _said(where, {"games": [], "walkover": form.get("walkover", "")}, reason)
        case _:
            body = _said(where, _typed(), reason)
    failed = _unreasoned(holder, body) or keep(holder, holder.stream, body)
    if failed:
        return _at_desk(holder, number, table, failed)
    return redirect(url_for("desk.page", key=key, _anchor=f"table-{table}"), 303)


def _said(where: dict[str, int], result: dict[str, Any], reason: str) -> dict[str, Any]:
    return {"do": "ergebnis", **where, "who": "director", **result, "reason": reason}


def _unreasoned(holder: Guest, body: dict[str, Any]) -> str:
    """A result that counts is changed only with a reason."""
    if body["do"] != "ergebnis" or body["reason"]:
        return ""
    tournament = tournaments().reading(holder.stream)
    counts = _at(tournament, body["round"], body["table"]).result is not None
    if not counts:
        return ""
    return told(Illegal("reason-missing", table=body["table"]))
