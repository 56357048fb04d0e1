"""The metrics that a ranking may sort by; `standings.py` sorts by those of the settings.

`presets.toml` has the rankings of the ready-made formats.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

from scorer.tournament.pair_totals import PairTotals

METRIC: Final[Mapping[str, Callable[[PairTotals], int | Fraction]]] = {
    "won": lambda totals: totals.won,
    "difference": lambda totals: totals.difference,
    "points": lambda totals: totals.points,
    "score": lambda totals: totals.score,
    "conceded": lambda totals: -totals.conceded_extrapolated,
    "ratio": lambda totals: totals.ratio,
    "matches": lambda totals: totals.matches_won,
}
"""Each metric as a number for sorting; higher is better."""


def metric_value(totals: PairTotals, metric: str) -> int | Fraction:
    """A metric as shown; `conceded` is positive here."""
    return totals.conceded_extrapolated if metric == "conceded" else METRIC[metric](totals)
