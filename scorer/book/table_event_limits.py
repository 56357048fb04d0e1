"""Checks a new event of a table, apart from the rules of the game.

The table must have room for it. Nobody may be seated under a name that looks like another. An event
that needs the other side's consent is refused. The sentences of refusals are in
`scorer/engine/telling/english_sentences.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from scorer.engine import (
    Evening,
    Event,
    Illegal,
    NeuesSpiel,
    Sitzordnung,
    Uebernahme,
    Vorschlag,
    parse,
)
from scorer.engine.rules.grounds import refusal
from scorer.engine.scoring.blind_trump import reveals_blind_trump
from scorer.engine.telling.side_names import require_distinct_players

MAX_TABLE_EVENTS: Final = 2000
"""Limit of events of a table, more than two long nights need."""
MAX_TABLE_REPLAY_COST: Final = 20_000
"""Limit of replay steps of a table; a correction costs one step for each event after it."""
MAX_OPEN_PROPOSALS: Final = 20
"""Limit of open proposals at a table."""
MAX_CLAIMS: Final = 100
"""Limit of claims of the other side's seat (`Uebernahme`). Up to it, a full table accepts them."""


def check_new_event(evening: Evening, body: Mapping[str, Any], max_games: int = 0) -> None:
    """Check the limits of a table for a new event; the game's rules are not checked.

    Applies to new events only: recorded ones stay valid.

    :param max_games: limit of games, 0 for none
    :raises Unreadable: no event, or it would seat two players who look alike
    :raises Illegal: a limit is reached, or the event needs the other side's consent
    """
    event = parse(body)
    check_limits(evening, event)
    if isinstance(event, NeuesSpiel) and 0 < max_games <= len(evening.state.games):
        raise Illegal("games-played", most=max_games)
    if evening.needs_consent(event):
        raise Illegal("after-the-cut")
    if reveals_blind_trump(evening, event):
        raise refusal(evening.state.rules, "announced-blind")


def check_limits(evening: Evening, event: Event) -> None:
    """Keep an evening small enough to be replayed and shown quickly.

    :raises Illegal: the table is full, or has too many open proposals
    :raises Unreadable: it would seat two players who look alike
    """
    # A correction and a proposal carry other events.
    for seating in (event, *getattr(event, "with_", ())):
        if isinstance(seating, Sitzordnung):
            require_distinct_players(seating.sides or ())
    is_full = (
        len(evening.recorded) >= MAX_TABLE_EVENTS or evening.replay_cost >= MAX_TABLE_REPLAY_COST
    )
    if is_full and not (isinstance(event, Uebernahme) and _claim_count(evening) < MAX_CLAIMS):
        raise Illegal("table-full", most=MAX_TABLE_EVENTS)
    if isinstance(event, Vorschlag) and len(evening.proposals.open) >= MAX_OPEN_PROPOSALS:
        raise Illegal("too-many-proposals", most=MAX_OPEN_PROPOSALS)


def _claim_count(evening: Evening) -> int:
    return sum(entry["do"] == Uebernahme.do for entry in evening.recorded)
