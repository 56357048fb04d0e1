"""The metrics that a ranking may sort by; `standings.py` sorts by those of the settings.

`presets.toml` has the rankings of the ready-made formats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from scorer.tournament.pair_totals import PairTotals

METRIC: Final[Mapping[str, Callable[[PairTotals], int | Fraction]]] = {
    "won": lambda tally: tally.won,
    "difference": lambda tally: tally.difference,
    "points": lambda tally: tally.points,
    "score": lambda tally: tally.score,
    "conceded": lambda tally: -tally.conceded_extrapolated,
    "ratio": lambda tally: tally.ratio,
    "matches": lambda tally: tally.matches_won,
}
"""Each metric as a number for sorting; higher is better."""


def metric_value(tally: PairTotals, metric: str) -> int | Fraction:
    """A metric as shown; `conceded` is positive here."""
    return tally.conceded_extrapolated if metric == "conceded" else METRIC[metric](tally)
