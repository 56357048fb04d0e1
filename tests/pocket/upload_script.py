"""Runs the script with which a phone uploads offline entries, for tests."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self

from scorer.pocket.bundle import SHARED_SCRIPTS
from scorer.pocket.offline_app import OfflineApp
from tests.node import NODE, SCRIPTS

HERE = Path(__file__).parent / "node"
BUNDLE = 'export const BUNDLE = { version: "test", bytes: 0, parts: [] };\n'


class Sending:
    """A process that runs static/js/worker/upload.js for one server.

    :param folder: an empty folder for its scripts
    """

    def __init__(self, folder: Path, server: str) -> None:
        scripts = folder / "pocket" / "worker"
        shutil.copytree(SCRIPTS / "worker", scripts)
        for shared in SHARED_SCRIPTS:
            shutil.copy(SCRIPTS / shared, scripts)
        shutil.copy(HERE / "app.js", scripts)
        (scripts / "bundle.js").write_text(BUNDLE)
        (folder / "package.json").write_text('{"type": "module"}')
        command, pipe = [NODE, HERE / "upload.mjs", scripts, server], subprocess.PIPE
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def _say(self, what: Any) -> None:
        assert self._process.stdin is not None
        print(json.dumps(what), file=self._process.stdin, flush=True)

    def send(self, phone: OfflineApp, before: Callable[[str], None] = lambda _: None) -> list[str]:
        """Upload everything once.

        :param before: called with the method and path of each request before it is sent
        :returns: the names of the phone's methods that the script called, in order; in place of
            `adopt` its result
        """
        assert self._process.stdout is not None
        came: list[str] = []
        self._say("go")
        while "done" not in (asked := json.loads(self._process.stdout.readline())):
            answer = None
            if "before" in asked:
                before(asked["before"])
            else:
                answer = getattr(phone, asked["call"])(*asked["args"])
                came.append(answer if asked["call"] == "adopt" else asked["call"])
            # The browser's cookie, which the app never sees.
            own = getattr(phone, "browser", "")
            self._say({"answer": answer, "cookie": own and f"phone={own}"})
        return came
