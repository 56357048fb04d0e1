"""Replay time: linear in the events, and constant per event."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from bench.ratios import Ratio, ratio
from scorer.demo import random_event
from scorer.engine import Evening, legal, read_head, replay

HEAD = {"watten": 1, "rules": "suedtirol"}


def record(events: int) -> dict[str, object]:
    """A record of so many random events."""
    rng, state = random.Random(7), read_head(HEAD).start()
    written: list[dict[str, object]] = []
    table = Evening(read_head(HEAD))
    while len(written) < events:
        event = random_event(state, rng).to_json()
        state = table.push(event)
        written.append(event)
    return {**HEAD, "events": written}


def measure() -> Iterator[Ratio]:
    short, long = record(200), record(20_000)
    text = json.dumps(short)
    yield ratio(
        "replaying 20,000 events, per event",
        lambda: replay(long),
        "replaying 200",
        lambda: replay(short),
        per=100,
        aim="about 1",
    )
    yield ratio(
        "replaying 200 events",
        lambda: replay(short),
        "reading their JSON",
        lambda: json.loads(text),
    )
    early, late = replay(short)[0], replay(long)[0]

    def push(table: Evening) -> None:
        for _ in range(50):
            table.push(next(e for e in legal(table.state)).to_json())
            table.push(table.undo_correction().to_json())

    yield ratio(
        "an event after 20,000 and its undo",
        lambda: push(late),
        "after 200",
        lambda: push(early),
        aim="about 1",
    )
