"""Files of the app on a phone: the service worker and the bundle it fetches."""

from __future__ import annotations

import json
import os
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Flask, Response, abort, current_app, send_from_directory

import scorer

blueprint = Blueprint("pocket", __name__)

WORKER: Final = "sw.js"
"""The service worker, at the root of the site."""
MANIFEST: Final = "bundle.json"
"""The bundle's files with sizes and checksums."""
CARRIED: Final = Path(scorer.__file__).parent / "pocket" / "served"
"""The bundle in a wheel built with one."""

# Python in a browser compiles WebAssembly; the pages themselves never do.
POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def init_app(app: Flask) -> None:
    """Lets templates call `pocket()`, which returns the manifest."""
    app.jinja_env.globals["pocket"] = manifest
    # A server cannot know the state of a phone; on a phone this is replaced.
    app.jinja_env.globals["phone_stands"] = lambda: {"pocket": "absent", "unsent": 0}


def folder() -> Path:
    """The bundle's folder: in `BUMMERL_POCKET`, built by `bummerl pocket`, or in the wheel."""
    named = os.environ.get("BUMMERL_POCKET")
    built = Path(current_app.instance_path) / "pocket"
    return Path(named) if named else built if built.is_dir() else CARRIED


def manifest() -> dict[str, Any] | None:
    """The bundle's manifest; None without a bundle. A bundle may be built while the server runs."""
    file = folder() / MANIFEST
    try:
        return _read(file, file.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


@lru_cache(maxsize=1)
def _read(file: Path, modified: int) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text())
    return content


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, revalidated on each request."""
    response = _sent(WORKER)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    return response


@blueprint.get("/pocket/<version>/<name>")
def part(version: str, name: str) -> Response:
    """A file of the bundle, cacheable forever since its URL contains the version."""
    response = _sent(f"{version}/{name}")
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _sent(path: str) -> Response:
    if manifest() is None:
        abort(404)
    kind = "text/javascript" if path.endswith((".js", ".mjs")) else "application/octet-stream"
    return send_from_directory(folder(), path, mimetype=kind)
