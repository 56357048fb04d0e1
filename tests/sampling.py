"""What `make test` leaves to `make test-all`: cases of a sweep, and random examples."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import pytest
from hypothesis import settings

ALL = os.environ.get("BUMMERL_ALL_TESTS") == "1"


def slow(*cases: Any) -> list[Any]:
    """Cases for `parametrize`, marked as slow. A tuple holds the arguments of one case."""
    given = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*values, marks=pytest.mark.slow) for values in given]


def mostly_slow(cases: Iterable[Any], count: int = 1) -> list[Any]:
    """The first `count` cases as they are, and the others marked as slow."""
    cases = list(cases)
    return [*cases[:count], *slow(*cases[count:])]


def examples(count: int) -> settings:
    """Settings of a property with `count` random examples; `make test` tries a third of them."""
    return settings(max_examples=count if ALL else max(5, count // 3))
