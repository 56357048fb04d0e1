"""Tournaments for tests: set up, drawn and played."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

import pytest

from scorer.demo import random_event
from scorer.engine import Illegal, RuleSet, apply, start
from scorer.tournament import Tournament, draw, new_tournament, read_settings


class RunningTournament:
    """Holds the newest state of a tournament and gives access to its attributes."""

    def __init__(self, tournament: Tournament) -> None:
        self.now = tournament

    def push(self, event: Mapping[str, Any]) -> None:
        self.now = self.now.after([event])

    def __getattr__(self, name: str) -> Any:
        return getattr(self.now, name)


def start_tournament(count: int, clubs: int = 0, **settings: Any) -> RunningTournament:
    """A tournament of `count` pairs, from `clubs` clubs if given."""
    pairs = [
        {"name": f"Pair {n}", **({"club": f"Club {n % clubs}"} if clubs else {})}
        for n in range(1, count + 1)
    ]
    given = {"name": "Test", "rules": "bayern", "games_per_round": 1, "seed": "s", **settings}
    return RunningTournament(new_tournament(read_settings({"pairs": pairs, **given})))


def draw_round(tournament: RunningTournament, anyway: bool = False) -> None:
    tournament.push(draw(tournament.now, anyway).to_json())


def enter_result(
    tournament: RunningTournament, table: int, *games: tuple[int, int], **more: Any
) -> None:
    """The director enters a table's games, in the newest round if `more` names no other."""
    event = {"do": "ergebnis", "round": len(tournament.rounds), "table": table, "who": "director"}
    tournament.push({**event, "games": [list(points) for points in games], **more})


def pairings(tournament: RunningTournament) -> list[list[tuple[int, int]]]:
    """The pairs of each match, by round."""
    return [[m.drawn_table.pairs for m in round_.matches.values()] for round_ in tournament.rounds]


def play_round(tournament: RunningTournament, rng: Random) -> None:
    """Draw a round and enter a result for each of its tables."""
    draw_round(tournament)
    number = len(tournament.rounds)
    for table in tournament.rounds[-1].matches:
        games = []
        for _ in range(tournament.games(number)):
            target = tournament.target(number)
            points = (target, rng.choice([0, 2, 3, target - 1]))
            games.append(points if rng.random() < 0.5 else points[::-1])
        if tournament.rounds[-1].is_knockout and sum(a - b for a, b in games) == 0:
            games[0] = (tournament.target(number), 0)
            games[1:] = [(tournament.target(number), 0)] * (len(games) - 1)
        enter_result(tournament, table, *games)


def play_out(tournament: RunningTournament, rng: Random) -> None:
    """Play all rounds."""
    with pytest.raises(Illegal, match="all-played"):
        while True:
            play_round(tournament, rng)


def simulated_game(rules: RuleSet, rng: Random) -> tuple[tuple[int, int], bool]:
    """Play a game at random; return its points and whether it was won from 0 (retour)."""
    state = start(rules)
    while state.winner is None:
        state = apply(state, random_event(state, rng))
    return (state.points[0], state.points[1]), state.games[-1].kind == "retourschneider"
