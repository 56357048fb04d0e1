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
def test_list_link_spans_its_whole_line(phone, path):
    page = phone()
    page.goto(path)
    expect(page.locator(".links a").first).to_be_visible()
    assert page.evaluate(NARROWER) == []


def test_pressed_button_dims_under_reduced_motion(phone):
    page = phone(reduced_motion="reduce")
    new_table(page)
    button = page.locator(".tap.win").first
    place = button.bounding_box()
    page.mouse.move(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.mouse.down()
    expect(button).not_to_have_css("opacity", "1")
    expect(button).to_have_css("scale", "none")


def test_only_writer_of_new_table_sees_the_tap_hint(phone):
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
def test_round_value_is_at_right_of_first_line(phone, server, size):
    page = phone(viewport=dict(zip(("width", "height"), size, strict=True)))
    key = server.table("bayern", sides=NAMED, dealer="Anna")["scorer"]
    page.goto(f"/t/{key}")
    expect(page.locator(".keeping")).to_be_visible()
    first, counts = (
        page.locator(".round").bounding_box(),
        page.locator(".explanation").bounding_box(),
    )
    assert counts["x"] > size[0] / 2
    assert counts["y"] < first["y"] + first["height"]


def test_rows_of_the_last_game_have_equal_height(phone, server):
    page = phone(viewport={"width": 1280, "height": 800})
    keys = server.table("bayern", sides=NAMED)
    played = ["bieten 0 3", "gehen 1", "gewinnt 1", "gewinnt 0 13"]
    server.play(keys["scorer"], *map(event, played), {"do": "neues_spiel"})
    page.goto(f"/b/{keys['viewer']}?big=1")
    rows = page.locator(".before .line")
    expect(rows).to_have_count(3)
    assert len(set(rows.evaluate_all("all => all.map(row => row.offsetHeight)"))) == 1


@pytest.mark.parametrize("width", [320, 390])
def test_round_progress_figures_share_one_line(phone, server, width):
    page = phone(viewport={"width": width, "height": 844})
    page.goto(f"/p/{preiswatten(server)['director']}")
    figures = page.locator(".counts li:has(b)")
    expect(figures).to_have_count(4)
    tops = figures.evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
    assert len(set(tops)) == 1


def test_match_page_has_copy_button_for_each_pair_link(phone, server):
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


def test_qr_code_on_wall_covers_no_link(phone, server):
    page = phone(viewport={"width": 1280, "height": 720})
    page.goto(f"/b/{server.table(sides=NAMED)['viewer']}?big=1")
    expect(page.locator(".corner")).to_be_visible()
    for width in range(1100, 1320, 6):
        page.set_viewport_size({"width": width, "height": 720})
        assert page.evaluate(UNDER_THE_CODE) == [], width
