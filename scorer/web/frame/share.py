"""Addresses that other phones can reach, and their QR codes."""

from __future__ import annotations

import ipaddress
import re
import socket
from functools import lru_cache
from typing import Final
from urllib.parse import urlsplit

from flask import current_app, request
from markupsafe import Markup
from qrcode.constants import ERROR_CORRECT_M
from qrcode.image.svg import SvgPathFillImage
from qrcode.main import QRCode

_SIZE: Final = re.compile(r' (width|height)="[^"]*mm"')


def lan_address() -> str:
    """This machine's address in its local network, or the loopback where it has none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Chooses a route for an address of the documentation range; sends nothing.
            probe.connect(("192.0.2.1", 9))
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"


def _only_here(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def public_root() -> str:
    """The address of this server as another phone can reach it, without a last slash."""
    configured = current_app.config["PUBLIC_URL"]
    if configured:
        return str(configured).rstrip("/")
    here = urlsplit(request.host_url)
    if not _only_here(here.hostname or ""):
        return request.host_url.rstrip("/")
    port = f":{here.port}" if here.port else ""
    return f"{here.scheme}://{lan_address()}{port}"


def public_url(path: str) -> str:
    """`path` as an address for another phone."""
    return public_root() + path


@lru_cache(maxsize=256)
def qr_svg(text: str) -> Markup:
    """A QR code as inline SVG on white ground, so it scans in dark mode too."""
    code = QRCode(image_factory=SvgPathFillImage, error_correction=ERROR_CORRECT_M, border=4)
    code.add_data(text)
    svg = code.make_image().to_string(encoding="unicode")
    # The page sizes it, and two codes on one page must not share an id.
    return Markup(_SIZE.sub("", svg).replace(' id="qr-path"', ""))
