"""Ratings of players who change partners, with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from scorer.engine import Evening
from scorer.engine.telling.player_statistics import LedgerStatistics
from scorer.engine.telling.settlement import finished_games

INTERVAL_SIGMAS: Final = 2.0
"""Half width of the shown interval in standard deviations: about 95 percent."""


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's estimated strength with its interval."""

    name: str
    middle: float
    low: float
    high: float
    games: int


def ratings(evenings: Iterable[Evening], accounts: LedgerStatistics | None = None) -> list[Rating]:
    """The players' ratings, highest first; empty if nobody has changed partners.

    With fixed partners only pairs could be rated, and their share of won games says the same.

    :param accounts: statistics of the same evenings, with the players of each side and the spelling
        of names
    """
    # Slow to import.
    from openskill.models import PlackettLuce

    model, statistics = PlackettLuce(), accounts or LedgerStatistics()
    players: dict[str, Any] = {}
    games: dict[str, int] = {}
    partners: dict[str, set[tuple[str, ...]]] = {}
    for evening in sorted(evenings, key=_start_time):
        for game in finished_games(evening):
            sides = statistics.sides_as_named_later(game.sides, evening)
            teams = [tuple(statistics.people(side)) for side in sides]
            names = [name for team in teams for name in team]
            if not all(teams) or len(set(names)) < len(names):
                continue
            for team in teams:
                for name in team:
                    players.setdefault(name, model.rating(name=name))
                    games[name] = games.get(name, 0) + 1
                    partners.setdefault(name, set()).add(team)
            ranks = [float(side != game.winner) for side in range(len(teams))]
            rated_teams = model.rate(
                [[players[name] for name in team] for team in teams], ranks=ranks
            )
            players.update((str(player.name), player) for team in rated_teams for player in team)
    if not any(len(teams_of_player) > 1 for teams_of_player in partners.values()):
        return []
    return _sorted_ratings(players, games)


def _start_time(evening: Evening) -> str:
    return str(evening.recorded[0].get("at", "")) if evening.recorded else ""


def _sorted_ratings(players: dict[str, Any], games: dict[str, int]) -> list[Rating]:
    order = sorted(players.values(), key=lambda rating: (-rating.mu, rating.name))
    return [
        Rating(
            rating.name,
            rating.mu,
            rating.mu - INTERVAL_SIGMAS * rating.sigma,
            rating.mu + INTERVAL_SIGMAS * rating.sigma,
            games[rating.name],
        )
        for rating in order
    ]
