"""One table: its start, the writer's pad, the board, the court, the sheet and its API."""

from __future__ import annotations

from typing import Final

from flask import Flask

from scorer.web.table import (
    api,
    board,
    court,
    farewell,
    held,
    lanes,
    ledger,
    lookback,
    refusals,
    said,
    sheet,
    start,
    writer,
)

PARTS: Final = (
    *(api, board, court, farewell, held, lookback),
    *(ledger, said, sheet, start, writer),
)
for own in (board, court, held, said, sheet, writer):
    refusals.init_blueprint(own.blueprint, typed=own in (board, writer))


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    lanes.init_app(app)
    for part in PARTS:
        app.register_blueprint(part.blueprint)
