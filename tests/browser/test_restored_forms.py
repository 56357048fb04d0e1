"""A form that is opened again is filled in as it was left, and opens nothing twice."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.probes import probe
from tests.browser.taps import win
from tests.builders import WON
from tests.sampling import slow

pytestmark = pytest.mark.shared_phone


SEAT = ".seat-00 input:not([type=radio])"


def open_table(page):
    """Send the form of the start page, and return the address of the table."""
    page.locator(".go .primary").click()
    page.wait_for_url("**/t/*")
    return page.url


@pytest.mark.parametrize("scripts", [True, *slow(False)])
def test_form_sent_again_opens_the_same_table(phone, scripts):
    page = phone("/", java_script_enabled=scripts)
    page.locator(SEAT).fill("Wirtshaus")
    there = open_table(page)
    page.go_back()
    expect(page.locator(SEAT)).to_have_value("Wirtshaus")
    assert open_table(page) == there
    page.goto("/")
    page.locator(SEAT).fill("Wirtshaus")
    assert open_table(page) != there


def test_double_tap_opens_only_one_table(phone):
    page = phone("/")
    page.locator(".go .primary").dblclick()
    # The second navigation aborts the first.
    expect(page).to_have_url(re.compile(r"/t/\w+$"))
    page.goto("/")
    expect(page.locator("[data-listed=tables] li")).to_have_count(1)


def test_page_is_up_to_date_after_going_back(phone):
    page = phone("/")
    open_table(page)
    win(page, 0, sums=(2, 0))
    page.go_back()
    expect(page.locator(".go-on b")).to_have_text(["2", "0"])


def new_ledger(server, *evenings):
    """Create a ledger of evenings, given by the players of both sides, and return its key."""
    _, headers, _ = server.request("POST", "/regulars", [("name", "Beim Wirt")])
    ledger = headers["location"].rsplit("/", 1)[1]
    for sides in evenings:
        key = server.table(sides=[{"players": side} for side in sides], played=[WON] * 5)["scorer"]
        server.request("POST", "/regulars/evenings", [("group", ledger), ("table", key)])
    return ledger


def expect_players(page, *names, absent=()):
    for name in names:
        expect(page.locator("#table")).to_contain_text(name)
    for name in absent:
        expect(page.locator("#table")).not_to_contain_text(name)


def test_tap_on_a_regular_fills_a_seat(phone, server):
    guests = ["Emil", "Fanni"]
    ledger = new_ledger(server, (["Anna", "Bert"], guests), (["Cilli", "Dora"], guests))
    page = phone(f"/?regulars={ledger}")
    chips = page.locator("[data-regular]")
    expect(chips).to_have_count(6)
    # The players of the last evening already have their seats.
    expect(page.locator("[data-regular][aria-pressed=true]")).to_have_count(4)
    full = page.locator("[data-regulars-full]")
    expect(full).to_be_hidden()
    chips.filter(has_text="Anna").click()
    expect(full).to_be_visible()
    chips.filter(has_text="Cilli").click()
    expect(full).to_be_hidden()
    chips.filter(has_text="Anna").click()
    expect(page.locator(SEAT)).to_have_value("Anna")
    open_table(page)
    expect_players(page, "Anna", "Dora", "Emil", "Fanni", absent=["Cilli"])


@pytest.mark.slow
@pytest.mark.parametrize("count", [2, 3, 4])
def test_seat_fields_do_not_overlap(phone, count):
    """Two players sit opposite each other. A tap on a deck chooses the dealer."""
    page = phone("/")
    page.locator(f".choice:has([name=count][value='{count}'])").click()
    fields = page.locator(".seat:visible")
    expect(fields).to_have_count(count)
    assert probe(page, "covered", ".seat, .wood") == []
    near, far = (fields.nth(seat).bounding_box() for seat in (0, 1))
    if count == 2:
        assert abs(near["x"] - far["x"]) < 1
        assert far["y"] + far["height"] < near["y"]
    names = ["Anna", "Bert", "Cilli", "Dora"][:count]
    for field, name in zip(fields.locator("input:not([type=radio])").all(), names, strict=True):
        field.fill(name)
    fields.nth(1).locator(".deal").click()
    open_table(page)
    expect_players(page, *names, "Bert gibt")


@pytest.mark.slow
def test_regulars_fill_only_seats_of_a_table_for_two(phone, server):
    """Names do not go to seats that a table of two does not have."""
    page = phone(f"/?regulars={new_ledger(server, (['Anna', 'Bert'], ['Cilli', 'Dora']))}")
    page.locator(".choice:has([name=count][value='2'])").click()
    free = page.locator("[data-regular][aria-pressed=true]")
    while free.count():
        free.first.click()
    for name in ("Dora", "Bert"):
        page.locator("[data-regular]").filter(has_text=name).click()
    page.locator("[data-regular]").filter(has_text="Anna").click()
    expect(page.locator("[data-regulars-full]")).to_be_visible()
    open_table(page)
    expect_players(page, "Dora", "Bert", absent=["Anna", "Cilli"])
