"""Timing two things in turns, so that a noisy machine is noisy to both."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

TURNS = 15


@dataclass(frozen=True)
class Ratio:
    """What was measured: how many times the baseline's time one thing took."""

    name: str
    baseline: str
    times: float
    aim: str = ""

    def __str__(self) -> str:
        aim = f"   (aim: {self.aim})" if self.aim else ""
        return f"{self.name}: {self.times:.2f} x {self.baseline}{aim}"


def seconds(do: Callable[[], Any]) -> float:
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def ratio(
    name: str,
    do: Callable[[], Any],
    baseline: str,
    bare: Callable[[], Any],
    *,
    per: float = 1.0,
    aim: str = "",
) -> Ratio:
    """The median over turns of `do`'s time by `bare`'s.

    :param per: how many times as much `do` does in one call as `bare` does
    """
    do(), bare()
    turns = [seconds(do) / seconds(bare) / per for _ in range(TURNS)]
    return Ratio(name, baseline, median(turns), aim)
