"""Reads a printed page: its sheets, its texts with their positions, and its QR codes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import pypdfium2
from playwright.sync_api import Page

from tests.browser import camera

SHARP = 200 / 72
"""Pixels per point, a resolution that a cheap printer and a phone's camera reach."""


@dataclass(frozen=True)
class Text:
    """A piece of text on a page. Its edges are in points from the lower left corner."""

    words: str
    left: float
    bottom: float
    right: float
    top: float

    def over(self, other: Text, slack: float = 2) -> bool:
        """Whether two texts overlap more than slightly."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.top, other.top) - max(self.bottom, other.bottom)
        lower = min(self.top - self.bottom, other.top - other.bottom)
        return wide > max(slack, lower * 0.3) and high > lower * 0.4


def open_as_pdf(page: Page, path: str) -> pypdfium2.PdfDocument:
    """Open a page of the server and return its PDF."""
    page.goto(path)
    return pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))


@lru_cache(maxsize=1)
def texts(sheet: pypdfium2.PdfPage) -> list[Text]:
    """All pieces of text of a page. The last result is cached for several checks of a page."""
    found = sheet.get_textpage()
    words = found.get_text_range()
    pieces: list[Text] = []
    for at, sign in enumerate(words[: found.count_chars()]):
        if sign.isspace():
            continue
        letter = Text(sign, *found.get_charbox(at, loose=True))
        if pieces and _next_to(pieces[-1], letter):
            pieces[-1] = _joined(pieces[-1], letter)
        else:
            pieces.append(letter)
    return pieces


def _next_to(text: Text, letter: Text) -> bool:
    """Whether a letter continues a text in the same line."""
    high = text.top - text.bottom
    return (
        abs(text.bottom - letter.bottom) < high / 3
        and -high / 4 < letter.left - text.right < high / 2
    )


def _joined(text: Text, letter: Text) -> Text:
    low, high = min(text.bottom, letter.bottom), max(text.top, letter.top)
    # On a page of tight lines the reader takes each letter for a line, so the gap is measured.
    apart = letter.left - text.right > (high - low) / 10
    words = f"{text.words}{' ' if apart else ''}{letter.words}"
    return Text(words, text.left, low, letter.right, high)


def sheet_text(sheet: pypdfium2.PdfPage) -> str:
    """The text of a page, with single spaces between words."""
    return " ".join(sheet.get_textpage().get_text_range().split())


def overlapping_texts(sheet: pypdfium2.PdfPage) -> list[tuple[str, str]]:
    """The pairs of texts that overlap."""
    found = sorted(texts(sheet), key=lambda text: text.left)
    # A text that begins right of another cannot overlap it.
    ends = [bisect_left(found, text.right, key=lambda other: other.left) for text in found]
    return [
        (one.words, other.words)
        for at, (one, end) in enumerate(zip(found, ends, strict=True))
        for other in found[at + 1 : end]
        if one.over(other)
    ]


def texts_off_paper(sheet: pypdfium2.PdfPage) -> list[str]:
    """The texts that run off the paper."""
    width, height = sheet.get_size()
    return [
        text.words
        for text in texts(sheet)
        if text.left < 0 or text.bottom < 0 or text.right > width or text.top > height
    ]


def read_qr_codes(sheet: pypdfium2.PdfPage) -> list[str]:
    """The texts of all QR codes of a page, as a camera reads them."""
    return camera.read(sheet.render(scale=SHARP).to_pil().convert("L"))
