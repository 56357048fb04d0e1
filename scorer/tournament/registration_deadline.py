"""Refuses pairs and players that enter too late after the first draw."""

from __future__ import annotations

from scorer.engine import Illegal
from scorer.tournament.state import Tournament


def require_registration_open(state: Tournament) -> None:
    """Check that late entries are allowed: only in formats that draw opponents anew each round, and
    not once a knock-out round is drawn.

    :raises Illegal: it is too late
    """
    fresh = state.settings.format in ("redraw", "partners")
    if state.rounds and (not fresh or state.rounds[-1].is_knockout):
        raise Illegal("too-late-to-enter")
