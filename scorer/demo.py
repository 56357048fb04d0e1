"""Generates a realistic evening for each region and a tournament.

Rounds are played with cards by the region's rules; raises and folds are random with realistic
frequencies. The same seed gives the same evening.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from scorer.book.recovery_file import recovery_secret
from scorer.book.tables import Tables
from scorer.book.tournaments import Tournaments
from scorer.engine import (
    REGIONS,
    Bieten,
    Bleiben,
    Event,
    Gehen,
    Gewinnt,
    NeuesSpiel,
    RuleSet,
    State,
    Streichen,
    apply,
    legal,
    read_head,
    start,
)
from scorer.engine.play.simulation import play
from scorer.store.database_url import open_store, own_file
from scorer.store.roles import DIRECTOR, WRITER
from scorer.tournament import Settings, read_settings

SIDES: Final = [
    {"name": "Wir", "players": ["Anna", "Bert"]},
    {"name": "Die", "players": ["Cilli", "Dora"]},
]
MIN_GAMES: Final = 3
_EVENT_WEIGHTS: Final[dict[type[Event], float]] = {
    Gewinnt: 6,
    Bieten: 1.6,
    Bleiben: 3,
    Gehen: 2,
    Streichen: 0.4,
    NeuesSpiel: 1,
}


def random_event(state: State, rng: random.Random) -> Event:
    events = [event for event in legal(state) if type(event) in _EVENT_WEIGHTS]
    event = rng.choices(events, [_EVENT_WEIGHTS[type(event)] for event in events])[0]
    return _play_round(state, rng) if isinstance(event, Gewinnt) else event


def _play_round(state: State, rng: random.Random) -> Gewinnt:
    outcome = play(state.rules, rng, state.dealer or 0)
    return Gewinnt(outcome.winner, outcome.taken if state.rules.overtrick else None)


def write(db: str | Path, seed: int = 1) -> Iterator[tuple[str, dict[str, str]]]:
    """Write an evening for each region into `db`; yield region and keys by role."""
    store = open_store(db)
    try:
        for region in REGIONS:
            yield region, _write(Tables(store), region, random.Random(f"{seed} {region}"))
    finally:
        store.close()


def _write(tables: Tables, region: str, rng: random.Random) -> dict[str, str]:
    head = {"watten": 1, "rules": region, "sides": SIDES, "dealer": "Anna"}
    keys = tables.create(read_head(head))
    access = tables.store.find(keys[WRITER])
    assert access is not None
    state, count = read_head(head).start(), 0
    while state.game < MIN_GAMES or (
        state.winner is None and max(state.points) < state.rules.target // 2
    ):
        event = random_event(state, rng)
        recorded = tables.record(
            access.stream, event.to_json(), idempotency_key=str(count), by="demo", expected=count
        )
        state, count = recorded.state, recorded.seq
    return keys


PAIRS: Final = 12
_PLAYERS: Final = (
    "Anna",
    "Bert",
    "Cilli",
    "Dora",
    "Emil",
    "Fanny",
    "Gustl",
    "Hias",
    "Irmi",
    "Jakl",
    "Kathi",
    "Loisl",
    "Mirl",
    "Nandl",
    "Ossi",
    "Peppi",
    "Resi",
    "Sepp",
    "Toni",
    "Urschl",
    "Vroni",
    "Wastl",
    "Xaver",
    "Zenzi",
)
_VILLAGES: Final = ("Ranshofen", "Braunau", "Mauerkirchen", "Uttendorf")


def preiswatten(db: str | Path, seed: int = 1) -> dict[str, str]:
    """Write a tournament in its third round into `db`; return its keys by role."""
    rng = random.Random(f"{seed} preiswatten")
    players = rng.sample(_PLAYERS, 2 * PAIRS)
    pairs = [
        {"players": players[start : start + 2], "club": rng.choice(_VILLAGES)}
        for start in range(0, len(players), 2)
    ]
    setting = {"name": "Preiswatten beim Wirt", "place": "Ranshofen", "rules": "bayern"}
    store = open_store(db)
    try:
        book = Tournaments(store, Tables(store), recovery_secret(own_file(str(db))))
        keys = book.create(
            read_settings({**setting, "preset": "won-difference-points", "pairs": pairs}, str(seed))
        )
        access = store.find(keys[DIRECTOR])
        assert access is not None
        settings = book.current(access.stream).settings
        for number in range(1, 4):
            drawn = book.draw(
                access.stream, keys[DIRECTOR], idempotency_key=f"draw {number}", by="demo"
            )
            for table in drawn.tables[: 2 if number == 3 else None]:
                result = _result(number, table.table, settings, rng)
                book.record(
                    access.stream, result, idempotency_key=f"{number}.{table.table}", by="demo"
                )
        return keys
    finally:
        store.close()


def _result(number: int, table: int, settings: Settings, rng: random.Random) -> dict[str, object]:
    games = [_game(settings.rules, rng) for _ in range(settings.games_per_round[0])]
    place = {"round": number, "table": table}
    return {"do": "ergebnis", **place, "who": "director", "games": games}


def _game(rules: RuleSet, rng: random.Random) -> list[int]:
    state = start(rules)
    while state.winner is None:
        state = apply(state, random_event(state, rng))
    return list(state.points)
