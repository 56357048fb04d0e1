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
)


def init_app(app: Flask) -> None:
    """Put round every request what it needs."""
    parts = (logs, metrics, gate, proxies, language, dialects, limits, security, htmx, assets)
    for part in (*parts, errors, health):
        part.init_app(app)
