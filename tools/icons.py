"""Renders the home screen icons from static/icon.svg, in Chromium."""

from __future__ import annotations

from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

from tests.browser.find_chromium import find_chromium

STATIC = Path(__file__).parent.parent / "static"
GROUND = "#24473b"
# Name, pixels, and the share of each edge that a launcher may crop.
ICONS = (("192", 192, 0), ("512", 512, 0), ("maskable-512", 512, 0.1))
# Few colours and no transparency for small files: every first visit loads one.
COLOURS = 6


def main() -> None:
    svg = (STATIC / "icon.svg").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        for name, size, edge in ICONS:
            page = browser.new_page(viewport={"width": size, "height": size})
            inner = round(size * (1 - 2 * edge))
            page.set_content(
                "<body style='margin:0;display:grid;place-items:center;"
                f"height:{size}px;background:{GROUND}'>"
                f"<div style='width:{inner}px;height:{inner}px'>{svg}</div>"
            )
            path = STATIC / "icons" / f"{name}.png"
            path.parent.mkdir(exist_ok=True)
            page.screenshot(path=path)
            page.close()
            with Image.open(path) as drawn:
                few = drawn.convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE)
            few.save(path, optimize=True, bits=4)
        browser.close()


if __name__ == "__main__":
    main()
