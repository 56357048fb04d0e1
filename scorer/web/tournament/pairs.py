"""The list of pairs: by hand, pasted, from a file, or by the players themselves."""

from __future__ import annotations

import random
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

from scorer.engine import Illegal, Unreadable
from scorer.tournament import Tournament
from scorer.tournament.lists import decoded, read_list
from scorer.tournament.people import may_enter
from scorer.tournament.reading import called_by, read_pair
from scorer.tournament.settings import Pair
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, guest, tournaments
from scorer.web.frame.bodies import whole_number
from scorer.web.frame.limits import RUN, limiter
from scorer.web.frame.spreadsheet import csv_file
from scorer.web.tournament.view import Desk, keep, told

blueprint = Blueprint("pairs", __name__, url_prefix="/p/<key>")


@blueprint.get("/pairs")
def page(key: str) -> Response:
    """The list, and everything that changes it."""
    return _page(director(key))


def _page(holder: Guest, failed: str = "") -> Response:
    tournament = tournaments().reading(holder.stream)
    html = render_template(
        "tournament/pairs.html",
        desk=Desk(tournament, holder.key, holder.role),
        failed=failed,
        filled=request.form,
        entered=request.args.get("entered", 0, type=int),
        token=phone.token(),
    )
    response = phone.shown(html, refused=bool(failed))
    return phone.remember(response, holder.key, phone.TOURNAMENTS)


def _done(holder: Guest, failed: str, **where: Any) -> AnyResponse:
    if failed:
        return _page(holder, failed)
    return redirect(url_for("pairs.page", key=holder.key, **where), 303)


def _entry() -> dict[str, Any]:
    """The pair of the form."""
    form = request.form
    players = [name for name in map(str.strip, form.getlist("player")) if name]
    return {
        "name": form.get("name", "").strip(),
        "players": players,
        "club": form.get("club", "").strip(),
        "entries": whole_number(form.get("entries", "") or "1"),
    }


@blueprint.post("/pairs")
@limiter.limit(RUN)
def add(key: str) -> AnyResponse:
    """Enter a pair, or a player who waits for a partner."""
    holder = director(key)
    return _done(holder, _enter(holder, holder.stream, _entry()))


def _enter(holder: Guest, stream: str, entry: dict[str, Any]) -> str:
    if len(entry["players"]) == 1 and not entry["name"]:
        single = {"do": "einzeln", "name": entry["players"][0], "club": entry["club"]}
        return keep(holder, stream, single)
    return keep(holder, stream, {"do": "anmeldung", "entry": entry})


@blueprint.post("/pairs/list")
@limiter.limit(RUN)
def add_list(key: str) -> AnyResponse:
    """Enter all pairs of a pasted list or a file, or none where a line is wrong."""
    holder = director(key)
    file = request.files.get("file")
    text = decoded(file.read()) if file and file.filename else request.form.get("list", "")
    again = tournaments().store.recorded(holder.stream, f"{phone.event_name()}:0") is not None
    tournament = tournaments().reading(holder.stream)
    taken = [one.pair.name for one in tournament.entrants.values()]
    try:
        # What was sent twice is there already, and recorded once.
        found = read_list(text, () if again else taken)
        if not found:
            raise Unreadable("list", "is missing")
        if not again:
            tournament = tournaments().reading(holder.stream)
            may_enter(tournament, sum(pair.entries for pair in found))
    except (Unreadable, Illegal) as error:
        return _done(holder, told(error))
    return _done(holder, _enter_all(holder, found), entered=len(found))


def _enter_all(holder: Guest, found: list[Pair]) -> str:
    """Enter pair after pair; sent again, what is in stays in once."""
    for number, pair in enumerate(found):
        body = {"do": "anmeldung", "entry": pair.to_json()}
        failed = keep(holder, holder.stream, body, part=f":{number}")
        if failed:
            return failed
    return ""


