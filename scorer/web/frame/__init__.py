"""What every page needs: who asks, in which language, within which limits. Knows no page."""

from __future__ import annotations

from flask import Flask

from scorer.web.frame import assets, errors, gate, htmx, language, limits, logs, proxies, security


def init_app(app: Flask) -> None:
    """Put round every request what it needs."""
    logs.scrub(app.logger)
    for part in (gate, proxies, language, limits, security, htmx, assets, errors):
        part.init_app(app)
