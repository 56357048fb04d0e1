"""A folder of an address as the app's root, such as /bummerl of https://club.example/bummerl."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from flask import Flask
from werkzeug.utils import redirect

from scorer.web.frame.proxies import App


def init_app(app: Flask) -> None:
    """Mount the app in the folder of `PUBLIC_URL`, if it names one."""
    folder = urlsplit(app.config["PUBLIC_URL"]).path.rstrip("/")
    app.config["APPLICATION_ROOT"] = folder or "/"
    if folder:
        app.wsgi_app = FolderMount(app.wsgi_app, folder)  # type: ignore[method-assign]


class FolderMount:
    """Removes the folder from paths; a proxy may have removed it before."""

    def __init__(self, app: App, folder: str) -> None:
        self._app, self._folder = app, folder

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        path = environ["PATH_INFO"]
        if path == self._folder:
            return redirect(f"{path}/", 308)(environ, start_response)
        if path.startswith(f"{self._folder}/"):
            path = path.removeprefix(self._folder)
        inner_environ = {**environ, "SCRIPT_NAME": self._folder, "PATH_INFO": path}
        return self._app(inner_environ, start_response)
