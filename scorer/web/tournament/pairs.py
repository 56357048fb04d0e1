"""The list of pairs: by hand, pasted, from a file, or by the players themselves."""

from __future__ import annotations

import csv
import io
import random
from collections.abc import Iterable, Sequence
from typing import Any, Final

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
from scorer.engine.translatable import N_
from scorer.tournament import Tournament
from scorer.tournament.events import Anmeldung
from scorer.tournament.lists import Read, decoded, read_list, twins
from scorer.tournament.people import may_enter
from scorer.tournament.reading import called_before, called_by, entered_pair
from scorer.tournament.settings import Pair
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, store, tournaments
from scorer.web.frame.bodies import whole_number
from scorer.web.frame.limits import RUN, limited
from scorer.web.frame.sentences import gettext
from scorer.web.frame.spreadsheet import csv_file
from scorer.web.tournament.hall import named
from scorer.web.tournament.signed import arrived
from scorer.web.tournament.view import View, record, told

blueprint = Blueprint("pairs", __name__, url_prefix="/p/<key>")


@blueprint.get("/pairs")
def page(key: str) -> Response:
    """The list, and everything that changes it."""
    return _page(director(key))


def _page(holder: Guest, failed: str = "") -> Response:
    view = View(tournaments().reading(holder.stream), holder.key, holder.role)
    asked = request.values.get("find", "").strip()[:60]
    asked_for = named(view, asked) if asked else None
    html = render_template(
        "tournament/pairs.html",
        view=view,
        shown=[e for e in view.tournament.listed if asked_for is None or e.number in asked_for],
        asked=asked,
        arrived=arrived,
        refused=_refused(view.tournament, view.tournament.signed),
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


def pair_of_form() -> dict[str, Any]:
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
@limited(RUN)
def add(key: str) -> AnyResponse:
    """Enter a pair, or a player who waits for a partner."""
    holder = director(key)
    return _done(holder, enter(holder, pair_of_form()))


def enter(holder: Guest, entry: dict[str, Any], waiting: bool = False) -> str:
    tournament = tournaments().reading(holder.stream)
    more = {"waiting": True} if waiting else {}
    alone = len(entry["players"]) == 1 and not entry["name"]
    if alone and tournament.settings.format != "partners":
        single = {"do": "einzeln", "name": entry["players"][0], "club": entry["club"]}
        return record(holder, holder.stream, {**single, **more})
    entry = {**entry, "name": entry["name"] or called_by(entry["players"])}
    again = store().recorded(holder.stream, phone.event_name()) is not None
    failed = "" if again or waiting or request.form.get("sure") == "1" else _twin(tournament, entry)
    return failed or record(holder, holder.stream, {"do": "anmeldung", "entry": entry, **more})


def _twin(tournament: Tournament, entry: dict[str, Any]) -> str:
    """The question where the pair, or a player of it, seems to be on the list already."""
    try:
        pair = entered_pair("entry", entry)
    except Unreadable:
        return ""
    listed = [(e.number, e.pair) for e in tournament.listed if not e.withdrawn]
    for other, number in twins([*listed, (0, pair)]):
        if number == 0 and tournament.entrants[other].pair.name != pair.name:
            name = f"{other} · {tournament.entrants[other].pair.name}"
            return gettext("Is this the same as %(name)s, or a player twice?", name=name)
    return ""


@blueprint.post("/pairs/list")
@limited(RUN)
def add_list(key: str) -> AnyResponse:
    """Say what was made of a pasted list or a file; once that is right, enter all or nobody."""
    holder = director(key)
    file = request.files.get("file")
    again = store().recorded(holder.stream, f"{phone.event_name()}:0") is not None
    tournament = tournaments().reading(holder.stream)
    taken = [entrant.pair.name for entrant in tournament.listed]
    try:
        text = decoded(file.read()) if file and file.filename else request.form.get("list", "")
        # What was sent twice is there already, and recorded once.
        read = read_list(text, () if again else taken)
        if not read.pairs:
            raise Unreadable("list", N_("is missing"))
        if not again:
            may_enter(tournament, sum(pair.entries for pair in read.pairs))
    except (Unreadable, Illegal) as error:
        return _done(holder, told(error))
    if not again and request.form.get("take") != "1":
        return _preview(holder, tournament, read)
    return _done(holder, _enter_all(holder, read.pairs), entered=len(read.pairs))


def _preview(holder: Guest, tournament: Tournament, read: Read) -> Response:
    """What was made of a list, and what in it may be there twice."""
    first = len(tournament.entrants) + 1
    listed = [(e.number, e.pair) for e in tournament.listed if not e.withdrawn]
    waiting = [
        (-signed.number, signed.event.entry)
        for signed in tournament.signed.values()
        if isinstance(signed.event, Anmeldung)
    ]
    new = list(enumerate(read.pairs, first))
    names = {number: pair.name for number, pair in [*listed, *new]}
    again = [two for two in twins([*waiting, *listed, *new]) if two[1] >= first]
    html = render_template(
        "tournament/preview.html",
        view=View(tournament, holder.key, holder.role),
        read=read,
        new=new,
        meant=[gettext(MEANT[column]) for column in read.columns if column],
        twice=[(names[a], names[b]) for a, b in again if a > 0],
        waiting=[names[b] for a, b in again if a < 0],
        text=as_list(read.pairs),
        token=request.form.get("token", ""),
    )
    return phone.shown(html)


MEANT: Final = {
    "name": N_("Pair"),
    "first": N_("Player 1"),
    "second": N_("Player 2"),
    "surname": N_("Surname"),
    "given": N_("First name"),
    "surname 2": N_("Surname of the second"),
    "given 2": N_("First name of the second"),
    "club": N_("Club or village"),
    "entries": N_("Lots"),
    "number": N_("Number (new ones are given)"),
}


def as_list(pairs: Sequence[Pair]) -> str:
    """Pairs as a list that is read the same again: player; player; club where that says all."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=";", lineterminator="\n")
    plain = all(pair == Pair(called_by(pair.players), pair.players, pair.club) for pair in pairs)
    if plain and all(len(pair.players) == 2 for pair in pairs):
        writer.writerows([*pair.players, pair.club] for pair in pairs)
        return text.getvalue()
    writer.writerow(_heads())
    for pair in pairs:
        writer.writerow([pair.name, *[*pair.players, "", ""][:2], pair.club, pair.entries])
    return text.getvalue()


def _heads() -> list[str]:
    """The columns of a list, as the reader calls them; each of these is read again."""
    player = gettext("Player")
    heads = [gettext("Pair"), f"{player} 1", f"{player} 2"]
    return [*heads, gettext("Club or village"), gettext("Lots")]


def _enter_all(holder: Guest, pairs: list[Pair]) -> str:
    """Enter pair after pair; sent again, what is in stays in once."""
    for number, pair in enumerate(pairs):
        body = {"do": "anmeldung", "entry": pair.to_json()}
        failed = record(holder, holder.stream, body, part=f":{number}")
        if failed:
            return failed
    return ""


@blueprint.post("/pairs/signed")
@limited(RUN)
def answer(key: str) -> AnyResponse:
    """Accept those ticked on the waiting list, or take them off it; so too who waits for a
    partner."""
    holder = director(key)
    do = "aufnahme" if request.form.get("do") == "aufnahme" else "ablehnung"
    signed = [whole_number(number) for number in request.form.getlist("signed")]
    if do == "aufnahme":
        signed = _possible(holder, signed)
    body = {"do": do, "signed": signed}
    return _done(holder, record(holder, holder.stream, body), _anchor="signed")


def _possible(holder: Guest, signed: list[int]) -> list[int]:
    """Those of the ticked who can be accepted; who cannot stays, and the page says why. Sent
    again they are the same, and all where it is nobody."""
    known = store().recorded(holder.stream, phone.event_name())
    if known is not None and known.event["do"] == "aufnahme":
        return [number for number in signed if number in known.event["signed"]]
    refused = _refused(tournaments().reading(holder.stream), signed)
    return [number for number in signed if number not in refused] or signed


def _refused(tournament: Tournament, signed: Iterable[int]) -> dict[int, str]:
    """Who of these on the waiting list cannot be accepted after those before, and why."""
    after, refused = tournament.copy(), {}
    for number in signed:
        try:
            after.push({"do": "aufnahme", "signed": [number]})
        except (Unreadable, Illegal) as error:
            refused[number] = told(error)
    return refused


@blueprint.post("/pairs/strike")
@limited(RUN)
def strike(key: str) -> AnyResponse:
    """Take the ticked pairs off the list: they never played."""
    holder = director(key)
    body = {"do": "streichung", "pairs": [whole_number(n) for n in request.form.getlist("pairs")]}
    return _done(holder, record(holder, holder.stream, body))


@blueprint.post("/pairs/<int:number>")
@limited(RUN)
def change(key: str, number: int) -> AnyResponse:
    """Change, mark, withdraw or bring back a pair."""
    holder = director(key)
    body: dict[str, Any] = {"do": request.form.get("do", ""), "pair": number}
    where = {"find": request.form.get("find") or None, "_anchor": f"pair-{number}"}
    match body["do"]:
        case "vermerk":
            return _done(holder, _mark(holder, number), **where)
        case "aenderung":
            body["entry"] = _renamed(holder, number)
        case "abmeldung" | "rueckkehr":
            pass
        case _:
            abort(400)
    return _done(holder, record(holder, holder.stream, body), **where)


def _renamed(holder: Guest, number: int) -> dict[str, Any]:
    """The pair of the form; a name that was only its players' follows them."""
    entry = pair_of_form()
    tournament = tournaments().reading(holder.stream)
    entrant = tournament.entrants.get(number)
    old = entrant.pair.players if entrant else ()
    if entrant and entry["name"] == entrant.pair.name in (called_by(old), called_before(old)):
        entry["name"] = ""
    return {**entry, "name": entry["name"] or called_by(entry["players"])}


MARKS: Final = {
    "paid": {"paid": True},
    "unpaid": {"paid": False},
    "here": {"here": True},
    "away": {"here": False},
}
"""What the buttons beside a pair say."""


def _mark(holder: Guest, number: int) -> str:
    """Mark a pair as the tapped button says; the words for why not, or nothing."""
    marks = MARKS.get(request.form.get("mark", ""))
    if marks is None:
        abort(400)
    name, by = phone.event_name(), phone.signature(holder.role)
    try:
        tournaments().mark(holder.stream, number, marks, key=name, by=by)
    except Illegal as refusal:
        return told(refusal)
    return ""


@blueprint.post("/pairs/lot")
@limited(RUN)
def pair_singles(key: str) -> AnyResponse:
    """Pair those who wait for a partner by lot; of an odd number one goes on waiting."""
    holder = director(key)
    tournament = tournaments().reading(holder.stream)
    entries = _by_lot(tournament)
    body = {"do": "zulosung", "entries": [pair.to_json() for pair in entries]}
    return _done(holder, record(holder, holder.stream, body))


def _by_lot(tournament: Tournament) -> list[Pair]:
    waiting = list(tournament.singles)
    random.Random(f"{tournament.settings.seed}/singles/{len(tournament.recorded)}").shuffle(waiting)
    pairs = []
    for first, second in zip(waiting[::2], waiting[1::2], strict=False):
        club = first.club if first.club == second.club else ""
        pairs.append(entered_pair("pair", {"players": [first.name, second.name], "club": club}))
    return pairs


@blueprint.get("/pairs.csv")
def as_csv(key: str) -> Response:
    """The list for a spreadsheet; it can be read in again."""
    holder = director(key)
    rows: list[list[Any]] = [[*_heads()]]
    tournament = tournaments().reading(holder.stream)
    for entrant in tournament.entrants.values():
        pair = entrant.pair
        rows.append([pair.name, *[*pair.players, "", ""][:2], pair.club, pair.entries])
    return csv_file("pairs", rows)
