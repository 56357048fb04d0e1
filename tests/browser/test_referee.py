"""The referee on a phone, and the printed rules."""

import re

import pytest
from playwright.sync_api import expect

from scorer.engine import REGIONS
from scorer.web.frame.language import LANGUAGES
from tests.browser.paper import open_as_pdf, sheet_text
from tests.browser.taps import start_table
from tests.browser.visual_checks import each_screen, expect_in_view
from tests.pages import Page
from tests.sampling import slow

pytestmark = pytest.mark.shared_phone


def pick(page, *names):
    for name in names:
        button = page.get_by_role("button", name=name, exact=True)
        button.click()
        expect(button).to_have_attribute("aria-pressed", "true")


def leave_unanswered_unless(parameter, page):
    """Answer only the questions with this parameter.

    Counting does not work: a browser may drop a replaced question before it is sent.
    """
    page.route(re.compile(rf"/referee\?(?!.*\b{parameter}\b)"), lambda _: None)


@pytest.mark.parametrize("script", [True, *slow(False)], ids=["htmx", "no-javascript"])
def test_tapped_cards_show_the_winner_of_the_trick(phone, script):
    page = phone("/referee?rules=bayern&schlag=U&trumpf=H", java_script_enabled=script)
    pick(page, "Herz-Unter")
    expect(page.locator(".verdict")).to_have_text("Herz-Unter sticht")
    pick(page, "Eichel-Siebener", "Herz-Ass")
    expect(page.locator(".verdict")).to_have_text("Eichel-Siebener sticht")
    page.go_back()
    expect(page.locator(".faces li")).to_have_count(2)
    page.reload()
    expect(page.locator(".verdict")).to_have_text("Eichel-Siebener sticht")


@pytest.mark.slow
def test_referee_opened_from_pad_judges_two_quick_taps(phone):
    page, key = start_table(phone)
    page.get_by_role("link", name="Schiedsrichter").click()
    page.wait_for_load_state()
    for choice in ("Achter", "Herz"):
        page.locator("label", has=page.get_by_label(choice, exact=True)).click()
    expect(page.get_by_role("button", name="Herz-Achter", exact=True)).to_be_visible()
    # The taps are so fast that no response comes between them.
    cards = page.locator(".pick[value=H8], .pick[value=HA]")
    cards.evaluate_all("cards => cards.reverse().forEach(card => card.click())")
    expect(page.locator(".verdict")).to_have_text("Herz-Achter sticht")
    expect(page.locator(".contract > summary")).to_have_text(re.compile(r"Achter\s+Oberösterreich"))
    page.get_by_role("link", name="Zurück zum Tisch").click()
    page.wait_for_url(re.compile(rf"/t/{key}$"))


ZONES = {"Der Stich": "table", "Die Hand": "hand"}
TRICK = "table=HU&table=E7&table=L7&hand=HA&hand=E10&hand=EU&hand=LU&hand=S9"


@pytest.mark.parametrize("region", ["oberoesterreich", "bayern"])
def test_pack_and_verdict_fit_one_screen(phone, region):
    page = phone()
    for width, _ in each_screen(page, [(320, 568), (390, 844)]):
        page.goto(f"/referee?rules={region}&ask=legal&schlag=U&trumpf=H&{TRICK}")
        expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)
        expect_in_view(page.locator(".pick"))
        box = page.locator(".pick").first.bounding_box()
        assert box["height"] >= 44 and box["width"] >= (44 if width == 390 else 34)
        page.mouse.wheel(0, 2000)
        expect(page.locator(".verdict")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_card_tap_does_not_wait_for_pending_response(phone):
    page = phone("/referee?rules=trentino&schlag=O&trumpf=H")
    leave_unanswered_unless("tap=H7", page)
    page.get_by_label("Was darf ich spielen?").check()
    pick(page, "Herz-Siebener")
    expect(page.get_by_label("Was darf ich spielen?")).to_be_checked()


@pytest.mark.slow
@pytest.mark.parametrize("first", ["Der Stich", "Die Hand"])
def test_quick_taps_put_cards_into_the_chosen_zone(phone, first):
    page = phone(f"/referee?rules=bayern&ask=legal&schlag=U&trumpf=H&to={ZONES[first]}")
    # The taps are so fast that no response comes between them.
    leave_unanswered_unless("tap=LA", page)
    page.get_by_role("button", name="Herz-Ass", exact=True).click()
    second = next(title for title in ZONES if title != first)
    page.get_by_label(second).check()
    page.get_by_role("button", name="Laub-Ass", exact=True).click()
    for title, card in ((first, "Herz-Ass"), (second, "Laub-Ass")):
        zone = page.locator(".zone", has=page.get_by_label(title))
        expect(zone.get_by_role("img")).to_have_count(1)
        expect(zone.get_by_role("img", name=card)).to_be_visible()
    expect(page.get_by_label(second)).to_be_checked()


def test_referee_names_the_playable_card_of_a_hand(phone):
    page = phone("/referee?rules=trentino&schlag=O&trumpf=H")
    page.get_by_label("Was darf ich spielen?").check()
    pick(page, "Herz-Siebener")
    page.get_by_label("Die Hand").check()
    expect(page.get_by_label("Die Hand")).to_be_checked()
    pick(page, "Herz-Neuner", "Schell-Ass")
    expect(page.locator(".verdict")).to_have_text(re.compile(r"\bHerz-Neuner$"))
    expect(page.locator(".faces .dim")).to_have_count(1)


def test_rule_id_links_to_the_text_of_the_rule(phone):
    page = phone("/referee?rules=bayern&schlag=U&trumpf=H&table=HU")
    page.locator(".reasons .rule summary").first.click()
    page.locator(".reasons .rule a").first.click()
    page.wait_for_url(re.compile(r"/rules/bayern#B-12$"))
    expect(page.locator("#B-12")).to_be_in_viewport()


@pytest.mark.slow
@pytest.mark.parametrize("region", [REGIONS[0], *slow(*REGIONS[1:])])
def test_rules_of_each_region_print_on_one_sheet(phone, server, region):
    """Only the language with the longest text is printed, as the others need less room."""
    paths = [f"/rules/{region}?in={language}" for language in LANGUAGES]
    longest = max(paths, key=lambda path: len(Page(server.request("GET", path)[2]).root.text))
    page = phone()
    [sheet] = open_as_pdf(page, longest)
    assert [round(points) for points in sheet.get_size()] == [595, 842]
    words = sheet_text(sheet)
    ids = page.locator(".sentences li").evaluate_all("all => all.map((one) => one.id)")
    assert all(rule in words for rule in ids)


def test_focus_stays_on_a_card_pressed_by_key(phone):
    page = phone("/referee?rules=bayern&schlag=U&trumpf=H")
    card = page.get_by_role("button", name="Herz-Unter", exact=True)
    card.press("Enter")
    expect(card).to_have_attribute("aria-pressed", "true")
    expect(card).to_be_focused()
    other = page.get_by_label("Was darf ich spielen?")
    other.press("Space")
    page.wait_for_url("**ask=legal**")
    expect(other).to_be_focused()


def test_unset_schlag_and_trump_choices_do_not_fold(phone):
    page = phone("/referee")
    page.get_by_text("Nennt zuerst Schlag und Trumpf").click()
    for choices in (".schlaege", ".trumps"):
        expect(page.locator(choices)).to_be_visible()
