"""Downloads the pinned browser scripts and a font subset, with licences and checksums."""

from __future__ import annotations

import hashlib
import json
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from fontTools.subset import Options, Subsetter, load_font, save_font
from fontTools.ttLib import TTFont

ROOT = Path(__file__).parent.parent
STATIC = ROOT / "static" / "vendor"
TESTS = ROOT / "tests" / "browser" / "vendor"
# Package, file, target folder.
FILES = (
    ("htmx.org", "dist/htmx.min.js", STATIC),
    ("htmx-ext-sse", "dist/sse.min.js", STATIC),
    ("idiomorph", "dist/idiomorph-ext.min.js", STATIC),
    # Modules that import each other keep their names, in a folder.
    ("qr", "decode.js", STATIC),
    ("qr", "index.js", STATIC),
    ("axe-core", "axe.min.js", TESTS),
)
# Whole packages: package, folder, target folder.
FOLDERS = (("fake-indexeddb", "build/esm", TESTS),)
# Characters of the slate and of the name on the start page.
FACE = ("@fontsource/vollkorn", "files/vollkorn-latin-700-normal.woff2")
CUTS = {"vollkorn-figures": "0123456789:+-–−", "vollkorn-name": "Bumerl"}


def main() -> None:
    package = json.loads((ROOT / "package.json").read_text())
    versions = package["dependencies"] | package["devDependencies"]
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        wanted = [f"{name}@{versions[name]}" for name, *_ in (*FILES, *FOLDERS, FACE)]
        # Without --prefix npm would use a node_modules of a parent folder.
        command = ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-package-lock"]
        subprocess.run([*command, "--silent", *wanted], check=True)
        packages = Path(folder) / "node_modules"
        for name, source, target in (*FILES, *modules(packages)):
            entries.append(copy(packages / name, name, source, target))
        entries += [cut(packages / FACE[0], *each) for each in CUTS.items()]
    text = json.dumps(entries, indent=2) + "\n"
    (STATIC / "manifest.json").write_text(text)


def modules(packages: Path) -> Iterator[tuple[str, str, Path]]:
    """Package, file and target of each module of a folder."""
    for name, folder, target in FOLDERS:
        for path in sorted((packages / name / folder).rglob("*.js")):
            yield name, str(path.relative_to(packages / name)), target


def cut(package: Path, called: str, signs: str) -> dict[str, str]:
    """Writes a font with only these characters; returns its manifest entry."""
    name, source = FACE
    version = json.loads((package / "package.json").read_text())["version"]
    font = STATIC / f"{called}-{version}.woff2"
    for old in STATIC.glob(f"{called}-*.woff2"):
        old.unlink()
    options = Options()
    options.layout_features = ["kern"]
    options.flavor = "woff2"
    subset = Subsetter(options)
    with load_font(str(package / source), options) as face:
        upright(face)
        subset.populate(text=signs)
        subset.subset(face)
        save_font(face, str(font), options)
    (STATIC / f"{called}-LICENSE.txt").write_bytes((package / "LICENSE").read_bytes())
    return {
        "name": name,
        "version": version,
        "licence": "OFL-1.1",
        "file": str(font.relative_to(ROOT)),
        "sha256": hashlib.sha256(font.read_bytes()).hexdigest(),
    }


def upright(face: TTFont) -> None:
    """Makes lining tabular figures the font's default."""
    gsub = face["GSUB"].table
    for tag in ("lnum", "tnum"):
        records = (r for r in gsub.FeatureList.FeatureRecord if r.FeatureTag == tag)
        lookups = {index for record in records for index in record.Feature.LookupListIndex}
        for subtable in (sub for at in lookups for sub in gsub.LookupList.Lookup[at].SubTable):
            mapping = getattr(subtable, "ExtSubTable", subtable).mapping
            for cmap in face["cmap"].tables:
                cmap.cmap = {sign: mapping.get(glyph, glyph) for sign, glyph in cmap.cmap.items()}


def copy(package: Path, name: str, source: str, target: Path) -> dict[str, str]:
    """Copies a script and its licence; returns its manifest entry."""
    about = json.loads((package / "package.json").read_text())
    ending = ".min.js" if source.endswith(".min.js") else f"/{source}"
    script = target / f"{name}-{about['version']}{ending}"
    script.parent.mkdir(parents=True, exist_ok=True)
    for old in target.glob(f"{name}-*{ending}"):
        old.unlink()
    script.write_bytes((package / source).read_bytes())
    licence = next(path for path in package.iterdir() if path.name.upper().startswith("LICENSE"))
    (target / f"{name}-LICENSE.txt").write_bytes(licence.read_bytes())
    return {
        "name": name,
        "version": about["version"],
        # Else the first line of the licence's text.
        "licence": about.get("license") or licence.read_text().splitlines()[0],
        "file": str(script.relative_to(ROOT)),
        "sha256": hashlib.sha256(script.read_bytes()).hexdigest(),
    }


if __name__ == "__main__":
    main()