@blueprint.post("/pairs/<int:number>")
@limiter.limit(RUN)
def change(key: str, number: int) -> AnyResponse:
    """Change, mark, withdraw or bring back a pair."""
    holder = director(key)
    body: dict[str, Any] = {"do": request.form.get("do", ""), "pair": number}
    match body["do"]:
        case "aenderung":
            body["entry"] = _renamed(holder, number)
        case "vermerk":
            body |= _marked(holder, number)
        case "abmeldung" | "rueckkehr":
            pass
        case _:
            abort(400)
    return _done(holder, keep(holder, holder.stream, body), _anchor=f"pair-{number}")


def _renamed(holder: Guest, number: int) -> dict[str, Any]:
    """The pair of the form; a name that was only its players' follows them."""
    entry = _entry()
    tournament = tournaments().reading(holder.stream)
    one = tournament.entrants.get(number)
    if one and entry["name"] == one.pair.name == called_by(one.pair.players):
        entry["name"] = ""
    return entry


def _marked(holder: Guest, number: int) -> dict[str, bool]:
    """A pair's marks once the tapped one is as the button says."""
    tournament = tournaments().reading(holder.stream)
    one = tournament.entrants.get(number)
    marks = {"paid": one.paid, "here": one.here} if one else {}
    changes = {"paid": ("paid", True), "unpaid": ("paid", False)}
    changes |= {"here": ("here", True), "away": ("here", False)}
    name, value = changes.get(request.form.get("mark", ""), ("", False))
    if name not in marks:
        abort(400)
    return {**marks, name: value}


@blueprint.post("/pairs/lot")
@limiter.limit(RUN)
def pair_singles(key: str) -> AnyResponse:
    """Pair those who wait for a partner by lot; of an odd number one goes on waiting."""
    holder = director(key)
    tournament = tournaments().reading(holder.stream)
    entries = _by_lot(tournament)
    body = {"do": "zulosung", "entries": [pair.to_json() for pair in entries]}
    return _done(holder, keep(holder, holder.stream, body))


def _by_lot(tournament: Tournament) -> list[Pair]:
    waiting = list(tournament.singles)
    random.Random(f"{tournament.settings.seed}/singles/{len(tournament.recorded)}").shuffle(waiting)
    found = []
    for one, other in zip(waiting[::2], waiting[1::2], strict=False):
        club = one.club if one.club == other.club else ""
        found.append(read_pair("pair", {"players": [one.name, other.name], "club": club}))
    return found


@blueprint.get("/pairs.csv")
def as_csv(key: str) -> Response:
    """The list for a spreadsheet; it can be read in again."""
    holder = director(key)
    rows: list[list[Any]] = [["Paar", "Spieler 1", "Spieler 2", "Verein", "Lose"]]
    tournament = tournaments().reading(holder.stream)
    for one in tournament.entrants.values():
        players = [*one.pair.players, "", ""][:2]
        rows.append([one.pair.name, *players, one.pair.club, one.pair.entries])
    return csv_file("pairs", rows)


# By the players themselves


@blueprint.get("/signup")
def signup(key: str) -> Response:
    """The form by which a pair signs up."""
    return _signup(guest(key, "tournament"))


def _signup(holder: Guest, failed: str = "", entered: str = "") -> Response:
    if holder.role != "signup":
        abort(403, "not-yours")
    hall = tournaments().store.unseal(holder.key, "hall")
    tournament = tournaments().reading(holder.stream)
    html = render_template(
        "tournament/signup.html",
        desk=Desk(tournament, holder.key, holder.role),
        hall=hall,
        failed=failed,
        entered=entered,
        filled=request.form if failed else {},
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


@blueprint.post("/signup")
@limiter.limit(RUN)
def sign_up(key: str) -> AnyResponse:
    """Sign a pair up, or a player without a partner."""
    holder = guest(key, "tournament")
    if holder.role != "signup":
        abort(403, "not-yours")
    # How many lots a pair holds is paid at the desk.
    failed = _enter(holder, holder.stream, {**_entry(), "entries": 1})
    if failed:
        return _signup(holder, failed)
    return redirect(url_for("pairs.signed_up", key=key, who=called_by(_entry()["players"])), 303)


@blueprint.get("/signed-up")
def signed_up(key: str) -> Response:
    """What has been entered, and the way to the tables."""
    return _signup(guest(key, "tournament"), entered=request.args.get("who", "")[:130])
