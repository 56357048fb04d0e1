"""What may be told of a request: its route, its method, how long its answer took, and nobody."""

from __future__ import annotations

import time
from typing import NamedTuple

from flask import Flask, g, request


class Told(NamedTuple):
    """What may be told of one request."""

    route: str
    method: str
    seconds: float
    """Until its answer began."""


def begin(app: Flask) -> None:
    """Note when each request comes."""
    app.before_request(_note)


def _note() -> None:
    g.setdefault("began", time.perf_counter())


def told() -> Told:
    """What may be told of the request that is being answered."""
    seconds = time.perf_counter() - g.began
    # An address or a method that is none of ours may hold anything.
    if request.endpoint is None:
        return Told("none", "any", seconds)
    return Told(request.endpoint, request.method, seconds)
