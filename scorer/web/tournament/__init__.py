"""A Preiswatten: the desk, pairs and lists, results, hall and prints, and its API."""

from __future__ import annotations

from flask import Flask

from scorer.web.tournament import (
    api,
    desk,
    entry,
    files,
    hall,
    honours,
    links,
    matches,
    pairs,
    prints,
    season,
    setup,
)


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    for part in (
        api,
        desk,
        entry,
        files,
        hall,
        honours,
        links,
        matches,
        pairs,
        prints,
        season,
        setup,
    ):
        app.register_blueprint(part.blueprint)
