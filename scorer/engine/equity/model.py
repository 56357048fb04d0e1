"""Probability models of a round."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import comb, exp, log, sqrt
from typing import Final

COINS: Final = 8
"""Coin tosses whose sum is a hand's strength: nine strengths, binomially distributed."""
MIN_CHANCE: Final = 0.015
"""The chance of a hand lies between this and 1 minus this."""
DEFAULT_CHANCE: Final = 0.5
"""The default chance of each side to win a round."""
SPREAD: Final = 0.2
"""The default standard deviation of a hand's chance; the package's docstring derives it."""
MAX_SPREAD: Final = 0.5
_MAX_LOG_ODDS: Final = 700.0
"""Log-odds beyond which a float chance is 0 or 1."""


@dataclass(frozen=True, slots=True)
class Model:
    """The chance that side 0 wins a round, and how well raises are used.

    >>> live(0.5)
    Model(name='live', p=0.5, spread=0.2, efficiency=1.0)
    """

    name: str
    p: float
    """The mean chance that side 0 wins a round."""
    spread: float
    """The standard deviation of a hand's chance from `p`; 0 if hands are unknown."""
    efficiency: float
    """How much of the right to raise is used, 0 to 1 (Janowski's cube efficiency)."""

    @property
    def hands(self) -> tuple[tuple[float, float], ...]:
        """The possible (chance of side 0, share of the deals)."""
        return _hands(self.p, self.spread)


def live(p: float, spread: float = SPREAD, efficiency: float = 1.0) -> Model:
    """Both sides know their hands, and raise and answer optimally."""
    return Model("live", p, spread, efficiency)


def flat(p: float) -> Model:
    """No raises; decisions are made knowing only `p`."""
    return Model("flat", p, 0.0, 0.0)


@lru_cache(maxsize=256)
def _hands(p: float, spread: float) -> tuple[tuple[float, float], ...]:
    """The (chance, share) of the strengths with this mean and standard deviation.

    >>> sum(q * share for q, share in _hands(0.6, 0.2)), len(_hands(0.6, 0.0))
    (0.6, 1)
    """
    if not spread:
        return ((p, 1.0),)
    shares = [comb(COINS, count) / 2**COINS for count in range(COINS + 1)]
    deviations = ((count - COINS / 2) / sqrt(COINS / 4) for count in range(COINS + 1))
    chances = [
        min(max(0.5 + spread * deviation, MIN_CHANCE), 1 - MIN_CHANCE) for deviation in deviations
    ]
    log_odds = [log(chance / (1 - chance)) for chance in chances]
    low, high = -_MAX_LOG_ODDS, _MAX_LOG_ODDS
    for _ in range(200):
        middle = (low + high) / 2
        mean = sum(
            share / (1 + exp(-odds - middle)) for odds, share in zip(log_odds, shares, strict=True)
        )
        low, high = (middle, high) if mean < p else (low, middle)
    shift = 0.0 if p == 0.5 else (low + high) / 2
    return tuple(
        (1 / (1 + exp(-odds - shift)), share) for odds, share in zip(log_odds, shares, strict=True)
    )
