"""The project's description of itself is true."""

import doctest
import hashlib
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scorer.cli import main

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
PACKAGE = json.loads((ROOT / "package.json").read_text())
VENDORED = json.loads((ROOT / "static/vendor/manifest.json").read_text())
# A path in somebody's own folders. The path of Chromium on a Mac is not one.
FOREIGN = re.compile(r"(?<![\w.:/-])/(?:work|root|home/\w+|Users/\w+)/\w")


def test_vendored_scripts_are_unchanged():
    for entry in VENDORED:
        script = ROOT / entry["file"]
        assert hashlib.sha256(script.read_bytes()).hexdigest() == entry["sha256"], entry["file"]
        called, _, ending = entry["file"].partition(f"-{entry['version']}")
        assert re.fullmatch(r"\.min\.js|\.woff2|(/\w+)+\.js", ending)
        assert (ROOT / f"{called}-LICENSE.txt").is_file()
        assert entry["licence"]
    named = {entry["name"]: entry["version"] for entry in VENDORED}
    assert named == PACKAGE["dependencies"] | PACKAGE["devDependencies"]


def test_every_vendored_script_is_in_the_manifest():
    files = [*ROOT.glob("static/vendor/**/*"), *ROOT.glob("tests/browser/vendor/**/*")]
    there = {str(path.relative_to(ROOT)) for path in files if path.suffix in (".js", ".woff2")}
    assert there == {entry["file"] for entry in VENDORED}


def test_pages_name_only_static_files_that_exist():
    for page in (ROOT / "templates").rglob("*.html"):
        for name in re.findall(r"'static', filename='([^']+)'", page.read_text()):
            assert (ROOT / "static" / name).is_file(), f"{page.name}: {name}"
        for names in re.findall(r"set styles = \[([^\]]*)\]", page.read_text()):
            for name in re.findall(r'"(\w+)"', names):
                assert (ROOT / "static" / "css" / f"{name}.css").is_file(), f"{page.name}: {name}"


def test_browser_bar_has_the_colour_of_the_page():
    tokens = (ROOT / "static/css/tokens.css").read_text()
    light, dark, _ = re.findall(r"--ground: (#\w+)", tokens)
    base = (ROOT / "templates/frame/base.html").read_text()
    assert re.findall(r'name="theme-color" content="(#\w+)"', base) == [light, dark]
    manifest = json.loads((ROOT / "static/bummerl.webmanifest").read_text())
    assert manifest["theme_color"] == manifest["background_color"] == dark


@pytest.mark.parametrize(
    ("looks", "install"),
    [
        (["tests/browser/find_chromium.py"], "apt-get install chromium"),
        (["-m", "tests.cluster"], "apt-get install postgresql nginx"),
    ],
)
def test_missing_program_error_names_its_package(looks, install):
    nowhere = dict.fromkeys(("CHROMIUM", "POSTGRES_BIN", "PATH"), "/nowhere")
    command = [sys.executable, *looks]
    done = subprocess.run(command, cwd=ROOT, env=nowhere, capture_output=True, text=True)
    assert done.returncode == 1
    assert install in done.stderr


def _names(requirements):
    return {re.split(r"[^\w.-]", requirement)[0] for requirement in requirements}


@pytest.mark.parametrize(
    ("section", "needed"),
    [
        ("At run time", _names(PROJECT["project"]["dependencies"])),
        ("Vendored scripts", set(PACKAGE["dependencies"])),
        ("For tests", _names(EXTRAS["test"]) | set(PACKAGE["devDependencies"])),
        ("For building", _names(PROJECT["build-system"]["requires"])),
    ],
)
def test_every_dependency_has_a_documented_reason(section, needed):
    _, _, rest = (ROOT / "docs/dependencies.md").read_text().partition(f"## {section}")
    table = rest.partition("\n## ")[0]
    reasons = dict(re.findall(r"^\| ([\w.@/-]+) \| (.+) \|$", table, re.MULTILINE))
    reasons.pop("package")
    assert set(reasons) == needed


def test_ci_runs_only_make_test():
    lines = (ROOT / ".ci/run").read_text().splitlines()
    commands = [line for line in lines if line and not line.startswith(("#", "set ", "cd "))]
    assert commands == ["make test"]


def test_scripts_are_pinned_exactly():
    versions = (PACKAGE["dependencies"] | PACKAGE["devDependencies"]).values()
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", version) for version in versions)
    assert "://" not in (ROOT / "package.json").read_text()
    assert not (ROOT / "package-lock.json").exists()


def _tracked_files():
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]
    try:
        listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.split("\0") if name]


def test_no_file_contains_a_machine_specific_path():
    found = []
    for path in _tracked_files():
        try:
            text = path.read_text()
        except (UnicodeDecodeError, FileNotFoundError):
            continue
        found += [f"{path.relative_to(ROOT)}: {match[0]}" for match in FOREIGN.finditer(text)]
    assert found == []


@pytest.mark.parametrize("page", ["README.md", *(f"docs/{p.name}" for p in ROOT.glob("docs/*.md"))])
def test_links_to_files_are_not_broken(page):
    text = (ROOT / page).read_text()
    links = re.findall(r"\]\(([^)\s]+)", text) + re.findall(r'(?:src|href)="([^"]+)"', text)
    files = [link.partition("#")[0] for link in links if not re.match(r"[a-z]+:|#", link)]
    assert [file for file in files if not (ROOT / page).parent.joinpath(file).exists()] == []


def test_rule_pages_match_the_rulebook():
    from tools.rules import DOCS, pages

    pages_on_disk = {path.name: path.read_text() for path in DOCS.glob("*.md")}
    assert pages_on_disk == pages(), "run `make rules`"


def test_readme_example_runs():
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 0) == (0, True)


def test_every_command_is_documented():
    text = (ROOT / "docs" / "operate.md").read_text()
    assert set(re.findall(r"^    bummerl (\w+)  ", text, re.MULTILINE)) == set(main.commands)
