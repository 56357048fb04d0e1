"""Tournaments (Preiswatten): settings, draws, results and standings, computed from events.

No I/O. `draw` makes a draw from a seed; the draw is recorded as an event and never recomputed.
"""

from scorer.tournament.draw import draw
from scorer.tournament.events import new_tournament, parse
from scorer.tournament.match import Match, Round
from scorer.tournament.pair_totals import PairTotals, pair_totals
from scorer.tournament.rank_bounds import rank_bounds
from scorer.tournament.settings import Settings
from scorer.tournament.settings_reader import presets, read_settings
from scorer.tournament.standings import Standing, standings
from scorer.tournament.state import Tournament

__all__ = [
    "Match",
    "PairTotals",
    "Round",
    "Settings",
    "Standing",
    "Tournament",
    "draw",
    "new_tournament",
    "pair_totals",
    "parse",
    "presets",
    "rank_bounds",
    "read_settings",
    "standings",
]
