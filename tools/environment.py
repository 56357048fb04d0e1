"""Creates the environment in .venv and installs missing requirements of this checkout.

`python3 tools/environment.py [EXTRA]`, with Python 3.11 or newer; EXTRA is one of
pyproject.toml, such as `test`. Exit status: 0, or 1 with a sentence that says what is missing.
"""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parent.parent
HOME = ROOT / ".venv"
PYTHON = HOME / "bin" / "python"
LOG = HOME / "install.log"
RETRIES = 1
"""Per download; few, so that a missing network is reported within seconds."""
OFFLINE = ("onnection", "resolution", "timed out", "unreachable", "from versions: none")
"""pip's error messages without network."""


class Missing(Exception):
    """Something is missing; the text says what to do."""


def wanted(extra: str) -> list[str]:
    """The requirements of this checkout and of an extra."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    more = project["optional-dependencies"][extra] if extra else []
    return [*project["dependencies"], *more]


def unmet(requirements: list[str]) -> Iterator[str]:
    """Those requirements, transitive ones included, that this Python does not have."""
    from pip._vendor.packaging.requirements import Requirement

    todo, seen = [Requirement(line) for line in requirements], set()
    while todo:
        requirement = todo.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        try:
            found = distribution(requirement.name)
        except PackageNotFoundError:
            yield str(requirement)
            continue
        if not requirement.specifier.contains(found.version, prereleases=True):
            yield str(requirement)
        extras = ("", *requirement.extras)
        for needed in map(Requirement, found.requires or ()):
            marker = needed.marker
            if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras):
                needed.marker = None
                todo.append(needed)


def is_linked() -> bool:
    """Whether this Python has this checkout installed."""
    try:
        origin = distribution("bummerl").read_text("direct_url.json")
    except PackageNotFoundError:
        return False
    return bool(origin) and Path(unquote(urlsplit(json.loads(origin)["url"]).path)) == ROOT


def lacking(extra: str) -> list[str]:
    """The requirements missing in .venv; ["pip"] if it is incomplete."""
    command = [PYTHON, "-I", __file__, "--lacking", extra]
    try:
        done = subprocess.run(command, capture_output=True, text=True)
    except OSError:
        return ["pip"]
    return done.stdout.split("\n")[:-1] if done.returncode == 0 else ["pip"]


def make() -> None:
    if not all(map(importlib.util.find_spec, ("venv", "ensurepip"))):
        raise Missing("Python's venv is missing: on Debian and Ubuntu install python3-venv.")
    done = subprocess.run(
        [sys.executable, "-m", "venv", "--clear", HOME], capture_output=True, text=True
    )
    if done.returncode:
        said = (done.stderr or done.stdout).strip().split("\n")[-1]
        raise Missing(f"The environment in {HOME} cannot be made: {said}")


def install(extra: str, missing: list[str]) -> None:
    """Installs this checkout with its requirements; pip's output goes to `LOG`."""
    command = [PYTHON, "-m", "pip", "install", "--disable-pip-version-check"]
    command += ["--retries", str(RETRIES), "--editable", f".[{extra}]" if extra else "."]
    with LOG.open("w") as log:
        done = subprocess.run(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
    if done.returncode == 0:
        return
    said = LOG.read_text()
    if any(sign in said for sign in OFFLINE):
        some = ", ".join(missing[:3]) + (", ..." if missing[3:] else "")
        raise Missing(
            f"Bummerl needs the network to install what is missing ({some}): "
            "connect, and type the same again."
        )
    last = next((line for line in said.split("\n") if line.startswith("ERROR")), "it failed")
    raise Missing(f"Installing did not work: {last} (all of it: {LOG})")


def main(extra: str) -> None:
    missing = lacking(extra)
    if not missing:
        return
    what = "what its tests need" if extra else "what Bummerl needs"
    print(f"Installing {what} into .venv (about a minute) ...", flush=True)
    if missing == ["pip"]:
        make()
        missing = lacking(extra)
    install(extra, missing)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if arguments[:1] == ["--lacking"]:
        for line in [*unmet(wanted(arguments[1])), *([] if is_linked() else ["bummerl"])]:
            print(line)
    else:
        try:
            main(*arguments or [""])
        except Missing as missing:
            sys.exit(str(missing))
        except KeyboardInterrupt:
            sys.exit(130)
