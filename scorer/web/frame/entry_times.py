"""The time of a recorded entry, as text and as HTML."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from markupsafe import Markup

from scorer.engine.scoring.record import entry_time
from scorer.store import hash_chain
from scorer.web.frame.translation import gettext

_TIME: Final = Markup('<time datetime="{}">{}</time>')
NOTE: Final = Markup(' <small class="quiet">({})</small>')


def clock(entry: Mapping[str, Any]) -> str:
    """Time of an entry in the server's time zone."""
    time = entry_time(entry)
    return f"{time:%H:%M}" if time else ""


def time_of(entry: Mapping[str, Any]) -> Markup:
    """Time of an entry as HTML, which a script converts to the reader's zone; marked if only a
    phone's clock gave it."""
    time = entry_time(entry)
    if time is None:
        return Markup()
    mark = NOTE.format(note) if (note := offline_note(entry)) else ""
    return shown_time(time) + mark


def shown_time(time: datetime) -> Markup:
    """:param time: with a time zone"""
    return _TIME.format(time.isoformat(), f"{time:%H:%M %Z}")


def offline_note(entry: Mapping[str, Any]) -> str:
    """Note for an entry that was recorded offline, else ""."""
    return gettext("by the phone's clock") if hash_chain.RECEIVED in entry else ""
