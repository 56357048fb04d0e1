"""The hall's big screen is legible from the far end of the hall."""

from datetime import datetime

from playwright.sync_api import expect

from tests.browser.taps import stop_clock
from tests.web.tournament.hall import Hall


def test_hall_clock_uses_the_servers_time(phone, server):
    hall = Hall(server)
    assert hall.post("/clock", "c", minutes="45")[0] == 303
    page = phone(viewport={"width": 1280, "height": 720})
    stop_clock(page, datetime(2001, 1, 1))
    page.goto(f"/p/{hall.key}/hall")
    timer = page.get_by_role("timer")
    left = int(timer.get_attribute("data-left"))
    assert 0 < left <= 45 * 60
    for passed in (0, 5):
        page.clock.fast_forward(passed * 1000)
        minutes, seconds = divmod(left - passed, 60)
        expect(timer).to_have_text(f"{minutes}:{seconds:02}")


def test_long_title_does_not_overlap_announcement(phone, server):
    hall = Hall(server, name="Preiswatten des Schützenvereins Hintersteiner-Öd 2026")
    hall.draw()
    assert hall.post("/announce", "a", text="Essen gibt es bis neun")[0] == 303
    page = phone(f"/p/{hall.key}/hall", viewport={"width": 1024, "height": 768})
    title, announcement = (page.locator(name).bounding_box() for name in ("h1", ".announced"))
    assert title["y"] + title["height"] <= announcement["y"]
