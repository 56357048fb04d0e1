"""Rules to read: the pages of the regions, what a score is worth, and the referee."""

from __future__ import annotations

from flask import Flask

from scorer.web.rules import dialects, equity, pages, referee
from scorer.web.rules.switch_names import variant_name


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    for part in (pages, dialects, equity, referee):
        app.register_blueprint(part.blueprint)
    app.jinja_env.globals["variant_name"] = variant_name
