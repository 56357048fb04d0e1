"""What each link shows of a tournament: drafts, and standings that wait for the prize-giving."""

from __future__ import annotations

from scorer.book.helper_links import helper_link
from scorer.engine.aggregate import replace
from scorer.store.roles import DIRECTOR
from scorer.tournament import Tournament
from scorer.tournament.draw import next_stage


def seen_by(tournament: Tournament, role: str) -> Tournament:
    """The tournament as the holder of a role sees it.

    Only the director sees a draft. Visitors and pairs see no last round that waits for the
    prize-giving; helpers see it, because they enter its results.
    """
    if role == DIRECTOR:
        return tournament
    released = tournament.released
    if helper_link(role) or not _awaits_ceremony(released):
        return released
    return replace(released, rounds=released.rounds[:-1], clock_until=0)


def _awaits_ceremony(tournament: Tournament) -> bool:
    """Whether all results are known and the director has not released the final standings."""
    return (
        tournament.settings.ceremony
        and bool(tournament.rounds)
        and not tournament.missing
        and next_stage(tournament) is None
    )
