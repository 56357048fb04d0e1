"""Screen readers, keyboards and forced colours."""

import pytest
from playwright.sync_api import expect

from tests.browser.taps import expect_sums, win
from tests.builders import RAISED

pytestmark = pytest.mark.shared_phone

SIDES = [{"name": "Anna"}, {"name": "Bert"}]
LIVE = "[role=status], [aria-live=polite]"


def test_live_region_announces_score_changes(phone, server):
    keys = server.table(sides=SIDES, start={"points": [5, 0]})
    writer, watcher = phone(f"/t/{keys['scorer']}"), phone(f"/b/{keys['viewer']}")

    def expect_announced(*sentences):
        for page in (writer, watcher):
            expect(page.locator(LIVE)).to_have_count(1)
            for text in sentences:
                expect(page.locator(LIVE)).to_contain_text(text)

    # The page does not announce the state in which it was opened.
    expect(watcher.locator(LIVE)).to_be_empty()
    win(writer, 1)
    expect_announced("Anna 5, Bert 2")
    writer.locator(".tap.raise.side-1").press("Enter")
    expect_announced("Anna 5, Bert 2", "Bert bietet 3; Anna: Bleibts?")
    writer.locator(".tap.answer.side-0", has_text="bleiben").press("Enter")
    expect_sums(writer, 5, 2)
    win(writer, 0, sums=(8, 2))
    win(writer, 0)
    expect_announced("Anna 10, gewonnen", "Bert: 1 Bummerl")


def test_entry_of_the_other_side_is_announced(phone, server):
    keys = server.table(sides=SIDES, answers=True, played=[RAISED])
    other, writer = phone(f"/b/{keys['opponent']}"), phone(f"/t/{keys['scorer']}")
    other.locator(".seat-buttons").get_by_role("button", name="bleiben").click()
    expect(writer.locator(LIVE)).to_contain_text("eingetragen von Bert")
    win(writer, 0)
    for page in (writer, other):
        expect(page.locator(LIVE)).to_contain_text("Anna 3, Bert 0")
        expect(page.locator(LIVE)).not_to_contain_text("eingetragen")


def test_keyboard_focus_stays_in_place_after_an_entry(phone, server):
    key = server.table(sides=SIDES)["scorer"]
    page, other = phone(f"/t/{key}"), phone(f"/t/{key}")
    button = page.locator(".tap.win.side-0")
    button.focus()
    page.keyboard.press("Enter")
    expect_sums(page, 2, 0)
    expect(button).to_be_focused()
    expect_sums(other, 2, 0)
    # An entry from another phone does not move the focus either.
    win(other, 1)
    expect_sums(page, 2, 2)
    expect(button).to_be_focused()
    # If the focused button disappears, the focus moves to the pad with the new buttons.
    page.locator(".tap.raise.side-0").press("Enter")
    expect(page.locator(".tap.answer")).to_have_count(2)
    expect(page.locator(".pad")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.locator(".tap.answer").first).to_be_focused()
    expect(page.locator(":focus")).to_have_css("outline-style", "solid")
    # The same if the button turns into another one, so that a second press writes nothing.
    page.locator(".tap.answer.side-1").first.focus()
    page.keyboard.press("Space")
    expect(page.locator(".tap.win")).to_have_count(2)
    expect(page.locator(".pad")).to_be_focused()
    page.keyboard.press("Space")
    expect_sums(page, 2, 2)


MOVES_ON = """() => {
  document.body.addEventListener("htmx:afterSwap", () => document.querySelector("#more").focus());
  document.body.addEventListener("htmx:afterSettle", () => { document.title = "settled"; });
}"""


def test_focus_moved_during_a_response_is_kept(phone, server):
    page = phone(f"/t/{server.table(sides=SIDES)['scorer']}")
    page.evaluate(MOVES_ON)
    page.locator(".tap.raise.side-0").press("Enter")
    expect(page).to_have_title("settled")
    expect(page.locator("#more")).to_be_focused()


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_keep_outlines_and_lines(phone, server, scheme):
    page = phone("/", forced_colors="active", color_scheme=scheme)
    expect(page.locator("input[name=count]:checked + span")).to_have_css("outline-style", "solid")
    other = page.locator("input[name=count]:not(:checked) + span").first
    expect(other).to_have_css("outline-style", "none")
    keys = server.table(sides=SIDES, start={"points": [7, 0]})
    page.goto(f"/t/{keys['scorer']}")
    colour = "(node, part) => getComputedStyle(node, part).backgroundColor"
    ground, stroke = (page.locator(".near .sum").evaluate(colour, at) for at in ("", "::after"))
    assert stroke != ground
    page.goto(f"/b/{keys['viewer']}")
    # A line separates the two columns.
    expect(page.locator(".head").nth(1)).to_have_css("border-inline-start-style", "solid")
