"""Reopens the database after its file was replaced."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from flask import Flask, current_app, request

from scorer.store import Unavailable

BETWEEN: Final = 1.0
"""Seconds between two tries after one has failed."""
_ANYWAY: Final = ("static", "health.live", "health.ready")
"""Endpoints that answer even if the file was replaced."""


class DatabaseReopen:
    """Checks that the open database is still the file at its path.

    :param reopen: opens the file that is there now; raises `Unavailable` if it cannot
    """

    def __init__(self, app: Flask, reopen: Callable[[], None]) -> None:
        self._app, self._reopen = app, reopen
        self._lock = threading.Lock()
        self._tried = -BETWEEN

    def check(self) -> None:
        """:raises Unavailable: "replaced", also if it was reopened; or another fault"""
        try:
            self._app.extensions["tables"].store.look()
        except Unavailable as error:
            if error.reason == "replaced" and self._lock.acquire(blocking=False):
                try:
                    self._open_again()
                finally:
                    self._lock.release()
            raise

    def _open_again(self) -> None:
        if time.monotonic() - self._tried < BETWEEN:
            return
        try:
            self._reopen()
            self._app.logger.warning("score book replaced: opened again")
        except Unavailable as error:
            self._tried = time.monotonic()
            self._app.logger.error("score book replaced: not opened again, %s", error.reason)


def init_app(app: Flask) -> None:

    @app.before_request
    def look() -> None:
        if request.endpoint not in _ANYWAY:
            reopen: DatabaseReopen = current_app.extensions["database_reopen"]
            reopen.check()
