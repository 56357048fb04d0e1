"""Drives Debian's Firefox and WebKitGTK by their own protocols, enough to tap through a page."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError, URLError

MARIONETTE, WEBDRIVER = 28281, 28290
PATIENT = 120
Found = TypeVar("Found")


class Refused(Exception):
    """The browser cannot run a command, or cannot run it yet."""


class Browser:
    """A browser that opens pages and runs scripts in them."""

    def goto(self, url: str) -> None:
        raise NotImplementedError

    def run(self, script: str) -> Any:
        raise NotImplementedError

    def tap(self, selector: str) -> None:
        self.until(f"document.querySelector('{selector}')")
        self.run(f"document.querySelector('{selector}').click()")

    def until(self, truth: str) -> None:
        """Wait until a JavaScript expression is true; the page may change meanwhile."""

        def holds() -> None:
            if not self.run(f"return Boolean({truth})"):
                raise Refused(truth)

        _patiently(holds)


class Firefox(Browser):
    """Firefox, driven over Marionette."""

    def __init__(self) -> None:
        self._out = _patiently(lambda: socket.create_connection(("127.0.0.1", MARIONETTE)))
        self._in, self._count = self._out.makefile("rb"), 0
        self._read()
        self._ask("WebDriver:NewSession")

    def goto(self, url: str) -> None:
        self._ask("WebDriver:Navigate", url=url)

    def run(self, script: str) -> Any:
        return self._ask("WebDriver:ExecuteScript", script=script, args=[])["value"]

    def close(self) -> None:
        self._in.close()
        self._out.close()

    def _read(self) -> Any:
        length = b""
        while (sign := self._in.read(1)) != b":":
            length += sign
        return json.loads(self._in.read(int(length)))

    def _ask(self, command: str, **values: Any) -> Any:
        self._count += 1
        message = json.dumps([0, self._count, command, values])
        self._out.sendall(f"{len(message)}:{message}".encode())
        _, _, error, found = self._read()
        if error is not None:
            raise Refused(error)
        return found


class WebKit(Browser):
    """WebKitGTK, driven over WebDriver."""

    def __init__(self, browser: Path) -> None:
        options = {"binary": str(browser), "args": ["--automation"]}
        wanted = {"capabilities": {"alwaysMatch": {"webkitgtk:browserOptions": options}}}
        self._session = ""
        found = _patiently(lambda: self._ask("", wanted))
        self._session = f"/{found['sessionId']}"

    def goto(self, url: str) -> None:
        self._ask("/url", {"url": url})

    def run(self, script: str) -> Any:
        return self._ask("/execute/sync", {"script": script, "args": []})

    def _ask(self, what: str, body: dict[str, Any]) -> Any:
        url = f"http://127.0.0.1:{WEBDRIVER}/session{self._session}{what}"
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(url, json.dumps(body).encode(), headers)
        try:
            with urllib.request.urlopen(request, timeout=PATIENT) as answer:
                return json.load(answer)["value"]
        except HTTPError as error:
            raise Refused(error.read()) from None


def _patiently(attempt: Callable[[], Found]) -> Found:
    """Repeat an attempt until it succeeds, for about PATIENT seconds."""
    end = time.monotonic() + PATIENT
    while True:
        try:
            return attempt()
        except (Refused, ConnectionError, URLError):
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


@contextmanager
def _running(*command: str) -> Iterator[None]:
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen(command, start_new_session=True, **quiet)
    try:
        yield
    finally:
        # Ends the processes that it started too, such as a screen and a browser.
        os.killpg(process.pid, signal.SIGTERM)
        process.wait()


@contextmanager
def firefox(profile: Path) -> Iterator[Browser]:
    """Yield a Firefox without a window. On Debian it is in firefox-esr."""
    name = shutil.which("firefox-esr") or "firefox"
    (profile / "user.js").write_text(f'user_pref("marionette.port", {MARIONETTE});')
    options = ("--headless", "--marionette", "--no-remote", "--profile", str(profile))
    with _running(name, *options), closing(Firefox()) as browser:
        yield browser


@contextmanager
def webkit(_profile: Path) -> Iterator[Browser]:
    """Yield a WebKitGTK on a virtual screen. On Debian it needs webkit2gtk-driver and xvfb."""
    browser = next(Path("/usr/lib").glob("*/webkit2gtk-*/MiniBrowser"))
    with _running("xvfb-run", "-a", "WebKitWebDriver", f"--port={WEBDRIVER}"):
        yield WebKit(browser)
