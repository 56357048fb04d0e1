"""`make run` without a network starts what is installed, and names what is missing."""

import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from tests.serving import ADDRESS_LINE, PATIENCE_SECONDS
from tests.terminals import on_terminal

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parent.parent
TAKEN = ("Makefile", "requirements.txt")
FOLDERS = ("scorer", "templates", "static", "tools")
NOWHERE = "http://127.0.0.1:9"
# Settings as without a network: no package registry answers.
OFFLINE = {
    **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), NOWHERE),
    **dict.fromkeys(("npm_config_proxy", "npm_config_https_proxy"), NOWHERE),
    "no_proxy": "127.0.0.1",
    "NO_PROXY": "127.0.0.1",
    "npm_config_registry": NOWHERE,
    "PIP_CONFIG_FILE": os.devnull,
    "PIP_FIND_LINKS": "",
    "LC_ALL": "C.UTF-8",
}
CHANGED = "Zeile der Prüfung"
HOUR_AGO = time.time() - 3600
NAMED = [f"PYTHON={sys.executable}", "HOST=127.0.0.1", "PORT=0"]


@pytest.fixture
def clone(tmp_path):
    """A copy of the checkout, without files that git ignores."""
    folder = tmp_path / "bummerl"
    unknown = shutil.ignore_patterns("__pycache__", "*.mo", "served")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=unknown)
    for name in TAKEN:
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def installed(clone):
    """A checkout whose environment has the packages of the one that runs this test."""
    home = clone / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    packages = next(home.glob("lib/python*/site-packages"))
    shared = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(shared)))
    shutil.copy(clone / "requirements.txt", home)
    return clone


@pytest.fixture(autouse=True)
def without_outer_make(monkeypatch):
    """Remove the settings of a `make` that runs the tests."""
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        monkeypatch.delenv(name, raising=False)


def run_and_interrupt(folder):
    """Run `make run`, interrupt it after the offline build has failed, and return the output."""
    with on_terminal(["make", "run", *NAMED], folder, **OFFLINE) as terminal:
        terminal.read_until(ADDRESS_LINE.pattern)
        terminal.read_until("phones then need the network")
        terminal.interrupt()
        terminal.end()
    assert terminal.shown.endswith("Bummerl has stopped. What was recorded is kept.\n")
    for sign in ("Traceback", "***", "ERROR", "Retrying"):
        assert sign not in terminal.shown
    return terminal.shown


def test_make_run_needs_no_network_once_installed(installed):
    po = installed / "scorer/translations/de/LC_MESSAGES/messages.po"
    assert "Installing" not in run_and_interrupt(installed)
    assert CHANGED not in compiled_catalog(po)
    # As after a pull, the requirements are newer but unchanged, and one translation differs.
    text = po.read_text()
    po.write_text(text.replace('msgstr "Zurück"', f'msgstr "{CHANGED}"'))
    changed = (installed / "requirements.txt", po)
    for path in {*installed.rglob("*")} - {*changed}:
        os.utime(path, (HOUR_AGO, HOUR_AGO), follow_symlinks=False)
    assert "Installing" not in run_and_interrupt(installed)
    assert CHANGED in compiled_catalog(po)


def compiled_catalog(po):
    return po.with_suffix(".mo").read_bytes().decode(errors="replace")


def failing_make_lines(folder):
    """The lines of a `make run` that fails."""
    done = subprocess.run(
        ["make", "run", *NAMED],
        cwd=folder,
        env=os.environ | OFFLINE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode != 0
    return done.stdout.splitlines()


def test_first_start_without_network_says_so(clone):
    doing, *_, missing, make = failing_make_lines(clone)
    assert "..." in doing
    assert "needs the network" in missing
    assert make.startswith("make: ***")
    # The next start tries again.
    assert not (clone / ".venv" / "requirements.txt").exists()


def test_changed_requirement_needs_the_network(installed):
    requirements = installed / "requirements.txt"
    requirements.write_text(requirements.read_text().replace("flask==3.1.3", "flask==99"))
    lines = failing_make_lines(installed)
    assert any("flask==99" in line for line in lines)
    assert "needs the network" in lines[-2]
