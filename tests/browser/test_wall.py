"""The hall's big screen, as it is seen from the other end of the hall."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.web.tournament.hall import Hall

LONG = ("Maria-Magdalena H. & Maximilian F. v. S.", "Oberschmidleitner & Hinterholzermayr", "Ö & Ü")
CUT = """() => [...document.querySelectorAll(".name")].filter(
  (name) => name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1
).map((name) => name.textContent)"""


@pytest.fixture(scope="module")
def hall(server):
    pairs = [{"name": f"{LONG[n % 3][: 40 - 3]} {n:02}"} for n in range(27)]
    hall = Hall(server, pairs=pairs, scoring={"bye_wins": True})
    hall.draw()
    for table in range(1, 6):
        assert hall.enter(1, table, (15, 8))[0] == 201
    return hall


@pytest.mark.parametrize("size", [(1280, 720), (1920, 1080), (1024, 768)])
def test_no_name_is_cut(phone, hall, size):
    page = phone(viewport={"width": size[0], "height": size[1]})
    titles = []
    for at in range(5):
        page.goto(f"/p/{hall.key}/hall?still=1&page={at}")
        titles.append(page.locator("header p").inner_text())
        assert page.evaluate(CUT) == []
        expect(page.locator("tbody tr").last).to_be_in_viewport(ratio=1)
    assert [title.split(" · ")[0] for title in titles] == ["Runde 1 von 2"] * 3 + ["Rangliste"] * 2


def test_its_clock_is_right_where_its_own_machine_is_wrong_about_the_time(phone, hall):
    assert hall.post("/clock", "c", minutes="45")[0] == 303
    page = phone(viewport={"width": 1280, "height": 720})
    page.clock.install(time=time.time() - 3600)
    page.goto(f"/p/{hall.key}/hall")
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^4[45]:\d\d$"))
    page.clock.fast_forward(5000)
    expect(page.get_by_role("timer")).to_have_text(re.compile(r"^44:5\d$"))
