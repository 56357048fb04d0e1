"""Whoever comes back to a form finds it as it was left, and opens nothing else by it."""

import pytest
from playwright.sync_api import expect

from tests.browser.taps import sums, win

pytestmark = pytest.mark.shared_phone


@pytest.mark.parametrize("scripts", [True, False])
def test_a_second_start_opens_the_same_table(phone, scripts):
    page = phone(java_script_enabled=scripts)
    page.goto("/")
    page.locator("[name=side0]").fill("Wirtshaus")
    page.locator(".go .primary").click()
    page.wait_for_url("**/t/*")
    there = page.url
    page.go_back()
    expect(page.locator("[name=side0]")).to_have_value("Wirtshaus")
    page.locator(".go .primary").click()
    page.wait_for_url("**/t/*")
    assert page.url == there
    page.goto("/")
    page.locator("[name=side0]").fill("Wirtshaus")
    page.locator(".go .primary").click()
    page.wait_for_url("**/t/*")
    assert page.url != there


def test_two_taps_open_one_table(phone):
    page = phone()
    page.goto("/")
    page.locator(".go .primary").dblclick()
    page.wait_for_url("**/t/*")
    page.goto("/")
    expect(page.locator("[data-listed=tables] li")).to_have_count(1)


def test_a_page_come_back_to_is_up_to_date(phone):
    page = phone()
    page.goto("/")
    page.locator(".go .primary").click()
    page.wait_for_url("**/t/*")
    win(page, 0)
    sums(page, 2, 0)
    page.go_back()
    expect(page.locator(".go-on b")).to_have_text("2 : 0")
