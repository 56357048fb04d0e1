"""Prizes, and the deciding games of pairs that are level."""

from __future__ import annotations

from itertools import groupby
from operator import attrgetter
from typing import Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as AnyResponse

from scorer.engine import BadRules, Illegal
from scorer.store import KeyReused
from scorer.tournament import Tournament, standings
from scorer.web.frame import phone
from scorer.web.frame.access import Guest, director, tournaments
from scorer.web.frame.limits import RUN, limited
from scorer.web.frame.sentences import gettext
from scorer.web.tournament.matches import number_of
from scorer.web.tournament.names import CONSOLED_NAMES
from scorer.web.tournament.view import View, record, told

blueprint = Blueprint("honours", __name__, url_prefix="/p")


@blueprint.get("/<key>/prizes")
def prizes(key: str) -> Response:
    """The form of the prizes."""
    return _prizes(key)


def _prizes(key: str, failed: str = "") -> Response:
    holder = director(key)
    tournament = tournaments().reading(holder.stream)
    view = View(tournament, key, holder.role)
    html = render_template(
        "tournament/prizes.html",
        view=view,
        failed=failed,
        consoled=CONSOLED_NAMES,
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


@blueprint.post("/<key>/prizes")
@limited(RUN)
def set_prizes(key: str) -> AnyResponse:
    """Keep the prizes of the form."""
    holder = director(key)
    failed = record(holder, holder.stream, prizes_of_form())
    if failed:
        return _prizes(key, failed)
    return redirect(url_for("honours.prizes", key=key, kept=1), 303)


def prizes_of_form() -> dict[str, Any]:
    """The prizes of the form: a line a place, and the consolation."""
    form = request.form
    lines = [line.strip() for line in form.get("lines", "").splitlines()]
    while lines and not lines[-1]:
        lines.pop()
    return {
        "do": "preise",
        "lines": lines,
        "consolation": form.get("consolation", "").strip(),
        "to": form.get("to", "last"),
    }


# Deciding games


def settle(holder: Guest, confirmed: str = "") -> str:
    """Note what the tables of deciding games have come to meanwhile; the words for why it is not
    noted, or nothing."""
    try:
        tournaments().settle(holder.stream, confirmed)
    except Illegal as refusal:
        return told(refusal)
    return ""


@blueprint.get("/<key>/deciders")
def deciders(key: str) -> Response:
    """The pairs that are level, and the games between them."""
    return _deciders(director(key))


def _deciders(holder: Guest, failed: str = "", sure: bool = False) -> Response:
    unsettled = settle(holder)
    view = View(tournaments().reading(holder.stream), holder.key, holder.role)
    html = render_template(
        "tournament/deciders.html",
        view=view,
        level=_level(view.tournament),
        counters=tournaments().counters(holder.stream),
        tables=_tables(holder, view.tournament),
        failed=failed or unsettled,
        sure=sure,
        filled=request.form,
        token=phone.token(),
    )
    return phone.shown(html, refused=bool(failed))


def _tables(holder: Guest, tournament: Tournament) -> list[tuple[tuple[int, int], str]]:
    """The tables of deciding games: who plays, and the key that writes."""
    opened = tournament.decider_tables
    keys = [tournaments().rings.writing(holder.key, table.stream) for table in opened]
    return [(table.pairs, key) for table, key in zip(opened, keys, strict=True) if key]


def _level(tournament: Tournament) -> dict[int, list[int]]:
    """The pairs that are level with others, by the first of their places."""
    placed = [line for line in standings(tournament) if line.rank]
    level: dict[int, list[int]] = {}
    for _, lines in groupby(placed, attrgetter("level")):
        first, *others = lines
        if others:
            level[first.rank] = [line.pair for line in (first, *others)]
    return level


@blueprint.post("/<key>/decider")
@limited(RUN)
def decide(key: str) -> AnyResponse:
    """Note who won a deciding game, take it back, or open a table for it."""
    holder = director(key)
    if confirmed := request.form.get("confirmed", ""):
        failed = settle(holder, confirmed)
        return _deciders(holder, failed) if failed else redirect(url_for(".deciders", key=key), 303)
    winner, loser = (number_of(request.form.get(name, "")) for name in ("winner", "loser"))
    tournament = tournaments().reading(holder.stream)
    undone = request.form.get("do") == "undo"
    level = any({winner, loser} <= set(pairs) for pairs in _level(tournament).values())
    if not undone and (winner == loser or not level):
        return _deciders(holder, told(Illegal("not-level")))
    if "table" in request.form:
        return _table(holder, winner, loser)
    noted = [two for two in tournament.deciders if (two.winner, two.loser) == (loser, winner)]
    if noted and not undone and request.form.get("sure") != "1":
        return _deciders(holder, gettext("Noted is the opposite. Does this count too?"), sure=True)
    body = {"do": "stechen", "winner": winner, "loser": loser}
    failed = record(holder, holder.stream, {**body, "undone": True} if undone else body)
    return _deciders(holder, failed) if failed else redirect(url_for(".deciders", key=key), 303)


def _table(holder: Guest, winner: int, loser: int) -> AnyResponse:
    name, by = phone.event_name(), phone.signature(holder.role)
    pairs = (winner, loser)
    try:
        key = tournaments().decider(holder.stream, holder.key, pairs, key=name, by=by)
    except Illegal as refusal:
        return _deciders(holder, told(refusal))
    except BadRules:
        text = gettext("These rules cannot be played to so few points: play it on paper.")
        return _deciders(holder, text)
    except KeyReused:
        abort(409, "stale")
    return redirect(url_for("writer.page", key=key), 303)
