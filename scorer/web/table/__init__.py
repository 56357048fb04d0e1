"""One table: its start, the writer's pad, the board, corrections, score sheet and API."""

from __future__ import annotations

from typing import Final

from flask import Flask

from scorer.web.table import (
    api,
    board,
    entry_summary,
    error_handlers,
    ledger_page,
    links_page,
    lookback_page,
    pad_cache,
    readings,
    retention_notice,
    round_page,
    score_sheet,
    seat_claim,
    spoken_score,
    start,
    statements,
    writer,
)

PARTS: Final = (
    *(api, board, round_page, readings, retention_notice, seat_claim, lookback_page),
    *(ledger_page, links_page, statements, score_sheet, start, writer),
)
for part in (board, round_page, links_page, seat_claim, statements, score_sheet, writer):
    error_handlers.init_blueprint(part.blueprint, has_text_fields=part in (board, writer))


def init_app(app: Flask) -> None:
    pad_cache.init_app(app)
    entry_summary.init_app(app)
    spoken_score.init_app(app)
    for part in PARTS:
        app.register_blueprint(part.blueprint)
