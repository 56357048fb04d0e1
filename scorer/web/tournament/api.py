"""The JSON API of tournaments, documented in docs/record.md."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import fields
from fractions import Fraction
from typing import Any, Final

from flask import Blueprint, Response, abort, jsonify, request

from scorer.book.helper_links import check_allowed
from scorer.engine import Illegal, Unreadable
from scorer.engine.input.codec import json_value, require_known_fields
from scorer.engine.input.field_readers import flag
from scorer.engine.translatable import N_
from scorer.store import MAX_KEY_LENGTH
from scorer.store.roles import CODE, DIRECTOR, OPPONENT, WRITER
from scorer.tournament import Match, Round, Tournament, parse, read_settings, standings
from scorer.tournament.correction_effects import finalist_change
from scorer.tournament.entrants import Entrant
from scorer.tournament.event_types.draws import Auslosung
from scorer.tournament.event_types.results import Ergebnis
from scorer.tournament.seeds import hides_seed, round_seed, seed_digest
from scorer.tournament.standings import Standing
from scorer.web.frame.access import (
    KeyHolder,
    holder_of,
    require_director,
    require_results_desk,
    tournaments,
)
from scorer.web.frame.api_description import described
from scorer.web.frame.json_body import json_body
from scorer.web.frame.public_address import key_urls
from scorer.web.frame.rate_limits import CREATE, RUN_TOURNAMENT, limited
from scorer.web.tournament.result_signatures import confirmation_kind
from scorer.web.tournament.visibility import seen_by
from scorer.web.tournament.visitors import viewer

blueprint = Blueprint("tournament_api", __name__, url_prefix="/api/tournaments")


@blueprint.post("")
@limited(CREATE)
@described({201: "OpenedTournament", 422: "Error"}, "NewTournament")
def create() -> tuple[Response, int]:
    """Open a tournament."""
    keys = tournaments().create(read_settings(json_body(), seed=secrets.token_hex(16)))
    keys = {"director": keys["director"], "viewer": keys["hall"], "signup": keys["signup"]}
    urls = key_urls(keys, dict.fromkeys(keys, "desk.page"))
    return jsonify(**keys, **{f"{role}_url": url for role, url in urls.items()}), 201


@blueprint.get("/<key>")
@described({200: "Tournament"})
def show(key: str) -> Response:
    """The whole tournament: settings, pairs, draws, results."""
    holder = viewer(key)
    tournament = seen_by(tournaments().current(holder.stream), holder.role)
    return jsonify(_tournament_json(tournament, holder.role == DIRECTOR))


@blueprint.post("/<key>/draw")
@limited(RUN_TOURNAMENT)
@described(
    {201: "Draw", 409: "Refused", 422: "Refused"},
    "DrawAnyway",
    body_needed=False,
    headers=("OwnName",),
)
def draw(key: str) -> tuple[Response, int]:
    """Draw the next round."""
    holder, service = require_director(key), tournaments()
    body = json_body() if request.get_data() else {}
    if not isinstance(body, dict):
        raise Unreadable("body", N_("must be an object"))
    despite_missing_results = flag("anyway", body.get("anyway", False))
    draw_event = service.draw(
        holder.stream,
        key,
        idempotency_key=_idempotency_key(),
        by=holder.role,
        despite_missing_results=despite_missing_results,
    )
    links = service.table_keys(key, [table.stream for table in draw_event.tables])
    return jsonify(_draw_json(service.current(holder.stream), draw_event, links)), 201


def _draw_json(
    tournament: Tournament, drawn: Auslosung, all_links: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """A draw as JSON, with each table's keys by role.

    :param all_links: keys by stream and role
    """
    seats = [
        {
            **_fields(table, "table", "pairs", "wave", "notes"),
            **({"teams": json_value(table.teams)} if table.teams else {}),
            "seat": table.own_hall_table or table.table,
            **{role: all_links.get(table.stream, {}).get(role) for role in LINK_ROLES},
        }
        for table in drawn.tables
    ]
    byes = [tournament.pair_of(lot) for lot in drawn.byes]
    return {
        **_fields(drawn, "round", "stage", "notes"),
        "tables": seats,
        "bye": byes[0] if byes else None,
        "byes": byes,
        "seed": tournament.settings.seed,
        "round_seed": drawn.seed,
    }


LINK_ROLES: Final = (WRITER, OPPONENT, CODE)
"""The roles whose keys are part of a draw's response."""


def _fields(source: object, *names: str) -> dict[str, Any]:
    """The named attributes as JSON values."""
    return {name: json_value(getattr(source, name)) for name in names}


@blueprint.post("/<key>/results")
@limited(RUN_TOURNAMENT)
@described({201: "Entered", 409: "Refused", 422: "Refused"}, "Result", headers=("OwnName",))
def results(key: str) -> tuple[Response, int]:
    """Enter a table's games. The director's entry counts at once, a pair's when the other pair has
    agreed."""
    holder, stream, who = _entry_author(key)
    result, service = _read_result(json_body(), who), tournaments()
    tournament = service.current(stream)
    if who != "director":
        if tournament.match(result.round, result.table).drawn_table.stream != holder.stream:
            abort(403, "not-yours")
    elif holder.role != DIRECTOR or not (result.anyway or result.back):
        check_allowed(holder.role, result.to_json())
        _check_finals_stay(tournament, result)
    service.record(stream, result.to_json(), idempotency_key=_idempotency_key(), by=holder.role)
    match = service.current(stream).match(result.round, result.table)
    return jsonify(round=result.round, table=result.table, status=match.status), 201


