"""Rounds that were taken back. If the same lots would play again, their draw is used again."""

from __future__ import annotations

from scorer.tournament.knockout import remaining_lots
from scorer.tournament.match import Round
from scorer.tournament.redraw import needs_circle
from scorer.tournament.round_robin import circles_of
from scorer.tournament.settings import CIRCLES
from scorer.tournament.stages import next_stage
from scorer.tournament.state import Tournament


def reusable_round(tournament: Tournament) -> Round | None:
    """The round that was taken back and would be drawn again; None if there is none."""
    stage = next_stage(tournament)
    if stage in (None, "final"):
        return None
    number = len(tournament.rounds) + 1
    playing = {entrant.number for entrant in tournament.active_entrants}
    if stage == "knockout":
        playing = {*remaining_lots(tournament)}
    for undone_round in reversed(tournament.undone_rounds):
        has_results = any(
            match.entered_results or match.result for match in undone_round.matches.values()
        )
        table_pairs = {
            frozenset(match.drawn_table.pairs) for match in undone_round.matches.values()
        }
        has_changed = (
            has_results
            or undone_round.swapped_by_hand
            or not table_pairs.isdisjoint(tournament.kept_apart)
        )
        if (
            undone_round.number == number
            and undone_round.stage == stage
            and _has_expected_circles(undone_round, tournament)
            and undone_round.seed
            and not has_changed
            and _lots_of_round(undone_round) == playing
        ):
            return undone_round
    return None


def _has_expected_circles(undone_round: Round, tournament: Tournament) -> bool:
    """Whether a round has the circles that the tournament's settings ask for by now."""
    if tournament.rounds or undone_round.is_knockout:
        return True
    sizes = sorted(map(len, undone_round.circles))
    if tournament.settings.format in CIRCLES:
        return sizes == sorted(map(len, circles_of(tournament)))
    return bool(sizes) == needs_circle(tournament)


def _lots_of_round(drawn: Round) -> set[int]:
    """The lots of a round; its players if partners are drawn."""
    at_tables = {
        number
        for match in drawn.matches.values()
        for side in match.drawn_table.teams or (match.drawn_table.lots,)
        for number in side
    }
    return at_tables.union(drawn.byes)
