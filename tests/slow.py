"""Marks cases of a parametrized test that only `make test-all` runs."""

from __future__ import annotations

from typing import Any

import pytest


def slow(*cases: Any) -> list[Any]:
    """Cases for `parametrize`, marked as slow. A tuple holds the arguments of one case."""
    given = [case if isinstance(case, tuple) else (case,) for case in cases]
    return [pytest.param(*values, marks=pytest.mark.slow) for values in given]