def _check_finals_stay(tournament: Tournament, result: Ergebnis) -> None:
    """Check that a result leaves the drawn finals as they are.

    :raises Illegal: `qualifies-otherwise`, the result would change the finalists
    """
    change = finalist_change(tournament, result)
    if change is not None:
        gone, come = (
            ", ".join(tournament.entrants[pair].pair.name for pair in pairs) or "–"
            for pairs in (change.eliminated, change.qualified)
        )
        raise Illegal("qualifies-otherwise", gone=gone, come=come)


def _entry_author(key: str) -> tuple[KeyHolder, str, str]:
    """The key's holder, the tournament's stream, and the result's `who`, one of
    `match.RESULT_SOURCES`."""
    seat, stream = holder_of(key), tournaments().of_table(key)
    if seat is not None and stream is not None and seat.role in (WRITER, OPPONENT):
        return seat, stream, "a" if seat.role == WRITER else "b"
    holder = require_results_desk(key)
    return holder, holder.stream, "director"


def _read_result(body: Any, who: str) -> Ergebnis:
    """The result in a request body; `who` follows from the key only.

    :raises Unreadable: it is not a result
    """
    if not isinstance(body, dict):
        raise Unreadable("body", N_("must be an object"))
    require_known_fields(body.keys(), _RESULT_FIELDS, N_("a result has no such field"))
    result = parse({**body, "do": "ergebnis", "who": who})
    assert isinstance(result, Ergebnis)
    return result


_RESULT_FIELDS: Final = {field.name for field in fields(Ergebnis)} - {"who"}


@blueprint.get("/<key>/standings")
@described({200: "Standings"})
def ranking(key: str) -> Response:
    """The standings."""
    holder = viewer(key)
    tournament = seen_by(tournaments().current(holder.stream).without_draft, holder.role)
    lines = [line_json(tournament, line) for line in standings(tournament)]
    return jsonify(round=len(tournament.rounds), standings=lines)


def line_json(tournament: Tournament, line: Standing) -> dict[str, Any]:
    """One line of the standings as JSON."""
    counts = ("won", "lost", "difference", "points", "conceded", "score", "byes")
    return {
        **_fields(line.totals, *counts),
        "matches": line.totals.matches_won,
        **_fields(line, "pair", "tie"),
        "rank": line.rank or None,
        "name": tournament.entrants[line.pair].pair.name,
        "conceding": _rounded(line.totals.conceded_extrapolated),
        "ratio": _rounded(line.totals.ratio),
    }


def _rounded(figure: Fraction) -> float:
    return round(float(figure), 4)


def _tournament_json(tournament: Tournament, desk: bool) -> dict[str, Any]:
    """A tournament as JSON; payment and presence are only included for the desk."""
    settings = tournament.settings.to_json()
    for name in ("resolved", "logo"):
        settings.pop(name, None)
    if hides_seed(tournament):
        del settings["seed"]
        settings["seed_digest"] = seed_digest(round_seed(tournament))
    return {
        **settings,
        "pairs": [_entrant_json(entrant, desk) for entrant in tournament.listed],
        "draws": [_round_json(tournament, round_) for round_ in tournament.rounds],
        "standings": [line_json(tournament, line) for line in standings(tournament)],
    }


def _entrant_json(entrant: Entrant, desk: bool) -> dict[str, Any]:
    marks = ("withdrawn", "absent", "paid", "here") if desk else ("withdrawn", "absent")
    extra = _fields(entrant, "extra", "extra_reason") if entrant.extra else {}
    annulled = _fields(entrant, "annulled") if entrant.annulled else {}
    fields = {**entrant.pair.to_json(), **_fields(entrant, *marks), **annulled, **extra}
    return {"pair": entrant.number, **fields}


def _round_json(tournament: Tournament, round_: Round) -> dict[str, Any]:
    return {
        **_fields(round_, "stage", "seed"),
        "round": round_.number,
        "byes": tournament.bye_pairs(round_),
        "tables": [_match_json(tournament, match) for match in round_.matches.values()],
    }


def _match_json(tournament: Tournament, match: Match) -> dict[str, Any]:
    result = match.result
    return {
        **_fields(match.drawn_table, "table", "pairs", "wave"),
        **({"teams": json_value(match.drawn_table.teams)} if match.drawn_table.teams else {}),
        **_fields(match, "status"),
        "seat": match.hall_table,
        "confirmed": confirmation_kind(tournament, match),
        "games": None if result is None else json_value(result.games),
        "retour": [] if result is None else json_value(result.retour),
        "walkover": "" if result is None else result.walkover,
    }


def _idempotency_key() -> str:
    """The request's idempotency key, or a new one.

    :raises BadRequest: 400, too long
    """
    name = request.headers.get("Idempotency-Key") or secrets.token_hex(16)
    if len(name) > MAX_KEY_LENGTH:
        abort(400, "key-missing")
    return name
