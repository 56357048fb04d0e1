"""`make run` on a machine without network: what is installed starts, what is missing is named."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import pytest

from tests.serving import OPEN, PATIENCE
from tests.terminals import on_terminal

ROOT = Path(__file__).parent.parent
TAKEN = ("Makefile", "pyproject.toml", "hatch_build.py", "README.md", "LICENSE")
FOLDERS = ("scorer", "templates", "static", "tools")
NOWHERE = "http://127.0.0.1:9"
# As without network: no registry answers, and none is on this machine.
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
    """A checkout of its own, without what git would not have."""
    folder = tmp_path / "bummerl"
    unknown = shutil.ignore_patterns("__pycache__", "*.mo", "served")
    for name in FOLDERS:
        shutil.copytree(ROOT / name, folder / name, ignore=unknown)
    for name in TAKEN:
        shutil.copy(ROOT / name, folder / name)
    return folder


@pytest.fixture
def installed(clone):
    """A checkout whose environment has all it needs: the packages of the one that runs this."""
    home = clone / ".venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", home], check=True)
    packages = next(home.glob("lib/python*/site-packages"))
    shared = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(sorted(shared)))
    own = packages / "bummerl-0.dist-info"
    own.mkdir()
    (own / "METADATA").write_text("Metadata-Version: 2.1\nName: bummerl\nVersion: 0\n")
    (own / "direct_url.json").write_text(json.dumps({"url": clone.as_uri()}))
    return clone


@pytest.fixture(autouse=True)
def by_itself(monkeypatch):
    """What is run here belongs to no `make` around it."""
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        monkeypatch.delenv(name, raising=False)


def run(folder):
    return on_terminal(["make", "run", *NAMED], folder, **OFFLINE)


def started_and_stopped(folder):
    """What stands on the terminal then."""
    with run(folder) as terminal:
        terminal.read_until(OPEN.pattern)
        terminal.interrupt()
        terminal.end()
    assert terminal.shown.endswith("Bummerl has stopped. What was recorded is kept.\n")
    for sign in ("Traceback", "***", "ERROR", "Retrying"):
        assert sign not in terminal.shown
    assert not (folder / ".venv" / "install.log").exists()
    # Phones that go on alone need parts from a registry, which one sentence says.
    assert terminal.shown.count("phones then need the network") == 1


def test_what_is_installed_starts_and_stops_without_network(installed):
    po = installed / "scorer/translations/de/LC_MESSAGES/messages.po"
    started_and_stopped(installed)
    assert CHANGED not in compiled(po)
    # As after a pull: newer than the environment, and a sentence is another.
    text = po.read_text()
    po.write_text(text.replace('msgstr "Zurück"', f'msgstr "{CHANGED}"'))
    assert po.read_text() != text
    changed = (installed / "pyproject.toml", po)
    for path in {*installed.rglob("*")} - {*changed}:
        os.utime(path, (HOUR_AGO, HOUR_AGO), follow_symlinks=False)
    started_and_stopped(installed)
    assert CHANGED in compiled(po)


def compiled(po):
    return po.with_suffix(".mo").read_bytes().decode(errors="replace")


def test_what_needs_the_network_says_so_in_one_sentence(clone):
    done = subprocess.run(
        ["make", "run", *NAMED],
        cwd=clone,
        env=os.environ | OFFLINE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode != 0
    doing, missing, make = done.stdout.splitlines()
    assert "..." in doing
    assert "needs the network" in missing
    assert make.startswith("make: ***")
    # It is asked again, and no half of an environment is taken for a whole one.
    assert not (clone / ".venv" / "run").exists()


def test_a_requirement_that_is_not_met_is_named(installed):
    project = installed / "pyproject.toml"
    project.write_text(project.read_text().replace('"flask>=3.1.3,<4"', '"flask>=99"'))
    done = subprocess.run(
        [sys.executable, "tools/environment.py"],
        cwd=installed,
        env=os.environ | OFFLINE,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    [said] = done.stderr.splitlines()
    assert "flask>=99" in said
    assert "network" in said
