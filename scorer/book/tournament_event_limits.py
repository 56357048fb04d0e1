"""Limits of the number of events and sign-ups of a tournament."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.engine import Illegal
from scorer.tournament import Tournament, parse
from scorer.tournament.event_types.registrations import Anmeldung, Einzeln, require_distinct_name
from scorer.tournament.event_types.results import Bestaetigung, Ergebnis

MAX_TOURNAMENT_EVENTS: Final = 15_000
"""Enough for 512 pairs, twelve rounds and a correction of every result."""
MAX_TOURNAMENT_REPLAY_COST: Final = 40_000
"""Replay steps (`replay_cost` of each event), which take about four seconds. A tournament of 512
pairs, twelve rounds and a correction of every result needs half of them."""
MAX_PAIR_EVENTS_PER_MATCH: Final = 20
"""Events of the pairs about one match; then only the director enters its result."""
MAX_WAITING: Final = 1000
"""Sign-ups that wait for the director."""


def require_not_full(tournament: Tournament) -> None:
    """:raises Illegal: the tournament is full"""
    if tournament.seq >= MAX_TOURNAMENT_EVENTS:
        raise Illegal("tournament-full", most=MAX_TOURNAMENT_EVENTS)
    if tournament.replay_cost >= MAX_TOURNAMENT_REPLAY_COST:
        raise Illegal("tournament-changed-often", most=MAX_TOURNAMENT_REPLAY_COST)


def check_new_event(tournament: Tournament, body: Mapping[str, Any]) -> None:
    """Check the limits for a new event; the tournament's rules are not checked.

    Applies to new events only: recorded ones stay valid.

    :raises Unreadable: no event
    :raises Illegal: a limit is reached, or two names look alike
    """
    require_not_full(tournament)
    event = parse(body)
    require_distinct_name(tournament, event)
    match event:
        case Anmeldung(waiting=True) | Einzeln(waiting=True):
            if len(tournament.waiting_list) >= MAX_WAITING:
                raise Illegal("waiting-full", most=MAX_WAITING)
        case Ergebnis() | Bestaetigung() if event.who != "director":
            history = tournament.match(event.round, event.table).history
            if len(history) >= MAX_PAIR_EVENTS_PER_MATCH:
                raise Illegal("said-often", table=event.table)
