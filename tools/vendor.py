"""Fetches the pinned browser scripts, unchanged, with their licences and checksums."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "static" / "vendor"
TESTS = ROOT / "tests" / "browser" / "vendor"
# Package, the file in it, and where it goes.
FILES = (
    ("htmx.org", "dist/htmx.min.js", STATIC),
    ("htmx-ext-sse", "dist/sse.min.js", STATIC),
    ("idiomorph", "dist/idiomorph-ext.min.js", STATIC),
    ("axe-core", "axe.min.js", TESTS),
)


def main() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    versions = package["dependencies"] | package["devDependencies"]
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        wanted = [f"{name}@{versions[name]}" for name, _, _ in FILES]
        # Without --prefix npm would install into a node_modules it finds further up.
        command = ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-package-lock"]
        subprocess.run([*command, "--silent", *wanted], check=True)
        for name, source, target in FILES:
            entries.append(copy(Path(folder) / "node_modules" / name, name, source, target))
    text = json.dumps(entries, indent=2) + "\n"
    (STATIC / "manifest.json").write_text(text)


def copy(package: Path, name: str, source: str, target: Path) -> dict[str, str]:
    """Copy one script and its licence; returns its entry in the manifest."""
    about = json.loads((package / "package.json").read_text())
    script = target / f"{name}-{about['version']}.min.js"
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob(f"{name}-*.min.js"):
        old.unlink()
    script.write_bytes((package / source).read_bytes())
    licence = next(path for path in package.iterdir() if path.name.upper().startswith("LICENSE"))
    (target / f"{name}-LICENSE.txt").write_bytes(licence.read_bytes())
    return {
        "name": name,
        "version": about["version"],
        # Where a package does not name its licence, the first line of its text does.
        "licence": about.get("license") or licence.read_text().splitlines()[0],
        "file": str(script.relative_to(ROOT)),
        "sha256": hashlib.sha256(script.read_bytes()).hexdigest(),
    }


if __name__ == "__main__":
    main()
