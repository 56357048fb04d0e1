"""The app on a phone: its files, copies of streams for use offline, and synchronisation."""

from __future__ import annotations

from flask import Flask

from scorer.web.pocket import api, book_file, bundle_files, qr_transfer, sync_conflicts


def init_app(app: Flask) -> None:
    """Register the blueprints of this room."""
    for part in (api, book_file, qr_transfer, bundle_files, sync_conflicts):
        app.register_blueprint(part.blueprint)
    bundle_files.init_app(app)
