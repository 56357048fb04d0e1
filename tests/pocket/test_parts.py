"""The bundle has every library that the app needs and a browser can load."""

import json
import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Libraries that are compiled or only useful to a server. docs/pocket.md names what is missing.
SERVER_ONLY = {
    "flask-compress",
    "gunicorn",
    "prometheus-client",
    "pysqlite3",
    "python-calamine",
    "rustworkx",
}


def test_bundle_has_every_needed_library():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = {re.split(r"[^\w-]", line)[0].lower() for line in project["dependencies"]}
    parts = json.loads((ROOT / "scorer/pocket/parts.json").read_text())["packages"]
    assert needed - SERVER_ONLY <= set(parts)
