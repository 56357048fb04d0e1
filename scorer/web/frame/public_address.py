"""URLs that other devices can reach."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Mapping
from urllib.parse import urlsplit

from flask import Flask, current_app, request, url_for
from markupsafe import Markup

from scorer.web.frame.qr_code import qr_svg


def lan_address() -> str:
    """This machine's address in the local network, else 127.0.0.1."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Chooses a route for an address of the documentation range; sends nothing.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def _public_origin() -> str:
    """Scheme and host of this server for other devices."""
    if configured := current_app.config["PUBLIC_URL"]:
        public = urlsplit(configured)
        return f"{public.scheme}://{public.netloc}"
    requested = urlsplit(request.host_url)
    if not is_loopback(requested.hostname or ""):
        return request.host_url.rstrip("/")
    port = f":{requested.port}" if requested.port else ""
    return f"{requested.scheme}://{lan_address()}{port}"


def is_loopback_only() -> bool:
    """Whether only this machine reaches the server, which listens on loopback, without a proxy."""
    config, host = current_app.config, urlsplit(request.host_url).hostname or ""
    return bool(config["LOOPBACK"] and not config["PUBLIC_URL"] and is_loopback(host))


def public_url(path: str) -> str:
    """The URL for other devices of a path from `url_for`."""
    return _public_origin() + path


def reaches_others() -> bool:
    """Whether other devices can open links of this Bummerl: not those of a static site, whose
    tables are on one phone."""
    return not current_app.config["SERVERLESS"]


def link_qr(path: str) -> Markup | None:
    """The QR code of a path from `url_for`; None if no other device can open it."""
    return qr_svg(public_url(path)) if reaches_others() else None


def init_app(app: Flask) -> None:
    app.jinja_env.globals["reaches_others"] = reaches_others


def key_urls(keys: Mapping[str, str], pages: Mapping[str, str]) -> dict[str, str]:
    held_pages = ((role, page) for role, page in pages.items() if role in keys)
    return {role: public_url(url_for(page, key=keys[role])) for role, page in held_pages}
