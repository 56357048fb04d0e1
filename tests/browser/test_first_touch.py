"""Touch targets, feedback of buttons, and figures in columns."""

import pytest
from playwright.sync_api import expect

from tests.browser.positions import NAMED, event, preiswatten
from tests.browser.taps import new_table, win
from tests.browser.test_share import read_viewer_link, without_host

pytestmark = pytest.mark.shared_phone

NARROWER = """() => [...document.querySelectorAll(".links a")].filter((way) =>
  way.getBoundingClientRect().width < way.closest(".links").getBoundingClientRect().width - 1)
  .map((way) => way.textContent.trim())"""


@pytest.mark.parametrize("path", ["/", "/rules"])
def test_a_list_link_is_its_whole_line(phone, path):
    page = phone()
    page.goto(path)
    expect(page.locator(".links a").first).to_be_visible()
    assert page.evaluate(NARROWER) == []


def test_a_button_looks_pressed_without_motion(phone):
    page = phone(reduced_motion="reduce")
    new_table(page)
    button = page.locator(".tap.win").first
    place = button.bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    expect(button).not_to_have_css("opacity", "1")
    expect(button).to_have_css("scale", "none")


def test_a_new_table_tells_its_writer_to_tap(phone):
    writer, watcher = phone(), phone()
    key = new_table(writer)
    hint = "Tippt an, wer die Runde gewinnt."
    expect(writer.get_by_text(hint)).to_be_visible()
    watcher.goto(without_host(read_viewer_link(writer, key)))
    expect(watcher.get_by_text("Noch nichts angeschrieben.")).to_be_visible()
    expect(watcher.get_by_text(hint)).to_be_hidden()
    writer.goto(f"/t/{key}")
    win(writer, 0)
    expect(writer.get_by_text(hint)).to_have_count(0)


@pytest.mark.parametrize("size", [(320, 568), (390, 844)])
def test_a_rounds_points_end_its_first_line(phone, server, size):
    page = phone(viewport=dict(zip(("width", "height"), size, strict=True)))
    key = server.table("bayern", sides=NAMED, dealer="Anna")["scorer"]
    page.goto(f"/t/{key}")
    expect(page.locator(".keeping")).to_be_visible()
    first, counts = page.locator(".round").bounding_box(), page.locator(".worth").bounding_box()
    assert counts["x"] > size[0] / 2
    assert counts["y"] < first["y"] + first["height"]


def test_rows_of_the_last_game_are_equal(phone, server):
    page = phone(viewport={"width": 1280, "height": 800})
    keys = server.table("bayern", sides=NAMED)
    played = ["bieten 0 3", "gehen 1", "gewinnt 1", "gewinnt 0 13"]
    server.play(keys["scorer"], *map(event, played), {"do": "neues_spiel"})
    page.goto(f"/b/{keys['viewer']}?big=1")
    rows = page.locator(".before .line")
    expect(rows).to_have_count(3)
    assert len(set(rows.evaluate_all("all => all.map(row => row.offsetHeight)"))) == 1


@pytest.mark.parametrize("width", [320, 390])
def test_how_a_round_stands_is_read_on_one_line(phone, server, width):
    page = phone(viewport={"width": width, "height": 844})
    page.goto(f"/p/{preiswatten(server)['director']}")
    figures = page.locator(".counts li:has(b)")
    expect(figures).to_have_count(4)
    tops = figures.evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1


def test_a_pairs_link_is_copied_at_its_match(phone, server):
    page = phone()
    page.goto(f"/p/{preiswatten(server)['director']}/match/1/1")
    page.get_by_text("Die Links beider Paare").click()
    copy = page.get_by_role("button", name="Link kopieren")
    expect(copy).to_have_count(2)
    expect(copy.first).to_be_visible()


UNDER_THE_CODE = """() => {
  const code = document.querySelector(".corner").getBoundingClientRect();
  return [...document.querySelectorAll(".foot :is(a, button)")].filter((way) => {
    const at = way.getBoundingClientRect();
    return at.right > code.left && at.left < code.right && at.bottom > code.top;
  }).map((way) => way.textContent.trim());
}"""


def test_no_link_of_the_wall_is_under_the_code(phone, server):
    page = phone(viewport={"width": 1280, "height": 720})
    page.goto(f"/b/{server.table(sides=NAMED)['viewer']}?big=1")
    expect(page.locator(".corner")).to_be_visible()
    for width in range(1100, 1320, 6):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(UNDER_THE_CODE) == [], width
