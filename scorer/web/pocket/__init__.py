"""What a phone fetches to be a Bummerl of its own, and how it sends what it wrote alone."""

from __future__ import annotations

from flask import Flask

from scorer.web.pocket import api, codes, files, parting


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    for part in (api, codes, files, parting):
        part.init_app(app)
