"""The differences between a server and a phone's browser, chosen here only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from flask import Flask

from scorer.book.notifications import Hub
from scorer.book.pairing_process import draw_round
from scorer.book.spreadsheet_import import no_workbook_text, workbook_text
from scorer.book.tournaments import Draw
from scorer.store.database_url import open_store
from scorer.store.sql_store import Store
from scorer.store.sqlite.phone_store import PhoneStore
from scorer.tournament import draw


@dataclass(frozen=True, slots=True)
class Platform:
    """The functions that differ between the platforms."""

    name: str
    store: Callable[[str], Store]
    hub: Callable[[Store], Hub]
    """Makes the hub that wakes live pages."""
    draw: Draw
    workbook_text: Callable[[bytes], str]
    """Reads the first sheet of a spreadsheet."""
    compress: Callable[[Flask], object]
    """Installs response compression."""
    codes: bool
    """Whether tables get codes for typing: only a server can check that one is free."""


def _compress(app: Flask) -> object:
    # Brotli and zstandard exist for servers only.
    from flask_compress import Compress

    return Compress(app)


def _polled_hub(store: Store) -> Hub:
    return Hub(store, waits=False)


def _no_compression(app: Flask) -> object:
    return app


SERVER: Final = Platform("server", open_store, Hub, draw_round, workbook_text, _compress, True)
PHONE: Final = Platform(
    "phone", PhoneStore, _polled_hub, draw, no_workbook_text, _no_compression, False
)
