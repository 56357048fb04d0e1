"""What every page needs: who asks, in which language, within which limits. Knows no page."""

from __future__ import annotations

from flask import Flask

from scorer.web.frame import (
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
    security,
    sentences,
    templates,
    waiting,
)


def init_app(app: Flask) -> None:
    """Put round every request what it needs."""
    around = (logs, metrics, gate, proxies, waiting)
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
        health,
    )
    for part in (*around, *within):
        part.init_app(app)
