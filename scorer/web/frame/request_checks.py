"""WSGI middleware that checks host and body before the application reads a request.

It only notes an error in the environ; `refuse` answers it where pages can be rendered.
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, abort, request

from scorer.web.frame.body_limits import NamedPartsParser, read_chunked_body
from scorer.web.frame.host_check import host_error

CHECK_ERROR: Final = "bummerl.wrong"
"""Key of the environ with the code of the error."""

Environ = dict[str, Any]
App = Callable[[Environ, Any], Iterable[bytes]]


def init_app(app: Flask) -> None:
    config = app.config
    hosts = {name.lower() for name in config["HOSTS"].replace(",", " ").split()}
    hosts |= {urlsplit(config["PUBLIC_URL"]).hostname or "", socket.getfqdn().lower()}
    # A trusted proxy has checked the name.
    accepted_hosts = None if config["PROXIES"] else frozenset(hosts)
    app.wsgi_app = HostAndBodyCheck(app.wsgi_app, accepted_hosts)  # type: ignore[method-assign]

    @app.before_request
    def refuse() -> None:
        request.form_data_parser_class = NamedPartsParser
        match request.environ.get(CHECK_ERROR):
            case "too-large":
                abort(413)
            case "unknown-host":
                abort(403, "unknown-host")
            case str(code):
                abort(400, code)


class HostAndBodyCheck:
    """Notes in the environ an error code for a wrong host or body.

    :param hosts: accepted host names besides addresses and local names; None for any
    """

    def __init__(self, app: App, hosts: frozenset[str] | None) -> None:
        self._app, self._hosts = app, hosts

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        code = host_error(environ.get("HTTP_HOST", ""), self._hosts) or read_chunked_body(environ)
        if code:
            environ[CHECK_ERROR] = code
            environ["HTTP_HOST"] = "localhost"
        return self._app(environ, start_response)
