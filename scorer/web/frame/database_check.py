"""Answers 503 while the database file is moved away or replaced."""

from __future__ import annotations

from typing import Final

from flask import Flask, request

from scorer.web.frame.access import store

_UNCHECKED_ENDPOINTS: Final = ("static", "other_release", "health.live", "health.ready")
"""Endpoints that answer without this check."""


def init_app(app: Flask) -> None:

    @app.before_request
    def check_database() -> None:
        """:raises Unavailable: "replaced" """
        if request.endpoint not in _UNCHECKED_ENDPOINTS:
            store().check_opened()
