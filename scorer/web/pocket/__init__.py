"""What a phone fetches to be a Bummerl of its own, and how it sends what it wrote alone."""

from __future__ import annotations

from flask import Flask

from scorer.web.pocket import api, bundle_files, qr_transfer, sync_conflicts


def init_app(app: Flask) -> None:
    """Open this room's pages."""
    for part in (api, qr_transfer, bundle_files, sync_conflicts):
        app.register_blueprint(part.blueprint)
    bundle_files.init_app(app)
