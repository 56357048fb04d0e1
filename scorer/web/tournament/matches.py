"""A match at the desk: entered, corrected, emptied, locked, with all that was said about it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, abort, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.book.onward import SEATS
from scorer.engine import Illegal, Unreadable
from scorer.tournament import Match, Round, Tournament, parse
from scorer.tournament.consequences import built_upon, otherwise
from scorer.tournament.events import Ergebnis, Event, Leerung
from scorer.tournament.overturned import resting_on
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, store, tables, tournaments
from scorer.web.frame.bodies import whole_number
from scorer.web.frame.htmx import onward
from scorer.web.frame.limits import RUN, limited
from scorer.web.frame.sentences import gettext
from scorer.web.frame.share import public_url, qr_svg
from scorer.web.table.signatures import clock
from scorer.web.tournament.entry import boxes, filled, question, retours, sure
from scorer.web.tournament.signed import signature
from scorer.web.tournament.view import View, record, told

blueprint = Blueprint("matches", __name__, url_prefix="/p/<key>/match")


@dataclass(frozen=True, slots=True)
class Against:
    """A result that stands, and the other one that was typed."""

    standing: str
    author: str
    typed: str


@dataclass(frozen=True, slots=True)
class Asked:
    """Why something is not recorded yet, and what the director may answer."""

    why: str = ""
    doubt: bool = False
    """A figure is far over the target."""
    finals: bool = False
    """Others would have come into the finals, which may stay as they are."""
    resting: tuple[Round, ...] = ()
    """The rounds that rest on the result, to be taken back with it."""
    agreed: str = ""
    """What the answer is given to: the first of these rounds, and how much was entered."""
    stands: bool = False
    """Nothing is to be recorded: the result stands so already."""
    against: Against | None = None
    """The result that stands, where a reason is asked for to change it."""


@blueprint.get("/<int:number>/<int:table>")
def page(key: str, number: int, table: int) -> Response:
    """A table's result at the desk, with everything that was ever said about it."""
    return _page(director(key), number, table, Asked())


def _at(tournament: Tournament, number: int, table: int) -> Match:
    """A table of a round.

    :raises NotFound: 404, there is none
    """
    try:
        return tournament.match(number, table)
    except Illegal:
        abort(404)


def _page(holder: Guest, number: int, table: int, asked: Asked) -> Response:
    tournament = tournaments().reading(holder.stream)
    match = _at(tournament, number, table)
    html = render_template(
        "tournament/match.html",
        view=View(tournament, holder.key, holder.role),
        played=tournament.round(number),
        match=match,
        links=_links(holder.key, match),
        games=boxes(tournament, number, match, "director"),
        retour=retours(match, "director"),
        history=[tournament.recorded[at] for at in match.history],
        signature=signature,
        asked=asked,
        failed=asked.why,
        filled=request.form,
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(asked.why))


def _links(key: str, match: Match) -> list[dict[str, Any]]:
    """The ways of both pairs to their own pages; only the desk has both."""
    scorer = tournaments().rings.writing(key, match.drawn.stream)
    if scorer is None:
        return []
    links = tables().links(scorer)
    keys = [links[role] for role in SEATS if role in links]
    urls = [public_url(url_for("entry.page", key=own)) for own in keys]
    return [
        {"url": url, "qr": qr_svg(url), "key": own} for url, own in zip(urls, keys, strict=True)
    ]


@blueprint.post("/<int:number>/<int:table>")
@limited(RUN)
def decide(key: str, number: int, table: int) -> AnyResponse:
    """Enter, correct, empty, lock or unlock a table's result, or take a correction back."""
    holder = director(key)
    form, where = request.form, {"round": number, "table": table}
    reason = form.get("reason", "").strip()
    match form.get("do"):
        case "sperre":
            body: dict[str, Any] = {"do": "sperre", **where, "open": form.get("open") == "1"}
        case "widerruf":
            body = {"do": "widerruf", **where}
        case "leerung":
            body = {"do": "leerung", **where, "reason": reason}
        case "walkover":
            body = said(where, {"games": [], "walkover": form.get("walkover", "")}, reason)
        case _:
            body = said(where, filled(), reason)
    asked = record_or_ask(holder, body)
    if asked.why:
        return _page(holder, number, table, asked)
    earlier = number < len(tournaments().reading(holder.stream).rounds)
    if earlier and body["do"] != "widerruf":
        # The desk shows the tables of another round.
        return onward(url_for("matches.page", key=key, number=number, table=table, kept=1))
    if asked.stands:
        return onward(url_for("desk.page", key=key, stands=table))
    return onward(url_for("desk.page", key=key, _anchor=f"table-{table}"))


