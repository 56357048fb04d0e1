"""What every page needs: who asks, in which language, within which limits. Knows no page."""

from __future__ import annotations

from flask import Flask

from scorer.web.frame import (
    answer_mark,
    assets,
    dialects,
    errors,
    gate,
    health,
    htmx,
    language,
    limits,
    logs,
    metrics,
    proxies,
    refusals,
    security,
    sentences,
    templates,
    waiting,
)


def init_app(app: Flask) -> None:
    """Put round every request what it needs."""
    around = (logs, metrics, gate, proxies, waiting, answer_mark)
    within = (
        templates,
        language,
        sentences,
        dialects,
        limits,
        security,
        htmx,
        assets,
        errors,
        refusals,
        health,
    )
    for part in (*around, *within):
        part.init_app(app)
