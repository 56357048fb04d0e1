"""Decodes QR codes from pictures."""

from __future__ import annotations

import zxingcpp
from PIL import Image

ON_PAPER = zxingcpp.BarcodeFormat.QRCodeModel2
"""The kind of code that `qrcode` draws. If every kind is allowed, the reader sometimes takes the
corner of a code for a Micro QR code, which phone cameras do not look for."""


def read(picture: Image.Image) -> list[str]:
    """The texts of all QR codes in a picture; the list may be empty."""
    return [code.text for code in zxingcpp.read_barcodes(picture, ON_PAPER)]
