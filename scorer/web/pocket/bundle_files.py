"""Files of the app on a phone: the service worker and the bundle it fetches."""

from __future__ import annotations

import hashlib
import json
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Final

from flask import Blueprint, Flask, Response, abort, current_app, send_from_directory

import scorer
from scorer.config import bundle_folder
from scorer.web.frame.assets import asset_root

blueprint = Blueprint("bundle_files", __name__)

WORKER: Final = "sw.js"
"""The service worker, at the root of the site."""
MANIFEST: Final = "bundle.json"
"""The bundle's files with sizes and checksums."""
WHEEL_BUNDLE: Final = Path(scorer.__file__).parent / "pocket" / "served"
"""The bundle in a wheel built with one."""

# Python in a browser compiles WebAssembly; the pages themselves never do.
POLICY: Final = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'"


def init_app(app: Flask) -> None:
    """Let templates call `pocket()`, which returns the manifest."""
    app.jinja_env.globals["pocket"] = manifest
    # A server cannot know the state of a phone; on a phone this is replaced.
    app.jinja_env.globals["phone_status"] = lambda: {"pocket": "absent", "unsent": 0}


@cache
def app_digest() -> str:
    """A digest of the app's own files, the same in a checkout, a wheel, and wherever a bundle was
    built from one of them."""
    package, assets = Path(scorer.__file__).parent, asset_root()
    files = {
        path.relative_to(package).as_posix(): path
        for path in package.rglob("*")
        if path.suffix in (".py", ".toml", ".json", ".txt") and path.is_file()
    }
    for kind in ("templates", "static"):
        files |= {
            path.relative_to(assets).as_posix(): path
            for path in (assets / kind).rglob("*")
            if path.is_file()
        }
    digest = hashlib.sha256()
    for name, path in sorted(files.items()):
        if not name.startswith("pocket/served/"):
            digest.update(f"{name}\0".encode() + hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()[:12]


def folder(instance: Path | None = None) -> Path:
    """The bundle's folder: `BUMMERL_POCKET`, else the one of this very app, built by `bummerl
    pocket` or in the wheel, else any.

    :param instance: the app's instance folder, by default that of the current app
    """
    if configured := bundle_folder():
        return Path(configured)
    instance_bundle = (instance or Path(current_app.instance_path)) / "pocket"
    bundles = [bundle for bundle in (instance_bundle, WHEEL_BUNDLE) if bundle.is_dir()]
    if len(bundles) > 1:
        bundles.sort(key=lambda bundle: not is_current(manifest_in(bundle)))
    return bundles[0] if bundles else instance_bundle


def manifest() -> dict[str, Any] | None:
    """The bundle's manifest; None without a bundle. A bundle may be built while the server runs."""
    return manifest_in(folder())


def manifest_in(bundle: Path) -> dict[str, Any] | None:
    file = bundle / MANIFEST
    try:
        return _read(file, file.stat().st_mtime_ns)
    except (OSError, ValueError):
        return None


def is_current(bundle_manifest: dict[str, Any] | None) -> bool:
    """Whether a bundle was built from the files of this app."""
    return bundle_manifest is not None and bundle_manifest.get("app") == app_digest()


@lru_cache(maxsize=2)
def _read(file: Path, modified: int) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(file.read_text())
    return content


@blueprint.get("/sw.js")
def worker() -> Response:
    """The service worker, revalidated on each request."""
    response = _file_response(WORKER)
    response.headers["Cache-Control"] = "no-cache"
    response.headers["Content-Security-Policy"] = POLICY
    return response


@blueprint.get("/pocket/<version>/<name>")
def part(version: str, name: str) -> Response:
    """A file of the bundle, cacheable forever since its URL contains the version."""
    response = _file_response(f"{version}/{name}")
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    response.headers["Content-Security-Policy"] = POLICY
    return response


def _file_response(path: str) -> Response:
    if manifest() is None:
        abort(404)
    kind = "text/javascript" if path.endswith((".js", ".mjs")) else "application/octet-stream"
    return send_from_directory(folder(), path, mimetype=kind)