def said(where: dict[str, int], result: dict[str, Any], reason: str = "") -> dict[str, Any]:
    """A result as the director enters it."""
    return {"do": "ergebnis", **where, "who": "director", **result, "reason": reason}


def record_or_ask(holder: Guest, body: dict[str, Any]) -> Asked:
    """Record what the director says about a match, or ask what has to be answered first.

    Who enters the result that stands is told so, and nothing is recorded.
    """
    if body["do"] in ("ergebnis", "leerung"):
        first = number_of(request.form.get("back", "").partition(".")[0])
        more = {"anyway": True} if sure() or request.form.get("finals") == "stay" else {}
        body = {**body, **more, **({"back": first} if first else {})}
    if store().recorded(holder.stream, phone.event_name()) is None:
        asked = _asked(holder, body)
        if asked.why or asked.stands:
            return asked
    return Asked(record(holder, holder.stream, body))


def _asked(holder: Guest, body: dict[str, Any]) -> Asked:
    """What has to be answered first."""
    tournament = tournaments().reading(holder.stream)
    match = _at(tournament, body["round"], body["table"])
    view = View(tournament, holder.key, holder.role)
    try:
        event = parse(body)
    except Unreadable as error:
        return Asked(_unseen(match) or _unreasoned(match, body) or told(error))
    if isinstance(event, Ergebnis) and _same(event, match.result):
        return Asked(stands=True)
    if why := _unseen(match) or _unreasoned(match, body):
        return Asked(why, against=_against(view, match, event))
    if why := question(tournament, body):
        return Asked(why, doubt=True)
    try:
        return _resting(view, event) if isinstance(event, (Ergebnis, Leerung)) else Asked()
    except Illegal as error:
        return Asked(told(error))


def _same(said: Ergebnis, other: Ergebnis | None) -> bool:
    """Whether two results say the same, whoever said them."""
    return other is not None and all(
        getattr(said, name) == getattr(other, name) for name in ("games", "retour", "walkover")
    )


def _against(view: View, match: Match, event: Event) -> Against | None:
    """The result that stands, with who entered it and when, and the one that was typed."""
    if match.result is None or not isinstance(event, Ergebnis):
        return None
    recorded = [view.tournament.recorded[at] for at in match.history]
    entry = next(entry for entry in reversed(recorded) if entry["do"] == "ergebnis")
    who = "ab".find(entry.get("who") or "-")
    name = gettext("Director") if who < 0 else view.side(match, who)
    author = " · ".join(filter(None, (name, signature(entry), clock(entry))))
    return Against(view.score(match), author, view.games(match, event))


def _resting(view: View, event: Ergebnis | Leerung) -> Asked:
    """The question what becomes of rounds that rest on a result which changes.

    :raises Illegal: it cannot change
    """
    tournament, alone = view.tournament, replace(event, back=0)
    qualified = otherwise(tournament, alone)
    if qualified is not None:
        gone, come = (", ".join(map(view.name, two)) for two in (qualified.gone, qualified.come))
        why = told(Illegal("qualifies-otherwise", gone=gone or "–", come=come or "–"))
    elif built_upon(tournament, alone):
        why = told(Illegal("built-upon", round=event.round + 1))
    else:
        # Nothing rests on it any more of what the answer was given to.
        return Asked(told(Illegal("no-such-round", round=event.back)) if event.back else "")
    resting = resting_on(tournament, event.round)
    agreed = f"{resting[0].number}.{view.entered(resting)}"
    stays = qualified is not None and request.form.get("finals") == "stay"
    if stays or request.form.get("back") == agreed:
        return Asked()
    return Asked(why, finals=qualified is not None, resting=resting, agreed=agreed)


def _unseen(match: Match) -> str:
    """Whether somebody else has said something since the form was shown."""
    seen = request.form.get("seen", "")
    if not seen or seen == str(len(match.history)):
        return ""
    return told(Illegal("changed-meanwhile", table=match.drawn.table))


def _unreasoned(match: Match, body: dict[str, Any]) -> str:
    """A result that counts is changed only with a reason."""
    if body.get("reason") or body["do"] in ("sperre", "widerruf") or match.result is None:
        return ""
    return told(Illegal("reason-missing", table=match.drawn.table))


def number_of(text: str) -> int:
    """A number that somebody typed, or 0."""
    number = whole_number(text)
    return number if isinstance(number, int) else 0
