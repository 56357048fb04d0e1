"""Takes pictures of every page in its states, for whoever judges how they look.

`make page-gallery` runs it.

Chosen by environment variables: `WIDTHS` (such as `320 390`), `LANGUAGES`, `SCHEMES`, `PAGES` (a
part of the address).
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import BrowserContext, sync_playwright

from scorer.web.frame.language import COOKIE
from tests.browser.find_chromium import find_chromium
from tests.browser.positions import PAGES, written
from tests.browser.visual_checks import unfold
from tests.serving import serving

FOLDER = Path(__file__).parent.parent / "instance" / "page-gallery"
HEIGHTS = {320: 568, 360: 740, 390: 844, 820: 1180, 1280: 800}


def chosen(name: str, usual: str) -> list[str]:
    return os.environ.get(name, usual).split()


def take(context: BrowserContext, path: str, file: Path) -> None:
    """Write a picture of the whole page, and one with all opened that can be."""
    page = context.new_page()
    page.goto(path)
    page.screenshot(path=file, full_page=True)
    if unfold(page):
        page.screenshot(path=file.with_stem(f"{file.stem}-open"), full_page=True)
    page.close()


def main() -> None:
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    wanted = os.environ.get("PAGES", "")
    kinds = product(
        map(int, chosen("WIDTHS", "320 360 390 820")),
        chosen("SCHEMES", "light dark"),
        chosen("LANGUAGES", "de it fr en"),
    )
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "x.db", PUBLIC_URL="https://watten.example") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        keys = written(server)
        for width, scheme, language in kinds:
            context = browser.new_context(
                base_url=server.url,
                viewport={"width": width, "height": HEIGHTS.get(width, 844)},
                color_scheme="dark" if scheme == "dark" else "light",
                reduced_motion="reduce",
            )
            context.add_cookies([{"name": COOKIE, "value": language, "url": server.url}])
            for path, name in PAGES:
                if wanted in path:
                    page = re.sub(r"\W+", "-", f"{path} {name}").strip("-")
                    file = FOLDER / f"{page}-{width}-{scheme}-{language}.png"
                    take(context, path.format(**keys[name]), file)
            context.close()
        browser.close()
    print(f"{len(list(FOLDER.iterdir()))} pictures in {FOLDER}")


if __name__ == "__main__":
    main()
