"""Static file URLs with a content hash, so browsers may cache the files forever."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from flask import Flask, Response, request, url_for

_LAYOUT: Final = {
    "js": re.compile(rb"^ *(?://.*\n)?", re.MULTILINE),
    "css": re.compile(rb"/\*.*?\*/\s*|(?<=[{};:,])\s+|\s+(?=[{}])", re.DOTALL),
}
"""Comments and layout of our scripts and stylesheets: an eighth of a first visit."""


@cache
def fingerprint(path: Path) -> str:
    """First 10 hex digits of the file's SHA-256; "" if it does not exist."""
    return hashlib.sha256(path.read_bytes()).hexdigest()[:10] if path.is_file() else ""


def _filename() -> str:
    return str((request.view_args or {}).get("filename"))


def _versioned() -> bool:
    """Whether the URL changes with the content; vendored files have a version in their name."""
    return "v" in request.args or _filename().startswith("vendor/")


def _strip_layout(response: Response) -> None:
    layout = _LAYOUT.get(_filename().rpartition("/")[0])
    if layout is not None and response.status_code == 200:
        response.set_data(layout.sub(b"", response.get_data()))


def init_app(app: Flask) -> None:

    @app.url_defaults
    def stamp(endpoint: str, values: dict[str, Any]) -> None:
        if endpoint == "static" and "filename" in values and not app.debug:
            values["v"] = fingerprint(Path(str(app.static_folder)) / values["filename"])

    @app.template_global()
    def stylesheet(name: str) -> str:
        return url_for("static", filename=f"css/{name}.css")

    @app.after_request
    def keep(response: Response) -> Response:
        if request.endpoint == "static":
            if _versioned():
                response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
            # Flask-Compress does not gzip streamed responses.
            response.direct_passthrough = False
            response.make_sequence()
            _strip_layout(response)
        elif request.endpoint != "static" and "Cache-Control" not in response.headers:
            # A cached page would show buttons for an old state (back button, sleep).
            response.headers["Cache-Control"] = "no-store"
        return response
