"""What a tournament takes: as much as a long one needs, and nobody can fill it up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.engine import Illegal
from scorer.tournament import Tournament, parse
from scorer.tournament.event_types.entries import Anmeldung, Einzeln, refuse_lookalike
from scorer.tournament.event_types.results import Bestaetigung, Ergebnis

MOST_EVENTS: Final = 15_000
"""Entries of a tournament: 512 pairs, twelve rounds and every result corrected need fewer."""
MOST_FOLDED: Final = 40_000
"""Steps that folding a tournament may take (`Event.steps`), some four seconds: one of
512 pairs, twelve rounds and every result corrected takes half."""
MOST_SAID: Final = 20
"""What the pairs of a match may say about it; then the director enters its result."""
MOST_WAITING: Final = 1000
"""Who waits for the director at one time."""


def not_full(tournament: Tournament) -> None:
    """Let one more entry pass.

    :raises Illegal: there are too many
    """
    if tournament.seq >= MOST_EVENTS:
        raise Illegal("tournament-full", most=MOST_EVENTS)
    if tournament.folded >= MOST_FOLDED:
        raise Illegal("tournament-changed-often", most=MOST_FOLDED)


def admit(tournament: Tournament, body: Mapping[str, Any]) -> None:
    """Let an event pass that a tournament takes, whatever the rules say of it.

    It is asked of what is to be recorded alone: what was recorded before stays.

    :raises Unreadable: no event
    :raises Illegal: there is too much of it, or it names two that nobody can tell apart
    """
    not_full(tournament)
    event = parse(body)
    refuse_lookalike(tournament, event)
    match event:
        case Anmeldung(waiting=True) | Einzeln(waiting=True):
            if len(tournament.signed) >= MOST_WAITING:
                raise Illegal("waiting-full", most=MOST_WAITING)
        case Ergebnis() | Bestaetigung() if event.who != "director":
            said = tournament.match(event.round, event.table).history
            if len(said) >= MOST_SAID:
                raise Illegal("said-often", table=event.table)
