"""gunicorn's gevent worker, which ignores Ctrl-C."""

from __future__ import annotations

import signal
from typing import Any

from gunicorn.workers.ggevent import GeventWorker

from scorer.store import Unavailable
from scorer.store.sql_store import Store
from scorer.web.frame.processor_time import watch_greenlets


class Worker(GeventWorker):
    """Ignores Ctrl-C (SIGINT), which a terminal sends to every process; stops by SIGTERM."""

    def init_signals(self) -> None:
        super().init_signals()
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        # Blocked by `scorer.gunicorn_server.Master` since before the fork.
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})

    def run(self) -> None:
        watch_greenlets()
        super().run()

    def notify(self) -> None:
        """End this worker if the database was replaced; a new worker opens the new one.

        Called each second.
        """
        super().notify()
        app = getattr(self, "wsgi", None)  # not yet there while it starts
        if app is not None and _is_replaced(app.extensions["tables"].store):
            self._end_live_pages()
            self.alive = False

    def handle_exit(self, sig: int, frame: Any) -> None:
        self._end_live_pages()
        super().handle_exit(sig, frame)

    def _end_live_pages(self) -> None:
        """Close live pages at once, so that stopping does not wait for them."""
        app = getattr(self, "wsgi", None)
        if app is not None:
            app.extensions["hub"].closed = True


def _is_replaced(store: Store) -> bool:
    """Whether a new process can open another database in this one's place."""
    try:
        store.check_opened()
    except Unavailable as error:
        return error.reason == "replaced" and store.can_reopen()
    return False
