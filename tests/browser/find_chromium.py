"""Finds the Chromium of the browser tests; run as a script, prints it or what to install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from functools import cache

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
SHELLS = ("chromium-headless-shell", "chrome-headless-shell")
"""Chromium without windows, which draws the same pages in half the processor time."""
MISSING = """\
The browser tests need Chromium or Google Chrome, and none was found. Install one:
  Debian, Ubuntu   sudo apt-get install chromium
  Fedora           sudo dnf install chromium
  Arch             sudo pacman -S chromium
  macOS            brew install --cask chromium      (or Google Chrome)
or name one you have: CHROMIUM=/path/to/chrome make test"""
DRIVER = """\
Playwright, which drives the browser, does not start; its own Node.js wants a library:
  Debian, Ubuntu   sudo apt-get install libatomic1
  Fedora           sudo dnf install libatomic"""


def _works(*program: str) -> bool:
    """Whether a program starts. Ubuntu's chromium-browser may be a stub that only names a snap."""
    try:
        answer = subprocess.run([*program, "--version"], capture_output=True, timeout=120)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return answer.returncode == 0


@cache
def find_chromium() -> str:
    """The path of a Chromium that starts.

    :raises FileNotFoundError: if there is none; the message says what to install
    """
    named = os.environ.get("CHROMIUM")
    for name in (named,) if named else NAMES:
        if (path := shutil.which(name)) and _works(path):
            return path
    raise FileNotFoundError(f"CHROMIUM={named} does not start.\n{MISSING}" if named else MISSING)


@cache
def find_shell() -> str:
    """The path of a headless shell; without one, or if CHROMIUM is set, that of `find_chromium`.

    :raises FileNotFoundError: if there is neither; the message says what to install
    """
    found = () if os.environ.get("CHROMIUM") else map(shutil.which, SHELLS)
    return next((path for path in found if path and _works(path)), None) or find_chromium()


def missing() -> list[str]:
    """Messages about missing programs of the browser tests, with how to install them."""
    said = [] if _works(sys.executable, "-m", "playwright") else [DRIVER]
    try:
        find_chromium()
    except FileNotFoundError as none:
        said.append(str(none))
    return said


if __name__ == "__main__":
    if said := missing():
        sys.exit("\n".join(said))
    print(find_chromium())
