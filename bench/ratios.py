"""Times two functions alternately, so that noise affects both."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from typing import Any

TURNS = 15


@dataclass(frozen=True)
class Ratio:
    """A result: a time in multiples of the baseline's."""

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
    """The median ratio of `do`'s time to `bare`'s.

    :param per: units of work of `do` per unit of `bare`
    """
    do(), bare()
    turns = [seconds(do) / seconds(bare) / per for _ in range(TURNS)]
    return Ratio(name, baseline, median(turns), aim)
