"""Where the app runs: on a server or in a phone's browser. All that differs is chosen here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flask import Flask

from scorer.book.notifications import Hub
from scorer.book.pairing_process import draw_in_process
from scorer.book.spreadsheet_import import no_workbook_text, workbook_text
from scorer.book.tournaments import Draw
from scorer.store.database_url import open_store
from scorer.store.sql_store import Store
from scorer.store.sqlite.phone_store import PhoneStore
from scorer.tournament import draw


@dataclass(frozen=True, slots=True)
class Runtime:
    """What one kind of place gives the app."""

    name: str
    store: Callable[[str], Store]
    """Opens the score book of this name."""
    hub: Callable[[Store], Hub]
    """Tells the open pages of what moved."""
    draw: Draw
    """Makes a tournament's next round."""
    workbook_text: Callable[[bytes], str]
    """Reads the first sheet of a workbook."""
    compress: Callable[[Flask], object]
    """Packs what goes over a network."""
    codes: bool
    """Whether it gives tables codes for typing: only a server knows which are free."""


def _compress(app: Flask) -> object:
    # Brotli and zstandard exist for servers only.
    from flask_compress import Compress

    return Compress(app)


def _told_once(store: Store) -> Hub:
    return Hub(store, waits=False)


def _as_it_is(app: Flask) -> object:
    return app


SERVER: Final = Runtime("server", open_store, Hub, draw_in_process, workbook_text, _compress, True)
PHONE: Final = Runtime("phone", PhoneStore, _told_once, draw, no_workbook_text, _as_it_is, False)
