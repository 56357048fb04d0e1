"""A Preiswatten: the desk, pairs and lists, results, hall and prints, and its API."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from flask import Flask

from scorer.engine import Illegal
from scorer.web.tournament.tournament_view import illegal

PARTS: Final = (
    *("api", "desk", "matches", "pairs", "setup", "links", "prizes", "tie_breaks", "clone"),
    *("signup", "result_entry", "hall", "printouts", "exports", "series"),
)
"""The pages of whoever runs it, and those of everybody else."""


BLUEPRINTS: Final = [import_module(f"{__name__}.{part}").blueprint for part in PARTS]
for blueprint in BLUEPRINTS:
    blueprint.register_error_handler(Illegal, illegal)


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    for blueprint in BLUEPRINTS:
        app.register_blueprint(blueprint)
