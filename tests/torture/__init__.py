"""What a machine can do to the book: kills, failing disks, hostile requests.

`make test` runs a short version of each, `make torture` the long one.
"""

from __future__ import annotations

import os

LONG = os.environ.get("BUMMERL_TORTURE") == "1"


def often(short: int, long: int) -> int:
    """How often something is done: in `make test`, and in `make torture`."""
    return long if LONG else short
