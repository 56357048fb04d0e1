"""The stage of the next round."""

from __future__ import annotations

from scorer.tournament.event_types.draws import open_lots
from scorer.tournament.knockout import remaining_lots
from scorer.tournament.round_robin import next_leg
from scorer.tournament.state import Tournament


def next_stage(tournament: Tournament) -> str | None:
    """Stage of the next round: `rounds`, `groups`, `knockout` or `final`; None after the last."""
    settings, rounds = tournament.settings, tournament.rounds
    if rounds and rounds[-1].is_final:
        has_third_place_game = any(match.is_third_place for match in rounds[-1].matches.values())
        return None if has_third_place_game or len(rounds[-1].matches) == 1 else "final"
    if settings.format == "knockout":
        if rounds and (len(rounds[-1].matches), rounds[-1].byes, rounds[-1].waiting) == (1, (), ()):
            # This is the final, even if its result is missing.
            return None
        lots = {*remaining_lots(tournament), *open_lots(tournament)}
        holders = tournament.holders
        remaining_pairs = {holders[lot] for lot in lots}
        return "knockout" if len(remaining_pairs) > 1 or not rounds else None
    if len(rounds) < settings.rounds:
        if settings.format in ("redraw", "partners"):
            return "rounds"
        if not rounds or next_leg(tournament) is not None:
            return "groups" if settings.format == "groups" else "rounds"
    return None if settings.finals is None else "final"
