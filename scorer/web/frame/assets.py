"""Static files by content: their address changes with them, so phones keep them for good."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, request, url_for


@cache
def fingerprint(path: Path) -> str:
    """The first letters of the file's hash, empty if there is no such file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10] if path.is_file() else ""


def _versioned() -> bool:
    """Whether the address changes with the file; what is vendored has its version in its name."""
    name = str((request.view_args or {}).get("filename"))
    return "v" in request.args or name.startswith("vendor/")


def init_app(app: Flask) -> None:
    """Stamp addresses of static files and let stamped ones be kept."""

    @app.url_defaults
    def stamp(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values and not app.debug:
            values["v"] = fingerprint(Path(str(app.static_folder)) / values["filename"])

    @app.template_global()
    def stylesheet(name: str) -> str:
        """The address of one of our stylesheets."""
        return url_for("static", filename=f"css/{name}.css")

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint == "static" and _versioned():
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            # Read whole: of what is streamed, the compressor gives no gzip.
            response.direct_passthrough = False
            response.make_sequence()
        elif request.endpoint != "static" and "Cache-Control" not in response.headers:
            # A kept page would offer taps on a state that is gone (back button, sleep).
            response.headers["Cache-Control"] = "no-store"
        return response
