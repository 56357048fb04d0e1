"""Draws the rounds of large tournaments, and checks uploaded draws, in a child process.

Pairing 512 pairs takes up to two seconds, which would block the worker.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scorer.book import child_process
from scorer.engine import Illegal, Unreadable
from scorer.tournament import Tournament, draw, new_tournament, parse, read_settings
from scorer.tournament.draw_check import check_draw
from scorer.tournament.event_types.draws import Auslosung, require_draw_allowed
from scorer.tournament.settings import Settings

MAX_DRAWN_HERE: Final = 64
"""So many pairs or players are drawn sooner than a process starts: in 0.03 s, at most 0.2 s."""
PAIRING_BOUNDS: Final = child_process.Bounds(megabytes=2048, seconds=60)
"""512 pairs need some 200 MB and up to two seconds."""


def draw_round(tournament: Tournament, despite_missing_results: bool = False) -> Auslosung:
    """The next round, as `scorer.tournament.draw` returns it.

    :param despite_missing_results: draw although results are missing
    :raises Illegal: it cannot be drawn
    """
    is_small = len(tournament.active_entrants) <= MAX_DRAWN_HERE
    return (draw if is_small else draw_in_process)(tournament, despite_missing_results)


def draw_in_process(tournament: Tournament, despite_missing_results: bool = False) -> Auslosung:
    """Like `draw_round`, but always in a child process."""
    require_draw_allowed(tournament, despite_missing_results)
    request = {
        "head": tournament.initial_settings.to_json(),
        "events": tournament.recorded,
        "anyway": despite_missing_results,
    }
    result = json.loads(child_process.run(__name__, json.dumps(request).encode(), PAIRING_BOUNDS))
    if "refused" in result:
        raise Illegal(result["refused"], **result["values"])
    event = parse(result)
    assert isinstance(event, Auslosung)
    return event


def check_draws(
    opening: Settings,
    entries: Sequence[Mapping[str, Any]],
    draws: Mapping[int, Mapping[str, Any]],
) -> None:
    """Check that draws made on a phone are those of their seeds.

    :param entries: the tournament's events in order
    :param draws: each draw by the number of events before it
    :raises Illegal: a round could not be drawn
    :raises Unreadable: a seed draws another round
    """
    request = {"head": opening.to_json(), "events": entries, "draws": sorted(draws.items())}
    result = json.loads(child_process.run(__name__, json.dumps(request).encode(), PAIRING_BOUNDS))
    if "refused" in result:
        raise Illegal(result["refused"], **result["values"])
    if "wrong" in result:
        raise Unreadable(result["wrong"], result["reason"])


def answer(request: bytes) -> bytes:
    """The draw, its refusal, or the fault of the first wrong draw, as JSON."""
    data = json.loads(request)
    tournament = new_tournament(read_settings(data["head"]))
    if "draws" in data:
        return json.dumps(_first_fault(tournament, data["events"], data["draws"])).encode()
    tournament = tournament.after(data["events"])
    try:
        result = draw(tournament, data["anyway"]).to_json()
    except Illegal as refusal:
        result = {"refused": refusal.code, "values": refusal.values}
    return json.dumps(result).encode()


def _first_fault(
    tournament: Tournament, entries: Sequence[Any], draws: Sequence[tuple[int, Any]]
) -> dict[str, Any]:
    count = 0
    for place, body in draws:
        tournament, count = tournament.after(entries[count:place]), place
        event = parse(body)
        assert isinstance(event, Auslosung)
        try:
            check_draw(tournament, event)
        except Illegal as refusal:
            return {"refused": refusal.code, "values": refusal.values}
        except Unreadable as fault:
            return {"wrong": fault.where, "reason": fault.reason}
    return {}
