"""Where the browser tests find their Chromium; run as a script it says so, or what to install."""

from __future__ import annotations

import os
import shutil
import sys

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
MISSING = """\
The browser tests need Chromium or Google Chrome, and none was found. Install one:
  Debian, Ubuntu   sudo apt-get install chromium      (Ubuntu: chromium-browser)
  Fedora           sudo dnf install chromium
  Arch             sudo pacman -S chromium
  macOS            brew install --cask chromium
or name one you have: CHROMIUM=/path/to/chrome make test"""


def find_chromium() -> str:
    """The path of a Chromium.

    :raises FileNotFoundError: with what to install
    """
    for name in (os.environ.get("CHROMIUM"), *NAMES, *MAC):
        if name and (path := shutil.which(name)):
            return path
    raise FileNotFoundError(MISSING)


if __name__ == "__main__":
    try:
        print(find_chromium())
    except FileNotFoundError as missing:
        sys.exit(str(missing))
