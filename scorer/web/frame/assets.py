"""Static files below a path that names their content, so browsers may cache them forever."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path
from typing import Final

from flask import Flask, Response, request, url_for

import scorer

_LAYOUT_PATTERNS: Final = {
    "js": re.compile(rb"^\s*(?://.*\n)?| // .*$", re.MULTILINE),
    "css": re.compile(
        rb"/\*.*?\*/\s*|;\s+(?=\})|(?<=[{};:,>])\s+|\s+(?=[{}>])|(?<=[\s:,(])0(?=\.)", re.DOTALL
    ),
}
"""Comments and layout of our scripts and stylesheets, and zeros before a decimal point."""
_WORKER_FILES: Final = "js/worker"
"""Files that phones get in the offline app's bundle; the app on a phone does not have them."""


def asset_root() -> Path:
    """Directory of templates/ and static/: inside an installed wheel, else the repository."""
    package = Path(scorer.__file__).parent
    return package if (package / "templates").is_dir() else package.parent


@cache
def fingerprint(folder: Path) -> str:
    """First 10 hex digits of a SHA-256 over the names and contents of a folder's files.

    One for all files, because scripts and stylesheets name others by relative paths.
    """
    digest = hashlib.sha256()
    for path in sorted(filter(Path.is_file, folder.rglob("*"))):
        name = str(path.relative_to(folder))
        if not name.startswith(_WORKER_FILES):
            digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:10]


def _strip_layout(response: Response) -> None:
    folder = str((request.view_args or {}).get("filename")).rpartition("/")[0]
    layout = _LAYOUT_PATTERNS.get(folder)
    if layout is not None and response.status_code == 200:
        response.set_data(layout.sub(b"", response.get_data()))


def init_app(app: Flask) -> None:

    @app.get("/static/<release>/<path:filename>")
    def other_release(release: str, filename: str) -> Response:
        """The file as it is now, for pages of another release: opened before an update, or served
        by another server behind the same proxy."""
        return app.send_static_file(filename)

    @app.template_global()
    def stylesheet(name: str) -> str:
        return url_for("static", filename=f"css/{name}.css")

    @app.after_request
    def set_cache_control(response: Response) -> Response:
        if request.endpoint in ("static", "other_release"):
            # Flask-Compress does not gzip streamed responses.
            response.direct_passthrough = False
            response.make_sequence()
            _strip_layout(response)
        is_whole = request.endpoint == "static" and response.status_code in (200, 206, 304)
        if is_whole and not app.debug:
            response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
        elif request.endpoint == "other_release" or "Cache-Control" not in response.headers:
            # A cached page would show buttons for an old state (back button, sleep).
            response.headers["Cache-Control"] = "no-store"
        return response
