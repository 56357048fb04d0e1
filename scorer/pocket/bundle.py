"""Builds the bundle that a phone downloads: Python for browsers, the libraries, and this app.

Every downloaded part is pinned in `parts.json` by its checksum. All Python is byte-compiled by
the version that will run it, so the phone compiles nothing at start.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from scorer.pocket import bundle_trimming
from scorer.pocket.archive_files import UnsafePath, tar_folder, unpack_tar, zip_folder
from scorer.web.pocket.bundle_files import MANIFEST, WORKER, app_digest

FOLDER: Final = Path(__file__).parent
PARTS: Final[Mapping[str, Any]] = json.loads((FOLDER / "parts.json").read_text())
OMITTED_FILES: Final = (
    "gunicorn_server.py",
    "gunicorn_worker.py",
    "cli.py",
    "commands",
    "catalogs.py",
    "archive_files.py",
    "bundle.py",
    "bundle_trimming.py",
    "command.py",
    "parts.json",
    "compile.mjs",
    "site",
)
"""Files of this app that are not in the bundle: server and build code."""
SCRIPTS: Final = Path("static") / "js" / "worker"
"""Scripts that run the app in a browser. They lie beside `app.tar`, not in it."""
SHARED_SCRIPTS: Final = ("root.js", "app_path.js")
"""Scripts that these share with the pages; copied beside them, where they import them from."""

ANSWER_SECONDS: Final = 5
"""Seconds until a registry must begin to answer."""
DOWNLOAD_SECONDS: Final = 300
OFFLINE_ERROR: Final = re.compile(
    r"ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH"
    r"|FETCH_ERROR|network|onnection broken|from versions: none|timed out"
)
"""Error messages of npm and pip without network."""


class MissingPart(Exception):
    """A tool or part is not available; the text says what to do."""


class PartUnreachable(MissingPart):
    """A part is not available without network."""


class ChecksumMismatch(Exception):
    """A part does not have its pinned checksum."""


def build(bundle_folder: Path, out: Path) -> dict[str, Any]:
    """Write a server's bundle into `out`, replacing it; return the manifest.

    :param bundle_folder: the folder written by `make`
    """
    manifest = _manifest(bundle_folder)
    new_folder = out.with_name(f"{out.name}.new")
    shutil.rmtree(new_folder, ignore_errors=True)
    new_folder.mkdir(parents=True)
    _copy_parts(manifest, bundle_folder, new_folder / str(manifest["version"]))
    (new_folder / MANIFEST).write_text(json.dumps(manifest, indent=2) + "\n")
    (new_folder / WORKER).write_text(_worker(manifest))
    # Written beside and renamed, so an incomplete bundle is never served.
    shutil.rmtree(out, ignore_errors=True)
    new_folder.rename(out)
    return manifest


def site(bundle_folder: Path, assets: Path, out: Path) -> dict[str, Any]:
    """Write a static site into `out`; return the manifest.

    :param bundle_folder: the folder written by `make`
    :param assets: the folder of templates/ and static/
    """
    manifest = {**_manifest(bundle_folder), "site": True}
    shutil.rmtree(out / "pocket", ignore_errors=True)
    _copy_parts(manifest, bundle_folder, out / "pocket" / str(manifest["version"]))
    (out / WORKER).write_text(_worker(manifest))
    for name in ("index.html", "404.html", "first.js", "first.css"):
        shutil.copy(FOLDER / "site" / name, out / name)
    # Target of the QR codes of evenings, for phones without this site.
    (out / "q").mkdir(exist_ok=True)
    start_page = (FOLDER / "site" / "index.html").read_text()
    (out / "q" / "index.html").write_text(start_page.replace('"./', '"../'))
    shutil.copy(assets / "static" / "icon.svg", out)
    shutil.copytree(assets / "static" / "icons", out / "icons", dirs_exist_ok=True)
    web_app = (assets / "static" / "bummerl.webmanifest").read_text()
    (out / "bummerl.webmanifest").write_text(web_app.replace('"../../"', '"./"'))
    return manifest


def make(bundle_folder: Path, assets: Path, parts: Path) -> None:
    """Make every part of the bundle in the new folder `bundle_folder`.

    :param assets: the folder of templates/ and static/
    :param parts: cache of downloads
    :raises MissingPart: npm, Node.js or a registry is not available
    :raises ChecksumMismatch: a download does not have its checksum
    """
    parts.mkdir(parents=True, exist_ok=True)
    python = _pyodide(parts)
    with tempfile.TemporaryDirectory() as scratch:
        app, standard_library = Path(scratch) / "app", Path(scratch) / "standard"
        _unpack_libraries(app, parts)
        bundle_trimming.trim_networkx(app / "networkx")
        _copy_app(app, assets)
        _unpack_standard_library(standard_library, python)
        _compile(Path(scratch), python)
        bundle_folder.mkdir(parents=True)
        _pack_runtime(bundle_folder, python)
        for module in _scripts(assets):
            shutil.copy(module, bundle_folder)
        _pack(bundle_folder / "python_stdlib.zip", zip_folder(standard_library))
        _pack(bundle_folder / "app.tar", tar_folder(app))


def _scripts(assets: Path) -> list[Path]:
    folder = assets / SCRIPTS
    return [*sorted(folder.iterdir()), *(folder.with_name(name) for name in SHARED_SCRIPTS)]


def _verify_checksum(file: Path, sha256: str) -> Path:
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    if digest != sha256:
        file.unlink()
        raise ChecksumMismatch(f"{file.name} is not the pinned one: its checksum is {digest}")
    return file


def _run(command: list[str], folder: Path, missing: str, timeout: float | None = None) -> None:
    """Run a tool in a folder.

    :param missing: text of the error
    :param timeout: in seconds
    :raises MissingPart: the tool is not installed, or fails
    :raises PartUnreachable: it fails without network, or times out
    """
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=timeout)
    except FileNotFoundError:
        raise MissingPart(missing) from None
    except subprocess.TimeoutExpired:
        raise PartUnreachable(missing) from None
    if done.returncode and OFFLINE_ERROR.search(done.stderr):
        raise PartUnreachable(missing)
    if done.returncode:
        raise MissingPart(f"{missing} ({' '.join(command[:3])}: {done.stderr.strip()[-300:]})")


def _pyodide(parts: Path) -> Path:
    pinned = PARTS["pyodide"]
    folder = parts / f"pyodide-{pinned['version']}"
    if not (folder / "package").is_dir():
        _fetch_pyodide(folder, f"pyodide@{pinned['version']}")
    for name, sha256 in pinned["files"].items():
        _verify_checksum(folder / "package" / name, sha256)
    return folder / "package"


def _fetch_pyodide(folder: Path, name: str) -> None:
    """Download and unpack Pyodide into the new folder, as a whole or not at all.

    `npm view` checks first that the registry answers; `npm pack` would wait a minute.
    """
    parts, missing = folder.parent, "Fetching Python for browsers needs npm and the network"
    without_retries = ["--fetch-retries=0", f"--fetch-timeout={1000 * ANSWER_SECONDS}"]
    _run(["npm", "view", *without_retries, name, "version"], parts, missing, 3 * ANSWER_SECONDS)
    _run(["npm", "pack", "--silent", "--fetch-retries=1", name], parts, missing, DOWNLOAD_SECONDS)
    archive, fresh = folder.with_name(f"{folder.name}.tgz"), folder.with_name(f"{folder.name}.new")
    shutil.rmtree(fresh, ignore_errors=True)
    try:
        unpack_tar(archive, fresh)
    except UnsafePath as fault:
        raise ChecksumMismatch(f"{fault} leads out of its folder") from None
    shutil.rmtree(folder, ignore_errors=True)
    fresh.rename(folder)
    archive.unlink()


def _unpack_libraries(app: Path, parts: Path) -> None:
    """Unpack the libraries' Python modules, without those the phone never loads."""
    packages = PARTS["packages"]
    missing = [
        f"{name}=={pinned['version']}"
        for name, pinned in packages.items()
        if not (parts / pinned["file"]).is_file()
    ]
    if missing:
        _download(missing, parts)
    for pinned in packages.values():
        with zipfile.ZipFile(_verify_checksum(parts / pinned["file"], pinned["sha256"])) as wheel:
            _unpack(wheel, app)


