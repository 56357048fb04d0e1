"""A round drawn in a process of its own.

The best pairing of 512 takes a second, in which the worker would answer nobody, and what finds it
brings 16 MB of numpy that no worker needs.
"""

from __future__ import annotations

import json
from typing import Final

from scorer.book import child_process
from scorer.engine import Illegal
from scorer.tournament import Tournament, draw, new_tournament, parse, read_settings
from scorer.tournament.event_types.draws import Auslosung, may_draw

BOUNDS: Final = child_process.Bounds(megabytes=2048, seconds=60)
"""Drawing among 512 pairs takes some 200 MB and two seconds."""


def draw_in_process(tournament: Tournament, anyway: bool = False) -> Auslosung:
    """The next round, as `scorer.tournament.draw` makes it.

    :param anyway: draw although results are missing
    :raises Illegal: it cannot be drawn
    """
    may_draw(tournament, anyway)
    asked = {"head": tournament.opening.to_json(), "events": tournament.recorded, "anyway": anyway}
    found = json.loads(child_process.run(__name__, json.dumps(asked).encode(), BOUNDS))
    if "refused" in found:
        raise Illegal(found["refused"], **found["values"])
    event = parse(found)
    assert isinstance(event, Auslosung)
    return event


def answer(asked: bytes) -> bytes:
    """The round, or why there is none, as JSON."""
    read = json.loads(asked)
    tournament = new_tournament(read_settings(read["head"])).after(read["events"])
    try:
        found = draw(tournament, read["anyway"]).to_json()
    except Illegal as refusal:
        found = {"refused": refusal.code, "values": refusal.values}
    return json.dumps(found).encode()
