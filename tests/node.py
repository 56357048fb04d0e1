"""Runs the phone's scripts in Playwright's Node.js."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import playwright

NODE: Final = Path(playwright.__file__).parent / "driver" / "node"
ROOT: Final = Path(__file__).parent.parent
SCRIPTS: Final = ROOT / "static" / "js"


def run(script: Path, *arguments: object) -> Any:
    """Run a script, and return the JSON of the last line that it prints."""
    command = [NODE, script, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return json.loads(done.stdout.splitlines()[-1])
