"""Decodes QR codes from pictures."""

from __future__ import annotations

import zxingcpp
from PIL import Image

ON_PAPER = zxingcpp.BarcodeFormat.QRCodeModel2
"""What `qrcode` draws: asked for every kind, the reader now and then takes the corner of a code
for a Micro QR code, which no phone's camera looks for."""


def read(picture: Image.Image) -> list[str]:
    """The words of all codes in a picture, none where there is no code."""
    return [code.text for code in zxingcpp.read_barcodes(picture, ON_PAPER)]
