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
from scorer.web.pocket.api import MAX_COPY_BYTES

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"
UNITS = sorted([*DEPLOY.glob("*.service"), *DEPLOY.glob("*.timer")])
PROGRAM = "/opt/bummerl/bin/bummerl"


def parse_command(words):
    """The parameters that the program reads from a command line, without running the command."""
    name, *rest = words
    with main.commands[name].make_context(name, rest) as context:
        return context.params


def commands(unit):
    return re.findall(rf"^ExecStart(?:Post)?={PROGRAM} (.*)$", unit, re.MULTILINE)


def test_units_call_existing_commands(tmp_path, monkeypatch):
    book = tmp_path / "bummerl.db"
    book.touch()
    called = 0
    for unit in UNITS:
        text = unit.read_text().replace("/var/lib/bummerl", str(tmp_path))
        # The environment file overrides the Environment line before it.
        default = re.search(r"^Environment=(\w+)=(.*)\nEnvironmentFile=", text, re.MULTILINE)
        for words in commands(text):
            monkeypatch.setenv(*default.groups())
            assert parse_command(shlex.split(words))["db"] == str(book)
            called += 1
    assert called == 3


def test_timers_start_existing_services():
    for timer in DEPLOY.glob("*.timer"):
        assert timer.with_suffix(".service") in UNITS


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="systemd is not on this machine")
def test_systemd_accepts_the_units(tmp_path):
    for unit in UNITS:
        # On this machine the program is in another folder.
        (tmp_path / unit.name).write_text(unit.read_text().replace(PROGRAM, sys.executable))
    command = ["systemd-analyze", "verify", *map(str, sorted(tmp_path.iterdir()))]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_script_and_unit_use_the_same_settings():
    text = (DEPLOY / "bummerl").read_text()
    unit = (DEPLOY / "bummerl.service").read_text()
    for name, option in (
        ("User", "--uid={}"),
        ("WorkingDirectory", "--working-directory={}"),
        ("UMask", "--property=UMask={}"),
        ("Environment", "--setenv={}"),
        ("EnvironmentFile", "--property=EnvironmentFile={}"),
    ):
        [value] = re.findall(rf"^{name}=(.+)$", unit, re.MULTILINE)
        assert f" {option.format(value)} " in text
    assert f'{PROGRAM} "$@"' in text


@pytest.mark.parametrize("place", ["deploy/nginx.conf", "docs/operate.md"])
def test_proxy_allows_uploads_and_logs_no_requests(place):
    text = (ROOT / place).read_text()
    [most] = re.findall(r"^ *client_max_body_size (\d+)m;$", text, re.MULTILINE)
    assert int(most) * 1024**2 >= MAX_COPY_BYTES
    assert re.search(r"^ *access_log off;$", text, re.MULTILINE)


def container_steps():
    """The Containerfile's instructions, each with its arguments."""
    text = (DEPLOY / "Containerfile").read_text().replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    return [line.strip().partition(" ")[::2] for line in lines]


def test_container_copies_what_exists():
    copies = [shlex.split(words) for step, words in container_steps() if step == "COPY"]
    copied = {name for names in copies for name in names[:-1]}
    assert {name for name in copied if not (ROOT / name).exists()} == set()
    assert {"scorer", "templates", "static", "pyproject.toml", "hatch_build.py"} <= copied


def test_container_installs_extras_that_exist():
    named = [words for step, words in container_steps() if step == "RUN"]
    extras = {extra for words in named for extra in re.findall(r"\[([a-z,]+)\]", words)}
    known = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    assert {name for extra in extras for name in extra.split(",")} == {"postgres"} <= known.keys()


def test_container_runs_unprivileged(monkeypatch):
    instructions = dict(container_steps())
    monkeypatch.setenv(*instructions["ENV"].split("="))
    program, *words = json.loads(instructions["CMD"])
    assert program == "bummerl"
    assert parse_command(words)["port"] == int(instructions["EXPOSE"])
    # The database is on the volume, which outlives the container.
    assert Path(parse_command(words)["db"]).parent == Path(instructions["VOLUME"])
    assert instructions["USER"] not in ("root", "0")
    assert "/ready" in instructions["HEALTHCHECK"]
