"""Where another score book was put in the place of the open one, the server begins anew with it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final

from flask import Flask, current_app, request

from scorer.store import Unavailable

BETWEEN: Final = 1.0
"""Seconds between two tries to open what lies there."""
_ANYWAY: Final = ("static", "health.live", "health.ready")
"""Views that answer whatever lies there."""


class DatabaseReopen:
    """Whether the app's score book is the one it opened.

    :param reopen: opens what lies there now; raises `Unavailable` where it cannot
    """

    def __init__(self, app: Flask, reopen: Callable[[], None]) -> None:
        self._app, self._reopen = app, reopen
        self._lock = threading.Lock()
        """Held by who opens it again; nobody waits for that."""
        self._tried = -BETWEEN

    def check(self) -> None:
        """Returns where it is.

        :raises Unavailable: "replaced"; who asks next finds the other one, if it can be opened
        """
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
    """Look before each request."""

    @app.before_request
    def look() -> None:
        if request.endpoint not in _ANYWAY:
            reopen: DatabaseReopen = current_app.extensions["database_reopen"]
            reopen.check()
