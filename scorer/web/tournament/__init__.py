"""A Preiswatten: the desk, pairs and lists, results, hall and prints, and its API."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from flask import Flask

PARTS: Final = (
    *("api", "desk", "matches", "pairs", "setup", "links", "honours", "again"),
    *("signup", "entry", "hall", "prints", "files", "season"),
)
"""The pages of whoever runs it, and those of everybody else."""


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    for part in PARTS:
        app.register_blueprint(import_module(f"{__name__}.{part}").blueprint)
