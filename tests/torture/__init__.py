"""Kills, failing disks and hostile requests.

`make test-all` runs a short version of each test, `make torture` the long one.
"""

from __future__ import annotations

import os

IS_LONG_RUN = os.environ.get("BUMMERL_TORTURE") == "1"


def repetitions(short: int, long: int) -> int:
    """How often a test repeats something: `short` in `make test-all`, `long` in `make torture`."""
    return long if IS_LONG_RUN else short
