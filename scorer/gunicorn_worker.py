"""gunicorn's gevent worker, which ignores Ctrl-C."""

from __future__ import annotations

import signal
from contextlib import suppress
from typing import Any

from gunicorn.workers.ggevent import GeventWorker

from scorer.store import Unavailable


class Worker(GeventWorker):
    """Ignores Ctrl-C (SIGINT), which a terminal sends to every process; stops by SIGTERM."""

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Blocked by `scorer.serve.Master` since before the fork.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})

    def notify(self) -> None:
        """Checks whether the database was replaced, because live pages send no requests that would.
        Called each second."""
        super().notify()
        app = getattr(self, "wsgi", None)  # not yet there while it starts
        if app is not None:
            with suppress(Unavailable):
                app.extensions["database_reopen"].check()

    def handle_exit(self, sig: int, frame: Any) -> None:
        """Closes live pages at once, so that stopping does not wait for them."""
        app = getattr(self, "wsgi", None)  # not yet there while it starts
        if app is not None:
            app.extensions["hub"].closed = True
        super().handle_exit(sig, frame)
