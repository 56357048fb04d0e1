"""Tournament pages: desk, pairs, results, hall, printouts, and the JSON API."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from flask import Flask

from scorer.engine import Illegal
from scorer.web.tournament.error_handlers import illegal_response
from scorer.web.tournament.labels import unbroken

PARTS: Final = (
    "api",
    "desk",
    "draw_forms",
    "matches",
    "pairs_page",
    "setup",
    "links_page",
    "prize_form",
    "deciders_page",
    "clone",
    "signup",
    "result_entry",
    "visitors",
    "hall_screen",
    "printouts",
    "exports",
    "series_page",
    "published",
)
"""Modules with the director's pages, then those with pages for all others."""


BLUEPRINTS: Final = [import_module(f"{__name__}.{part}").blueprint for part in PARTS]
for blueprint in BLUEPRINTS:
    blueprint.register_error_handler(Illegal, illegal_response)


def init_app(app: Flask) -> None:
    app.add_template_filter(unbroken)
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
