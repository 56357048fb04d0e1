"""Playful titles of the players of a ledger."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from scorer.engine.telling.player_statistics import PlayerStatistics

MIN_ROUNDS: Final = 20
"""With fewer rounds, a share of the rounds is too uncertain for a title."""
MIN_GAMES: Final = 3
"""With fewer games, any title would be luck."""
MAX_HOLDERS: Final = 2
"""A pair may share a title. If more players lead, nobody gets it."""


def _share(count: int, account: PlayerStatistics) -> float:
    return count / account.rounds if account.rounds >= MIN_ROUNDS else 0.0


TITLES: Final[Mapping[str, Callable[[PlayerStatistics], float]]] = {
    "tailor": lambda account: account.schneider_given,
    "daredevil": lambda account: _share(account.raised, account),
    "fox": lambda account: _share(account.went, account),
    "landlord": lambda account: account.taken,
}
"""For each title, the count or share in which its holder leads."""


def titles(players: Mapping[str, PlayerStatistics]) -> dict[str, list[str]]:
    """The titles of each player who has one.

    >>> anna = PlayerStatistics(games=3, schneider_given=2, taken=1)
    >>> bert, cilli = PlayerStatistics(games=3, taken=3), PlayerStatistics(games=2, taken=4)
    >>> titles({"Anna": anna, "Bert": bert, "Cilli": cilli})
    {'Anna': ['tailor'], 'Bert': ['landlord']}
    """
    titles_by_player: dict[str, list[str]] = {}
    for title, measure in TITLES.items():
        values = {
            name: measure(account)
            for name, account in players.items()
            if account.games >= MIN_GAMES
        }
        highest = max(values.values(), default=0)
        holders = [name for name, value in values.items() if value == highest]
        if highest > 0 and len(holders) <= MAX_HOLDERS < len(players):
            for name in holders:
                titles_by_player.setdefault(name, []).append(title)
    return titles_by_player
