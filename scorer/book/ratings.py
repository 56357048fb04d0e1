"""Ratings of players who change partners, with their uncertainty."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from scorer.engine import Evening
from scorer.engine.telling.player_statistics import LedgerStatistics
from scorer.engine.telling.settlement import finished_games

SURE: Final = 2.0
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

    :param accounts: what the same evenings came to; says who sat on a side, and how names are spelt
    """
    # Slow to import.
    from openskill.models import PlackettLuce

    model, statistics = PlackettLuce(), accounts or LedgerStatistics()
    players: dict[str, Any] = {}
    games: dict[str, int] = {}
    partners: dict[str, set[tuple[str, ...]]] = {}
    for evening in sorted(evenings, key=_began):
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
            rated = model.rate([[players[name] for name in team] for team in teams], ranks=ranks)
            players.update((str(player.name), player) for team in rated for player in team)
    if not any(len(with_whom) > 1 for with_whom in partners.values()):
        return []
    return _ordered(players, games)


def _began(evening: Evening) -> str:
    return str(evening.recorded[0].get("at", "")) if evening.recorded else ""


def _ordered(players: dict[str, Any], games: dict[str, int]) -> list[Rating]:
    order = sorted(players.values(), key=lambda rating: (-rating.mu, rating.name))
    return [
        Rating(r.name, r.mu, r.mu - SURE * r.sigma, r.mu + SURE * r.sigma, games[r.name])
        for r in order
    ]
