"""Route, method and duration: all that logs and metrics may contain of a request."""

from __future__ import annotations

import time
from typing import NamedTuple

from flask import Flask, g, request


class RequestTiming(NamedTuple):
    route: str
    method: str
    seconds: float
    """Until the response began."""


def begin(app: Flask) -> None:
    app.before_request(_note_start)


def _note_start() -> None:
    g.setdefault("began", time.perf_counter())


def timing() -> RequestTiming:
    seconds = time.perf_counter() - g.began
    # An unknown path or method may contain personal data.
    if request.endpoint is None:
        return RequestTiming("none", "any", seconds)
    return RequestTiming(request.endpoint, request.method, seconds)
