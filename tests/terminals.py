"""Runs a program on a pseudo-terminal and draws what the terminal shows."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from PIL import Image

from tests.serving import PATIENCE_SECONDS

Colour = tuple[int, int, int]
BLACK, CREAM = (0, 0, 0), (253, 246, 227)
CELL = 8
"""The width of a character in pixels. The height is twice the width."""
CODES = re.compile(r"\x1b\[([\d;]*)m")
GREYS = range(232, 256)
"""The greys of the 256 colours. No terminal theme changes them."""
HALVES = {" ": (0, 0), "\xa0": (0, 0), "▀": (1, 0), "▄": (0, 1), "█": (1, 1)}
"""For each character of a picture, whether its upper and lower half have the letters' colour."""


class Terminal:
    """A program on its own terminal. `shown` is its output so far."""

    def __init__(self, process: subprocess.Popen[bytes], screen: int) -> None:
        self.process, self._screen, self.shown = process, screen, ""

    def read_until(self, pattern: str) -> re.Match[str]:
        """Read until the output contains the pattern, and return the match."""
        while not (found := re.search(pattern, self.shown)):
            more = self._more()
            assert more, f"{pattern} never came:\n{self.shown}"
        return found

    def interrupt(self) -> None:
        """Press Ctrl-C, which interrupts every process of the terminal."""
        os.write(self._screen, b"\x03")

    def end(self) -> int:
        """Read to the end, and return the exit status. A negative status is a signal."""
        while self._more():
            pass
        return self.process.wait(timeout=PATIENCE_SECONDS)

    def _more(self) -> str:
        try:
            new = os.read(self._screen, 65536).decode()
        except OSError:  # all processes that could write have ended
            return ""
        self.shown += new.replace("\r\n", "\n")
        return new


@contextmanager
def on_terminal(
    command: list[str], folder: Path | None = None, **environment: str
) -> Iterator[Terminal]:
    """Run a command on a terminal. At the end, stop the command and its processes."""
    screen, line = pty.openpty()
    process = subprocess.Popen(
        command, cwd=folder, env=os.environ | environment, preexec_fn=partial(os.login_tty, line)
    )
    os.close(line)
    try:
        yield Terminal(process, screen)
    finally:
        os.close(screen)  # sends SIGHUP to the processes that still run there
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=PATIENCE_SECONDS)


def picture(text: str, letters: Colour, ground: Colour) -> Image.Image:
    """The picture of a text in half blocks on a terminal with these colours."""
    lines = text.split("\n")
    width = max(len(CODES.sub("", line)) for line in lines)
    image = Image.new("RGB", (width * CELL, len(lines) * 2 * CELL), ground)
    for row, line in enumerate(lines):
        colours, column = {"38": letters, "48": ground}, 0
        for part in re.split(r"(\x1b\[[\d;]*m)", line):
            if code := CODES.fullmatch(part):
                colours = _chosen(code[1], colours) or {"38": letters, "48": ground}
                continue
            for sign in part:
                for half, inked in enumerate(HALVES.get(sign, (0, 0))):
                    at = (column * CELL, (2 * row + half) * CELL)
                    image.paste(colours["38" if inked else "48"], (*at, at[0] + CELL, at[1] + CELL))
                column += 1
    return image


def _chosen(code: str, colours: dict[str, Colour]) -> dict[str, Colour]:
    """The colours after a code that selects a grey, or {} after a code that resets them."""
    if code in ("", "0"):
        return {}
    which, kind, number = code.split(";")
    assert kind == "5" and int(number) in GREYS, f"a colour that themes change: {code}"
    return {**colours, which: (8 + 10 * (int(number) - 232),) * 3}
