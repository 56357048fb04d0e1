"""The bundle: the worker that makes a phone a Bummerl of its own, and the parts it fetches."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Flask, Response, abort, current_app, send_from_directory

import scorer

blueprint = Blueprint("pocket", __name__)

WORKER: Final = "sw.js"
"""The script that a phone keeps running, at the root of the site."""
MANIFEST: Final = "bundle.json"
"""The list of the bundle's files with their sizes and checksums."""
CARRIED: Final = Path(scorer.__file__).parent / "pocket" / "served"
"""The bundle inside a wheel that was built with one."""

# Python in a browser compiles WebAssembly; the pages themselves never do.
POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def init_app(app: Flask) -> None:
    """Tell the pages whether there is a bundle at all."""
    app.config.setdefault("POCKET", str(_built(Path(app.instance_path))))
    app.extensions["pocket"] = _manifest(Path(app.config["POCKET"]))
    app.jinja_env.globals["pocket"] = app.extensions["pocket"]
    # A server knows nothing of the phone; on a phone the host says how it stands.
    app.jinja_env.globals["phone_stands"] = lambda: {"pocket": "absent", "unsent": 0}


def _built(instance: Path) -> Path:
    """Where the bundle lies: as named, else as `bummerl pocket` built it, else in the wheel."""
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
    """The worker; browsers ask for it anew now and then."""
    response = _sent(WORKER)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    return response


@blueprint.get("/pocket/<version>/<name>")
def part(version: str, name: str) -> Response:
    """A part of the bundle; its address changes with it, so it is kept for good."""
    response = _sent(f"{version}/{name}")
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _sent(path: str) -> Response:
    if current_app.extensions["pocket"] is None:
        abort(404)
    kind = "text/javascript" if path.endswith((".js", ".mjs")) else "application/octet-stream"
    return send_from_directory(current_app.config["POCKET"], path, mimetype=kind)
