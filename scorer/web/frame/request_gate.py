"""WSGI middleware that checks host and body before the application reads a request.

It only notes an error in the environ; `refuse` answers it where pages can be rendered.
"""

from __future__ import annotations

import io
import ipaddress
import re
import socket
from collections.abc import Callable, Collection, Iterable
from typing import Any, Final
from urllib.parse import urlsplit

from flask import Flask, abort, request
from werkzeug.formparser import FormDataParser

GATE_CODE: Final = "bummerl.wrong"
MAX_BODY_BYTES: Final = 64 * 1024
LOCAL_SUFFIXES: Final = (".local", ".localhost", ".lan", ".home", ".internal", ".home.arpa")
"""Suffixes that cannot be registered, so no other site can have such a name."""
_NAME_PATTERN: Final = r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,251}[A-Za-z0-9_])?"
_HOST_PATTERN: Final = re.compile(rf"({_NAME_PATTERN}|\[[0-9A-Fa-f:.]+\])(:\d{{1,5}})?")

Environ = dict[str, Any]
App = Callable[[Environ, Any], Iterable[bytes]]


def init_app(app: Flask) -> None:
    config = app.config
    hosts = {name.lower() for name in config["HOSTS"].replace(",", " ").split()}
    hosts |= {urlsplit(config["PUBLIC_URL"]).hostname or "", socket.getfqdn().lower()}
    # A trusted proxy has checked the name.
    accepted_hosts = None if config["PROXIES"] else frozenset(hosts)
    app.wsgi_app = Gate(app.wsgi_app, accepted_hosts)  # type: ignore[method-assign]

    @app.before_request
    def refuse() -> None:
        request.form_data_parser_class = NamedPartsParser
        match request.environ.get(GATE_CODE):
            case "too-large":
                abort(413)
            case "unknown-host":
                abort(403, "unknown-host")
            case str(code):
                abort(400, code)


class NamedPartsParser(FormDataParser):
    """Reads forms whose parts all have a name."""

    def parse(self, *arguments: Any, **options: Any) -> Any:
        """:raises BadRequest: 400, a part has none"""
        stream, form, files = super().parse(*arguments, **options)
        if None in form or None in files:
            abort(400, "bad-body")
        return stream, form, files


class Gate:
    """Notes in the environ an error code for a wrong host or body.

    :param hosts: accepted host names besides addresses and local names; None for any
    """

    def __init__(self, app: App, hosts: frozenset[str] | None) -> None:
        self._app, self._hosts = app, hosts

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        code = host_error(environ.get("HTTP_HOST", ""), self._hosts) or unchunk(environ)
        if code:
            environ[GATE_CODE] = code
            environ["HTTP_HOST"] = "localhost"
        return self._app(environ, start_response)


def host_error(host: str, hosts: frozenset[str] | None) -> str | None:
    """Error code for the Host header, or None.

    :param hosts: accepted host names besides addresses and local names; None for any
    """
    if not host:
        return None
    match = _HOST_PATTERN.fullmatch(host)
    if match is None or any(len(part) not in range(1, 64) for part in match[1].split(".")):
        return "odd-host"
    if hosts is None or _is_accepted(match[1].lower().strip("[]"), hosts):
        return None
    return "unknown-host"


def _is_accepted(name: str, hosts: Collection[str]) -> bool:
    """Whether the host name belongs to this server.

    Protects against DNS rebinding: another site's domain may resolve to this machine's address, but
    a bare address or a name without a domain cannot be another site's.

    >>> names = ("192.168.1.4", "gasthaus", "watten.example")
    >>> [_is_accepted(name, {"watten.example"}) for name in names]
    [True, True, True]
    >>> _is_accepted("evil.example", {"watten.example"})
    False
    """
    if name in hosts or "." not in name or name.endswith(LOCAL_SUFFIXES):
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def unchunk(environ: Environ) -> str | None:
    """Read a chunked body and set its length.

    :returns: an error code, or None
    """
    if "chunked" not in environ.get("HTTP_TRANSFER_ENCODING", "").lower():
        return None
    body = b""
    try:
        while len(body) <= MAX_BODY_BYTES and (part := environ["wsgi.input"].read(MAX_BODY_BYTES)):
            body += part
    except Exception:
        # Servers raise different errors for invalid chunks.
        return "bad-body"
    finally:
        del environ["HTTP_TRANSFER_ENCODING"]
        environ["wsgi.input"], environ["CONTENT_LENGTH"] = io.BytesIO(body), str(len(body))
    return "too-large" if len(body) > MAX_BODY_BYTES else None
