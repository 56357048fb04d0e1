"""Tournaments for tests: set up, drawn and played out."""

from __future__ import annotations

from random import Random
from typing import Any

from scorer.demo import evening
from scorer.engine import RuleSet, apply, start
from scorer.tournament import Tournament, draw, read_settings, to_json


def tournament(count: int, clubs: int = 0, **settings: Any) -> Tournament:
    """A tournament of so many pairs, of so many clubs if any."""
    pairs = [
        {"name": f"Pair {n}", **({"club": f"Club {n % clubs}"} if clubs else {})}
        for n in range(1, count + 1)
    ]
    given = {"name": "Test", "rules": "bayern", "games_per_round": 1, "seed": "s", **settings}
    return Tournament(read_settings({"pairs": pairs, **given}))


def draw_round(found: Tournament, anyway: bool = False) -> None:
    found.push(to_json(draw(found, anyway)))


def result(found: Tournament, table: int, *games: tuple[int, int], **more: Any) -> None:
    """The director enters a table's games in the newest round."""
    event = {"do": "ergebnis", "round": len(found.rounds), "table": table, "who": "director"}
    found.push({**event, "games": [list(points) for points in games], **more})


def play_round(found: Tournament, chance: Random, stay: int = 15) -> None:
    """Draw a round and enter a result for each of its tables."""
    draw_round(found)
    number = len(found.rounds)
    for table in found.rounds[-1].matches:
        games = []
        for _ in range(found.games(number)):
            target = found.target(number)
            points = (target, chance.choice([0, 2, 3, target - 1]))
            games.append(points if chance.random() < 0.5 else points[::-1])
        if found.rounds[-1].knockout and sum(a - b for a, b in games) == 0:
            games[0] = (found.target(number), 0)
            games[1:] = [(found.target(number), 0)] * (len(games) - 1)
        result(found, table, *games)


def simulated_game(rules: RuleSet, chance: Random) -> tuple[tuple[int, int], bool]:
    """A game played out with cards, bids and folds: its points, and whether from 0 (retour)."""
    state = start(rules)
    while state.winner is None:
        state = apply(state, evening(state, chance))
    return (state.points[0], state.points[1]), state.games[-1].kind == "retourschneider"
