"""A round drawn in a process of its own.

The best pairing of 512 takes a second, in which the worker would answer nobody, and what finds it
brings 16 MB of numpy that no worker needs.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import scorer
from scorer.engine import Illegal
from scorer.store.waiting import working
from scorer.tournament import Tournament, draw, parse, read_settings, to_json
from scorer.tournament.events import Auslosung
from scorer.tournament.rounds import may_draw

_HOME: Final = str(Path(scorer.__file__).parent.parent)


def drawn(tournament: Tournament, anyway: bool = False) -> Auslosung:
    """The next round, as `scorer.tournament.draw` makes it.

    :param anyway: draw although results are missing
    :raises Illegal: it cannot be drawn
    """
    may_draw(tournament, anyway)
    asked = {
        "head": tournament.opening.to_json(),
        "events": tournament.recorded,
        "anyway": anyway,
    }
    paths = [_HOME, *filter(None, [os.environ.get("PYTHONPATH")])]
    # On a busy machine it takes longer than anybody waits for other writers.
    with working():
        done = subprocess.run(
            [sys.executable, "-m", __name__],
            input=json.dumps(asked).encode(),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
            check=True,
        )
    answer = json.loads(done.stdout)
    if "refused" in answer:
        raise Illegal(answer["refused"], **answer["values"])
    event = parse(answer)
    assert isinstance(event, Auslosung)
    return event


def _answer(asked: dict[str, Any]) -> dict[str, Any]:
    tournament = Tournament(read_settings(asked["head"]))
    for event in asked["events"]:
        tournament.push(event)
    try:
        return to_json(draw(tournament, asked["anyway"]))
    except Illegal as refusal:
        return {"refused": refusal.code, "values": refusal.values}


if __name__ == "__main__":
    json.dump(_answer(json.load(sys.stdin)), sys.stdout)
