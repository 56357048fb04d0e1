"""A process of the server: gunicorn's gevent worker, which leaves stopping to its master."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import Any

from gunicorn.workers.ggevent import GeventWorker

from scorer.store import Unavailable


class Worker(GeventWorker):
    """Stops by SIGTERM alone: Ctrl-C, which a terminal sends to each process, is the master's."""

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Blocked by `scorer.serve.Master` since before the fork.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})

    def notify(self) -> None:
        """Each second: live pages, too, hear of another score book in the place of the open one."""
        super().notify()
        app = getattr(self, "wsgi", None)  # not yet there while it starts
        if app is not None:
            with suppress(Unavailable):
                app.extensions["database_reopen"].check()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Let live pages go at once, so that stopping need not wait for them."""
        app = getattr(self, "wsgi", None)  # not yet there while it starts
        if app is not None:
            app.extensions["hub"].closed = True
        super().handle_exit(sig, frame)
