"""The states that a release gives to its own databases, as later releases must.

Three things may change in a later release: the sentences of a change (`because`), what undo would
revoke, and which events are legal next.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from scorer.engine import Evening, result
from scorer.tournament import Tournament, standings

RELEASES: Final = sorted(path for path in Path(__file__).parent.glob("*.*.*") if path.is_dir())


def read(path: Path) -> Any:
    """The content of a compressed JSON file."""
    return json.loads(gzip.decompress(path.read_bytes()))


def same(told: dict[str, Any], before: dict[str, Any]) -> bool:
    """Whether a state equals the release's, apart from undo, redo and new legal events."""
    told, before = dict(told), dict(before)
    for offered in ("can_undo", "can_redo"):
        before.pop(offered, None)
    # Older releases offered announcements in blind rounds to players who may not know them.
    offered = [event for event in before.pop("legal", ()) if event["do"] != "ansage"]
    missing = [event for event in offered if event not in told["legal"]]
    return not missing and {name: told[name] for name in before} == before


def evening_told(evening: Evening) -> dict[str, Any]:
    """An evening's result, the events beside the play, and the steps that count, as JSON."""
    state = evening.state
    shown = {name: value for name, value in result(state).items() if name != "because"}
    return {
        **shown,
        "agreed": list(state.agreeing_sides),
        "confirmed": [list(said) for said in state.confirmations],
        "disputed": list(state.disputed),
        "price": None if state.price is None else {"do": "preis", **asdict(state.price)},
        "names": [side.to_json() for side in state.sides],
        "open_proposals": [proposal.index for proposal in evening.proposals.open],
        "steps": [
            [step.original_index, step.recorded_index, list(step.after.points)]
            for step in evening.steps
        ],
    }


def tournament_told(tournament: Tournament) -> dict[str, Any]:
    """A tournament's pairs, rounds, standings and prizes, as JSON."""
    return {
        "pairs": [
            [pair.number, pair.pair.to_json(), pair.withdrawn, pair.paid, pair.here]
            for pair in tournament.entrants.values()
        ],
        "singles": [single.name for single in tournament.singles],
        "rounds": [
            {
                "stage": drawn.stage,
                "byes": list(drawn.byes),
                "tables": [
                    [
                        *(match.drawn_table.table, list(match.drawn_table.pairs), match.status),
                        *(match.winner, match.locked, list(match.history)),
                        None if match.result is None else [list(g) for g in match.result.games],
                    ]
                    for match in drawn.matches.values()
                ],
            }
            for drawn in tournament.rounds
        ],
        "standings": [
            [
                *(line.rank, line.pair, line.tie, line.totals.won, line.totals.difference),
                *(line.totals.points, line.totals.score, line.totals.matches_won),
            ]
            for line in standings(tournament)
        ],
        "prizes": list(tournament.prizes.lines),
    }
