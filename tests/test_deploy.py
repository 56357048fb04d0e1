"""The files of deploy/ name commands, units and files that exist."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from scorer.cli import main
from scorer.web.pocket.api import LARGEST_UPLOAD

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
PROGRAM = "/opt/bummerl/bin/bummerl"


def parsed(words):
    """The parameters that the program reads from a command line, without running the command."""
    name, *rest = words
    with main.commands[name].make_context(name, rest) as context:
        return context.params


def commands(unit):
    return re.findall(rf"^ExecStart(?:Post)?={PROGRAM} (.*)$", unit, re.MULTILINE)


def test_the_units_call_commands_that_are_there(tmp_path, monkeypatch):
    book = tmp_path / "bummerl.db"
    book.touch()
    called = 0
    for unit in UNITS:
        text = unit.read_text().replace("/var/lib/bummerl", str(tmp_path))
        # The environment file overrides the Environment line before it.
        said = re.search(r"^Environment=(\w+)=(.*)\nEnvironmentFile=", text, re.MULTILINE)
        for words in commands(text):
            monkeypatch.setenv(*said.groups())
            assert parsed(shlex.split(words))["db"] == str(book)
            called += 1
    assert called == 3


def test_the_timer_starts_a_service_that_is_there():
    for timer in DEPLOY.glob("*.timer"):
        assert timer.with_suffix(".service") in UNITS


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_systemd_takes_the_units(tmp_path):
    for unit in UNITS:
        # On this machine the program is in another folder.
        (tmp_path / unit.name).write_text(unit.read_text().replace(PROGRAM, sys.executable))
    command = ["systemd-analyze", "verify", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_unit_and_server_agree():
    text = (DEPLOY / "bummerl").read_text()
    unit = (DEPLOY / "bummerl.service").read_text()
    for name, said in (
        ("User", "--uid={}"),
        ("WorkingDirectory", "--working-directory={}"),
        ("UMask", "--property=UMask={}"),
        ("Environment", "--setenv={}"),
        ("EnvironmentFile", "--property=EnvironmentFile={}"),
    ):
        [value] = re.findall(rf"^{name}=(.+)$", unit, re.MULTILINE)
        assert f" {said.format(value)} " in text
    assert f'{PROGRAM} "$@"' in text


@pytest.mark.parametrize("place", ["deploy/nginx.conf", "docs/operate.md"])
def test_proxy_passes_and_logs_no_links(place):
    text = (ROOT / place).read_text()
    [most] = re.findall(r"^ *client_max_body_size (\d+)m;$", text, re.MULTILINE)
    assert int(most) * 1024**2 >= LARGEST_UPLOAD
    assert re.search(r"^ *access_log off;$", text, re.MULTILINE)


def steps():
    """The Containerfile's instructions, each with its arguments."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [line.strip().partition(" ")[::2] for line in lines]


def test_container_copies_what_exists():
    copied = {name for step, words in steps() if step == "COPY" for name in shlex.split(words)[:-1]}
    assert {name for name in copied if not (ROOT / name).exists()} == set()
    assert {"scorer", "templates", "static", "pyproject.toml", "hatch_build.py"} <= copied


def test_container_installs_extras_that_exist():
    named = [words for step, words in steps() if step == "RUN"]
    extras = {extra for words in named for extra in re.findall(r"\[([a-z,]+)\]", words)}
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {name for extra in extras for name in extra.split(",")} == {"postgres"} <= known.keys()


def test_container_runs_unprivileged(
    monkeypatch,
):
    said = dict(steps())
    monkeypatch.setenv(*said["ENV"].split("="))
    program, *words = json.loads(said["CMD"])
    assert program == "bummerl"
    assert parsed(words)["port"] == int(said["EXPOSE"])
    # The database is on the volume, which outlives the container.
    assert Path(parsed(words)["db"]).parent == Path(said["VOLUME"])
    assert said["USER"] not in ("root", "0")
    assert "/ready" in said["HEALTHCHECK"]
