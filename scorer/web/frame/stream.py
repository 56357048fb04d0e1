"""Server-sent events of a table: one message each time it moves."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from typing import Final

from flask import Response, abort, current_app, request

from scorer.web.frame.access import Guest, hub, tables
from scorer.web.frame.limits import client
from scorer.web.frame.seats import Seats

HEARTBEAT: Final = 15.0
"""Seconds between signs of life; only a write shows that a phone has gone."""
LONGEST: Final = 600.0
"""Seconds after which a stream ends and the phone comes again, perhaps to another worker."""


def last_seen() -> int:
    """The number of events a returning watcher had seen, or -1."""
    text = request.headers.get("Last-Event-ID", "")
    return int(text) if text.isdecimal() and len(text) < 10 else -1


def watch(
    holder: Guest, name: str, render: Callable[[], tuple[int, str]], beside: str = ""
) -> Response:
    """Send `render`'s (length, text) now if it is news, and whenever the table moves.

    It ends when the holder's key is renewed: what happens afterwards is not theirs to see.

    :param beside: another stream whose moves may change the text, too

    :raises ServiceUnavailable: 503, as many look as this worker can hold
    """
    news, book, seen = hub(), tables().store, last_seen()
    seats: Seats = current_app.extensions["seats"]
    who = client()
    if not seats.take(who):
        abort(503, "too-many-watch")

    def messages() -> Iterator[str]:
        known, told, end = seen, "", time.monotonic() + LONGEST * random.uniform(0.8, 1.2)
        yield f"retry: {random.randint(500, 2000)}\n\n"
        while not news.closed and time.monotonic() < end and book.find(holder.key):
            lengths = {beside: book.length(beside)} if beside else {}
            length, text = render()
            if length != known or (beside and text != told):
                known = length
                # What moved elsewhere in the stream is no news to who looks at one part of it.
                if text == told:
                    continue
                told = text
                data = "".join(f"data: {line}\n" for line in text.splitlines())
                yield f"event: {name}\nid: {length}\n{data}\n"
            if not news.waits:
                return
            lengths[holder.stream] = known
            while not news.wait(lengths, HEARTBEAT * random.uniform(0.8, 1.2)):
                if news.closed or time.monotonic() > end or not book.find(holder.key):
                    return
                yield ": still here\n\n"

    response = Response(messages(), mimetype="text/event-stream")
    response.call_on_close(lambda: seats.leave(who))
    response.headers["Cache-Control"] = "no-cache"
    response.headers["X-Accel-Buffering"] = "no"
    return response
