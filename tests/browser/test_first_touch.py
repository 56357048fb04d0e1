"""Touch targets, feedback of buttons, and figures in columns."""

import pytest
from playwright.sync_api import expect

from tests.browser.positions import NAMED, event, written
from tests.browser.taps import middle_of, new_table, path_of, start_table, win
from tests.browser.test_share import read_viewer_link
from tests.browser.visual_checks import each_screen
from tests.builders import NEXT

pytestmark = pytest.mark.shared_phone

NARROWER = """() => [...document.querySelectorAll(".links a")].filter((way) =>
  way.getBoundingClientRect().width < way.closest(".links").getBoundingClientRect().width - 1)
  .map((way) => way.textContent.trim())"""


@pytest.mark.parametrize("path", ["/", "/rules"])
def test_list_link_spans_its_whole_line(phone, path):
    page = phone(path)
    expect(page.locator(".links a").first).to_be_visible()
    assert page.evaluate(NARROWER) == []


@pytest.mark.slow
def test_pressed_button_dims_under_reduced_motion(phone):
    page, _ = start_table(phone, reduced_motion="reduce")
    button = page.locator(".tap.win").first
    page.mouse.move(*middle_of(button))
    page.mouse.down()
    expect(button).not_to_have_css("opacity", "1")
    expect(button).to_have_css("scale", "none")


def test_only_writer_of_new_table_sees_the_tap_hint(phone):
    writer, watcher = phone(), phone()
    key = new_table(writer)
    hint = "Tippt an, wer die Runde gewinnt."
    expect(writer.get_by_text(hint)).to_be_visible()
    watcher.goto(path_of(read_viewer_link(writer, key)))
    expect(watcher.get_by_text("Noch nichts angeschrieben.")).to_be_visible()
    expect(watcher.get_by_text(hint)).to_be_hidden()
    writer.goto(f"/t/{key}")
    win(writer, 0)
    expect(writer.get_by_text(hint)).to_have_count(0)


def test_round_value_is_at_right_of_first_line(phone, server):
    page = phone(f"/t/{server.table('bayern', sides=NAMED, dealer='Anna')['scorer']}")
    for width, _ in each_screen(page, [(320, 568), (390, 844)]):
        # A small phone names only the dealer, so that the slate has room for rounds.
        expect(page.locator(".keeper-note")).to_be_visible(visible=width > 320)
        expect(page.get_by_text("Geber: Anna")).to_be_visible(visible=width == 320)
        first, counts = (page.locator(part).bounding_box() for part in (".round", ".explanation"))
        assert counts["x"] > width / 2
        assert counts["y"] < first["y"] + first["height"]


def test_rows_of_the_last_game_have_equal_height(phone, server):
    played = map(event, ["bieten 0 3", "gehen 1", "gewinnt 1", "gewinnt 0 13", NEXT])
    keys = server.table("bayern", sides=NAMED, played=played)
    page = phone(f"/b/{keys['viewer']}?big=1", viewport={"width": 1280, "height": 800})
    rows = page.locator(".before .slate-row")
    expect(rows).to_have_count(3)
    assert len(set(rows.evaluate_all("all => all.map(row => row.offsetHeight)"))) == 1


@pytest.mark.slow
def test_round_progress_figures_share_one_line(phone, server):
    page = phone(f"/p/{written(server)['over']['director']}")
    figures = page.locator(".counts li:has(b)")
    expect(figures).to_have_count(4)
    for _ in each_screen(page, [(320, 844), (390, 844)]):
        tops = figures.evaluate_all("all => all.map(one => one.getBoundingClientRect().top)")
        assert len(set(tops)) == 1


def test_match_page_has_copy_button_for_each_pair_link(phone, server):
    director = server.new_tournament(pairs=[{"name": "Anna & Bert"}, {"name": "Clara & Doris"}])
    server.draw(director["director"])
    page = phone(f"/p/{director['director']}/match/1/1")
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


@pytest.mark.slow
def test_qr_code_on_wall_covers_no_link(phone, server):
    page = phone(f"/b/{server.table(sides=NAMED)['viewer']}?big=1")
    for width, _ in each_screen(page, [(width, 720) for width in range(1100, 1320, 6)]):
        expect(page.locator(".corner")).to_be_visible()
        assert page.evaluate(UNDER_THE_CODE) == [], width
