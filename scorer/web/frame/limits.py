"""How often one address may do what costs or guesses."""

from __future__ import annotations

from typing import Final

from flask import Flask
from flask_limiter import Limiter
from flask_limiter.util import get_remote_address

limiter = Limiter(get_remote_address, storage_uri="memory://", headers_enabled=True)

CREATE: Final = "20 per minute; 200 per hour"
GUESS: Final = "20 per minute; 200 per hour"
WRITE: Final = "240 per minute"
RUN: Final = "3000 per minute"
"""For a tournament: all its phones may come from one address, and a round's results at once."""


def init_app(app: Flask) -> None:
    """Count, unless the settings say not to."""
    app.config["RATELIMIT_ENABLED"] = app.config["RATE_LIMITS"]
    limiter.init_app(app)
