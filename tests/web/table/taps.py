"""Taps on the pads of two phones."""

import json
from itertools import count

from tests.pages import Page

FIRST_PHONE, SECOND_PHONE = "first".ljust(26, "a"), "other".ljust(26, "b")
NUMBERS = count()


def tap(server, key, phone, *events, **fields):
    """Tap a button that records these events on this phone; return the status and page."""
    event = json.dumps(events[0] if len(events) == 1 else events)
    form = {"seq": server.seq(key), "token": f"t{next(NUMBERS)}", "event": event, **fields}
    cookie = f"phone={phone}; tables={key}"
    status, _, text = server.request("POST", f"/t/{key}/events", [*form.items()], Cookie=cookie)
    return status, Page(text)


def record(server, key, phone, *events, **fields):
    """Tap a button whose events must be recorded without a question."""
    assert tap(server, key, phone, *events, **fields)[0] == 303, events
