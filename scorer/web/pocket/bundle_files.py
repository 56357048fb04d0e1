"""Files of the app on a phone: the service worker and the bundle it fetches."""

from __future__ import annotations

import json
import os
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
    """Make the bundle's manifest available to the pages; None without a bundle."""
    app.config.setdefault("POCKET", str(_built(Path(app.instance_path))))
    app.extensions["pocket"] = _manifest(Path(app.config["POCKET"]))
    app.jinja_env.globals["pocket"] = app.extensions["pocket"]
    # A server cannot know the state of a phone; on a phone this is replaced.
    app.jinja_env.globals["phone_stands"] = lambda: {"pocket": "absent", "unsent": 0}


def _built(instance: Path) -> Path:
    """The bundle's folder: from `BUMMERL_POCKET`, built by `bummerl pocket`, or in the wheel."""
    named = os.environ.get("BUMMERL_POCKET")
    own = instance / "pocket"
    return Path(named) if named else own if own.is_dir() else CARRIED


def _manifest(folder: Path) -> dict[str, Any] | None:
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_text())
    except (OSError, ValueError):
        return None
    return found


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
    if current_app.extensions["pocket"] is None:
        abort(404)
    kind = "text/javascript" if path.endswith((".js", ".mjs")) else "application/octet-stream"
    return send_from_directory(current_app.config["POCKET"], path, mimetype=kind)
