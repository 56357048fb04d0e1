"""Trusted reverse proxies."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Iterable
from typing import Any

from flask import Flask
from werkzeug.middleware.proxy_fix import ProxyFix

App = Callable[[dict[str, Any], Any], Iterable[bytes]]


def init_app(app: Flask) -> None:
    """Use forwarded headers, but only from the configured proxies."""
    if hops := app.config["PROXIES"]:
        forwarded_app = ProxyFix(app.wsgi_app, hops, hops, hops)
        proxies = app.config["PROXY_FROM"].replace(",", " ").split()
        app.wsgi_app = ProxyAwareApp(app.wsgi_app, forwarded_app, proxies)  # type: ignore[method-assign]


class ProxyAwareApp:
    """Uses `forwarded_app` for requests from `proxies` (addresses or networks), else `app`."""

    def __init__(self, app: App, forwarded_app: App, proxies: Iterable[str]) -> None:
        self._app, self._forwarded_app = app, forwarded_app
        self._networks = [ipaddress.ip_network(proxy, strict=False) for proxy in proxies]

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        app = self._forwarded_app if self._is_proxy(environ.get("REMOTE_ADDR", "")) else self._app
        return app(environ, start_response)

    def _is_proxy(self, peer: str) -> bool:
        try:
            address = ipaddress.ip_address(peer)
        except ValueError:
            return False
        return any(address in network for network in self._networks)
