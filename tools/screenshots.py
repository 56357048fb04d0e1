"""Takes the README's screenshots from the running app. `make screenshots`."""

from __future__ import annotations

import io
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, sync_playwright

from scorer.demo import preiswatten
from tests.browser.find_chromium import find_chromium
from tests.serving import Server, serving

IMAGES = Path(__file__).parent.parent / "docs" / "images"
SIDES = [
    {"name": "Stammtisch", "players": ["Anna", "Bert"]},
    {"name": "Gäste", "players": ["Cilli", "Dora"]},
]
# An evening of Upper Austria: a game to zero, then one that stands on the edge.
EVENING = """
gewinnt 0; bieten 0 3; bleiben 1; gewinnt 0; gewinnt 0; gewinnt 0; neues_spiel
gewinnt 1; bieten 0 3; gehen 1; bieten 1 3; bieten 0 4; gehen 1; gewinnt 1; gewinnt 0; bieten 1 3
"""

TRICK = "rules=bayern&schlag=U&trumpf=H&first=1&table=HU&table=E7&table=HA&table=H9"


def event(text: str) -> dict[str, object]:
    do, *numbers = text.split()
    names = ("side", "to")
    return {"do": do, **{name: int(number) for name, number in zip(names, numbers, strict=False)}}


def evening(server: Server) -> dict[str, str]:
    """A table with the events of `EVENING`; its keys by role."""
    keys = server.table(sides=SIDES, dealer="Anna")
    steps = [step.strip() for step in EVENING.replace("\n", ";").split(";") if step.strip()]
    for number, text in enumerate(steps):
        status, answer = server.write(keys["scorer"], event(text), str(number))
        assert status == 201, (text, answer)
    return keys


def take(browser: Browser, url: str, name: str, width: int, height: int, **options: str) -> None:
    """Write a screenshot, with few colours so that it is small."""
    context = browser.new_context(
        viewport={"width": width, "height": height}, device_scale_factor=2, **options
    )
    page = context.new_page()
    page.goto(url)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    picture.quantize(64).save(IMAGES / f"{name}.png", optimize=True)
    context.close()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder) / "x.db", PUBLIC_URL="https://watten.example") as server,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--no-sandbox"])
        keys = evening(server)
        table, board = f"{server.url}/t/{keys['scorer']}", f"{server.url}/b/{keys['viewer']}"
        take(browser, table, "table", 390, 844, locale="de-AT")
        take(browser, board, "board", 390, 844, locale="de-AT", color_scheme="dark")
        take(browser, f"{server.url}/referee?{TRICK}", "referee", 390, 844, locale="de-AT")
        take(browser, f"{board}?big=1", "wall", 1280, 720, locale="de-AT", color_scheme="dark")
        keys = preiswatten(Path(folder) / "x.db")
        desk = f"{server.url}/p/{keys['director']}"
        take(browser, desk, "desk", 1280, 800, locale="de-AT")
        take(
            browser,
            f"{server.url}/p/{keys['hall']}/standings",
            "standings",
            390,
            844,
            locale="de-AT",
        )
        browser.close()


if __name__ == "__main__":
    main()
