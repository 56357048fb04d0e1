"""All event classes of a tournament, reading events from JSON, and new tournaments.

>>> parse({"do": "rueckkehr", "pair": 3})
Rueckkehr(pair=3)
>>> parse({"do": "ergebnis", "round": 1, "table": 2, "who": "director", "games": [[15, 8]]}).games
((15, 8),)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.engine.aggregate import defined_in
from scorer.tournament.event_types import (
    announcements,
    draws,
    registrations,
    results,
    settings_changes,
)
from scorer.tournament.event_types.event import Event
from scorer.tournament.event_types.registrations import with_pair
from scorer.tournament.settings import Settings
from scorer.tournament.state import EVENT_CLASSES, Tournament

EVENT_CLASSES.add(defined_in(registrations, settings_changes, draws, results, announcements))
EVENTS: Final[Mapping[str, type[Event]]] = EVENT_CLASSES.by_name


def parse(data: Any) -> Event:
    """The event that `data` (decoded JSON) describes.

    :raises Unreadable: the field and the reason
    """
    event: Event = EVENT_CLASSES.read(data)
    return event


def new_tournament(settings: Settings) -> Tournament:
    """A tournament without recorded events, with the pairs of its settings.

    >>> from scorer.tournament.settings_reader import read_settings
    >>> evening = new_tournament(read_settings({"name": "Preiswatten", "rules": "bayern",
    ...     "games_per_round": 1, "pairs": [{"name": "Anna & Bert"}, {"name": "Cilli & Dora"}]}))
    >>> evening = evening.after([
    ...     {"do": "auslosung", "round": 1, "stage": "rounds",
    ...      "tables": [{"table": 1, "pairs": [2, 1]}]},
    ...     {"do": "ergebnis", "round": 1, "table": 1, "who": "director", "games": [[15, 8]]}])
    >>> evening.match(1, 1).status
    'done'

    :raises Illegal: two pairs have the same name, or there are too many
    """
    tournament = Tournament(initial_settings=settings, settings=settings)
    for pair in settings.pairs:
        tournament = with_pair(tournament, pair)
    return tournament
