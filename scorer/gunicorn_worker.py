"""A process of the server: gunicorn's gevent worker, which leaves stopping to its master."""

from __future__ import annotations

import signal
from typing import Any

from gunicorn.workers.ggevent import GeventWorker


class Worker(GeventWorker):
    """Stops by SIGTERM alone: Ctrl-C, which a terminal sends to each process, is the master's."""

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Let live pages go at once, so that stopping need not wait for them."""
        app = getattr(self, "wsgi", None)  # not yet there while it starts
        if app is not None:
            app.extensions["hub"].closed = True
        super().handle_exit(sig, frame)
