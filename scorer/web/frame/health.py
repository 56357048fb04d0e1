"""Health checks for monitoring: /health for the process, /ready for the database."""

from __future__ import annotations

import threading
import time
from typing import Final

from flask import Blueprint, Flask, Response, current_app, jsonify

from scorer.store import Unavailable
from scorer.store.sql_store import Store
from scorer.web.frame.access import store

blueprint = Blueprint("health", __name__)

MAX_AGE: Final = 1.0
"""Seconds for which a result is reused, to limit test writes."""


class Readiness:
    """Whether the store accepts events, tested at most once in `MAX_AGE` seconds."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._tested_at, self._reason = -MAX_AGE, ""

    def problem(self, store: Store) -> str:
        """The store's reason, or "" when ready."""
        with self._lock:
            if time.monotonic() - self._tested_at >= MAX_AGE:
                try:
                    store.ready()
                    self._reason = ""
                except Unavailable as error:
                    self._reason = error.reason
                self._tested_at = time.monotonic()
            return self._reason


def init_app(app: Flask) -> None:
    app.extensions["readiness"] = Readiness()
    app.register_blueprint(blueprint)


@blueprint.get("/health")
def live() -> Response:
    return jsonify(live=True)


@blueprint.get("/ready")
def ready() -> tuple[Response, int]:
    """503 if the database does not accept events or has another release's schema."""
    readiness: Readiness = current_app.extensions["readiness"]
    reason = readiness.problem(store())
    if reason:
        return jsonify(ready=False, reason=reason), 503
    return jsonify(ready=True), 200
