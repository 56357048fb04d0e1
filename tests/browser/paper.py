"""Reads a printed page: its sheets, its texts with their positions, and its QR codes."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from functools import lru_cache

import pypdfium2
from playwright.sync_api import Page

from tests.browser import camera

SHARP = 200 / 72
"""Pixels a point: what a cheap printer and a phone's camera still show."""


@dataclass(frozen=True)
class Text:
    """A piece of text on a page: in points, from the lower left."""

    words: str
    left: float
    bottom: float
    right: float
    top: float

    def over(self, other: Text, slack: float = 2) -> bool:
        """Whether both stand on the same spot."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.top, other.top) - max(self.bottom, other.bottom)
        lower = min(self.top - self.bottom, other.top - other.bottom)
        return wide > max(slack, lower * 0.3) and high > lower * 0.4


def printed(page: Page, path: str) -> pypdfium2.PdfDocument:
    """What comes out of the printer for a page of the server."""
    page.goto(path)
    return pypdfium2.PdfDocument(page.pdf(prefer_css_page_size=True))


@lru_cache(maxsize=1)
def texts(sheet: pypdfium2.PdfPage) -> list[Text]:
    """Every piece of text of a page; the last one is kept, as one is asked several things."""
    found = sheet.get_textpage()
    words = found.get_text_range()
    pieces: list[Text] = []
    for at, sign in enumerate(words[: found.count_chars()]):
        if sign.isspace():
            continue
        letter = Text(sign, *found.get_charbox(at, loose=True))
        if pieces and _next_to(pieces[-1], letter):
            pieces[-1] = _joined(pieces[-1], letter, words[at - 1].isspace())
        else:
            pieces.append(letter)
    return pieces


def _next_to(text: Text, letter: Text) -> bool:
    """Whether a letter goes on with a text in its line."""
    high = text.top - text.bottom
    return (
        abs(text.bottom - letter.bottom) < high / 3
        and -high / 4 < letter.left - text.right < high / 2
    )


def _joined(text: Text, letter: Text, apart: bool) -> Text:
    low, high = min(text.bottom, letter.bottom), max(text.top, letter.top)
    words = f"{text.words}{' ' if apart else ''}{letter.words}"
    return Text(words, text.left, low, letter.right, high)


def whole(sheet: pypdfium2.PdfPage) -> str:
    """The words of a page, one after the other."""
    return " ".join(sheet.get_textpage().get_text_range().split())


def overprinted(sheet: pypdfium2.PdfPage) -> list[tuple[str, str]]:
    """The texts that stand on each other."""
    found = sorted(texts(sheet), key=lambda text: text.left)
    # No text that begins right of another stands on it.
    ends = [bisect_left(found, text.right, key=lambda other: other.left) for text in found]
    return [
        (one.words, other.words)
        for at, (one, end) in enumerate(zip(found, ends, strict=True))
        for other in found[at + 1 : end]
        if one.over(other)
    ]


def outside(sheet: pypdfium2.PdfPage) -> list[str]:
    """The texts that are not wholly on the paper."""
    width, height = sheet.get_size()
    return [
        text.words
        for text in texts(sheet)
        if text.left < 0 or text.bottom < 0 or text.right > width or text.top > height
    ]


def codes(sheet: pypdfium2.PdfPage) -> list[str]:
    """What a camera reads from all codes of a page."""
    return camera.read(sheet.render(scale=SHARP).to_pil().convert("L"))
