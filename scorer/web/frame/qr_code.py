"""QR codes as inline SVG."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final

from markupsafe import Markup


@lru_cache(maxsize=1024)
def qr_svg(text: str) -> Markup:
    """A QR code as inline SVG on white, so it scans in dark mode; CSS sets its size."""
    # Imported late, because it also loads Pillow, if installed.
    from qrcode.constants import ERROR_CORRECT_M
    from qrcode.main import QRCode

    # Trying all eight masks takes eight times as long; for a random link any will do.
    code = QRCode(error_correction=ERROR_CORRECT_M, border=4, mask_pattern=0)
    code.add_data(text)
    rows = code.get_matrix()
    path = "".join(_strokes(row) for row in rows)
    return _QR.format(side=len(rows), path=f"M0 .5{path}")


_QR: Final = Markup(
    '<svg viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
    '<path fill="#fff" d="M0 0h{side}v{side}h-{side}z"/><path stroke="#000" d="{path}"/></svg>'
)


def _strokes(row: Sequence[bool]) -> str:
    """A row as strokes of an SVG path that ends at the start of the next row. The path is a quarter
    as long as one with a square per module.

    >>> _strokes([False, True, True, False, True])
    'm1 0h2m1 0h1m-5 1'
    """
    path, position, pen = "", 0, 0
    for dark, run in groupby(row):
        count = len(list(run))
        if dark:
            path += (f"m{position - pen} 0" if position > pen else "") + f"h{count}"
            pen = position + count
        position += count
    return f"{path}m{-pen} 1"
