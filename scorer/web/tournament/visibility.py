"""The drafts and results that each role sees."""

from __future__ import annotations

from scorer.book.helper_links import parse_helper_role
from scorer.engine.aggregate import replace
from scorer.store.roles import DIRECTOR
from scorer.tournament import Tournament
from scorer.tournament.stages import next_stage


def seen_by(tournament: Tournament, role: str) -> Tournament:
    """The tournament as the holder of a role sees it.

    Only the director sees a draft. If the final standings wait for the prize-giving, visitors and
    pairs see the last round without results, and not at all once it is played. Helpers see it all,
    because they enter its results.
    """
    if role == DIRECTOR:
        return tournament
    visible = _without_hidden_results(tournament, role)
    # It lasts until the next draw, also if this role does not see that round.
    announcement = tournament.current_announcement
    return replace(visible, announcement=announcement, announcement_round=len(visible.rounds))


def _without_hidden_results(tournament: Tournament, role: str) -> Tournament:
    visible = tournament.without_draft
    if not awaits_prize_giving(tournament, role):
        return visible
    *earlier, last = visible.rounds
    if not visible.unfinished:
        return replace(visible, rounds=tuple(earlier), clock_until=0)
    matches = {
        table: replace(match, entered_results={}, confirmed=False, history=())
        for table, match in last.matches.items()
    }
    return replace(visible, rounds=(*earlier, replace(last, matches=matches)))


def awaits_prize_giving(tournament: Tournament, role: str) -> bool:
    """Whether the holder of a role sees the results of the last round only at the prize-giving."""
    visible = tournament.without_draft
    return (
        role != DIRECTOR
        and not parse_helper_role(role)
        and visible.settings.ceremony
        and bool(visible.rounds)
        and next_stage(visible) is None
    )
