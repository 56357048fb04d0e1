"""What every page needs: who asks, in which language, within which limits. Knows no page."""

from __future__ import annotations

from flask import Flask

from scorer.web.frame import (
    assets,
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
    parts = (logs, metrics, gate, proxies, language, limits, security, htmx, assets, errors, health)
    for part in parts:
        part.init_app(app)
