"""What every request needs: access by key, language, limits, errors. It imports no page."""

from __future__ import annotations

from flask import Flask

from scorer.web.frame import (
    answer_header,
    assets,
    database_check,
    dialects,
    errors,
    health,
    htmx,
    language,
    lock_deadline,
    logs,
    metrics,
    processor_time,
    proxies,
    rate_limits,
    refusals,
    request_gate,
    security,
    templates,
    translation,
)


def init_app(app: Flask) -> None:
    around = (logs, metrics, request_gate, processor_time, proxies, lock_deadline, answer_header)
    within = (
        templates,
        language,
        translation,
        dialects,
        rate_limits,
        security,
        htmx,
        assets,
        errors,
        refusals,
        health,
        database_check,
    )
    for part in (*around, *within):
        part.init_app(app)
