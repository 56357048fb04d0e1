"""Draws and checks rounds in a child process.

Pairing 512 pairs takes up to two seconds, which would block the worker, and loads 16 MB of numpy.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from scorer.book import child_process
from scorer.engine import Illegal, Unreadable
from scorer.tournament import Tournament, draw, new_tournament, parse, read_settings
from scorer.tournament.draw_check import check_draw
from scorer.tournament.event_types.draws import Auslosung, may_draw
from scorer.tournament.settings import Settings

BOUNDS: Final = child_process.Bounds(megabytes=2048, seconds=60)
"""512 pairs need some 200 MB and up to two seconds."""


def draw_in_process(tournament: Tournament, anyway: bool = False) -> Auslosung:
    """The next round, as `scorer.tournament.draw` returns it.

    :param anyway: draw although results are missing
    :raises Illegal: it cannot be drawn
    """
    may_draw(tournament, anyway)
    request = {
        "head": tournament.opening.to_json(),
        "events": tournament.recorded,
        "anyway": anyway,
    }
    result = json.loads(child_process.run(__name__, json.dumps(request).encode(), BOUNDS))
    if "refused" in result:
        raise Illegal(result["refused"], **result["values"])
    event = parse(result)
    assert isinstance(event, Auslosung)
    return event


def check_draws(
    opening: Settings,
    entries: Sequence[Mapping[str, Any]],
    brought: Mapping[int, Mapping[str, Any]],
) -> None:
    """Checks that draws made on a phone are those of their seeds.

    :param entries: the tournament's events in order
    :param brought: each draw by the number of events before it
    :raises Illegal: a round could not be drawn
    :raises Unreadable: a seed draws another round
    """
    request = {"head": opening.to_json(), "events": entries, "brought": sorted(brought.items())}
    result = json.loads(child_process.run(__name__, json.dumps(request).encode(), BOUNDS))
    if "refused" in result:
        raise Illegal(result["refused"], **result["values"])
    if "wrong" in result:
        raise Unreadable(result["wrong"], result["reason"])


def answer(request: bytes) -> bytes:
    """The draw, its refusal, or the fault of the first wrong draw, as JSON."""
    read = json.loads(request)
    tournament = new_tournament(read_settings(read["head"]))
    if "brought" in read:
        return json.dumps(_first_wrong(tournament, read["events"], read["brought"])).encode()
    tournament = tournament.after(read["events"])
    try:
        result = draw(tournament, read["anyway"]).to_json()
    except Illegal as refusal:
        result = {"refused": refusal.code, "values": refusal.values}
    return json.dumps(result).encode()


def _first_wrong(
    tournament: Tournament, entries: Sequence[Any], brought: Sequence[tuple[int, Any]]
) -> dict[str, Any]:
    folded = 0
    for place, body in brought:
        tournament, folded = tournament.after(entries[folded:place]), place
        event = parse(body)
        assert isinstance(event, Auslosung)
        try:
            check_draw(tournament, event)
        except Illegal as refusal:
            return {"refused": refusal.code, "values": refusal.values}
        except Unreadable as wrong:
            return {"wrong": wrong.where, "reason": wrong.reason}
    return {}