def _download(requirements: list[str], parts: Path) -> None:
    """Download wheels: pure Python, or the manylinux wheel of compiled libraries."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--retries", "1", "--timeout", str(ANSWER_SECONDS), "--only-binary", ":all:"]
    command += ["--implementation", "cp", "--python-version", "3.14", "--abi", "cp314"]
    command += ["--abi", "none", "--platform", "manylinux2014_x86_64", "--platform", "any"]
    missing = "Fetching the libraries of what phones run needs the network"
    _run([*command, "--dest", ".", *requirements], parts, missing, DOWNLOAD_SECONDS)


def _unpack(wheel: zipfile.ZipFile, app: Path) -> None:
    for info in wheel.infolist():
        if not info.is_dir() and bundle_trimming.library_file(info.filename):
            wheel.extract(info, app)


def _copy_app(app: Path, assets: Path) -> None:
    """Copy this app as in a wheel: the package with templates and static files inside.

    From a wheel, the result is the same as from a checkout.
    """
    ignore = shutil.ignore_patterns("__pycache__", "*.po", "served", SCRIPTS.name, *OMITTED_FILES)
    shutil.copytree(FOLDER.parent, app / "scorer", ignore=ignore, dirs_exist_ok=True)
    ignore = shutil.ignore_patterns(SCRIPTS.name)
    for folder in ("templates", "static"):
        shutil.copytree(assets / folder, app / "scorer" / folder, ignore=ignore, dirs_exist_ok=True)


def _unpack_standard_library(folder: Path, python: Path) -> None:
    """Unpack the standard library, without the modules that a phone never loads."""
    with zipfile.ZipFile(python / "python_stdlib.zip") as archive:
        wanted = [name for name in archive.namelist() if bundle_trimming.standard_file(name)]
        archive.extractall(folder, wanted)


def _compile(scratch: Path, python: Path) -> None:
    script = str(FOLDER / "compile.mjs")
    command = ["node", script, str(python.resolve()), str(scratch)]
    _run(command, scratch, "Compiling for browsers needs Node.js")


def _pack_runtime(bundle_folder: Path, python: Path) -> None:
    for name in ("pyodide.mjs", "pyodide.asm.mjs"):
        shutil.copy(python / name, bundle_folder / name)
    _pack(bundle_folder / "pyodide.asm.wasm", (python / "pyodide.asm.wasm").read_bytes())
    lock = json.loads((python / "pyodide-lock.json").read_text())
    _pack(bundle_folder / "pyodide-lock.json", json.dumps({**lock, "packages": {}}).encode())


def _pack(target: Path, data: bytes) -> None:
    """Write the file gzipped: static hosts may not compress, so the phone unpacks it."""
    target.with_name(f"{target.name}.gz").write_bytes(gzip.compress(data, mtime=0))


def _manifest(bundle_folder: Path) -> dict[str, Any]:
    """Every file with size and checksum, and a version computed from the checksums."""
    files = [
        {
            "name": path.name,
            "bytes": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in sorted(bundle_folder.iterdir())
    ]
    version = hashlib.sha256("".join(str(file["sha256"]) for file in files).encode()).hexdigest()
    return {"version": version[:12], "app": app_digest(), "files": files, "bytes": _sum(files)}


def _sum(files: Iterable[Mapping[str, Any]]) -> int:
    return sum(int(file["bytes"]) for file in files)


def _copy_parts(manifest: Mapping[str, Any], bundle_folder: Path, folder: Path) -> None:
    """Copy the parts into `folder`, with the manifest as a JavaScript module."""
    shutil.copytree(bundle_folder, folder)
    (folder / "bundle.js").write_text(f"export const BUNDLE = {json.dumps(manifest)};\n")


def _worker(manifest: Mapping[str, Any]) -> str:
    """The service worker's script: its URL is fixed, the imported module's has the version."""
    return f'import "./pocket/{manifest["version"]}/service.js";\n'
